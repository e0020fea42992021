"""The cost meter: what an attempt at a request has cost, and a provider that reports it.

It reads and passes on; it neither stops a request nor knows a budget. `retry` handles retries. Prices change:
the provider's bill is authoritative, not this estimate.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TypeAlias

from talewright.llm.profiles import Prices, Profile
from talewright.llm.provider import Provider, ProviderError
from talewright.llm.reply_chunks import (
    Again,
    CallPart,
    Chunk,
    PromptProgress,
    Text,
    Usage,
    Used,
    add_usage,
    gather,
)
from talewright.llm.requests import Request
from talewright.llm.token_estimate import estimate_usage

MILLION = 1_000_000


def cost(usage: Usage, prices: Prices) -> float:
    """Dollars for this usage; overestimated rather than underestimated.

    Providers that charge for cache writes seldom report how much they wrote: all uncached input is then
    counted at the cache-write price.
    """
    cached = min(usage.cached_tokens, usage.input_tokens)
    fresh = usage.input_tokens - cached
    fresh_price = max(prices.input, prices.cache_write or 0.0)
    cached_price = prices.input if prices.cached_input is None else prices.cached_input
    return (fresh * fresh_price + cached * cached_price + usage.output_tokens * prices.output) / MILLION


class ProviderAttempt:
    """One attempt, observed chunk by chunk. If the reply restarts, so does its observation."""

    __slots__ = ("_chunks", "_request", "before", "given", "restarts")

    def __init__(self, request: Request) -> None:
        self._request = request
        self._chunks: list[Chunk] = []
        self.given = False
        """Whether text or calls have arrived since the reply last started."""

        self.restarts = 0
        """How often the reply has restarted."""

        self.before: Usage | None = None
        """The cost of the starts that were abandoned."""

    def note(self, chunk: Chunk) -> None:
        """Observe a chunk."""
        if isinstance(chunk, Again):
            self.before = add_usage(self.before, self._told())
            self.restarts += 1
            self.given = False
            self._chunks.clear()
            return
        if isinstance(chunk, PromptProgress):
            return
        self._chunks.append(chunk)
        if not self.given and isinstance(chunk, Text | CallPart):
            self.given = True

    def is_free(self, error: ProviderError) -> bool:
        """Whether the last start certainly cost nothing."""
        return error.unpaid and not self._chunks

    def count_paid(self, error: ProviderError) -> int:
        """How many starts may have been charged for."""
        return self.restarts + (not self.is_free(error))

    def cost(self, error: ProviderError | None = None) -> Usage | None:
        """The cost of the last start: as reported, else an estimate; None if it certainly cost nothing."""
        if error is not None and error.usage is not None:
            return error.usage
        if error is not None and self.is_free(error):
            return None
        return self._told() or estimate_usage(self._request, gather(self._chunks))

    def settle(self, error: ProviderError) -> tuple[Chunk, ...]:
        """The cost of a failed start as a chunk, unless it was already reported."""
        cost = self.cost(error)
        return () if cost is None or cost == self._told() else (Used(cost),)

    def void(self, error: ProviderError) -> tuple[Chunk, ...]:
        """The chunks to send before another attempt.

        Empty if nothing was sent and nothing spent: the listener then needs no notice of that attempt.
        """
        if not self.given and self.is_free(error):
            return ()
        return (*self.settle(error), Again(error.message))

    def _told(self) -> Usage | None:
        return gather(self._chunks).usage


Take: TypeAlias = Callable[[Usage, Profile], None]
"""Receives the usage of a request and the model's profile."""


class Metered:
    """A provider with a cost meter. Wrap each provider itself, inside a `Fallback`: prices differ."""

    def __init__(self, provider: Provider, take: Take) -> None:
        self._provider = provider
        self._take = take

    @property
    def profile(self) -> Profile:
        """What the model can do."""
        return self._provider.profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask; the cost is reported once, even if the reply breaks off or the listener stops."""
        attempt = ProviderAttempt(request)
        failure: ProviderError | None = None
        try:
            async with aclosing(self._provider.stream(request)) as chunks:
                async for chunk in chunks:
                    attempt.note(chunk)
                    yield chunk
        except ProviderError as error:
            failure = error
            raise
        finally:
            used = add_usage(attempt.before, attempt.cost(failure))
            if used is not None:
                self._take(used, self.profile)

    async def close(self) -> None:
        """Close the provider."""
        await self._provider.close()


def cost_by_profile(usage: Usage, profile: Profile) -> float | None:
    """Dollars for this usage of a model; None if its prices are unknown."""
    return None if profile.prices is None else cost(usage, profile.prices)
