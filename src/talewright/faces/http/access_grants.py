"""Access grants: what a request may do, based on the token or cookie it carries.

The owner's token may do everything and picks a role for each request. A narrower token has one role in one
campaign, until it expires or the campaign is removed. It is signed with a key that depends on the owner's
token and is stored nowhere, so every process can check it, and a new owner's token revokes them all.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.faces.http.signed_values import OWNER_CLAIM, ValueSigner
from talewright.play.campaign_view import Viewer
from talewright.play.wire.token_proof import NARROW_TOKEN

TOKEN_FORMAT = NARROW_TOKEN
"""The prefix of narrower tokens."""

TOKEN_ID_BYTES = 8
TOKEN_DAYS = 30
"""How long a narrower token is valid, unless its maker says otherwise."""

TOKEN_DAYS_MAX = 366
DAY_SECONDS = 24 * 60 * 60
BIRTH_DIGITS = 32
GRANTED_ROLES = (Viewer.PLAYER, Viewer.MASTER, Viewer.AUTHOR)
"""The roles of requests; nobody is an operator over HTTP."""

GRANT = "grant"
"""The member of a request's state that holds what it may do."""

CHALLENGE = "Bearer"
"""The WWW-Authenticate header of a refused request."""

OWN_PAGES = frozenset({"", "same-origin", "none"})
"""Values of Sec-Fetch-Site with which a cookie counts: our own pages, and addresses the user typed.

SameSite does not tell ports apart, so browsers also send the cookie with requests from other ports of this
host.
"""


class AccessDenied(TalewrightError):
    """A request carries no valid token or cookie."""


def access_denied() -> AccessDenied:
    """The error of a request without a valid token."""
    return AccessDenied(
        "this request brings no valid token",
        "Send the token that `talewright serve` prints, or that you got for a host: "
        "Authorization: Bearer TOKEN.",
    )


@frozen
class AccessGrant:
    """What a request may do."""

    role: Viewer
    campaign: str = ""
    """The only campaign; empty for all."""

    is_owner: bool = False
    birth: str = ""
    """Tells the campaign apart from others that have its name before or after it."""

    def covers(self, campaign: str) -> bool:
        """Whether a campaign may be opened."""
        return self.campaign in ("", campaign)


@frozen
class NarrowToken:
    """A narrower token that was just made."""

    text: str
    until: int
    """When it expires, in seconds since 1970."""


async def _know_nobody(cookies: str) -> bool:
    return False


async def _find_no_birth(campaign: str) -> str:
    return ""


def read_bearer(header: str) -> str:
    """The token in an Authorization header; empty if it has none."""
    scheme, _, token = header.strip().partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


class AccessRules:
    """Who may do what on this server."""

    def __init__(
        self,
        matches_owner: Callable[[str], bool],
        secret: bytes,
        is_logged_in: Callable[[str], Awaitable[bool]] = _know_nobody,
        owner: str = "",
        *,
        find_birth: Callable[[str], Awaitable[str]] = _find_no_birth,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`find_birth` returns what only one campaign of a name ever has; without it, there are no narrower
        tokens.
        """
        self._matches_owner = matches_owner
        self._secret = secret
        self._tokens = ValueSigner(secret, TOKEN_FORMAT)
        self._is_logged_in = is_logged_in
        """Whether a Cookie header has a valid session of the owner's browser."""

        self._claims: dict[str, Json] = {OWNER_CLAIM: owner} if owner else {}
        """On a host, a token says whose it is, so that its key can be found."""

        self._find_birth = find_birth
        self._now = now

    async def read_grant(self, headers: Mapping[str, str], role: Viewer = Viewer.PLAYER) -> AccessGrant:
        """What a request may do; `role` is the one that the owner asks for.

        The names of the headers are in lower case. The role of a narrower token stays as it is.
        """
        given = headers.get("authorization")
        if given is not None:
            token = read_bearer(given)
            grant = await self.read_token(token, role) if token else None
        else:
            own = headers.get("sec-fetch-site", "") in OWN_PAGES
            known = own and await self._is_logged_in(headers.get("cookie", ""))
            grant = AccessGrant(role=role, is_owner=True) if known else None
        if grant is None or grant.role not in GRANTED_ROLES:
            raise access_denied()
        return grant

    async def still_grants(self, scope: Mapping[str, Any]) -> bool:
        """Whether an open request would still be let in; a route that asked for no grant needs none."""
        if GRANT not in scope.get("state", {}):
            return True
        # Of a header that was sent twice, the first counts.
        headers = reversed(scope["headers"])
        sent = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}
        try:
            await self.read_grant(sent)
        except AccessDenied:
            return False
        return True

    async def read_token(self, token: str, role: Viewer = Viewer.PLAYER) -> AccessGrant | None:
        """What a token allows; None if this server did not make it, or it is no longer valid."""
        if self._matches_owner(token):
            return AccessGrant(role=role, is_owner=True)
        grant = self.read_signed(token)
        if grant is None or grant.birth != await self._mark_birth(grant.campaign):
            return None
        return grant

    def is_owners(self, token: str) -> bool:
        """Whether a token is the owner's."""
        return self._matches_owner(token)

    def read_signed(self, token: str) -> AccessGrant | None:
        """What a narrower token says, if it is not too old; its campaign may be gone."""
        match self._tokens.read(token):
            case {
                "campaign": str(campaign),
                "role": str(name),
                "id": str(),
                "until": int(until),
                "birth": str(birth),
            } if campaign and birth and self._now() < until:
                granted = next((one for one in GRANTED_ROLES if one == name), None)
                return None if granted is None else AccessGrant(granted, campaign, birth=birth)
        return None

    def complete_token(self, unsigned: str) -> str | None:
        """A narrower token from what it says; it must not be shown to whoever does not have it already."""
        completed = self._tokens.complete(unsigned)
        return None if completed is None or self.read_signed(completed) is None else completed

    async def make_token(self, campaign: str, role: Viewer, days: int = TOKEN_DAYS) -> NarrowToken | None:
        """A token with one role in one campaign; None if there is no such campaign."""
        if not campaign or role not in GRANTED_ROLES or not 0 < days <= TOKEN_DAYS_MAX:
            raise ValueError(f"no token for {role} of {campaign!r} for {days} days")
        birth = await self._mark_birth(campaign)
        if not birth:
            return None
        until = int(self._now()) + days * DAY_SECONDS
        claims: dict[str, Json] = {
            "campaign": campaign,
            "role": role.value,
            "id": secrets.token_hex(TOKEN_ID_BYTES),
            "until": until,
            "birth": birth,
        }
        return NarrowToken(self._tokens.write({**claims, **self._claims}), until)

    async def _mark_birth(self, campaign: str) -> str:
        """A birth as tokens contain it: whoever holds one learns nothing of the record."""
        birth = await self._find_birth(campaign)
        words = f"talewright birth\0{campaign}\0{birth}".encode()
        return hmac.new(self._secret, words, hashlib.sha256).hexdigest()[:BIRTH_DIGITS] if birth else ""
