"""The server launcher: connects lobby, API, guards and pages, and serves on loopback until stopped.

It prints the token and a login link, and nothing about requests. The server's packages are loaded when it
starts, because other commands read its options too.
"""

import asyncio
import hashlib
import hmac
import logging
import os
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talewright.bootstrap.mcp_launcher import find_token, listen_here
from talewright.bootstrap.serving.login_file import open_login
from talewright.bootstrap.serving.saves_presence import enter_saves
from talewright.bootstrap.serving.spent_id_files import FOLDER, SpentIdFiles
from talewright.common.frozen_values import frozen
from talewright.config.access_token import find_token_file
from talewright.play.export.import_limits import SAVE_BYTES_MAX, TRANSFER_BYTES_MAX, WHOLE_SAVE_BYTES_MAX
from talewright.play.serving.owner_quotas import LOCAL_QUOTAS, MemoryQuotaCounts, OwnerQuotas

if TYPE_CHECKING:
    import uvicorn

    from talewright.config.access_token import AccessToken
    from talewright.faces.http.api_services import ApiServices
    from talewright.faces.http.guards.browser_login import BrowserLogin, SpentIds
    from talewright.faces.http.guards.open_requests import OpenRequests
    from talewright.faces.http.guards.request_guards import AsgiApp
    from talewright.play.lobby import GameInfo
    from talewright.play.model_choices import ModelChooser
    from talewright.play.serving.game_workbench import GameWorkbench
    from talewright.play.sessions.store_lobby import StoreLobby

SERVER_HOST = "127.0.0.1"
SERVER_PORT = 8734
"""Where the server listens if no port is given: clients and bookmarks need a fixed one."""

SHUTDOWN_SECONDS_MAX = 5
"""How long connections may take to close after their requests have ended."""

MCP_PACKAGE = "mcp"

FORM_BYTES = 64 * 1024
"""The bytes that a form adds to the file it contains."""

BODY_LIMITS = {
    "/api/campaigns/import": WHOLE_SAVE_BYTES_MAX,
    "/api/campaigns/copies": TRANSFER_BYTES_MAX,
    "/api/games/scenario": SAVE_BYTES_MAX,
    "/import": WHOLE_SAVE_BYTES_MAX + FORM_BYTES,
}
"""Routes that take whole files, with the maximum size in bytes."""

SHARED_SAVES = (
    "Note: another program has the saves folder {saves} open. You can use both; if both play the same "
    "campaign, the first turn to be saved counts."
)

KEEP_ALIVE_SECONDS = 75
"""How long an idle connection stays open, so that a slow client is not cut off between two requests."""


@frozen
class ServerOptions:
    """The options of the command line."""

    saves: Path
    port: int = SERVER_PORT
    """0 for any free one."""

    browser: bool = True
    """Whether to open the login link in a browser."""

    git: bool = True
    new_token: bool = False
    language: str = ""


@frozen
class ServedLobby:
    """Everything a server serves, opened by `bootstrap`."""

    lobby: "StoreLobby"
    new_id: Callable[[], str]
    models: "ModelChooser | None"
    import_scenario: Callable[[bytes, str], Awaitable[str]] | None
    """Makes a game from a scenario; returns its id."""

    list_games: "Callable[[str], tuple[GameInfo, ...]]"
    """The games, described in a language."""

    close: Callable[[], Awaitable[None]]
    """Closes the connections to models, and ends the processes of jobs."""

    workbench: "GameWorkbench | None" = None
    """The games that the owner works on; None for a server without pages for authors."""

    quotas: OwnerQuotas = LOCAL_QUOTAS
    prepare: Callable[[], Awaitable[None]] | None = None
    """Compiles changed games in another process."""


def serve_lobby(served: ServedLobby, asked: ServerOptions, environment: Mapping[str, str]) -> int:
    """Serve until stopped; return the exit code."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    token = find_token(environment, new=asked.new_token)
    asked.saves.mkdir(mode=0o700, parents=True, exist_ok=True)
    with listen_here(asked.port) as listening, enter_saves(asked.saves) as is_shared:
        if is_shared:
            print(SHARED_SAVES.format(saves=asked.saves), file=sys.stderr, flush=True)
        # Ctrl-C is the normal way to end; everything is saved.
        with suppress(KeyboardInterrupt):
            asyncio.run(_serve(served, asked, token, listening, environment))
    return 0


def make_link(port: int, environment: Mapping[str, str]) -> str:
    """A login link for a server that runs on a port with this machine's token."""
    return _make_login(find_token(environment), port).make_link(_origin(port))


async def _serve(
    served: ServedLobby,
    asked: ServerOptions,
    token: "AccessToken",
    listening: list[socket.socket],
    environment: Mapping[str, str],
) -> None:
    port = listening[0].getsockname()[1]
    login = _make_login(
        token, port, SpentIdFiles(find_token_file(environment, Path.home()).with_name(FOLDER))
    )
    try:
        app, requests = make_server_app(served, token, port, login)
        server = make_server(app, requests)
        # Once the lines below are printed, the server may already be stopped.
        with server.capture_signals():
            make_link = partial(login.make_link, _origin(port))
            print(f"token: {token.key.reveal()}", flush=True)
            print(f"login: {make_link()} (works once, within a minute)", flush=True)
            opening = None
            if asked.browser and has_display(environment):
                opening = asyncio.create_task(open_login(make_link, login.used, Path.home()))
            try:
                await server.serve(sockets=listening)
            finally:
                if opening is not None:
                    opening.cancel()
                    await asyncio.wait([opening])
    finally:
        await served.close()


def make_server_app(
    served: ServedLobby,
    token: "AccessToken",
    port: int,
    login: "BrowserLogin",
    now: Callable[[], float] = time.time,
    seconds: Callable[[], float] = time.monotonic,
) -> "tuple[Any, OpenRequests]":
    """The whole application, guards outside, and its open requests."""
    from talewright.faces.http.access_grants import AccessRules
    from talewright.faces.http.api_app import make_api_app, make_services
    from talewright.faces.http.guards.lasting_requests import LastingRequests
    from talewright.faces.http.guards.login_page import make_login_routes
    from talewright.faces.http.guards.open_requests import OpenRequests
    from talewright.faces.http.guards.request_guards import HOST_NAMES, RequestGuards
    from talewright.faces.http.guards.request_limits import BadTokenGuard
    from talewright.faces.http.problems import offer_missing_page
    from talewright.faces.http.routes.proof_routes import find_own_token
    from talewright.faces.web.page_requests import show_missing
    from talewright.faces.web.page_routes import WebPages
    from talewright.play.serving.campaign_audit import StoreAudit, read_birth
    from talewright.play.transfer.transfer_service import StoreTransfers
    from talewright.play.wire.token_proof import hash_token

    secret, lobby = derive_secret(token), served.lobby
    quotas = MemoryQuotaCounts(served.quotas, seconds)
    rules = AccessRules(
        token.matches, secret, login.is_logged_in, find_birth=partial(read_birth, lobby.store), now=now
    )
    services = make_services(
        lobby,
        rules,
        served.new_id,
        secret,
        audit=StoreAudit(lobby.store, lobby.shelf, lobby.lookup, lobby.jobs),
        models=served.models,
        import_scenario=served.import_scenario,
        workbench=served.workbench,
        transfers=StoreTransfers(lobby.store, lobby.shelf, lobby.now, lobby.jobs),
        counts=quotas.count_owner(""),
    )
    api = make_api_app(services, find_own_token(hash_token(token.key.reveal()), rules))
    api.router.routes.extend(make_login_routes(login))
    api.router.routes.extend(WebPages(served.list_games, served.workbench).make_routes())
    offer_missing_page(api, show_missing)
    app = _mount_mcp(api, services, lobby, token, port)
    requests = OpenRequests(LastingRequests(_prepare_games(app, served), rules, seconds))
    names = (*HOST_NAMES, login.host.partition(":")[0]) if login.host else HOST_NAMES
    return RequestGuards(BadTokenGuard(requests, quotas, seconds), port, BODY_LIMITS, names), requests


def _mount_mcp(
    api: "AsgiApp", services: "ApiServices", lobby: "StoreLobby", token: "AccessToken", port: int
) -> "AsgiApp":
    """The API with MCP at /mcp, if MCP is installed."""
    if find_spec(MCP_PACKAGE) is None:
        return api
    from talewright.bootstrap.serving.mcp_mount import McpMount, McpOwner

    owner = McpOwner(lambda: lobby, services.rules, token, services.counts)
    return McpMount(api, lambda scope: owner, port)


def _prepare_games(app: "AsgiApp", served: ServedLobby) -> "AsgiApp":
    """The application, with changed games compiled in another process before each request."""
    from talewright.bootstrap.jobs.game_preparation import GamePreparation

    return app if served.prepare is None else GamePreparation(app, served.prepare)


def derive_secret(token: "AccessToken") -> bytes:
    """The signing key: changing the token invalidates everything that was signed."""
    return hmac.new(token.key.reveal().encode(), b"talewright server", hashlib.sha256).digest()


def _make_login(token: "AccessToken", port: int, spent: "SpentIds | None" = None) -> "BrowserLogin":
    from talewright.faces.http.guards.browser_login import BrowserLogin, name_server

    secret = derive_secret(token)
    return BrowserLogin(secret, port, time.time, spent, host=f"{name_server(secret, port)}:{port}")


def make_server(app: Any, requests: "OpenRequests", proxies: Sequence[str] = ()) -> "uvicorn.Server":
    """Make a server that ends its streams when asked to stop.

    It believes only these proxies when they say which address a request comes from.
    """
    import uvicorn

    loop = asyncio.get_running_loop()

    class StoppingServer(uvicorn.Server):
        """A server that ends its streams when asked to stop, and then returns."""

        def handle_exit(self, sig: int, frame: Any) -> None:
            # The signal is not raised again: this is how the command ends.
            self.force_exit = self.should_exit
            self.should_exit = True
            loop.call_soon_threadsafe(requests.stop)

    settings = uvicorn.Config(
        app,
        lifespan="on",
        ws="none",
        log_config=None,
        log_level="warning",
        # The access log would show query strings, and with them login codes.
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS_MAX,
    )
    return StoppingServer(settings)


def _origin(port: int) -> str:
    return f"http://{SERVER_HOST}:{port}"


def has_display(environment: Mapping[str, str]) -> bool:
    """Whether a browser would open a window instead of taking over the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")) and os.isatty(1)
