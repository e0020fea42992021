"""The launcher of the MCP face: connects lobby, tools and server, and serves over stdio or on loopback.

Over stdio, only messages go to standard output; logs and warnings go to standard error. The SDK is loaded
when serving starts, because other commands read the options too.
"""

import asyncio
import errno
import hashlib
import logging
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError
from talewright.play.campaign_view import Viewer
from talewright.play.serving.owner_quotas import (
    LOCAL_QUOTAS,
    QUOTAS,
    MemoryQuotaCounts,
    OwnerQuotas,
    read_quotas,
)

if TYPE_CHECKING:
    from mcp.server import Server

    from talewright.config.access_token import AccessToken
    from talewright.play.playable_games import GameMaker
    from talewright.play.sessions.store_lobby import StoreLobby


LOOPBACK = "127.0.0.1"
LOOPBACK_IPV6 = "::1"
PORTS_TRIED_MAX = 20
_NO_IPV6 = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT, errno.ENOPROTOOPT)
"""Errors of a machine without IPv6, where nobody else can listen on that address either."""


class UnusablePortError(TalewrightError):
    """The server cannot listen on a port."""


@frozen
class McpCommandOptions:
    """The options of the command line."""

    role: Viewer
    saves: Path
    game: str = ""
    """The only game; empty for that of the campaign, or for all games if there is no campaign either."""

    campaign: str = ""
    language: str = ""
    port: int | None = None
    """The port on loopback, 0 for any free one; None to serve over stdio."""

    new_token: bool = False
    git: bool = True

    @property
    def plays(self) -> bool:
        """Whether the client plays turns instead of narrating them."""
        return self.role is Viewer.PLAYER


async def nothing_more_to_close() -> None:
    """Do nothing: no model was set up."""


def serve(
    lobby: "StoreLobby",
    asked: McpCommandOptions,
    environment: Mapping[str, str],
    close: Callable[[], Awaitable[None]] = nothing_more_to_close,
    make_game: "GameMaker | None" = None,
) -> int:
    """Serve until the client goes away, or until stopped; return the exit code."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    token = find_token(environment, new=asked.new_token)
    quotas = read_quotas(environment.get(QUOTAS, ""), LOCAL_QUOTAS)

    async def run() -> None:
        try:
            server = await open_server(lobby, asked, token, make_game)
            if asked.port is None:
                await _serve_stdio(server)
            else:
                await _serve_http(server, token, asked.port, quotas)
        finally:
            await close()

    # Ctrl-C is the normal way to end; everything is saved.
    with suppress(KeyboardInterrupt):
        asyncio.run(run())
    return 0


def find_token(environment: Mapping[str, str], *, new: bool = False) -> "AccessToken":
    """The token that all servers of this machine share."""
    from talewright.config.access_token import find_token_file, get_token, replace_token

    find = replace_token if new else get_token
    return find(environment, find_token_file(environment, Path.home()))


async def open_server(
    lobby: "StoreLobby",
    asked: McpCommandOptions,
    token: "AccessToken",
    make_game: "GameMaker | None" = None,
) -> "Server[Any]":
    """The server of one role in one game, or in all of them; `make_game` makes further ones."""
    from talewright.faces.mcp.campaign_sessions import CampaignSessions, ServedGame
    from talewright.faces.mcp.protocol_server import make_server
    from talewright.play.campaign_lookup import find_campaign

    game = asked.game
    if asked.campaign:
        found = find_campaign(await lobby.campaigns(), game="", campaign=asked.campaign, new=False)
        assert found is not None, "without a game, an unknown campaign is refused"
        game = found.game
    game = lobby.shelf.edition(game).game.id if game else ""
    key = hashlib.sha256(b"talewright mcp " + token.key.reveal().encode()).digest()
    has_rules = not game or (not asked.plays and bool(await lobby.read_rules(game, asked.language)))
    campaigns = CampaignSessions(
        ServedGame(lobby, asked.role, game, key, asked.campaign, asked.language, has_rules, make_game)
    )
    if asked.plays:
        from talewright.faces.mcp.player_tools import PlayerTools, describe_player_tools

        table = describe_player_tools(PlayerTools(campaigns))
    else:
        from talewright.faces.mcp.desk_tool_table import describe_master_tools
        from talewright.faces.mcp.master_tools import MasterTools

        offered = await lobby.master_tools(game, asked.language) if game else ()
        table = describe_master_tools(MasterTools(campaigns), offered)
    return make_server(campaigns, table)


async def _serve_stdio(server: "Server[Any]") -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (source, out):
        await server.run(source, out, server.create_initialization_options())


async def _serve_http(server: "Server[Any]", token: "AccessToken", port: int, quotas: OwnerQuotas) -> None:
    import uvicorn

    from talewright.faces.mcp.http_service import HOST, PATH, make_http_app

    with listen_here(port) as listening:
        port = listening[0].getsockname()[1]
        app = limit_requests(make_http_app(server, port, token.matches), token.matches, quotas)
        settings = uvicorn.Config(
            app, log_level="warning", access_log=False, proxy_headers=False, timeout_graceful_shutdown=5
        )
        print(f"http://{HOST}:{port}{PATH} (the token is in {token.source})", flush=True)
        await uvicorn.Server(settings).serve(sockets=listening)


def limit_requests(app: Any, matches: Callable[[str], bool], quotas: OwnerQuotas) -> Any:
    """An application of one owner that counts requests, and bad tokens by their address."""
    from talewright.faces.http.guards.request_limits import BadTokenGuard, read_token, serve_counted

    made = MemoryQuotaCounts(quotas)
    counts = made.count_owner("")

    async def serve_owner(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and matches(read_token(scope)):
            await serve_counted(counts, app, scope, receive, send)
        else:
            await app(scope, receive, send)

    return BadTokenGuard(serve_owner, made)


@contextmanager
def listen_here(port: int) -> Iterator[list[socket.socket]]:
    """Sockets on both loopback addresses of this machine, with the same port.

    Programs that are given a name of this machine, such as `localhost`, may try either address. If someone
    else listened on one, they would get what is meant for us.
    """
    with ExitStack() as opened:
        # A port that is free on one address may be taken on the other.
        for attempt in range(1 if port else PORTS_TRIED_MAX):
            with ExitStack() as tried:
                first = tried.enter_context(listen(LOOPBACK, port))
                sockets = [first]
                try:
                    sockets.append(tried.enter_context(listen(LOOPBACK_IPV6, first.getsockname()[1])))
                except UnusablePortError as error:
                    if not _lacks_ipv6(error):
                        if port or attempt == PORTS_TRIED_MAX - 1:
                            raise
                        continue
                opened.push(tried.pop_all())
                break
        yield sockets


def _lacks_ipv6(error: UnusablePortError) -> bool:
    return isinstance(error.__cause__, OSError) and error.__cause__.errno in _NO_IPV6


def listen(host: str, port: int) -> socket.socket:
    """A socket on a port of this machine."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening: socket.socket | None = None
    try:
        # Only with the protocol named does asyncio switch off Nagle's algorithm, which delays answers by
        # 40 ms.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if sys.platform == "win32":
            # There, SO_REUSEADDR would let any program take the port over.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.bind((host, port))
        # Clients that read the address can connect at once; they wait until requests are served.
        listening.listen()
    except OSError as error:
        if listening is not None:
            listening.close()
        raise UnusablePortError(
            f"port {port} of {host} cannot be used: {error.strerror or error}", "Choose another with --port."
        ) from error
    return listening
