"""Recorded answers: what a provider once said, kept as lines of JSON and given again to the same request.

It opens no connection. A request that was never asked is told so; nothing is made up. No key is kept: none
is part of a request or an answer.
"""

import hashlib
import json
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import aclosing
from dataclasses import asdict, dataclass
from typing import Any, assert_never

from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.reply_chunks import (
    Again,
    CallPart,
    Chunk,
    PromptProgress,
    Stop,
    StopReason,
    Text,
    Usage,
    Used,
)
from talewright.llm.requests import Request


@dataclass(frozen=True, slots=True)
class Recording:
    """One answer to one request."""

    request: str
    """The digest of the request."""

    chunks: tuple[Chunk, ...]
    trouble: Trouble | None = None
    """What it broke off with."""

    message: str = ""


def digest(request: Request) -> str:
    """A request's name: equal requests have equal ones."""
    messages = [(type(message).__name__, asdict(message)) for message in request.messages]
    rest = [asdict(tool) for tool in request.tools], request.temperature, request.max_output_tokens
    whole = json.dumps([messages, rest, request.answer_schema], sort_keys=True, default=dict)
    return hashlib.sha256(whole.encode()).hexdigest()


class Recorder:
    """A provider whose answers are kept as they go by; one that nobody hears to its end is not."""

    def __init__(self, provider: Provider, keep: Callable[[Recording], None]) -> None:
        self._provider = provider
        self._keep = keep

    @property
    def profile(self) -> Profile:
        """What the model can do."""
        return self._provider.profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Ask, and keep what comes."""
        heard: list[Chunk] = []
        try:
            async with aclosing(self._provider.stream(request)) as chunks:
                async for chunk in chunks:
                    heard.append(chunk)
                    yield chunk
        except ProviderError as error:
            self._keep(Recording(digest(request), tuple(heard), error.trouble, error.message))
            raise
        self._keep(Recording(digest(request), tuple(heard)))

    async def close(self) -> None:
        """Close the provider."""
        await self._provider.close()


class Recorded:
    """A provider that says again what was recorded."""

    def __init__(self, recordings: Iterable[Recording], profile: Profile) -> None:
        self._profile = profile
        self._left: dict[str, list[Recording]] = {}
        for recording in recordings:
            self._left.setdefault(recording.request, []).append(recording)

    @property
    def profile(self) -> Profile:
        """What the recorded model could do."""
        return self._profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Give the next answer that was recorded for this request."""
        left = self._left.get(digest(request))
        if not left:
            raise ProviderError(
                Trouble.SPENT,
                "no answer to this request was recorded, or all have been given",
                "Record it again: the prompt has changed since.",
                unpaid=True,
            )
        recording = left.pop(0)
        for chunk in recording.chunks:
            yield chunk
        if recording.trouble is not None:
            raise ProviderError(recording.trouble, recording.message)

    async def close(self) -> None:
        """Nothing to let go of."""


def write_recordings(recordings: Iterable[Recording]) -> str:
    """Recordings as text, one a line."""
    lines = []
    for recording in recordings:
        raw: dict[str, object] = {"request": recording.request}
        raw["chunks"] = [_write_chunk(chunk) for chunk in recording.chunks]
        if recording.trouble is not None:
            raw |= {"trouble": recording.trouble.value, "message": recording.message}
        lines.append(json.dumps(raw, ensure_ascii=False) + "\n")
    return "".join(lines)


def read_recordings(text: str) -> tuple[Recording, ...]:
    """Recordings from their text. Raises a ProviderError where it is none."""
    # Not by `splitlines`: a text may hold separators that JSON does not escape.
    lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())
    return tuple(_read_line(number, line) for number, line in lines)


def _read_line(number: int, line: str) -> Recording:
    try:
        raw = json.loads(line)
        trouble = Trouble(raw["trouble"]) if "trouble" in raw else None
        chunks = tuple(_read_chunk(chunk) for chunk in raw["chunks"])
        return Recording(raw["request"], chunks, trouble, raw.get("message", ""))
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        message = f"line {number} is no recording"
        raise ProviderError(Trouble.GARBLED, message, "Record it again.", unpaid=True) from None


def _write_chunk(chunk: Chunk) -> dict[str, object]:
    match chunk:
        case Text(text):
            return {"text": text}
        case CallPart():
            return {"call": asdict(chunk)}
        case Used(usage):
            return {"used": asdict(usage)}
        case Stop(reason):
            return {"stop": reason.value}
        case Again(reason):
            return {"again": reason}
        case PromptProgress():
            return {"progress": asdict(chunk)}
        case _:
            assert_never(chunk)


def _read_chunk(raw: Mapping[str, Any]) -> Chunk:
    ((kind, value),) = raw.items()
    match kind:
        case "text":
            return Text(value)
        case "call":
            return CallPart(**value)
        case "used":
            return Used(Usage(**value))
        case "stop":
            return Stop(StopReason(value))
        case "again":
            return Again(value)
        case "progress":
            return PromptProgress(**value)
        case _:
            raise ValueError(kind)
