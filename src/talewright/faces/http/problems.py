"""Problems: errors as RFC 9457 problem details, with a stable code and what to do next.

One table holds the status of every code. A problem never reveals whether something is missing or forbidden.
"""

import json
import logging
import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.faces.http.access_grants import CHALLENGE
from talewright.play.error_codes import ENGINE_ERROR, code_of
from talewright.play.serving.owner_quotas import RateLimitedError
from talewright.play.serving.served_jobs import RETRY_SECONDS

PROBLEM_TYPE = "application/problem+json"

STATUSES: Mapping[str, int] = {
    "failed": 400,
    "campaign_unknown": 404,
    "campaign_foreign": 404,
    "turn_unknown": 404,
    "name_unfit": 422,
    "name_taken": 409,
    "campaign_refused": 409,
    "newer_format": 409,
    "too_many_campaigns": 409,
    "storage_full": 507,
    "record_unreadable": 409,
    "game_unknown": 404,
    "game_unplayable": 409,
    "game_not_installed": 422,
    "language_unknown": 422,
    "teller_needed": 409,
    "model_unknown": 404,
    "owner_unknown": 404,
    "owner_ambiguous": 409,
    "database_schema": 503,
    "database_unreachable": 503,
    "key_missing": 409,
    "price_missing": 409,
    "settings_unreadable": 409,
    "provider_failed": 502,
    "save_unreadable": 422,
    "scenario_unreadable": 422,
    "receipt_unusable": 422,
    "port_unusable": 409,
    "token_needed": 401,
    "rate_limited": 429,
    "too_many_streams": 429,
    "not_found": 404,
    "request_refused": 400,
    "request_foreign": 403,
    "body_too_large": 413,
    "body_too_slow": 408,
    "server_stopping": 503,
    "file_unusable": 409,
    "address_unreadable": 422,
    "server_unreachable": 502,
    "server_unproven": 502,
    "remote_failed": 502,
    "wire_unreadable": 422,
    "prompt_not_rebuilt": 409,
    "role_refused": 404,
    "lease_lost": 409,
    "turn_open_elsewhere": 409,
    "not_wanted": 409,
    "words_missing": 500,
    "dice_unreadable": 422,
    "schema_unfit": 422,
    "turn_running": 409,
    "moved": 409,
    "read_only": 409,
    "unsaved": 503,
    "campaign_closed": 409,
    "unmatched": 409,
    "no_such_choice": 409,
    "no_such_decision": 409,
    "decision_first": 409,
    "player_decides": 409,
    "too_long": 422,
    "empty": 422,
    "over": 409,
    "not_allowed": 409,
    "risky": 409,
    "no_teller": 409,
    "turn_open": 409,
    "untold": 409,
    "declined": 409,
    "budget": 409,
    "timed_out": 409,
    "skipped": 409,
    "too_much_work": 409,
    "crashed": 409,
    "cancelled": 409,
    "nothing_to_retry": 409,
    "rephrase": 409,
    "withdraw": 409,
    "rollback": 409,
    "quit": 409,
    "server_busy": 503,
    "job_stopped": 422,
    "job_crashed": 500,
    ENGINE_ERROR: 500,
}
"""The status of each code."""

_HIDDEN = frozenset({"role_refused", "campaign_foreign"})
"""Codes that would reveal that something exists."""

_RETRIED = frozenset({"server_busy", "turn_running"})
"""Codes of requests that may succeed in a few seconds."""

_log = logging.getLogger(__name__)


class NotFoundError(TalewrightError):
    """There is nothing here, or the request may not see it."""

    def __init__(self) -> None:
        super().__init__(
            "there is nothing here, or your token does not allow it",
            "Check the address. GET /api/campaigns lists the campaigns that your token allows.",
        )


def write_problem(
    code: str,
    detail: str,
    hint: str = "",
    *,
    status: int = 0,
    headers: Mapping[str, str] | None = None,
    more: Mapping[str, Json] | None = None,
) -> Response:
    """A response with problem details."""
    status = status or STATUSES[code]
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "hint": hint,
        **(more or {}),
    }
    data = json.dumps(body, ensure_ascii=False).encode("utf-8", "backslashreplace")
    sent = {"Cache-Control": "no-store", **(headers or {})}
    return Response(data, status, sent, media_type=PROBLEM_TYPE)


def answer_error(error: TalewrightError) -> Response:
    """The problem of an error."""
    code = code_of(error)
    if code in _HIDDEN:
        error = NotFoundError()
        code = code_of(error)
    headers = {"WWW-Authenticate": CHALLENGE} if STATUSES[code] == HTTPStatus.UNAUTHORIZED else {}
    return write_problem(code, error.message, error.hint, headers={**headers, **retry_header(error)})


def retry_header(error: TalewrightError) -> dict[str, str]:
    """The header that says when to try again, if that will help."""
    if isinstance(error, RateLimitedError):
        return {"Retry-After": str(error.retry_after)}
    return {"Retry-After": str(RETRY_SECONDS)} if code_of(error) in _RETRIED else {}


_MISSING_PAGE = "missing_page"


def offer_missing_page(app: FastAPI, show: Callable[[Request], Response]) -> None:
    """Show browsers a page, not a problem, at addresses that lead nowhere."""
    setattr(app.state, _MISSING_PAGE, show)


def handle_problems(app: FastAPI) -> None:
    """Answer every error of an application with a problem."""

    async def talewright_error(request: Request, error: Exception) -> Response:
        return answer_error(cast(TalewrightError, error))

    async def unfit_request(request: Request, error: Exception) -> Response:
        return write_problem("wire_unreadable", _tell(cast(RequestValidationError, error)), _LOOK_UP)

    async def http_error(request: Request, error: Exception) -> Response:
        known = cast(HTTPException, error)
        if known.status_code == HTTPStatus.NOT_FOUND:
            page = getattr(app.state, _MISSING_PAGE, None)
            is_browser = request.method == "GET" and "text/html" in request.headers.get("accept", "")
            if page is not None and is_browser:
                return cast(Response, page(request))
            return answer_error(NotFoundError())
        headers = dict(known.headers or {})
        if known.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            # Starlette knows the methods of the first matching route only.
            allowed = list_methods(app.openapi()["paths"], request.url.path)
            headers["Allow"] = ", ".join(allowed) or headers.get("Allow", "")
        detail = str(known.detail)
        return write_problem("request_refused", detail, _LOOK_UP, status=known.status_code, headers=headers)

    async def client_gone(request: Request, error: Exception) -> Response:
        _log.info("%s %s: the client disconnected while sending", request.method, request.url.path)
        return write_problem("request_refused", "the request is not complete", _LOOK_UP, status=400)

    async def engine_error(request: Request, error: Exception) -> Response:
        _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return write_problem(ENGINE_ERROR, "an internal error", "The server's log has the details.")

    app.add_exception_handler(TalewrightError, talewright_error)
    app.add_exception_handler(RequestValidationError, unfit_request)
    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(ClientDisconnect, client_gone)
    app.add_exception_handler(Exception, engine_error)


def list_methods(paths: Mapping[str, Mapping[str, object]], path: str) -> list[str]:
    """The methods of a path, from the paths of an OpenAPI document."""
    named = paths.get(path)
    if named is not None:
        return sorted(method.upper() for method in named)
    fits = (re.fullmatch(_PARAMETER.sub("[^/]+", template), path) for template in paths)
    found = (methods for fit, methods in zip(fits, paths.values(), strict=True) if fit)
    return sorted({method.upper() for methods in found for method in methods})


_PARAMETER = re.compile(r"\{[^}]*\}")
_LOOK_UP = "GET /api/openapi.json describes every request."


def _tell(error: RequestValidationError) -> str:
    """The first error, without the data: it may be long and private."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}"
