"""The scripted provider: replies from a list or a function, split into chunks as requested.

It serves plays, tests and demonstrations. It opens no connection and invents nothing.
"""

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import CallPart, Chunk, Stop, StopReason, Text, Usage, Used
from talewright.llm.requests import Request, ToolCall


@frozen
class ScriptedReply:
    """One reply of the script."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    stop: StopReason | None = None
    """None: `calls` if there are any, else `end`."""

    error: ProviderError | None = None
    """Raised after the text has been sent."""


Script: TypeAlias = Sequence[str | ScriptedReply] | Callable[[Request], str | ScriptedReply]
Cut: TypeAlias = Callable[[str], Iterator[str]]


def whole(text: str) -> Iterator[str]:
    """The text in one piece."""
    if text:
        yield text


def by(size: int) -> Cut:
    """Split into pieces of this many characters."""

    def cut(text: str) -> Iterator[str]:
        for start in range(0, len(text), size):
            yield text[start : start + size]

    return cut


class Scripted:
    """A provider that returns prepared replies."""

    def __init__(self, script: Script, *, profile: Profile | None = None, cut: Cut = whole) -> None:
        self._script = script
        self._profile = profile or Profile("scripted")
        self._cut = cut
        self.requests: list[Request] = []
        """The requests so far, in order."""

    @property
    def profile(self) -> Profile:
        """What this model can do."""
        return self._profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Yield the next reply."""
        self.requests.append(request)
        for chunk in self._chunks(self._next(request)):
            yield chunk

    async def close(self) -> None:
        """Do nothing: there are no connections."""

    def _next(self, request: Request) -> ScriptedReply:
        if callable(self._script):
            line = self._script(request)
        else:
            asked = len(self.requests)
            if asked > len(self._script):
                raise ProviderError(Trouble.SPENT, f"the script has {len(self._script)} replies, not {asked}")
            line = self._script[asked - 1]
        return ScriptedReply(line) if isinstance(line, str) else line

    def _chunks(self, line: ScriptedReply) -> Iterator[Chunk]:
        for piece in self._cut(line.text):
            yield Text(piece)
        for index, call in enumerate(line.calls):
            yield CallPart(index, call.id, call.name)
            for piece in self._cut(call.arguments):
                yield CallPart(index, arguments=piece)
        if line.error is not None:
            raise line.error
        if line.usage is not None:
            yield Used(line.usage)
        yield Stop(line.stop or (StopReason.CALLS if line.calls else StopReason.END))
