"""Replies on the OpenAI wire: chat completions, whole or as chunks, in the dialects of its servers.

The script decides their content.
"""

from collections.abc import Iterator, Mapping

from talewright.common.frozen_values import frozen
from talewright.llm.reply_chunks import StopReason
from talewright.llm.requests import ToolCall
from talewright_testkit.fake_provider.parsed_request import Json, ParsedRequest, RejectionError, spell
from talewright_testkit.fake_provider.vendor_cache import VendorCacheRules
from talewright_testkit.fake_provider.wires import openai_request_checks
from talewright_testkit.fake_provider.wires.vendor_dialects import OPENAI, ServerDialect, UsageTiming
from talewright_testkit.fake_provider.wires.wire_form import (
    FakeWireEvent,
    OutgoingAnswer,
    RequestedAct,
    RoutedRequest,
    Wire,
    WireReplyPart,
)

FINISH = {
    StopReason.END: "stop",
    StopReason.LENGTH: "length",
    StopReason.CALLS: "tool_calls",
    StopReason.REFUSAL: "content_filter",
}
KINDS = {
    401: ("invalid_request_error", "invalid_api_key"),
    402: ("insufficient_quota", "insufficient_quota"),
    404: ("invalid_request_error", "model_not_found"),
    408: ("timeout", "request_timeout"),
    409: ("conflict", "conflict"),
    429: ("requests", "rate_limit_exceeded"),
}
"""Type and code of an error by its status."""

TOKEN_PRICE = 0.000001
"""Price of a token where the dialect reports one."""

TOKENS_A_SECOND = 100
"""Speed of the fake model where the dialect reports timings."""


@frozen
class OpenAIWire:
    """Chat completions in one dialect."""

    dialect: ServerDialect = OPENAI
    wire: Wire = Wire.OPENAI
    stream_type: str = "text/event-stream; charset=utf-8"

    @property
    def cache(self) -> VendorCacheRules:
        """The caching rules of the dialect."""
        return self.dialect.cache

    def route(self, method: str, path: str, query: Mapping[str, str]) -> RoutedRequest:
        """Find out what the path requests, with or without the prefix `/v1`."""
        match method, path.removeprefix("/v1"):
            case "POST", "/chat/completions":
                return RoutedRequest(RequestedAct.ASK)
            case "GET", "/models":
                return RoutedRequest(RequestedAct.LIST)
            case _:
                raise RejectionError(404, f"Invalid URL ({method} {path})", code="")

    def find_key(self, headers: Mapping[str, str], query: Mapping[str, str]) -> str | None:
        """Return the bearer token."""
        scheme, _, key = headers.get("authorization", "").partition(" ")
        return key.strip() if scheme.lower() == "bearer" and key.strip() else None

    def refuse_key(self, key: str | None) -> RejectionError | None:
        """Return the error for a missing or wrong key."""
        if not self.dialect.needs_key:
            return None
        if key is None:
            return RejectionError(401, "You didn't provide an API key.", code="")
        return RejectionError(401, "Incorrect API key provided.")

    def read(self, body: Json, headers: Mapping[str, str], errand: RoutedRequest) -> ParsedRequest:
        """Parse the request."""
        return openai_request_checks.read(body, self.dialect)

    def refuse_model(self, model: str) -> RejectionError:
        """Return the error for an unknown model."""
        return RejectionError(404, f"The model `{model}` does not exist or you do not have access to it.")

    def list_models(self, models: tuple[str, ...], created: int) -> Json:
        """List the available models."""
        rows = [{"id": name, "object": "model", "created": created, "owned_by": "fake"} for name in models]
        return {"object": "list", "data": rows}

    def tell_error(self, error: RejectionError) -> Json:
        """Return the body of an error."""
        kind, code = KINDS.get(error.status, ("server_error" if error.status >= 500 else "", ""))
        if self.dialect.numbered_errors:
            return {"error": {"code": error.status, "message": error.message}}
        usual = code if error.code is None else error.code
        return {
            "error": {
                "message": error.message,
                "type": error.kind or kind or "invalid_request_error",
                "param": error.param,
                "code": usual or None,
            }
        }

    def tell_error_event(self, error: RejectionError) -> bytes:
        """Return an error within a stream: a data line like any other."""
        return frame(spell(self.tell_error(error)))

    def tell_whole(self, telling: OutgoingAnswer) -> Json:
        """Return the answer in one body."""
        answer = telling.answer
        message: dict[str, object] = {
            "role": "assistant",
            "content": answer.text if answer.text or not answer.calls else None,
            "refusal": answer.refusal or None,
        }
        if answer.reasoning and self.dialect.reasoning_field:
            message[self.dialect.reasoning_field] = answer.reasoning
        if answer.calls:
            message["tool_calls"] = [
                {
                    "id": call_id(telling, number, call),
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.arguments},
                }
                for number, call in enumerate(answer.calls)
            ]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": self._finish(telling)}
        whole: dict[str, object] = {
            "id": f"chatcmpl-{telling.asked.number:04}",
            "object": "chat.completion",
            "created": telling.created,
            "model": telling.asked.model,
            "choices": [choice],
        }
        if self.dialect.usage is not UsageTiming.NEVER:
            whole["usage"] = _usage(self.dialect, telling)
        return whole | _timings(self.dialect, telling)

    def tell_stream(self, telling: OutgoingAnswer) -> list[FakeWireEvent]:
        """Return the answer as chunks."""
        answer, pace = telling.answer, telling.pace
        # Comments are sent with the first event: alone they would be a separate write.
        comments = "".join(f": {comment}\n\n" for comment in self.dialect.comments).encode()
        opening = {
            "role": "assistant",
            "content": "" if answer.text or not answer.calls else None,
            "refusal": None,
        }
        events = [FakeWireEvent(WireReplyPart.HEAD, comments + self._chunk(telling, opening))]
        events += self._progress(telling)
        if self.dialect.reasoning_field:
            for piece in pace.pieces(answer.reasoning):
                data = self._chunk(telling, {self.dialect.reasoning_field: piece})
                events.append(FakeWireEvent(WireReplyPart.REASONING, data, piece))
        for piece in pace.pieces(answer.text):
            events.append(FakeWireEvent(WireReplyPart.TEXT, self._chunk(telling, {"content": piece}), piece))
        for piece in pace.pieces(answer.refusal):
            events.append(FakeWireEvent(WireReplyPart.TEXT, self._chunk(telling, {"refusal": piece}), piece))
        for number, call in enumerate(answer.calls):
            events += self._call(telling, number, call)
        asked_for = self.dialect.usage is UsageTiming.ASKED and telling.asked.wants_usage
        tells_usage = asked_for or self.dialect.usage is UsageTiming.ALWAYS
        last = {} if tells_usage else _timings(self.dialect, telling)
        events.append(
            FakeWireEvent(WireReplyPart.TAIL, self._chunk(telling, {}, self._finish(telling), last))
        )
        if tells_usage:
            costs = {"choices": [], "usage": _usage(self.dialect, telling)} | _timings(self.dialect, telling)
            events.append(FakeWireEvent(WireReplyPart.TAIL, self._chunk(telling, {}, None, costs)))
        events.append(FakeWireEvent(WireReplyPart.TAIL, frame("[DONE]")))
        return events

    def _progress(self, telling: OutgoingAnswer) -> Iterator[FakeWireEvent]:
        """How much of the prompt is read: at the start, and after each batch."""
        tally, step = telling.tally, self.dialect.progress_tokens
        if not step or not telling.asked.wants_progress:
            return
        # The last token is always read anew.
        for read in (*range(tally.cached, tally.prompt, step), tally.prompt):
            told = {"total": tally.prompt, "cache": tally.cached, "processed": read}
            told["time_ms"] = (read - tally.cached) * 1_000 // TOKENS_A_SECOND
            data = self._chunk(telling, {}, None, {"prompt_progress": told})
            yield FakeWireEvent(WireReplyPart.HEAD, data)

    def _call(self, telling: OutgoingAnswer, number: int, call: ToolCall) -> Iterator[FakeWireEvent]:
        whole = self.dialect.whole_calls
        first = {
            "index": number,
            "id": call_id(telling, number, call),
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments if whole else ""},
        }
        said = call.name + (call.arguments if whole else "")
        yield FakeWireEvent(WireReplyPart.CALL, self._chunk(telling, {"tool_calls": [first]}), said)
        for piece in [] if whole else telling.pace.pieces(call.arguments):
            more = {"tool_calls": [{"index": number, "function": {"arguments": piece}}]}
            yield FakeWireEvent(WireReplyPart.CALL, self._chunk(telling, more), piece)

    def _chunk(
        self, telling: OutgoingAnswer, delta: Json, finish: str | None = None, more: Json | None = None
    ) -> bytes:
        chunk: dict[str, object] = {
            "id": f"chatcmpl-{telling.asked.number:04}",
            "object": "chat.completion.chunk",
            "created": telling.created,
            "model": telling.asked.model,
            "system_fingerprint": "fp_fake",
            "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}],
        }
        if telling.asked.wants_usage and self.dialect.usage is UsageTiming.ASKED:
            chunk["usage"] = None
        return frame(spell(chunk | dict(more or {}), escaped=telling.pace.escaped))

    def _finish(self, telling: OutgoingAnswer) -> str:
        # A refusal in the model's own words ends like any other text; only a filter has a finish reason for
        # it.
        return "stop" if telling.answer.refusal else FINISH[telling.answer.ending]


def frame(data: str) -> bytes:
    """Format one server-sent event."""
    return f"data: {data}\n\n".encode()


def call_id(telling: OutgoingAnswer, number: int, call: ToolCall) -> str:
    """Return the id of a call: its own, or a unique one."""
    return call.id or f"call_{telling.asked.number:04}_{number}"


def _usage(dialect: ServerDialect, telling: OutgoingAnswer) -> Json:
    tally = telling.tally
    usage: dict[str, object] = {
        "prompt_tokens": tally.prompt,
        "completion_tokens": tally.output,
        "total_tokens": tally.prompt + tally.output,
        "prompt_tokens_details": {"cached_tokens": tally.cached, "audio_tokens": 0},
        "completion_tokens_details": {
            "reasoning_tokens": tally.reasoning,
            "audio_tokens": 0,
            "accepted_prediction_tokens": 0,
            "rejected_prediction_tokens": 0,
        },
    }
    if dialect.hit_and_miss:
        usage["prompt_cache_hit_tokens"] = tally.cached
        usage["prompt_cache_miss_tokens"] = tally.prompt - tally.cached
    if dialect.cost:
        usage["cost"] = round((tally.prompt + tally.output) * TOKEN_PRICE, 9)
    return usage


def _timings(dialect: ServerDialect, telling: OutgoingAnswer) -> dict[str, object]:
    if not dialect.timings:
        return {}
    tally = telling.tally
    timings: dict[str, float] = {"cache_n": tally.cached}
    for name, number in (("prompt", tally.prompt - tally.cached), ("predicted", tally.output)):
        spent = number * 1_000 / TOKENS_A_SECOND
        timings |= {
            f"{name}_n": number,
            f"{name}_ms": spent,
            f"{name}_per_token_ms": 1_000 / TOKENS_A_SECOND,
            f"{name}_per_second": float(TOKENS_A_SECOND),
        }
    return {"timings": timings}
