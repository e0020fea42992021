"""HTTP errors: turns a server's status, message or broken connection into a ProviderError with advice.

A table, read from the top, says what a status means. A key never appears in a message: a server's words are
shortened, cleaned and searched for the key first.
"""

import json
import math
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from talewright.common.frozen_values import frozen
from talewright.common.safe_text import SERVER_QUOTE, make_safe
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Usage
from talewright.providers.key_redaction import KeyWatch
from talewright.providers.model_http_client import is_near

STATUS_OF_CODE: Mapping[str, int] = {
    "invalid_api_key": 401,
    "authentication_error": 401,
    "permission_error": 403,
    "insufficient_quota": 402,
    "model_not_found": 404,
    "not_found_error": 404,
    "request_timeout": 408,
    "timeout": 408,
    "conflict": 409,
    "invalid_request_error": 400,
    "context_length_exceeded": 400,
    "exceed_context_size_error": 400,
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "requests": 429,
    "overloaded_error": 529,
    "unavailable_error": 503,
    "server_error": 500,
}
"""The status equivalent to an error's code or type, for errors in mid-stream that have no status."""


@frozen
class StatusErrorRow:
    """One row: applies to these statuses, if the words match."""

    statuses: frozenset[int]
    trouble: Trouble
    message: str
    """With `{host}` and `{model}`."""

    hint: str
    words: re.Pattern[str] | None = None


def _row(
    statuses: str, trouble: Trouble, message: str, hint: str, words: str | None = None
) -> StatusErrorRow:
    numbers: set[int] = set()
    for part in statuses.split():
        first, _, last = part.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return StatusErrorRow(
        frozenset(numbers), trouble, message, hint, re.compile(words, re.IGNORECASE) if words else None
    )


_LATER = "Wait a minute and try again."

STATUS_ERROR_ROWS = (
    _row(
        "401",
        Trouble.KEY,
        "{host} does not accept the key",
        "Enter the key again with `talewright setup`; it may be incomplete or revoked.",
    ),
    _row(
        "400-499",
        Trouble.MONEY,
        "the account at {host} has no money left",
        "Add credit there, or choose another model.",
        r"insufficient.?(quota|balance|funds|credit)|exceeded your current quota|credit balance is too low",
    ),
    _row(
        "402",
        Trouble.MONEY,
        "the account at {host} has no money left",
        "Add credit there, or choose another model.",
    ),
    _row(
        "400 403",
        Trouble.REQUEST,
        "{host} refuses this passage because of its content",
        "Rephrase it, or choose a model with other rules.",
        r"content.?(filter|policy|management)|moderation|safety system",
    ),
    _row(
        "403",
        Trouble.KEY,
        "{host} does not let this key use {model}",
        "Check at the provider what the key may be used for, or choose another model.",
    ),
    _row(
        "404 405 410",
        Trouble.MISSING,
        "{host} has no model {model}, or the address is not quite right",
        "List the available models with `talewright models`; the address usually ends in /v1.",
    ),
    _row(
        "400 413 422 500",
        Trouble.REQUEST,
        "the story so far is longer than {model} can read at once",
        "Choose a model with a larger context, or start the server with a larger one.",
        r"context.?(length|size|window)|maximum context|too many (input )?tokens|prompt is too long",
    ),
    _row(
        "400-499",
        Trouble.GARBLED,
        "{model} did not manage the form of the answer",
        "Try again.",
        r"json_validate_failed|tool_use_failed",
    ),
    _row(
        "400 422 500 501",
        Trouble.REQUEST,
        "{host} does not take the form of answer we ask for",
        "Choose another model, or a newer version of the server.",
        r"response_format|json_schema|grammar",
    ),
    _row(
        "400 422 500 501",
        Trouble.REQUEST,
        "{model} at {host} cannot call tools",
        "Choose a model that can, or a game that needs no tools.",
        r"not support tools|tool.?choice|tool.?use|--jinja",
    ),
    _row("408 504 524", Trouble.SLOW, "{host} took too long to answer", "Try again."),
    _row("429", Trouble.BUSY, "{host} has had too many requests from this key", _LATER),
    _row(
        "503",
        Trouble.BUSY,
        "the model at {host} is still being loaded",
        "Wait until it is ready and try again.",
        r"loading model|is loading|being loaded",
    ),
    _row("409 425 498 503 529", Trouble.BUSY, "{host} is overloaded", _LATER),
    _row("500-599", Trouble.BUSY, "{host} has a fault of its own (status {status})", _LATER),
    _row(
        "400-499",
        Trouble.REQUEST,
        "{host} refuses the request (status {status})",
        "Choose another model. If it should work with this one, please report it.",
    ),
)
"""The first matching row applies."""

STRANGE_STATUS = StatusErrorRow(
    frozenset(),
    Trouble.GARBLED,
    "{host} answered with the strange status {status}",
    "Check the address: it may not be a model server.",
)


def find_status_error(status: int, said: str) -> StatusErrorRow:
    """The row for a status and the words that came with it."""
    fitting = (
        row
        for row in STATUS_ERROR_ROWS
        if status in row.statuses and (row.words is None or row.words.search(said) is not None)
    )
    return next(fitting, STRANGE_STATUS)


QUOTE_LENGTH_MAX = 300
"""Characters of a server's own words that are quoted."""

RETRY_AFTER_SECONDS_MAX = 86_400.0
"""A longer wait counts as a day."""

FAULT_OF_ITS_OWN = 500
"""The status of an error with neither a status nor a known code."""

GATEWAY_TIMEOUTS = frozenset({504, 524})
"""Statuses of a gateway that stopped waiting for its model, which may have worked and be charged for."""

_STATUS = re.compile("[45][0-9]{2}")


class ProviderErrorReporter:
    """Creates the errors about one server. It holds the key only to keep it out of them."""

    __slots__ = ("_host", "_key", "_model")

    def __init__(self, host: str, model: str, key: str) -> None:
        self._host = host
        self._model = model
        self._key = key

    def read_status(self, status: int, headers: Mapping[str, str], body: bytes) -> ProviderError:
        """The error for a status with its body."""
        if 300 <= status < 400:
            return ProviderError(
                Trouble.REQUEST,
                f"{self._host} sends us on to another address, and a key is not taken there",
                "Enter the server's actual address; often https instead of http, or with /v1 at its end.",
                unpaid=True,
            )
        said, code, _ = _read_error(_read_body(body))
        unpaid = status not in GATEWAY_TIMEOUTS
        return self._judge(status, said, code, retry_after_seconds=read_retry_after(headers), unpaid=unpaid)

    def read_event(self, error: object, usage: Usage | None = None) -> ProviderError:
        """The error for an event that comes with status 200: in mid-stream, or instead of a stream."""
        said, code, status = _read_error(error)
        return self._judge(status or STATUS_OF_CODE.get(code, FAULT_OF_ITS_OWN), said, code, usage=usage)

    def garbled(self, what: str, usage: Usage | None = None) -> ProviderError:
        """The error for an answer that violates the protocol."""
        return ProviderError(
            Trouble.GARBLED,
            f"{self._host} answered with something unreadable: {what}",
            "Try again. If it happens again, check the address: it may not be a model server.",
            usage=usage,
        )

    def told_key(self, usage: Usage | None = None) -> ProviderError:
        """The error for an answer that contains the key: it must not become part of a story."""
        return ProviderError(
            Trouble.GARBLED,
            f"{self._host} has put your key into its answer, which is therefore not used",
            "Do not trust this server with a key: revoke the key, and choose another model.",
            usage=usage,
        )

    def broken_off(self, usage: Usage | None = None) -> ProviderError:
        """The error for a connection that broke in the middle of an answer."""
        message = f"the connection to {self._host} broke off in the middle of the answer"
        return ProviderError(Trouble.UNREACHABLE, message, "Try again.", usage=usage)

    def unreachable(self, reason: str, *, unpaid: bool) -> ProviderError:
        """The error for a connection that failed before an answer came."""
        near = is_near(self._host)
        return ProviderError(
            Trouble.UNREACHABLE,
            f"{self._host} cannot be reached" + (f": {self.quote(reason)}" if reason else ""),
            "Start the model server on this machine, or check its port."
            if near
            else "Check that you are online.",
            unpaid=unpaid,
        )

    def slow(
        self, what: str, seconds: float, *, unpaid: bool = False, usage: Usage | None = None
    ) -> ProviderError:
        """The error for a timeout."""
        message = f"{self._host}: {what} within {seconds:g} seconds"
        return ProviderError(
            Trouble.SLOW, message, "Try again, or choose a faster model.", unpaid=unpaid, usage=usage
        )

    def watch_key(self) -> KeyWatch:
        """A watcher that looks for the key in one answer."""
        return KeyWatch(self._key)

    def quote(self, text: str) -> str:
        """A server's words: short, on one line, without the key."""
        clean = make_safe(text, SERVER_QUOTE)
        if self._key:
            clean = clean.replace(self._key, "[key]")
        return clean if len(clean) <= QUOTE_LENGTH_MAX else clean[:QUOTE_LENGTH_MAX] + "..."

    def _judge(
        self,
        status: int,
        said: str,
        code: str,
        *,
        retry_after_seconds: float | None = None,
        unpaid: bool = False,
        usage: Usage | None = None,
    ) -> ProviderError:
        verdict = find_status_error(status, f"{code} {said}")
        message = verdict.message.format(host=self._host, model=self._model, status=status)
        # A server's message about a key may contain part of it; elsewhere the server's own words help.
        if said and verdict.trouble is not Trouble.KEY:
            message = f"{message}: {self.quote(said)}"
        return ProviderError(
            verdict.trouble,
            message,
            verdict.hint,
            retry_after_seconds=retry_after_seconds,
            usage=usage,
            unpaid=unpaid,
        )


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """How long a server asks to wait: seconds, milliseconds, or a date by its own clock."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if math.isfinite(seconds):
            return min(max(seconds, 0.0), RETRY_AFTER_SECONDS_MAX)
    try:
        later = parsedate_to_datetime(headers["retry-after"]) - parsedate_to_datetime(headers["date"])
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
    return min(max(later.total_seconds(), 0.0), RETRY_AFTER_SECONDS_MAX)


def _read_body(body: bytes) -> object:
    text = body.decode("utf-8", "replace")
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        # A web page is of no use to a player.
        return "" if text.lstrip().startswith("<") else text
    return raw.get("error", raw) if isinstance(raw, dict) else raw


def _read_error(error: object) -> tuple[str, str, int]:
    """The message, code and status of an error, as far as it has them."""
    if not isinstance(error, Mapping):
        return (error if isinstance(error, str) else ""), "", 0
    said = next((error[name] for name in ("message", "detail", "msg") if error.get(name)), "")
    code, kind = error.get("code"), error.get("type")
    if isinstance(code, str) and _STATUS.fullmatch(code):
        code = int(code)
    status = code if isinstance(code, int) and 100 <= code <= 999 else 0
    names = [word for word in (code, kind) if isinstance(word, str)]
    named = next((word for word in names if word in STATUS_OF_CODE), names[0] if names else "")
    return (said if isinstance(said, str) else json.dumps(said, default=str)), named, status
