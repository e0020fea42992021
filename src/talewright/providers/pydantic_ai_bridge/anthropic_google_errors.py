"""Errors of Anthropic and Google: converts errors of pydantic-ai and the vendors' libraries.

The messages are those of the OpenAI provider, so that the same problem reads the same; they never contain the
key.
"""

import json
import re
import traceback
from collections.abc import Mapping
from http import HTTPStatus

import httpx2
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelTimeoutError,
    UnexpectedModelBehavior,
    UserError,
)

from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Usage
from talewright.providers.http_errors import ProviderErrorReporter

STRANGE = (AssertionError, AttributeError, LookupError, TypeError, ValueError, RecursionError)
"""What a library raises on an answer that violates the protocol."""

CONNECTION = (httpx2.HTTPError, httpx2.StreamError)

CAUGHT = (AgentRunError, UserError, *CONNECTION, *STRANGE)
"""Everything that a request may raise; each vendor adds its own."""

_UNSENT = frozenset({"pool", "connect"})
_DELAY = re.compile(r"(\d+(?:\.\d+)?)s")


def translate(
    error: Exception,
    reporter: ProviderErrorReporter,
    connect_seconds: float,
    progress: int,
    usage: Usage | None,
) -> ProviderError:
    """Convert a library's error to a ProviderError."""
    match error:
        case ModelTimeoutError() | httpx2.ConnectTimeout() | httpx2.PoolTimeout():
            return reporter.slow("no connection", connect_seconds, unpaid=True)
        case ModelConnectionError() | httpx2.HTTPError() | httpx2.StreamError() if progress:
            return reporter.broken_off(usage)
        case ModelConnectionError(phase=phase):
            return reporter.unreachable(_read_cause(error), unpaid=phase in _UNSENT)
        case httpx2.HTTPError() | httpx2.StreamError():
            return reporter.unreachable(str(error), unpaid=isinstance(error, httpx2.ConnectError))
        case ModelHTTPError(in_stream=False):
            return _read_refusal(error, reporter)
        case ModelAPIError(body=Mapping()):
            return reporter.read_event(_read_event(error), usage)
        case UserError():
            return ProviderError(
                Trouble.REQUEST,
                f"this cannot be asked: {reporter.quote(error.message)}",
                "Choose another model. If it should work with this one, please report it.",
                unpaid=True,
            )
        case ModelAPIError():
            return reporter.garbled("an event that is no JSON", usage)
        case UnexpectedModelBehavior():
            return reporter.garbled("an empty answer", usage)
        case _:
            return reporter.garbled("an answer of a strange form", usage)


def let_go(error: BaseException | None) -> None:
    """Release what an error holds: half-read answers, which would otherwise be closed in arbitrary order."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


def _read_refusal(error: ModelHTTPError, reporter: ProviderErrorReporter) -> ProviderError:
    """The error for a status before any answer. One vendor reports a wrong key as a bad request."""
    status = error.status_code
    match error:
        case ModelAuthenticationError() if status != HTTPStatus.FORBIDDEN:
            status = HTTPStatus.UNAUTHORIZED
        case ModelQuotaExceededError():
            status = HTTPStatus.PAYMENT_REQUIRED
        case ModelNotFoundError():
            status = HTTPStatus.NOT_FOUND
        case _:
            pass
    headers = dict(error.headers or {})
    delay = _find_delay(error.body)
    if delay and "retry-after" not in headers:
        headers["retry-after"] = delay
    body = error.body if isinstance(error.body, str) else json.dumps(error.body, default=str)
    told = reporter.read_status(status, headers, body.encode("utf-8", "replace"))
    if told.trouble is not Trouble.MISSING:
        return told
    return ProviderError(
        Trouble.MISSING, told.message, "List the available models with `talewright models`.", unpaid=True
    )


def _read_event(error: ModelAPIError) -> dict[str, object]:
    """An error in mid-stream, in the form used for looking up its message."""
    raw = error.body.get("error", error.body) if isinstance(error.body, Mapping) else {}
    told: dict[str, object] = dict(raw) if isinstance(raw, Mapping) else {"message": str(raw)}
    if isinstance(error, ModelHTTPError):
        told["code"] = error.status_code
    return told


def _read_cause(error: BaseException) -> str:
    """The innermost message of a connection error: the outer ones only say that there was one."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error)


def _find_delay(body: object) -> str:
    """How long one vendor asks to wait, as stated in the body."""
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    details = inner.get("details") if isinstance(inner, Mapping) else None
    for detail in details if isinstance(details, list) else ():
        found = _DELAY.fullmatch(str(detail.get("retryDelay"))) if isinstance(detail, Mapping) else None
        if found is not None:
            return found[1]
    return ""
