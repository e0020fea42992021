"""The MCP mount: adds the MCP face to a server's API, with one MCP server for each campaign and role.

It accepts tokens of role master or player, never the owner's: an assistant gets only what it needs.
"""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from talewright.bootstrap.mcp_launcher import McpCommandOptions, open_server
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

TOKEN_NEEDED = RequestRefusal(
    401,
    "Unauthorized",
    "token_needed",
    "this request has no valid token",
    "Send a token of role master or player: Authorization: Bearer TOKEN.",
)
OTHER_ROLE = RequestRefusal(
    403,
    "Forbidden",
    "role_refused",
    "assistants need a token of role master or player",
    "Make one: POST /api/tokens with a campaign and a role.",
)


@dataclass
class MountedServer:
    """The MCP server of one campaign and role, which runs in a task of its own."""

    ready: "asyncio.Future[AsgiApp]"
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    task: "asyncio.Task[None] | None" = None
    users: int = 0


class McpMount:
    """An application with the MCP face at /mcp."""

    def __init__(
        self,
        app: AsgiApp,
        lobby: "StoreLobby",
        rules: AccessRules,
        token: "AccessToken",
        port: int,
        counts: OwnerCounts,
    ) -> None:
        self._app = app
        self._counts = counts
        self._lobby = lobby
        self._rules = rules
        self._token = token
        self._port = port
        self._servers: dict[AccessGrant, MountedServer] = {}

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
        grant = await self._rules.read_token(read_token(scope))
        if grant is None:
            await TOKEN_NEEDED.answer(send, {"WWW-Authenticate": "Bearer"})
            return
        if grant.is_owner or grant.role not in MCP_ROLES:
            await OTHER_ROLE.answer(send)
            return
        held = self._servers.pop(grant, None) or self._start(grant)
        self._servers[grant] = held
        held.users += 1
        try:
            app = await asyncio.shield(held.ready)
            await serve_counted(self._counts, app, scope, receive, send)
        except TalewrightError as error:
            self._servers.pop(grant, None)
            told = RequestRefusal(404, "Not Found", code_of(error), error.message, error.hint)
            await told.answer(send)
        finally:
            held.users -= 1
            self._close_surplus()

    def _start(self, grant: AccessGrant) -> MountedServer:
        held = MountedServer(asyncio.get_running_loop().create_future())
        held.task = asyncio.ensure_future(self._run(grant, held))
        return held

    async def _run(self, grant: AccessGrant, held: MountedServer) -> None:
        """Run a server until it is closed; its lifespan begins and ends in this task."""
        from talewright.faces.mcp.http_service import make_http_app

        asked = McpCommandOptions(role=grant.role, saves=Path(), campaign=grant.campaign)
        try:
            server = await open_server(self._lobby, asked, self._token)
            app = make_http_app(server, self._port, lambda given: self._rules.read_signed(given) == grant)
            async with app.router.lifespan_context(app):
                held.ready.set_result(app)
                await held.stopping.wait()
        except TalewrightError as error:
            held.ready.set_exception(error)

    def _close_surplus(self) -> None:
        idle = [grant for grant, held in self._servers.items() if not held.users]
        for grant in idle[: max(len(self._servers) - SERVERS_MAX, 0)]:
            self._servers.pop(grant).stopping.set()
