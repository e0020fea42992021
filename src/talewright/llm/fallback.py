"""Fallback: several providers in order, each asked when those before it have failed.

It does not wait; the providers it is given do their own retries. A provider that has failed rests for a
while.
"""

import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, aclosing

from talewright.llm.cost_meter import ProviderAttempt
from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request

REST_SECONDS = 60.0
"""How long a failed provider is asked last, so that not every turn waits for it first."""

PAID_TRIES_MAX = 2
"""Attempts of one request that may have cost money, over all providers."""


class Fallback:
    """A provider that asks the next one after any failure, since another may not have the same problem.

    Requests are written for the profile of the first one. A provider adapts what it does not support: an
    answer schema it cannot enforce is then only asked for in words.
    """

    def __init__(
        self,
        providers: Sequence[Provider],
        *,
        rest_seconds: float = REST_SECONDS,
        paid_tries_max: int = PAID_TRIES_MAX,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        assert providers, "a fallback needs at least one provider"
        self._providers = tuple(providers)
        self._rest_seconds = rest_seconds
        self._paid_tries_max = paid_tries_max
        self._clock = clock
        self._rests_until = [float("-inf")] * len(self._providers)

    @property
    def profile(self) -> Profile:
        """What the first model can do."""
        return self._providers[0].profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask one provider after the other until one answers; the last failure is raised."""
        paid, voided = 0, False
        left = self._choose_order()
        while True:
            place = left.pop(0)
            attempt = ProviderAttempt(request)
            try:
                async with aclosing(self._providers[place].stream(request)) as chunks:
                    async for chunk in chunks:
                        attempt.note(chunk)
                        yield chunk
                self._rests_until[place] = float("-inf")
                return
            except ProviderError as error:
                failure = error
            self._rests_until[place] = self._clock() + self._rest_seconds
            paid += attempt.count_paid(failure)
            # Restarts by the provider itself were already passed on and counted.
            voided = voided or attempt.restarts > 0
            if not left or paid >= self._paid_tries_max:
                break
            for chunk in attempt.void(failure):
                voided = True
                yield chunk
        if not voided:
            raise failure
        for chunk in attempt.settle(failure):
            yield chunk
        raise failure.costing(None) from failure

    async def close(self) -> None:
        """Close every provider, even if closing one fails."""
        async with AsyncExitStack() as stack:
            for provider in self._providers:
                stack.push_async_callback(provider.close)

    def _choose_order(self) -> list[int]:
        now = self._clock()
        # Sorting is stable: resting providers come last, in their given order.
        return sorted(range(len(self._providers)), key=lambda place: self._rests_until[place] > now)
