"""The Provider port: whoever answers a request, chunk by chunk.

A provider knows its wire and its key. It never knows a game.
"""

from collections.abc import AsyncGenerator
from typing import Protocol

from talewright.llm.chunks import Chunk
from talewright.llm.profiles import Profile
from talewright.llm.requests import Request


class Provider(Protocol):
    """A model that can be asked."""

    @property
    def profile(self) -> Profile:
        """What the model can do."""

    def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask. Raises a ProviderError where the answer fails; closing the generator stops the asking."""

    async def close(self) -> None:
        """Let go of connections."""
