"""Browser login: a link with a code that works once gives the owner's browser a cookie.

The cookie is a signed session id and never the token. Nothing else is stored but the codes that were used.
"""

import secrets
from collections.abc import Callable
from typing import Protocol

from talewright.common.json_values import Json
from talewright.faces.http.signed_values import ValueSigner

CODE_SECONDS_MAX = 60
"""How long a login code is valid."""

SESSION_SECONDS_MAX = 30 * 24 * 60 * 60
"""How long a browser stays logged in."""

ID_BYTES = 16
LOGIN_PATH = "/login"


class UsedCodes(Protocol):
    """The login codes that were used, shared by all processes that serve the same address."""

    async def take(self, code: str, until: float, now: float) -> bool:
        """Mark the id of a code as used; False if it was used before. It may be forgotten after `until`."""


class UsedCodesInMemory:
    """The used codes of one process."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    async def take(self, code: str, until: float, now: float) -> bool:
        """Mark a code as used."""
        self._until = {known: end for known, end in self._until.items() if end > now}
        if code in self._until:
            return False
        self._until[code] = until
        return True


class BrowserLogin:
    """Makes and checks login codes and cookies."""

    def __init__(
        self, secret: bytes, port: int, now: Callable[[], float], used: UsedCodes | None = None
    ) -> None:
        # Cookies are shared by all ports of a host, so each port has a name of its own.
        self.cookie = f"talewright_{port}"
        self._now = now
        self._used = used or UsedCodesInMemory()
        self._codes = ValueSigner(secret, f"login-{port}")
        self._sessions = ValueSigner(secret, f"session-{port}")

    def make_code(self) -> str:
        """A code for one login."""
        return self._codes.write(self._dated(CODE_SECONDS_MAX))

    def make_link(self, origin: str) -> str:
        """The address that logs a browser in, such as `http://127.0.0.1:8734/login?code=...`."""
        return f"{origin}{LOGIN_PATH}?code={self.make_code()}"

    async def begin_session(self, code: str) -> str | None:
        """The header Set-Cookie for a code; None if the code is wrong, too old or used."""
        known = self._read(self._codes, code)
        if known is None or not await self._used.take(known[0], known[1], self._now()):
            return None
        value = self._sessions.write(self._dated(SESSION_SECONDS_MAX))
        return f"{self.cookie}={value}; Path=/; Max-Age={SESSION_SECONDS_MAX}; HttpOnly; SameSite=Strict"

    def is_logged_in(self, cookies: str) -> bool:
        """Whether a Cookie header has a valid session."""
        # Another port of this host can add a cookie of the same name, and cannot sign it.
        pairs = (pair.strip().partition("=") for pair in cookies.split(";"))
        return any(
            name == self.cookie and self._read(self._sessions, value) is not None for name, _, value in pairs
        )

    def _dated(self, seconds: int) -> dict[str, Json]:
        return {"id": secrets.token_urlsafe(ID_BYTES), "until": int(self._now()) + seconds}

    def _read(self, signer: ValueSigner, text: str) -> tuple[str, float] | None:
        """The id and the end of what is still valid."""
        match signer.read(text):
            case {"id": str(known), "until": int(until)} if self._now() < until:
                return known, until
        return None
