"""Replies on the Anthropic wire: messages, whole or as named events.

The script decides their content.
"""

from collections.abc import Mapping

from talewright.common.frozen_values import frozen
from talewright.llm.reply_chunks import StopReason
from talewright.llm.requests import ToolCall
from talewright_testkit.fake_provider.parsed_request import (
    Json,
    ParsedRequest,
    RejectionError,
    parse_object,
    spell,
)
from talewright_testkit.fake_provider.vendor_cache import ANTHROPIC_CACHE, VendorCacheRules
from talewright_testkit.fake_provider.wires import anthropic_request_checks
from talewright_testkit.fake_provider.wires.wire_form import (
    FakeWireEvent,
    OutgoingAnswer,
    RequestedAct,
    RoutedRequest,
    Wire,
    WireReplyPart,
)

STOPS = {
    StopReason.END: "end_turn",
    StopReason.LENGTH: "max_tokens",
    StopReason.CALLS: "tool_use",
    StopReason.REFUSAL: "refusal",
}
KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    404: "not_found_error",
    408: "timeout_error",
    409: "conflict_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}
"""The type of an error by its status; all others are an `api_error`."""

SIGNATURE = "RmFrZVNpZ25hdHVyZQ=="
"""Stands in for the vendor's signature of a thinking block."""


@frozen
class AnthropicWire:
    """The Messages API."""

    rules: VendorCacheRules = ANTHROPIC_CACHE
    wire: Wire = Wire.ANTHROPIC
    stream_type: str = "text/event-stream; charset=utf-8"

    @property
    def cache(self) -> VendorCacheRules:
        """The caching rules of the model, which also limit the number of marks."""
        return self.rules

    def route(self, method: str, path: str, query: Mapping[str, str]) -> RoutedRequest:
        """Find out what the path requests."""
        match method, path:
            case "POST", "/v1/messages":
                return RoutedRequest(RequestedAct.ASK)
            case "GET", "/v1/models":
                return RoutedRequest(RequestedAct.LIST)
            case _:
                raise RejectionError(404, "Not Found")

    def find_key(self, headers: Mapping[str, str], query: Mapping[str, str]) -> str | None:
        """Return the key from its own header."""
        return headers.get("x-api-key")

    def refuse_key(self, key: str | None) -> RejectionError:
        """Return the error for a missing or wrong key."""
        return RejectionError(401, "x-api-key header is required" if key is None else "invalid x-api-key")

    def read(self, body: Json, headers: Mapping[str, str], errand: RoutedRequest) -> ParsedRequest:
        """Parse the request."""
        return anthropic_request_checks.read(body, headers, self.rules)

    def refuse_model(self, model: str) -> RejectionError:
        """Return the error for an unknown model."""
        return RejectionError(404, f"model: {model}")

    def list_models(self, models: tuple[str, ...], created: int) -> Json:
        """List the available models."""
        rows = [
            {"type": "model", "id": name, "display_name": name, "created_at": "2026-01-01T00:00:00Z"}
            for name in models
        ]
        ends = (
            {"first_id": models[0], "last_id": models[-1]} if models else {"first_id": None, "last_id": None}
        )
        return {"data": rows, "has_more": False, **ends}

    def tell_error(self, error: RejectionError) -> Json:
        """Return the body of an error."""
        kind = error.kind or KINDS.get(error.status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": error.message}, "request_id": "req_fake"}

    def tell_error_event(self, error: RejectionError) -> bytes:
        """Return an error within a stream: a separate event."""
        return frame(self.tell_error(error))

    def tell_whole(self, telling: OutgoingAnswer) -> Json:
        """Return the answer in one body."""
        answer = telling.answer
        content: list[Json] = []
        if answer.reasoning:
            content.append({"type": "thinking", "thinking": answer.reasoning, "signature": SIGNATURE})
        if answer.text:
            content.append({"type": "text", "text": answer.text})
        for number, call in enumerate(answer.calls):
            # A call that was cut off is not an object; the vendor then sends an empty one.
            given = parse_object(call.arguments) or {}
            content.append({**_tool_use(telling, number, call), "input": given})
        return {
            **self._message(telling),
            "content": content,
            "stop_reason": STOPS[answer.ending],
            "usage": {**_usage(telling, telling.tally.output), **_more_usage(telling)},
        }

    def tell_stream(self, telling: OutgoingAnswer) -> list[FakeWireEvent]:
        """Return the answer as events: every block is started, filled and stopped."""
        answer, escaped = telling.answer, telling.pace.escaped
        usage = {**_usage(telling, 1), **_more_usage(telling)}
        start = {"type": "message_start", "message": {**self._message(telling), "usage": usage}}
        events = [FakeWireEvent(WireReplyPart.HEAD, frame(start, escaped) + frame({"type": "ping"}))]
        index = 0
        if answer.reasoning:
            block = {"type": "thinking", "thinking": "", "signature": ""}
            deltas = _deltas(telling, answer.reasoning, "thinking_delta", "thinking")
            deltas.append(({"type": "signature_delta", "signature": SIGNATURE}, ""))
            events += _block(telling, WireReplyPart.REASONING, index, block, deltas)
            index += 1
        if answer.text:
            deltas = _deltas(telling, answer.text, "text_delta", "text")
            events += _block(telling, WireReplyPart.TEXT, index, {"type": "text", "text": ""}, deltas)
            index += 1
        for number, call in enumerate(answer.calls):
            pieces = _deltas(telling, call.arguments, "input_json_delta", "partial_json")
            deltas = [({"type": "input_json_delta", "partial_json": ""}, call.name), *pieces]
            opened = {**_tool_use(telling, number, call), "input": {}}
            events += _block(telling, WireReplyPart.CALL, index, opened, deltas)
            index += 1
        delta = {"stop_reason": STOPS[answer.ending], "stop_sequence": None}
        last = {"type": "message_delta", "delta": delta, "usage": _usage(telling, telling.tally.output)}
        events.append(FakeWireEvent(WireReplyPart.TAIL, frame(last)))
        events.append(FakeWireEvent(WireReplyPart.TAIL, frame({"type": "message_stop"})))
        return events

    def _message(self, telling: OutgoingAnswer) -> Json:
        return {
            "id": f"msg_{telling.asked.number:04}",
            "type": "message",
            "role": "assistant",
            "model": telling.asked.model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
        }


def frame(data: Json, escaped: bool = False) -> bytes:
    """Format one named event."""
    return f"event: {data['type']}\ndata: {spell(data, escaped=escaped)}\n\n".encode()


def _deltas(telling: OutgoingAnswer, text: str, kind: str, name: str) -> list[tuple[Json, str]]:
    return [({"type": kind, name: piece}, piece) for piece in telling.pace.pieces(text)]


def _block(
    telling: OutgoingAnswer, part: WireReplyPart, index: int, opened: Json, deltas: list[tuple[Json, str]]
) -> list[FakeWireEvent]:
    escaped = telling.pace.escaped
    start = {"type": "content_block_start", "index": index, "content_block": opened}
    events = [FakeWireEvent(part, frame(start, escaped))]
    for delta, said in deltas:
        data = {"type": "content_block_delta", "index": index, "delta": delta}
        events.append(FakeWireEvent(part, frame(data, escaped), said))
    return [*events, FakeWireEvent(part, frame({"type": "content_block_stop", "index": index}))]


def _tool_use(telling: OutgoingAnswer, number: int, call: ToolCall) -> Json:
    name = call.id or f"toolu_{telling.asked.number:04}_{number}"
    return {"type": "tool_use", "id": name, "name": call.name}


def _usage(telling: OutgoingAnswer, output: int) -> Json:
    tally = telling.tally
    # Unlike elsewhere, input tokens exclude those read from and written to the cache.
    return {
        "input_tokens": max(0, tally.prompt - tally.cached - tally.written),
        "cache_creation_input_tokens": tally.written,
        "cache_read_input_tokens": tally.cached,
        "output_tokens": output,
    }


def _more_usage(telling: OutgoingAnswer) -> Json:
    tally = telling.tally
    return {
        "cache_creation": {
            "ephemeral_5m_input_tokens": tally.written - tally.written_long,
            "ephemeral_1h_input_tokens": tally.written_long,
        },
        "service_tier": "standard",
    }
