"""Exchanges: what was asked of a model and what came back, kept word for word with its cost.

An exchange is plain JSON from the start, because a runner may keep it and the record does.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from talewright.kernel.state.documents import Json
from talewright.llm.chunks import CallPart, Piece, Reply, Stop, StopReason, Text, Used
from talewright.llm.errors import ProviderError
from talewright.llm.tools import ToolCall
from talewright.llm.usage import Usage

BROKEN_OFF = "broken off"
"""The trouble of an ask that was stopped by us: the turn was cancelled, or it took too long."""


def write_usage(usage: Usage) -> dict[str, Json]:
    """Usage as it is kept."""
    raw: dict[str, Json] = {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cached_tokens": usage.cached_tokens,
    }
    if usage.estimated:
        raw["estimated"] = True
    return raw


def read_usage(raw: Json) -> Usage | None:
    """Usage as it was kept."""
    if not isinstance(raw, Mapping):
        return None
    count = cast(Mapping[str, int], raw)
    return Usage(
        count["input_tokens"], count["output_tokens"], count["cached_tokens"], bool(raw.get("estimated"))
    )


def write_reply(reply: Reply) -> dict[str, Json]:
    """A reply as it is kept."""
    raw: dict[str, Json] = {"text": reply.text, "stop": reply.stop.value if reply.stop else None}
    if reply.calls:
        raw["calls"] = [{"id": c.id, "name": c.name, "arguments": c.arguments} for c in reply.calls]
    if reply.usage is not None:
        raw["usage"] = write_usage(reply.usage)
    return raw


def write_trouble(error: ProviderError) -> dict[str, Json]:
    """Why an ask failed, as it is kept, with what the provider says it has cost."""
    raw: dict[str, Json] = {"trouble": error.trouble.value, "message": error.message}
    if error.usage is not None:
        raw["usage"] = write_usage(error.usage)
    return raw


def read_reply(raw: Mapping[str, Json]) -> Reply:
    """A reply as it was kept."""
    calls = cast(Sequence[Mapping[str, str]], raw.get("calls", ()))
    stop = raw["stop"]
    return Reply(
        cast(str, raw["text"]),
        tuple(ToolCall(call["id"], call["name"], call["arguments"]) for call in calls),
        read_usage(raw.get("usage")),
        StopReason(stop) if isinstance(stop, str) else None,
    )


def replay(reply: Reply) -> tuple[Piece, ...]:
    """The chunks of a reply that was kept, for a reader."""
    chunks: list[Piece] = [Text(reply.text)]
    chunks += [CallPart(index, call.id, call.name, call.arguments) for index, call in enumerate(reply.calls)]
    if reply.usage is not None:
        chunks.append(Used(reply.usage))
    if reply.stop is not None:
        chunks.append(Stop(reply.stop))
    return tuple(chunks)
