"""Replies of Anthropic and Google: converts pydantic-ai's events to chunks as they arrive.

It waits for nothing. The first words of a part come with its start, the others as deltas.
"""

import json
from collections.abc import Mapping
from typing import Any

from pydantic_ai.messages import (
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models import StreamedResponse

from talewright.llm.reply_chunks import CallPart, Chunk, Stop, StopReason, Text, Usage, Used
from talewright.llm.token_estimate import estimate_tokens
from talewright.providers.http_errors import ProviderErrorReporter
from talewright.providers.wire_text import CALLS_MAX, SurrogateJoiner, join_surrogates

STOPS: Mapping[str, StopReason] = {
    "length": StopReason.LENGTH,
    "tool_call": StopReason.CALLS,
    "content_filter": StopReason.REFUSAL,
}
"""The meaning of a finish reason; any other is a normal end."""

BROKEN = "error"
"""The finish reason of a model that failed: a malformed call, or the wrong language."""

LEFT_OPEN = frozenset({"pause_turn"})
"""A vendor's reasons that do not end the answer."""


class BridgeEventReader:
    """Takes the events of one answer and returns its chunks."""

    def __init__(self, reporter: ProviderErrorReporter) -> None:
        self._reporter = reporter
        self._text = SurrogateJoiner()
        self._text_watch, self._call_watch = reporter.watch_key(), reporter.watch_key()
        self._calls: dict[int, int | None] = {}
        """Our index of a call by the index of its part; None for a duplicate, which is skipped."""

        self._ids: set[str] = set()
        self._names: list[str] = []
        self._menders: list[SurrogateJoiner] = []
        self._empty: set[int] = set()
        """Calls whose arguments have not started."""

        self._heard_tokens = 0
        self.progress = 0
        """Events with text, thinking or a part of a call."""

    def take(self, event: ModelResponseStreamEvent) -> list[Chunk]:
        """The chunks of one event."""
        match event:
            case PartStartEvent(part=TextPart(content=text)) if text:
                return self._take_text(text)
            case PartDeltaEvent(delta=TextPartDelta(content_delta=text)) if text:
                return self._take_text(text)
            case PartStartEvent(index=index, part=ToolCallPart() as part):
                return self._begin_call(index, part)
            case PartDeltaEvent(index=index, delta=ToolCallPartDelta() as delta):
                return self._go_on_calling(index, delta)
            case PartStartEvent() | PartDeltaEvent():
                # Thinking is dropped, but it shows that the model is still working.
                self.progress += 1
                return []
            case _:
                return []

    def finish(self, answer: StreamedResponse) -> list[Chunk]:
        """The last chunks, after all events. Raises if the answer was incomplete."""
        if not is_complete(answer):
            usage = self.guess_usage(answer)
            raise (
                self._reporter.broken_off(usage)
                if self.progress
                else self._reporter.garbled("an empty answer", usage)
            )
        if answer.finish_reason == BROKEN:
            said = str((answer.provider_details or {}).get("finish_reason", ""))
            raise self._reporter.garbled(
                f"it lost its way ({self._reporter.quote(said)})", read_usage(answer)
            )
        chunks: list[Chunk] = []
        left = self._text.finish()
        if left:
            chunks.append(Text(left))
        chunks += [CallPart(call, arguments="{}") for call in sorted(self._empty)]
        usage = read_usage(answer)
        if usage is not None:
            chunks.append(Used(usage))
        reason = STOPS.get(answer.finish_reason or "", StopReason.END)
        # One vendor never says that it stopped for its calls.
        called = reason is StopReason.END and bool(self._calls)
        return [*chunks, Stop(StopReason.CALLS if called else reason)]

    def guess_usage(self, answer: StreamedResponse | None) -> Usage | None:
        """The usage of an answer that broke off: its input as reported, its output as far as received."""
        told = None if answer is None else read_usage(answer)
        if told is None:
            return None
        heard = max(told.output_tokens, self._heard_tokens)
        return Usage(told.input_tokens, heard, told.cached_tokens, estimated=True)

    def _take_text(self, text: str) -> list[Chunk]:
        self.progress += 1
        self._heard_tokens += estimate_tokens(text)
        mended = self._text.mend(text)
        if self._text_watch.sees(mended):
            raise self._reporter.told_key()
        return [Text(mended)] if mended else []

    def _begin_call(self, index: int, part: ToolCallPart) -> list[Chunk]:
        if len(self._menders) >= CALLS_MAX:
            raise self._reporter.garbled("far too many calls")
        self.progress += 1
        if part.tool_call_id in self._ids:
            self._calls[index] = None
            return []
        call = len(self._menders)
        self._calls[index] = call
        self._ids.add(part.tool_call_id)
        self._names.append("")
        self._menders.append(SurrogateJoiner())
        self._empty.add(call)
        return [self._make_part(call, part.tool_name, part.args, part.tool_call_id)]

    def _go_on_calling(self, index: int, delta: ToolCallPartDelta) -> list[Chunk]:
        if index not in self._calls:
            raise self._reporter.garbled("a part of a call that never began")
        self.progress += 1
        call = self._calls[index]
        if call is None:
            return []
        part = self._make_part(call, delta.tool_name_delta or "", delta.args_delta)
        return [part] if part.name or part.arguments else []

    def _make_part(
        self, call: int, name: str, args: str | Mapping[str, Any] | None, named: str = ""
    ) -> CallPart:
        arguments = json.dumps(args, ensure_ascii=False) if isinstance(args, Mapping) else args or ""
        # A full name that comes again is a repetition, otherwise it is the rest of the name.
        name = "" if name == self._names[call] else join_surrogates(name)
        self._names[call] += name
        self._heard_tokens += estimate_tokens(name + arguments)
        if arguments:
            self._empty.discard(call)
        part = CallPart(call, named, name, self._menders[call].mend(arguments))
        if self._call_watch.sees(part.id + part.name + part.arguments):
            raise self._reporter.told_key()
        return part


def is_complete(answer: StreamedResponse) -> bool:
    """Whether the model has finished."""
    said = (answer.provider_details or {}).get("finish_reason")
    return answer.finish_reason is not None or (said is not None and said not in LEFT_OPEN)


def read_usage(answer: StreamedResponse) -> Usage | None:
    """The usage the vendor reported; None if it reported none. Impossible figures are clamped."""
    told = answer.usage
    given, said = max(0, told.input_tokens), max(0, told.output_tokens)
    if not given and not said:
        return None
    return Usage(given, said, min(max(0, told.cache_read_tokens), given))
