"""The reply stream: parses server-sent events into chunks, tool calls and usage, wherever they are split.

It waits for nothing and opens nothing. It raises ProviderError, and nothing else, for protocol violations.
Servers number the parts of tool calls in many ways; here they are normalized. An invalid usage number counts
as zero, and a usage of zeros only counts as not reported.
"""

import json
from collections.abc import Mapping
from typing import Any

from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError
from talewright.llm.reply_chunks import (
    CallPart,
    Chunk,
    PromptProgress,
    Stop,
    StopReason,
    Text,
    Usage,
    Used,
)
from talewright.providers.http_errors import ProviderErrorReporter
from talewright.providers.model_http_client import LINE_BYTES_MAX, STREAM_BYTES_MAX
from talewright.providers.openai_wire.reasoning import ReasoningFilter
from talewright.providers.wire_text import CALLS_MAX, SurrogateJoiner, join_surrogates


class ToolCallAssembler:
    """The calls of one reply, assembled from their parts."""

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._given: list[str] = []
        """The ids as passed on."""

        self._names: list[str] = []
        self._menders: list[SurrogateJoiner] = []
        self._arguments: list[list[str]] = []
        self._places: dict[object, int] = {}
        """Our index of a call by the server's."""

    def __len__(self) -> int:
        return len(self._ids)

    def take(self, raw: Mapping[str, object]) -> CallPart:
        """Take one part. Raises ValueError or TypeError if it is malformed."""
        function = raw.get("function") or {}
        if not isinstance(function, Mapping):
            raise TypeError("a call without a function")
        index, named = raw.get("index"), _read_text(raw.get("id"))
        name, arguments = _read_text(function.get("name")), function.get("arguments")
        place = self._places.get(index)
        if place is None or self._is_other(place, index, named, name):
            place = self._begin(index)
        if named and not self._ids[place]:
            self._ids[place] = named
            self._given[place] = named if self._ids.count(named) == 1 else f"{named}-{place + 1}"
        # A full name that comes again is a repetition, otherwise it is the rest of the name.
        name = "" if name == self._names[place] else name
        self._names[place] += name
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False) if arguments else ""
        self._arguments[place].append(arguments)
        # Results refer to ids: no two calls may have the same one.
        shown = self._given[place] if named else ""
        return CallPart(place, shown, name, self._menders[place].mend(arguments))

    def _begin(self, index: object) -> int:
        if len(self._ids) >= CALLS_MAX:
            raise ValueError("too many calls")
        self._places[index] = len(self._ids)
        self._ids.append("")
        self._given.append("")
        self._names.append("")
        self._menders.append(SurrogateJoiner())
        self._arguments.append([])
        return len(self._ids) - 1

    def _is_other(self, place: int, index: object, named: str, name: str) -> bool:
        """Whether a part with a known index starts another call anyway."""
        if named and self._ids[place]:
            return named != self._ids[place]
        if not name or not self._names[place]:
            return False
        # With neither its own index nor an id, only the end of the arguments tells calls apart.
        return index is None or _is_whole("".join(self._arguments[place]))


def _is_whole(arguments: str) -> bool:
    try:
        json.loads(arguments)
    except (ValueError, RecursionError):
        return False
    return True


def _read_text(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError("a name that is no text")
    return join_surrogates(value)


def read_usage(event: Mapping[str, object]) -> Usage | None:
    """The usage reported in an event, if any."""
    usage = _read(event)
    return usage if usage != Usage() else None


def _read(event: Mapping[str, object]) -> Usage | None:
    told = event.get("usage") or _part(event.get("x_groq"), "usage")
    timings = event.get("timings")
    if isinstance(told, Mapping):
        given = _count(told, "prompt_tokens")
        details = _part(told, "prompt_tokens_details")
        hits = (
            _count(details, "cached_tokens"),
            # DeepSeek's spelling, and that of llama.cpp, whose older versions leave out the details.
            _count(told, "prompt_cache_hit_tokens"),
            _count(timings, "cache_n"),
        )
        return Usage(given, _count(told, "completion_tokens"), min(max(hits), given))
    if isinstance(timings, Mapping) and "predicted_n" in timings:
        cached = _count(timings, "cache_n")
        return Usage(_count(timings, "prompt_n") + cached, _count(timings, "predicted_n"), cached)
    return None


def _part(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, Mapping) else None


def _count(value: object, name: str) -> int:
    found = _part(value, name)
    return max(0, found) if isinstance(found, int) and not isinstance(found, bool) else 0


STOPS: Mapping[str, StopReason] = {
    "length": StopReason.LENGTH,
    "max_tokens": StopReason.LENGTH,
    "model_length": StopReason.LENGTH,
    "tool_calls": StopReason.CALLS,
    "function_call": StopReason.CALLS,
    "content_filter": StopReason.REFUSAL,
}
"""The meaning of a finish reason; any other is a normal end."""

BROKEN = frozenset({"error", "insufficient_system_resource"})
"""Finish reasons that are server errors."""

THOUGHTS = ("reasoning_content", "reasoning", "reasoning_details")
"""Members of a delta in which servers send a model's thinking, readable or not."""

EXTRAS = frozenset({"error", "timings", "x_groq", "prompt_progress"})
"""Extra members that some servers put next to the choices."""

_read_json = json.JSONDecoder().raw_decode


class ReplyStreamReader:
    """Takes the bytes of one answer and returns its chunks."""

    def __init__(self, profile: Profile, reporter: ProviderErrorReporter) -> None:
        self._reporter = reporter
        self._rest = bytearray()
        self._size = 0
        self._thinking = ReasoningFilter(profile.reasoning_tags) if profile.reasoning_tags else None
        self._mender = SurrogateJoiner()
        self._calls = ToolCallAssembler()
        self._text_watch, self._call_watch = reporter.watch_key(), reporter.watch_key()
        self._finish: str | None = None
        self._refused = False
        self.usage: Usage | None = None
        """The usage that the server has reported so far."""

        self.failure: ProviderError | None = None
        """The first error, if any."""

        self.progress = 0
        """Events with text, thinking or a part of a call."""

        self.reading = 0
        """Reports of how much of the prompt has been read."""

        self.done = False
        """Whether the server has marked the end of the stream."""

    @property
    def ended(self) -> bool:
        """Whether no more bytes are needed."""
        return self.done or self.failure is not None

    @property
    def complete(self) -> bool:
        """Whether the model has finished, though the server may still have to report the usage."""
        return self._finish is not None and self._finish not in BROKEN

    # The fast path: every chunk of every answer comes through these two.

    def feed(self, data: bytes) -> list[Chunk]:
        """The chunks completed by these bytes. An error is stored in `failure`."""
        chunks: list[Chunk] = []
        *lines, rest = data.split(b"\n")
        if lines and self._rest:
            lines[0] = bytes(self._rest) + lines[0]
            self._rest.clear()
        self._rest += rest
        self._size += len(data)
        try:
            for line in lines:
                if line.startswith(b"data:"):
                    self._take(line[5:], chunks)
                elif line.startswith(b"error:"):
                    raise self._reporter.read_event(self._parse(line[6:].strip()), self.usage)
            if len(self._rest) > LINE_BYTES_MAX or self._size > STREAM_BYTES_MAX:
                raise self._reporter.garbled("far too much at once", self.usage)
        except ProviderError as error:
            # What came before the error is returned first.
            self.failure = error
        return chunks

    def _take(self, line: bytes, chunks: list[Chunk]) -> None:
        data = line.strip()
        if self.done or data == b"[DONE]":
            self.done = True
            return
        if not data:
            # An event without data is a keep-alive.
            return
        event = self._parse(data)
        try:
            choices = event.get("choices")
            if choices:
                choice = choices[0]
                delta = choice.get("delta") or choice.get("message") or {}
                text = delta.get("content")
                if text:
                    self._take_text(text, line, chunks)
                if len(delta) > 1 or not text:
                    self._take_rest(delta, chunks)
                if choice.get("finish_reason"):
                    self._finish = str(choice["finish_reason"])
            if event.get("usage") or not choices or not EXTRAS.isdisjoint(event):
                self._take_extras(event, chunks)
        except (AttributeError, TypeError, KeyError, IndexError, ValueError):
            raise self._reporter.garbled("an event of a strange form", self.usage) from None

    def _take_text(self, text: object, line: bytes, chunks: list[Chunk]) -> None:
        if not isinstance(text, str):
            text = _join(text)
        if self._finish is not None:
            raise self._reporter.garbled("text after the end", self.usage)
        self.progress += 1
        if b"\\u" in line or self._mender.pending:
            text = self._mender.mend(text)
        if self._text_watch.sees(text):
            raise self._reporter.told_key(self.usage)
        if self._thinking is not None:
            chunks += self._thinking.feed(text)
        elif text:
            chunks.append(Text(text))

    # From here on: rare cases, and what happens once.

    def take_whole(self, body: bytes) -> list[Chunk]:
        """The chunks of an unstreamed answer."""
        chunks: list[Chunk] = []
        self._take(body, chunks)
        # Some servers do not say why they stopped; the length of the body shows that it is complete.
        self.done = True
        return chunks + self.finish()

    def finish(self) -> list[Chunk]:
        """The last chunks, at the end of the bytes. Raises if the answer was incomplete."""
        if self.failure is not None:
            raise self.failure
        if self._finish is None and not (self.done and self.progress):
            if self.done or not self._size:
                raise self._reporter.garbled("an empty answer", self.usage)
            raise self._reporter.broken_off(self.usage)
        if self._finish in BROKEN:
            raise self._reporter.read_event({"message": "it stopped in mid-answer"}, self.usage)
        chunks: list[Chunk] = []
        left = self._mender.finish()
        if self._thinking is not None:
            chunks += self._thinking.feed(left) if left else []
            chunks += self._thinking.finish()
        elif left:
            chunks.append(Text(left))
        if self.usage is not None:
            chunks.append(Used(self.usage))
        return [*chunks, Stop(self._read_stop())]

    def _read_stop(self) -> StopReason:
        reason = STOPS.get(self._finish or "", StopReason.END)
        if reason is StopReason.END and self._refused:
            return StopReason.REFUSAL
        # Not every server says that it stopped for its calls.
        return StopReason.CALLS if reason is StopReason.END and len(self._calls) else reason

    def _parse(self, data: bytes) -> Any:
        """Parse the JSON of an event, stripped of blanks."""
        try:
            text = data.decode()
            value, end = _read_json(text)
            if end != len(text):
                raise ValueError("something stands after it")
            return value
        except UnicodeDecodeError:
            # Never replaced: what is stored of an answer must be what was sent.
            raise self._reporter.garbled("bytes that are no UTF-8", self.usage) from None
        except (ValueError, RecursionError):
            raise self._reporter.garbled("an event that is no JSON", self.usage) from None

    def _take_rest(self, delta: Mapping[str, Any], chunks: list[Chunk]) -> None:
        """The content of a delta besides text."""
        if delta.get("refusal"):
            self._refused = True
            self.progress += 1
        if any(map(delta.get, THOUGHTS)):
            self.progress += 1
        for raw in delta.get("tool_calls") or ():
            if self._finish is not None:
                raise self._reporter.garbled("a call after the end", self.usage)
            self.progress += 1
            part = self._calls.take(raw)
            if self._call_watch.sees(part.id + part.name + part.arguments):
                raise self._reporter.told_key(self.usage)
            chunks.append(part)

    def _take_extras(self, event: Mapping[str, Any], chunks: list[Chunk]) -> None:
        """The content of an event besides choices."""
        error = event if event.get("object") == "error" else event.get("error")
        if error:
            raise self._reporter.read_event(error, self.usage)
        self.usage = read_usage(event) or self.usage
        progress = read_progress(event.get("prompt_progress"))
        # Progress after the first word would count as a restart, which it is not.
        if progress is not None and not self.progress:
            self.reading += 1
            chunks.append(progress)


def read_progress(told: object) -> PromptProgress | None:
    """How much of the prompt llama.cpp says it has read; None if it says nothing or nonsense."""
    total = _count(told, "total")
    if not total:
        return None
    read = min(_count(told, "processed"), total)
    return PromptProgress(read, total, min(_count(told, "cache"), read))


def _join(parts: Any) -> str:
    """Text that came as a list of typed parts, of which only `text` parts are meant to be read."""
    return "".join(part["text"] for part in parts if part.get("type") == "text")
