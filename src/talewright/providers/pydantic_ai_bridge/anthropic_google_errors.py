"""Errors of Anthropic and Google: what pydantic-ai and the vendors' libraries raise, as provider errors.

The words are those of the other wing, so that the same fault reads the same; the key is in none of them.
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
"""What a library stumbles with over an answer that keeps to no protocol."""

CONNECTION = (httpx2.HTTPError, httpx2.StreamError)

CAUGHT = (AgentRunError, UserError, *CONNECTION, *STRANGE)
"""All that may come out of asking; each vendor's own side adds its own."""

_UNSENT = frozenset({"pool", "connect"})
_DELAY = re.compile(r"(\d+(?:\.\d+)?)s")


def translate(
    error: Exception,
    reporter: ProviderErrorReporter,
    connect_seconds: float,
    progress: int,
    usage: Usage | None,
) -> ProviderError:
    """An error of a library as an error of a provider."""
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
    """Drop what an error holds: half-read answers, which would else be closed all at once, in no order."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


def _read_refusal(error: ModelHTTPError, reporter: ProviderErrorReporter) -> ProviderError:
    """What a status before any answer means. One vendor calls a wrong key a bad request."""
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
        Trouble.MISSING, told.message, "See what there is with `talewright models`.", unpaid=True
    )


def _read_event(error: ModelAPIError) -> dict[str, object]:
    """An error in the middle of an answer, in the form that the words are found by."""
    raw = error.body.get("error", error.body) if isinstance(error.body, Mapping) else {}
    told: dict[str, object] = dict(raw) if isinstance(raw, Mapping) else {"message": str(raw)}
    if isinstance(error, ModelHTTPError):
        told["code"] = error.status_code
    return told


def _read_cause(error: BaseException) -> str:
    """The innermost words of an error of the connection: the outer ones only say that there was one."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error)


def _find_delay(body: object) -> str:
    """How long one vendor asks to be left alone: it says so in the body."""
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    details = inner.get("details") if isinstance(inner, Mapping) else None
    for detail in details if isinstance(details, list) else ():
        found = _DELAY.fullmatch(str(detail.get("retryDelay"))) if isinstance(detail, Mapping) else None
        if found is not None:
            return found[1]
    return ""
