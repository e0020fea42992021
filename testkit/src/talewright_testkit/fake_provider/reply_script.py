"""The reply script: what the fake model says, as a list or a function, and how it is split into pieces.

Answers are independent of any vendor; the wires format them. Nothing is made up: a script that has run out
says so.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.llm.reply_chunks import StopReason
from talewright.llm.requests import ToolCall
from talewright_testkit.fake_provider import parsed_request
from talewright_testkit.fake_provider.parsed_request import ParsedRequest


@frozen
class FakeAnswer:
    """One reply of the model."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    """Tool calls; the server fills in empty ids."""

    reasoning: str = ""
    """The model's reasoning before its answer."""

    refusal: str = ""
    """Text of a refusal, for vendors with a separate field for it."""

    stop: StopReason | None = None
    """None: `calls` if there are any, else `end`."""

    @property
    def ending(self) -> StopReason:
        """Why the model stops."""
        return self.stop or (StopReason.CALLS if self.calls else StopReason.END)

    @property
    def spoken(self) -> str:
        """Everything the model generated."""
        return "".join(self._parts())

    @property
    def tokens(self) -> int:
        """Count the generated tokens; parts never merge."""
        return sum(map(parsed_request.count_tokens, self._parts()))

    def _parts(self) -> tuple[str, ...]:
        called = (part for call in self.calls for part in (call.name, call.arguments))
        return (self.reasoning, self.text, self.refusal, *called)


Script: TypeAlias = Sequence[str | FakeAnswer] | Callable[[ParsedRequest], str | FakeAnswer]


class ScriptSpentError(Exception):
    """The script has no reply left."""


@frozen
class ReplyPace:
    """How a reply is split on its way to the client."""

    piece_characters: int = 0
    """Characters of text or arguments per event; 0: all in one event."""

    write_bytes: int = 0
    """Bytes per write, whatever they split; 0: one event per write."""

    escaped: bool = False
    """Whether non-ASCII characters are sent as \\u escapes, so that small writes split escapes too."""

    gap_seconds: float = 0.0
    """Pause between two writes, in seconds."""

    def pieces(self, text: str) -> Iterator[str]:
        """Split a text into pieces."""
        size = self.piece_characters or len(text)
        for start in range(0, len(text), size or 1):
            yield text[start : start + size]


def pick(script: Script, asked: ParsedRequest) -> FakeAnswer:
    """Return the reply to this request."""
    if callable(script):
        line = script(asked)
    elif asked.number > len(script):
        raise ScriptSpentError(
            f"the script of the fake provider has {len(script)} replies, not {asked.number}"
        )
    else:
        line = script[asked.number - 1]
    return FakeAnswer(line) if isinstance(line, str) else line


def limit(answer: FakeAnswer, tokens_max: int | None) -> FakeAnswer:
    """Cut the answer to the maximum length of the request."""
    if tokens_max is None or answer.tokens <= tokens_max:
        return answer
    left = tokens_max
    reasoning = parsed_request.cut_tokens(answer.reasoning, left)
    left -= parsed_request.count_tokens(reasoning)
    text = parsed_request.cut_tokens(answer.text, left)
    left -= parsed_request.count_tokens(text)
    calls: list[ToolCall] = []
    for call in answer.calls:
        if left <= 0:
            break
        arguments = parsed_request.cut_tokens(call.arguments, left)
        left -= parsed_request.count_tokens(call.name) + parsed_request.count_tokens(arguments)
        calls.append(replace(call, arguments=arguments))
    return FakeAnswer(text, tuple(calls), reasoning, stop=StopReason.LENGTH)
