"""Late: a provider that is made when it is first asked.

So the first screen of a game need not wait for the libraries that talk to a model.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider
from talewright.llm.reply_chunks import Chunk
from talewright.llm.requests import Request


class Late:
    """A provider that is yet to be made."""

    def __init__(self, profile: Profile, make: Callable[[], Provider]) -> None:
        self._profile = profile
        self._make = make
        self._made: Provider | None = None
        self._making = asyncio.Lock()

    @property
    def profile(self) -> Profile:
        """What the model can do; known beforehand."""
        return self._profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask, after whatever that needs is there."""
        async with self._making:
            if self._made is None:
                self._made = await asyncio.to_thread(self._make)
        async with aclosing(self._made.stream(request)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def close(self) -> None:
        """Let go of connections, if there are any."""
        if self._made is not None:
            await self._made.close()
            self._made = None
