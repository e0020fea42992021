"""The cost meter: what a try at an ask has cost, and a provider that enters it in the books.

It reads and passes on; it neither stops an ask nor knows a budget. Trying again is `retry`'s business.
Prices change: the provider's bill is right, not we.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TypeAlias

from talewright.llm.profiles import Prices, Profile
from talewright.llm.provider import Provider, ProviderError
from talewright.llm.reply_chunks import Again, CallPart, Chunk, Text, Usage, Used, add_usage, gather
from talewright.llm.requests import Request
from talewright.llm.token_estimate import estimate_usage

MILLION = 1_000_000


def cost(usage: Usage, prices: Prices) -> float:
    """Dollars for this usage, rather too many than too few.

    Providers that charge for keeping seldom say how much they have kept: all input that was not cached is
    then counted at the price of keeping it.
    """
    cached = min(usage.cached_tokens, usage.input_tokens)
    fresh = usage.input_tokens - cached
    fresh_price = max(prices.input, prices.cache_write or 0.0)
    cached_price = prices.input if prices.cached_input is None else prices.cached_input
    return (fresh * fresh_price + cached * cached_price + usage.output_tokens * prices.output) / MILLION


class ProviderAttempt:
    """One try, as it goes by. Where the reply begins anew, so does what is known of it."""

    __slots__ = ("_chunks", "_request", "before", "given", "restarts")

    def __init__(self, request: Request) -> None:
        self._request = request
        self._chunks: list[Chunk] = []
        self.given = False
        """Whether text or calls have been given since the reply last began."""

        self.restarts = 0
        """How often the reply has begun anew."""

        self.before: Usage | None = None
        """What the beginnings that were given up have cost."""

    def note(self, chunk: Chunk) -> None:
        """See a chunk go by."""
        if isinstance(chunk, Again):
            self.before = add_usage(self.before, self._told())
            self.restarts += 1
            self.given = False
            self._chunks.clear()
            return
        self._chunks.append(chunk)
        if not self.given and isinstance(chunk, Text | CallPart):
            self.given = True

    def is_free(self, error: ProviderError) -> bool:
        """Whether the last beginning has certainly cost nothing."""
        return error.unpaid and not self._chunks

    def count_paid(self, error: ProviderError) -> int:
        """How many beginnings may have been paid for."""
        return self.restarts + (not self.is_free(error))

    def cost(self, error: ProviderError | None = None) -> Usage | None:
        """What the last beginning has cost: as the provider says, else a guess; None: certainly nothing."""
        if error is not None and error.usage is not None:
            return error.usage
        if error is not None and self.is_free(error):
            return None
        return self._told() or estimate_usage(self._request, gather(self._chunks))

    def settle(self, error: ProviderError) -> tuple[Chunk, ...]:
        """The cost of a failed beginning as a chunk, where it has not been told already."""
        cost = self.cost(error)
        return () if cost is None or cost == self._told() else (Used(cost),)

    def void(self, error: ProviderError) -> tuple[Chunk, ...]:
        """What has to be said before a further try.

        Nothing where nothing was given and nothing spent: the listener need not learn of that try.
        """
        if not self.given and self.is_free(error):
            return ()
        return (*self.settle(error), Again(error.message))

    def _told(self) -> Usage | None:
        return gather(self._chunks).usage


Take: TypeAlias = Callable[[Usage, Profile], None]
"""Where an ask is entered: what was used, and of which model."""


class Metered:
    """A provider with a meter. Put it around each provider itself, inside a `Fallback`: prices differ."""

    def __init__(self, provider: Provider, take: Take) -> None:
        self._provider = provider
        self._take = take

    @property
    def profile(self) -> Profile:
        """What the model can do."""
        return self._provider.profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask; what it has cost is entered once, also where the answer breaks off or nobody listens on."""
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
    """Dollars that this usage of a model costs; None where its prices are not known."""
    return None if profile.prices is None else cost(usage, profile.prices)
