"""Replies on the Gemini wire: generateContent, whole, as server-sent events or as a growing JSON list.

The script decides their content.
"""

import re
from collections.abc import Mapping

from talewright.common.frozen_values import frozen
from talewright.llm.reply_chunks import StopReason
from talewright.llm.requests import ToolCall
from talewright_testkit.fake_provider import parsed_request
from talewright_testkit.fake_provider.parsed_request import (
    Json,
    ParsedRequest,
    RejectionError,
    parse_object,
    spell,
)
from talewright_testkit.fake_provider.vendor_cache import GEMINI_CACHE, VendorCacheRules
from talewright_testkit.fake_provider.wires import gemini_request_checks
from talewright_testkit.fake_provider.wires.wire_form import (
    FakeWireEvent,
    OutgoingAnswer,
    RequestedAct,
    RoutedRequest,
    Wire,
    WireReplyPart,
)

FINISH = {
    StopReason.END: "STOP",
    StopReason.LENGTH: "MAX_TOKENS",
    StopReason.CALLS: "STOP",
    StopReason.REFUSAL: "SAFETY",
}
MALFORMED = "MALFORMED_FUNCTION_CALL"
"""The finish reason when a call is not a JSON object: this wire cannot express such a call."""

STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    402: "FAILED_PRECONDITION",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    408: "DEADLINE_EXCEEDED",
    409: "ABORTED",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}
_PATH = re.compile(r"/v1(?:beta)?/models/(?P<model>[^/:]+):(?P<act>generateContent|streamGenerateContent)")


@frozen
class GeminiWire:
    """generateContent."""

    cache: VendorCacheRules = GEMINI_CACHE
    wire: Wire = Wire.GEMINI
    stream_type: str = "text/event-stream"

    def route(self, method: str, path: str, query: Mapping[str, str]) -> RoutedRequest:
        """Find out what the path requests; it names the model and whether to stream."""
        if method == "GET" and path in ("/v1beta/models", "/v1/models"):
            return RoutedRequest(RequestedAct.LIST)
        found = _PATH.fullmatch(path)
        if method != "POST" or found is None:
            raise RejectionError(404, "Requested entity was not found.")
        stream = found["act"] == "streamGenerateContent"
        return RoutedRequest(RequestedAct.ASK, found["model"], stream, query.get("alt") == "sse")

    def find_key(self, headers: Mapping[str, str], query: Mapping[str, str]) -> str | None:
        """Return the key from its own header or from the query."""
        return headers.get("x-goog-api-key") or query.get("key")

    def refuse_key(self, key: str | None) -> RejectionError:
        """Return the error for a missing or wrong key: this vendor calls a wrong one a bad request."""
        if key is None:
            return RejectionError(
                403,
                "Method doesn't allow unregistered callers (callers without established identity). Please "
                "use API Key or other form of API consumer identity to call this API.",
            )
        return RejectionError(400, "API key not valid. Please pass a valid API key.", code="API_KEY_INVALID")

    def read(self, body: Json, headers: Mapping[str, str], errand: RoutedRequest) -> ParsedRequest:
        """Parse the request."""
        return gemini_request_checks.read(body, errand)

    def refuse_model(self, model: str) -> RejectionError:
        """Return the error for an unknown model."""
        return RejectionError(
            404,
            f"models/{model} is not found for API version v1beta, or is not supported for generateContent.",
        )

    def list_models(self, models: tuple[str, ...], created: int) -> Json:
        """List the available models."""
        ways = ["generateContent", "countTokens"]
        return {
            "models": [
                {"name": f"models/{name}", "displayName": name, "supportedGenerationMethods": ways}
                for name in models
            ]
        }

    def tell_error(self, error: RejectionError) -> Json:
        """Return the body of an error."""
        body: dict[str, object] = {
            "code": error.status,
            "message": error.message,
            "status": error.kind or STATUSES.get(error.status, "UNKNOWN"),
        }
        if error.code:
            body["details"] = [
                {
                    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                    "reason": error.code,
                    "domain": "googleapis.com",
                    "metadata": {"service": "generativelanguage.googleapis.com"},
                }
            ]
        return {"error": body}

    def tell_error_event(self, error: RejectionError) -> bytes:
        """Return an error within a stream: a data line like any other."""
        return frame(spell(self.tell_error(error)))

    def tell_whole(self, telling: OutgoingAnswer) -> Json:
        """Return the answer in one body."""
        if _is_blocked(telling):
            return _blocked(telling)
        answer = telling.answer
        parts: list[Json] = [{"text": answer.reasoning, "thought": True}] if answer.reasoning else []
        if answer.text:
            parts.append({"text": answer.text})
        parts += [part for call in answer.calls if (part := _function_call(telling, call)) is not None]
        return _response(telling, parts, telling.tally.output, _finish(telling))

    def tell_stream(self, telling: OutgoingAnswer) -> list[FakeWireEvent]:
        """Return the answer as successive parts; a call is never split."""
        answer = telling.answer
        told: list[tuple[WireReplyPart, list[Json], str]] = []
        for piece in telling.pace.pieces(answer.reasoning):
            told.append((WireReplyPart.REASONING, [{"text": piece, "thought": True}], piece))
        for piece in telling.pace.pieces(answer.text):
            told.append((WireReplyPart.TEXT, [{"text": piece}], piece))
        for call in answer.calls:
            part = _function_call(telling, call)
            if part is not None:
                told.append((WireReplyPart.CALL, [part], call.name + call.arguments))
        responses: list[tuple[WireReplyPart, Json, str]] = []
        output = 0
        for kind, parts, said in told:
            output = min(output + parsed_request.count_tokens(said), telling.tally.output)
            responses.append((kind, _response(telling, parts, output), said))
        last = _response(telling, [{"text": ""}], telling.tally.output, _finish(telling))
        responses.append((WireReplyPart.TAIL, _blocked(telling) if _is_blocked(telling) else last, ""))
        spelled = [(kind, spell(body, escaped=telling.pace.escaped), said) for kind, body, said in responses]
        if telling.asked.events:
            return [FakeWireEvent(kind, frame(text), said) for kind, text, said in spelled]
        ends = [",\r\n"] * (len(spelled) - 1) + ["]"]
        starts = ["["] + [""] * (len(spelled) - 1)
        return [
            FakeWireEvent(kind, f"{start}{text}{end}".encode(), said)
            for start, (kind, text, said), end in zip(starts, spelled, ends, strict=True)
        ]


def frame(data: str) -> bytes:
    """Format one server-sent event; this vendor ends lines as HTTP does."""
    return f"data: {data}\r\n\r\n".encode()


def _is_blocked(telling: OutgoingAnswer) -> bool:
    answer = telling.answer
    return answer.ending is StopReason.REFUSAL and not answer.text and not answer.calls


def _blocked(telling: OutgoingAnswer) -> Json:
    """Return the reply to a blocked prompt, which has no candidates at all."""
    usage = {"promptTokenCount": telling.tally.prompt, "totalTokenCount": telling.tally.prompt}
    return {
        "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
        "usageMetadata": usage,
        "modelVersion": telling.asked.model,
        "responseId": f"fake-{telling.asked.number:04}",
    }


def _finish(telling: OutgoingAnswer) -> str:
    broken = any(parse_object(call.arguments or "{}") is None for call in telling.answer.calls)
    return MALFORMED if broken else FINISH[telling.answer.ending]


def _function_call(telling: OutgoingAnswer, call: ToolCall) -> Json | None:
    given = parse_object(call.arguments or "{}")
    if given is None:
        return None
    named: dict[str, object] = {"name": call.name, "args": given}
    return {"functionCall": ({"id": call.id} if call.id else {}) | named}


def _response(telling: OutgoingAnswer, parts: list[Json], output: int, finish: str = "") -> Json:
    candidate: dict[str, object] = {"content": {"parts": parts, "role": "model"}, "index": 0}
    if finish == MALFORMED:
        candidate = {"content": {}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    tally = telling.tally
    spoken = max(0, output - tally.reasoning)
    usage: dict[str, object] = {
        "promptTokenCount": tally.prompt,
        "candidatesTokenCount": spoken,
        "totalTokenCount": tally.prompt + spoken + tally.reasoning,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": tally.prompt}],
    }
    if tally.cached:
        usage["cachedContentTokenCount"] = tally.cached
        usage["cacheTokensDetails"] = [{"modality": "TEXT", "tokenCount": tally.cached}]
    if tally.reasoning:
        usage["thoughtsTokenCount"] = tally.reasoning
    return {
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": telling.asked.model,
        "responseId": f"fake-{telling.asked.number:04}",
    }
