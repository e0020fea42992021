"""The MCP mount: adds the MCP face to a server's API, with one MCP server for each owner, campaign and role.

It accepts tokens of role master or player. On a host it accepts the owner's token too, for all their
campaigns and the host's games. A laptop's server does not: there, `talewright mcp` is for the owner, and an
assistant gets only what it needs.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import parse_qs

from talewright.bootstrap.mcp_launcher import McpCommandOptions, open_server
from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError
from talewright.faces.http.access_grants import AccessGrant, AccessRules
from talewright.faces.http.guards.request_guards import AsgiApp, Receive, RequestRefusal, Scope, Send
from talewright.faces.http.guards.request_limits import read_token, serve_counted
from talewright.play.campaign_view import Viewer
from talewright.play.error_codes import code_of
from talewright.play.serving.owner_quotas import OwnerCounts

if TYPE_CHECKING:
    from talewright.config.access_token import AccessToken
    from talewright.play.sessions.store_lobby import StoreLobby

MCP_PATH = "/mcp"
MCP_ROLES = frozenset({Viewer.MASTER, Viewer.PLAYER})
SERVERS_MAX = 16
"""How many servers are kept open; the least recently used one is closed first."""

HOST_SERVERS_MAX = 256
"""The same on a host, for all owners."""

IDLE_SECONDS_MAX = 300.0
"""How long a server that nobody uses is kept."""

TOKEN_NEEDED = RequestRefusal(
    401,
    "Unauthorized",
    "token_needed",
    "this request has no valid token",
    "Send a token of role master or player: Authorization: Bearer TOKEN.",
)
OWNER_TOKEN_NEEDED = replace(
    TOKEN_NEEDED, hint="Send your token, or one of role master or player: Authorization: Bearer TOKEN."
)
OTHER_ROLE = RequestRefusal(
    403,
    "Forbidden",
    "role_refused",
    "assistants need a token of role master or player",
    "Make one: POST /api/tokens with a campaign and a role.",
)


@frozen
class McpOwner:
    """Whose campaigns a request is about."""

    open_lobby: "Callable[[], StoreLobby]"
    """Opens the owner's lobby, for a server that is kept."""

    rules: AccessRules
    token: "AccessToken"
    """Shared by all processes that serve the same campaigns; proves who started a turn."""

    counts: OwnerCounts
    id: str = ""
    """Empty on a server for one person."""


ServerKey: TypeAlias = "tuple[str, AccessToken, AccessGrant]"
"""Owner, the owner's token, and what the request may do."""


@dataclass
class MountedServer:
    """An MCP server, which runs in a task of its own."""

    ready: "asyncio.Future[AsgiApp]"
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    task: "asyncio.Task[None] | None" = None
    users: int = 0
    idle_since: float = 0.0


class McpMount:
    """An application with the MCP face at /mcp."""

    def __init__(
        self,
        app: AsgiApp,
        find_owner: Callable[[Scope], McpOwner | None],
        port: int,
        public: Mapping[str, str] | None = None,
        *,
        hosted: bool = False,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        """`public` are the hosts, with their origins, under which others reach this server."""
        self._app = app
        self._find_owner = find_owner
        self._port = port
        self._public = public
        self._hosted = hosted
        self._seconds = seconds
        self._servers: dict[ServerKey, MountedServer] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request of either face."""
        if scope["type"] == "lifespan":
            try:
                await self._app(scope, receive, send)
            finally:
                await self.close()
        elif scope["type"] == "http" and scope["path"] == MCP_PATH:
            await self._serve(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def close(self) -> None:
        """Close every server."""
        held, self._servers = list(self._servers.values()), {}
        for one in held:
            one.stopping.set()
        await asyncio.gather(*(one.task for one in held if one.task is not None), return_exceptions=True)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        owner = self._find_owner(scope)
        grant = None
        if owner is not None:
            grant = await owner.rules.read_token(read_token(scope), _read_role(scope))
        if owner is None or grant is None:
            needed = OWNER_TOKEN_NEEDED if self._hosted else TOKEN_NEEDED
            await needed.answer(send, {"WWW-Authenticate": "Bearer"})
            return
        if (grant.is_owner and not self._hosted) or grant.role not in MCP_ROLES:
            await OTHER_ROLE.answer(send)
            return
        key = (owner.id, owner.token, grant)
        held = self._servers.pop(key, None) or self._start(owner, grant)
        self._servers[key] = held
        held.users += 1
        try:
            app = await asyncio.shield(held.ready)
            await serve_counted(owner.counts, app, scope, receive, send)
        except TalewrightError as error:
            self._servers.pop(key, None)
            told = RequestRefusal(404, "Not Found", code_of(error), error.message, error.hint)
            await told.answer(send)
        finally:
            held.users -= 1
            held.idle_since = self._seconds()
            self._close_surplus()

    def _start(self, owner: McpOwner, grant: AccessGrant) -> MountedServer:
        held = MountedServer(asyncio.get_running_loop().create_future())
        held.task = asyncio.ensure_future(self._run(owner, grant, held))
        return held

    async def _run(self, owner: McpOwner, grant: AccessGrant, held: MountedServer) -> None:
        """Run a server until it is closed; its lifespan begins and ends in this task."""
        from talewright.faces.mcp.http_service import make_http_app

        rules = owner.rules

        def matches(given: str) -> bool:
            return rules.is_owners(given) if grant.is_owner else rules.read_signed(given) == grant

        # For the owner, without a campaign: all campaigns, and all listed games.
        asked = McpCommandOptions(role=grant.role, saves=Path(), campaign=grant.campaign)
        try:
            server = await open_server(owner.open_lobby(), asked, owner.token)
            app = make_http_app(server, self._port, matches, self._public)
            async with app.router.lifespan_context(app):
                held.ready.set_result(app)
                await held.stopping.wait()
        except TalewrightError as error:
            held.ready.set_exception(error)

    def _close_surplus(self) -> None:
        idle = [key for key, held in self._servers.items() if not held.users]
        most = HOST_SERVERS_MAX if self._hosted else SERVERS_MAX
        surplus, oldest = len(self._servers) - most, self._seconds() - IDLE_SECONDS_MAX
        for number, key in enumerate(idle):
            if number < surplus or self._servers[key].idle_since < oldest:
                self._servers.pop(key).stopping.set()


def _read_role(scope: Scope) -> Viewer:
    """The role that an owner asks for: game master, unless the address ends in `?role=player`."""
    asked = parse_qs(scope["query_string"].decode("latin-1")).get("role", [])
    return Viewer.PLAYER if asked == [Viewer.PLAYER.value] else Viewer.MASTER
