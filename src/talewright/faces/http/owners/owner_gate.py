"""The gate of a host: finds out whose request it is, and gives it that owner's services.

It stands between the guards and the application. A request without an owner passes through without services,
and the routes that need them refuse it. The owner's rules still decide what a route may do.
"""

from collections.abc import Callable
from time import monotonic

from talewright.errors import TalewrightError
from talewright.faces.http.access_grants import TOKEN_FORMAT, read_bearer
from talewright.faces.http.api_services import SERVICES
from talewright.faces.http.guards.browser_login import COOKIES_READ_MAX, BrowserLogin, find_values
from talewright.faces.http.guards.lasting_requests import serve_while
from talewright.faces.http.guards.request_guards import AsgiApp, Message, Receive, Scope, Send
from talewright.faces.http.owners.owner_lines import OwnerLines
from talewright.faces.http.owners.owner_services import OwnerServices
from talewright.faces.http.problems import answer_error
from talewright.faces.http.signed_values import read_owner_claim
from talewright.play.serving.owner_lookup import OwnerIdentity, OwnerLookup


class OwnerGate:
    """The application, with the owner's services for each request."""

    def __init__(
        self,
        app: AsgiApp,
        lookup: OwnerLookup,
        services: OwnerServices,
        login_of: Callable[[OwnerIdentity], BrowserLogin],
        cookie: str,
        *,
        secure: bool,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        """`secure` if browsers reach the host over HTTPS; its cookies are then sent over HTTPS only."""
        self._app = app
        self._lookup = lookup
        self._services = services
        self._login_of = login_of
        self._cookie = cookie
        self._secure = secure
        self._seconds = seconds
        self._lines = OwnerLines()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if self._secure:
            send = _with_secure_cookies(send)
        try:
            owner = await self._find(scope)
        except TalewrightError as error:
            await answer_error(error)(scope, receive, send)
            return
        if owner is None:
            await self._app(scope, receive, send)
            return
        async with self._services.use(owner) as services:
            scope[SERVICES] = services
            rules = services.rules

            async def holds() -> bool:
                return await self._lookup.find_by_id(owner.id) == owner and await rules.still_grants(scope)

            async with self._lines.hold_place(owner.id) as leave:
                await serve_while(holds, self._app, scope, receive, _leaving(leave, send), self._seconds)

    async def _find(self, scope: Scope) -> OwnerIdentity | None:
        """The owner of a request, if it carries a token or a cookie of ours."""
        sent = [
            (name.lower(), value.decode("latin-1"))
            for name, value in scope["headers"]
            if name.lower() in (b"authorization", b"cookie")
        ]
        tokens = [value for name, value in sent if name == b"authorization"]
        if tokens:
            token = read_bearer(tokens[0])
            return await self._find_by_token(token) if token else None
        values = [one for _, value in sent for one in find_values(value, self._cookie)]
        for value in values[:COOKIES_READ_MAX]:
            found = await self._find_claimed(value)
            if found is not None and await self._login_of(found).is_logged_in(f"{self._cookie}={value}"):
                return found
        return None

    async def _find_by_token(self, token: str) -> OwnerIdentity | None:
        if token.startswith(f"{TOKEN_FORMAT}."):
            return await self._find_claimed(token)
        return await self._lookup.find_by_token(token)

    async def _find_claimed(self, signed: str) -> OwnerIdentity | None:
        """The owner that a signed value names; the rules of that owner check the signature."""
        claimed = read_owner_claim(signed)
        return await self._lookup.find_by_id(claimed) if claimed else None


def _leaving(leave: Callable[[], None], send: Send) -> Send:
    """Give the place back once the answer begins: what follows may be a stream."""

    async def forward(message: Message) -> None:
        await send(message)
        leave()

    return forward


def _with_secure_cookies(send: Send) -> Send:
    async def add(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [
                (name, value + b"; Secure" if name.lower() == b"set-cookie" else value)
                for name, value in message.get("headers", ())
            ]
            message = {**message, "headers": headers}
        await send(message)

    return add
