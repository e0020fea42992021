"""Doubles for the wrappers' tests: providers that fail as told, and a clock that only sleeping moves."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk, Stop, StopReason, Text, Usage, Used
from talewright.llm.requests import Request, UserMessage

REQUEST = Request((UserMessage("Go on."),))
DONE = (Text("He nods."), Used(Usage(10, 2)), Stop(StopReason.END))


def busy(seconds: float | None = None) -> ProviderError:
    return ProviderError(Trouble.BUSY, "too many", retry_after_seconds=seconds, unpaid=True)


def broken(usage: Usage | None = None) -> ProviderError:
    return ProviderError(Trouble.UNREACHABLE, "it broke", usage=usage)


@dataclass
class Time:
    """Time that passes only while somebody sleeps."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class Failing:
    """A provider that gives these chunks and errors, one list an ask; the last list again and again."""

    def __init__(self, *asks: Sequence[Chunk | ProviderError], name: str = "failing") -> None:
        self._asks = asks
        self._profile = Profile(name)
        self.asked = 0
        self.open = 0
        self.closed = 0

    @property
    def profile(self) -> Profile:
        return self._profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        script = self._asks[min(self.asked, len(self._asks) - 1)]
        self.asked += 1
        self.open += 1
        try:
            for step in script:
                if isinstance(step, ProviderError):
                    raise step
                yield step
        finally:
            self.open -= 1

    async def close(self) -> None:
        self.closed += 1


def listen(provider: Provider) -> tuple[list[Chunk], ProviderError | None]:
    """Everything that one ask gives, and what it broke off with."""

    async def run() -> tuple[list[Chunk], ProviderError | None]:
        heard: list[Chunk] = []
        try:
            async for chunk in provider.stream(REQUEST):
                heard.append(chunk)
        except ProviderError as error:
            return heard, error
        return heard, None

    return asyncio.run(run())


def leave_early(provider: Provider) -> Chunk:
    """Hear the first chunk and close the stream."""

    async def run() -> Chunk:
        stream = provider.stream(REQUEST)
        first = await anext(stream)
        await stream.aclose()
        return first

    return asyncio.run(run())
