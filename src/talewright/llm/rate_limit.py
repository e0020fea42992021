"""The rate limit: a provider that limits concurrent requests; the others wait in line.

First come, first served; it does not reorder or drop requests.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request

WAITING_MAX = 1_000
"""Requests that may wait; further ones are rejected at once."""


class RateLimitedProvider:
    """A provider with a concurrency limit. A request holds its place until its answer ends or is closed."""

    def __init__(self, provider: Provider, at_once: int, *, waiting_max: int = WAITING_MAX) -> None:
        assert at_once > 0, "a rate limit must allow at least one request"
        self._provider = provider
        self._places = asyncio.Semaphore(at_once)
        self._waiting = 0
        self._waiting_max = waiting_max

    @property
    def profile(self) -> Profile:
        """What the model can do."""
        return self._provider.profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask as soon as there is a free place."""
        if self._places.locked() and self._waiting >= self._waiting_max:
            raise ProviderError(
                Trouble.BUSY,
                f"{self._waiting} questions are waiting for this model already",
                "Try again in a minute.",
                unpaid=True,
            )
        self._waiting += 1
        try:
            await self._places.acquire()
        finally:
            self._waiting -= 1
        try:
            async with aclosing(self._provider.stream(request)) as chunks:
                async for chunk in chunks:
                    yield chunk
        finally:
            self._places.release()

    async def close(self) -> None:
        """Close the provider."""
        await self._provider.close()
