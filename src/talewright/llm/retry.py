"""Retry: a provider that repeats a request after a transient failure.

It waits as long as the provider asks for, within its limits, and never repeats what cannot succeed.
"""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

from talewright.common.frozen_values import frozen
from talewright.llm.cost_meter import ProviderAttempt
from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request

PASSING = frozenset({Trouble.BUSY, Trouble.SLOW, Trouble.UNREACHABLE, Trouble.GARBLED})
"""Problems that may be gone on the next attempt."""


@frozen
class RetryLimits:
    """Limits on repeating a request."""

    tries_max: int = 4
    """Attempts of one request, including the first."""

    paid_tries_max: int = 2
    """Attempts that may have cost money: a broken answer costs as much as a whole one.

    Inside a `Fallback` use 1, so that a turn with a second provider also costs at most twice as much.
    """

    wait_seconds_max: float = 20.0
    """Total seconds one request may wait. A provider that asks for more is not retried."""

    begin_seconds_max: float = 60.0
    """Seconds after the first attempt in which another one may still start."""

    first_wait_seconds: float = 0.5
    """The longest first wait; each further one is twice as long."""


class RetryingProvider:
    """A provider that retries."""

    def __init__(
        self,
        provider: Provider,
        limits: RetryLimits = RetryLimits(),  # noqa: B008 - a frozen value
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._provider = provider
        self._limits = limits
        self._sleep = sleep
        self._clock = clock
        self._jitter = jitter
        """From 0 up to 1, so that many players who were rejected together do not all retry at once."""

    @property
    def profile(self) -> Profile:
        """What the model can do."""
        return self._provider.profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask, and retry if that may help."""
        limits = self._limits
        start = self._clock()
        tries, paid, waited, voided = 0, 0, 0.0, False
        while True:
            attempt = ProviderAttempt(request)
            try:
                async with aclosing(self._provider.stream(request)) as chunks:
                    async for chunk in chunks:
                        attempt.note(chunk)
                        yield chunk
                return
            except ProviderError as error:
                failure = error
            tries += 1
            paid += attempt.count_paid(failure)
            voided = voided or attempt.restarts > 0
            wait = self._choose_wait(tries, failure)
            if (
                failure.trouble not in PASSING
                or tries >= limits.tries_max
                or paid >= limits.paid_tries_max
                or waited + wait > limits.wait_seconds_max
                or self._clock() - start + wait > limits.begin_seconds_max
            ):
                break
            for chunk in attempt.void(failure):
                voided = True
                yield chunk
            waited += wait
            await self._sleep(wait)
        if not voided:
            raise failure
        # The cost of earlier attempts has already been passed on as chunks; that of the last must not replace
        # it.
        for chunk in attempt.settle(failure):
            yield chunk
        raise failure.costing(None) from failure

    async def close(self) -> None:
        """Close the provider."""
        await self._provider.close()

    def _choose_wait(self, tries: int, error: ProviderError) -> float:
        backoff: float = self._limits.first_wait_seconds * 2 ** (tries - 1)
        return max(backoff * (0.5 + 0.5 * self._jitter()), error.retry_after_seconds or 0.0)
