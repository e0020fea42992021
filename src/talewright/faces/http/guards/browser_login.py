"""Browser login: a link with a code that works once gives the owner's browser a cookie.

The cookie is a signed session id, never the token. Only used codes and ended sessions are stored.
"""

import asyncio
import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Protocol

from talewright.common.json_values import Json
from talewright.faces.http.signed_values import OWNER_CLAIM, ValueSigner

CODE_SECONDS_MAX = 60
"""How long a login code is valid."""

SESSION_SECONDS_MAX = 30 * 24 * 60 * 60
"""How long a browser stays logged in."""

COOKIES_READ_MAX = 4
"""How many cookies with our name are checked on a host; browsers send one."""

ID_BYTES = 16
NAME_BYTES = 10
LOGIN_PATH = "/login"
LOGOUT_PATH = "/logout"


class SpentIds(Protocol):
    """Ids that count no longer: of used codes and ended sessions. All processes of one address share them."""

    async def spend(self, spent_id: str, until: float, now: float) -> bool:
        """Remember an id; False if it was spent before. It may be forgotten after `until`."""

    async def is_spent(self, spent_id: str, until: float) -> bool:
        """Whether an id was spent."""


class SpentIdsInMemory:
    """The spent ids of one process."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    async def spend(self, spent_id: str, until: float, now: float) -> bool:
        """Remember an id."""
        self._until = {known: end for known, end in self._until.items() if end > now}
        if spent_id in self._until:
            return False
        self._until[spent_id] = until
        return True

    async def is_spent(self, spent_id: str, until: float) -> bool:
        """Whether an id was spent."""
        return spent_id in self._until


class BrowserLogin:
    """Makes and checks login codes and cookies."""

    def __init__(
        self,
        secret: bytes,
        port: int,
        now: Callable[[], float],
        spent: SpentIds | None = None,
        *,
        host: str = "",
        cookie: str = "",
        owner: str = "",
    ) -> None:
        """`host` is the name and port under which browsers log in; empty for any that the server answers to.

        On a host for many owners, all nodes have the same cookie, which says whose it is.
        """
        self.host = host
        self.used = asyncio.Event()
        """Set once a code was used."""

        # Cookies are shared by all ports of a host, so each port has a name of its own.
        self.cookie = cookie or f"talewright_{port}"
        self._claims: dict[str, Json] = {OWNER_CLAIM: owner} if owner else {}
        self._now = now
        self._spent = spent or SpentIdsInMemory()
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
        return self.start_session() if await self._use(code) else None

    async def renew_code(self, code: str) -> str | None:
        """A new code for one that is used up by this; None if the code is wrong, too old or used."""
        return self.make_code() if await self._use(code) else None

    def start_session(self) -> str:
        """The header Set-Cookie for a browser whose owner is known."""
        value = self._sessions.write({**self._dated(SESSION_SECONDS_MAX), **self._claims})
        return write_cookie(self.cookie, value, SESSION_SECONDS_MAX)

    async def end_session(self, cookies: str) -> str:
        """End the sessions of a Cookie header, for every process; returns the header Set-Cookie."""
        for session, until in self._find_sessions(cookies):
            await self._spent.spend(session, until, self._now())
        return write_cookie(self.cookie, "", 0)

    async def is_logged_in(self, cookies: str) -> bool:
        """Whether a Cookie header has a valid session."""
        for session, until in self._find_sessions(cookies):
            if not await self._spent.is_spent(session, until):
                return True
        return False

    def _find_sessions(self, cookies: str) -> list[tuple[str, float]]:
        """The ids and ends of the sessions that a Cookie header has and that are not too old."""
        # Another port of this host can add a cookie of the same name, and cannot sign it.
        read = (self._read(self._sessions, value) for value in find_values(cookies, self.cookie))
        return [known for known in read if known is not None]

    async def _use(self, code: str) -> bool:
        known = self._read(self._codes, code)
        if known is None or not await self._spent.spend(*known, self._now()):
            return False
        self.used.set()
        return True

    def _dated(self, seconds: int) -> dict[str, Json]:
        return {"id": secrets.token_urlsafe(ID_BYTES), "until": int(self._now()) + seconds}

    def _read(self, signer: ValueSigner, text: str) -> tuple[str, float] | None:
        """The id and the end of what is still valid."""
        match signer.read(text):
            case {"id": str(known), "until": int(until)} if self._now() < until:
                return known, until
        return None


def name_server(secret: bytes, port: int) -> str:
    """The host name under which browsers log in to a server on this machine.

    Browsers know that all names under `localhost` are this machine. They send a cookie to every port of its
    host, and thereby to programs of other users: but only of a host whose name they can find out, and this
    one follows from the token.
    """
    digest = hmac.new(secret, f"talewright host {port}".encode(), hashlib.sha256).digest()
    return f"talewright-{base64.b32encode(digest[:NAME_BYTES]).decode().lower()}.localhost"


def find_values(cookies: str, name: str) -> list[str]:
    """The values that a Cookie header has for a name."""
    pairs = (pair.strip().partition("=") for pair in cookies.split(";"))
    return [value for known, _, value in pairs if known == name]


def write_cookie(name: str, value: str, seconds: int) -> str:
    """The header Set-Cookie of a session."""
    return f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict"
