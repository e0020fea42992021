"""Troubles: what a server's refusal or a broken connection means, as an error with words to act on.

A key never stands in any of them: what a server says is cut, cleaned and searched for the key first.
"""

import json
import math
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from talewright.llm.errors import ProviderError, Trouble
from talewright.llm.usage import Usage
from talewright.providers.discretion import KeyWatch
from talewright.providers.openai_wire.verdicts import STATUS_OF_CODE, judge

QUOTE_LENGTH_MAX = 300
"""Characters of a server's own words that are passed on."""

RETRY_AFTER_SECONDS_MAX = 86_400.0
"""A longer wish is as good as a day."""

FAULT_OF_ITS_OWN = 500
"""The status of an error that names neither a status nor a code we know."""

GATEWAY_TIMEOUTS = frozenset({504, 524})
"""Statuses of a gateway that did not wait for the model behind it: that one may have worked, and be paid."""

_HIDDEN = re.compile("[\x00-\x20\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+")
"""Blanks and what no terminal should be told."""


_STATUS = re.compile("[45][0-9]{2}")


class Reporter:
    """Makes the errors about one server. It holds the key only to keep it out of them."""

    __slots__ = ("_host", "_key", "_model")

    def __init__(self, host: str, model: str, key: str) -> None:
        self._host = host
        self._model = model
        self._key = key

    def read_status(self, status: int, headers: Mapping[str, str], body: bytes) -> ProviderError:
        """What a refusal means: a status with its body."""
        if 300 <= status < 400:
            return ProviderError(
                Trouble.REQUEST,
                f"{self._host} sends us on to another address, and a key is not taken there",
                "Enter the address the server really has; often https for http, or /v1 at its end.",
                unpaid=True,
            )
        said, code, _ = _read_error(_read_body(body))
        unpaid = status not in GATEWAY_TIMEOUTS
        return self._judge(status, said, code, retry_after_seconds=read_retry_after(headers), unpaid=unpaid)

    def read_event(self, error: object, usage: Usage | None = None) -> ProviderError:
        """What an error means that comes with status 200: in the middle of a stream, or instead of it."""
        said, code, status = _read_error(error)
        return self._judge(status or STATUS_OF_CODE.get(code, FAULT_OF_ITS_OWN), said, code, usage=usage)

    def garbled(self, what: str, usage: Usage | None = None) -> ProviderError:
        """An answer that keeps to no protocol."""
        return ProviderError(
            Trouble.GARBLED,
            f"{self._host} answered with something unreadable: {what}",
            "Try again. If it stays so, check the address: it may not be that of a model server.",
            usage=usage,
        )

    def told_key(self, usage: Usage | None = None) -> ProviderError:
        """An answer that holds the key: it must not become a part of any story."""
        return ProviderError(
            Trouble.GARBLED,
            f"{self._host} has put your key into its answer, which is therefore not used",
            "Do not trust this server with a key: withdraw the key, and choose another model.",
            usage=usage,
        )

    def broken_off(self, usage: Usage | None = None) -> ProviderError:
        """A connection that broke in the middle of an answer."""
        message = f"the connection to {self._host} broke off in the middle of the answer"
        return ProviderError(Trouble.UNREACHABLE, message, "Try again.", usage=usage)

    def unreachable(self, reason: str, *, unpaid: bool) -> ProviderError:
        """No connection, or none that held until an answer came."""
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
        """No answer in time."""
        message = f"{self._host}: {what} within {seconds:g} seconds"
        return ProviderError(
            Trouble.SLOW, message, "Try again, or take a faster model.", unpaid=unpaid, usage=usage
        )

    def watch_key(self) -> KeyWatch:
        """Somebody who looks for the key in one answer."""
        return KeyWatch(self._key)

    def quote(self, text: str) -> str:
        """A server's words: short, on one line, without the key."""
        clean = _HIDDEN.sub(" ", text).strip()
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
        verdict = judge(status, f"{code} {said}")
        message = verdict.message.format(host=self._host, model=self._model, status=status)
        # What a server says about a key may hold a part of it; elsewhere its own words help.
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


def unusable_proxy() -> ProviderError:
    """No way out of this machine. What the environment names may hold a password, and is not repeated."""
    return ProviderError(
        Trouble.REQUEST,
        "the proxy that the environment names cannot be used",
        "For a SOCKS proxy: pip install 'httpx[socks]', and write socks5://host:port. Or do without one: "
        "unset ALL_PROXY, HTTP_PROXY and HTTPS_PROXY, or name the server in NO_PROXY.",
        unpaid=True,
    )


def is_near(host: str) -> bool:
    """Whether a host, with or without a port, is this machine."""
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return name in ("localhost", "[::1]") or name.startswith("127.")


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """How long a server asks to be left alone: seconds, milliseconds, or a date by its own clock."""
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
        # A web page says nothing to a player.
        return "" if text.lstrip().startswith("<") else text
    return raw.get("error", raw) if isinstance(raw, dict) else raw


def _read_error(error: object) -> tuple[str, str, int]:
    """The words, the code and the status of an error, as far as it has them."""
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
