"""Watching: a provider that writes down what was asked through it, what came, and how long that took.

It alters nothing on the way.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from time import perf_counter

from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError
from talewright.llm.reply_chunks import CallPart, Chunk, StopReason, Text, Usage, gather
from talewright.llm.requests import Request


@dataclass(frozen=True, slots=True)
class Ask:
    """One question and what became of it."""

    request: Request
    text: str
    usage: Usage
    """As the server reports it."""

    stop: StopReason | None
    first_seconds: float
    """From the question to the first piece of the answer."""

    seconds: float
    trouble: str = ""


@dataclass(slots=True)
class Watched:
    """A provider that is watched."""

    inner: Provider
    clock: Callable[[], float] = perf_counter
    asks: list[Ask] = field(default_factory=list)

    @property
    def profile(self) -> Profile:
        """That of the provider within."""
        return self.inner.profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask, and write down."""
        began, first, trouble = self.clock(), 0.0, ""
        chunks: list[Chunk] = []
        try:
            async with aclosing(self.inner.stream(request)) as stream:
                async for chunk in stream:
                    if not first and isinstance(chunk, Text | CallPart):
                        first = self.clock() - began
                    chunks.append(chunk)
                    yield chunk
        except ProviderError as error:
            trouble = f"{error.trouble.value}: {error.message}"
            raise
        finally:
            told = gather(chunks)
            took = self.clock() - began
            usage = told.usage or Usage()
            self.asks.append(Ask(request, told.text, usage, told.stop, first or took, took, trouble))

    async def close(self) -> None:
        """Let go of the provider within."""
        await self.inner.close()
