"""The whole application of `talewright serve` in this process: API, pages, MCP and guards."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any

import httpx

from talewright.bootstrap import new_id
from talewright.bootstrap.mcp_launcher import find_token
from talewright.bootstrap.serving.server_launcher import ServedLobby, derive_secret, make_server_app
from talewright.faces.http.access_grants import AccessRules
from talewright.faces.http.guards.browser_login import BrowserLogin
from talewright.play.campaign_view import Viewer
from talewright.play.serving.campaign_audit import read_birth
from talewright.play.serving.owner_quotas import LOCAL_QUOTAS, OwnerQuotas
from talewright.play.sessions.store_lobby import StoreLobby

PORT = 8734
ORIGIN = f"http://127.0.0.1:{PORT}"
TOKEN = "a-token-for-tests-0123456789"
NOW = 1_800_000_000.0


@dataclass
class Clock:
    """A clock that stands still until it is set."""

    now: float = NOW

    def __call__(self) -> float:
        return self.now


async def close_nothing() -> None:
    """No model was set up."""


@dataclass
class WholeServer:
    """An application, and whatever opens it."""

    app: Any
    rules: AccessRules
    login: BrowserLogin

    async def token(self, campaign: str, role: Viewer) -> str:
        """A narrower token."""
        made = await self.rules.make_token(campaign, role)
        assert made is not None
        return made.text

    def client(self, token: str = "", **headers: str) -> httpx.AsyncClient:
        """A client that reads each body whole."""
        given = {"Authorization": f"Bearer {token}"} if token else {}
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers={**given, **headers})


@asynccontextmanager
async def whole_server(
    lobby: StoreLobby,
    models: Any = None,
    import_scenario: Any = None,
    workbench: Any = None,
    now: Callable[[], float] = lambda: NOW,
    quotas: OwnerQuotas = LOCAL_QUOTAS,
    seconds: Callable[[], float] = monotonic,
) -> AsyncIterator[WholeServer]:
    """Run the lifespan of the application, as uvicorn does."""
    token = find_token({"TALEWRIGHT_TOKEN": TOKEN})
    secret = derive_secret(token)
    login = BrowserLogin(secret, PORT, now)
    served = ServedLobby(
        lobby,
        new_id,
        models,
        import_scenario,
        lambda _: lobby.shelf.games(),
        close_nothing,
        workbench,
        quotas,
    )
    app, _ = make_server_app(served, token, PORT, login, now, seconds)
    async with run_lifespan(app):
        rules = AccessRules(
            token.matches, secret, login.is_logged_in, find_birth=partial(read_birth, lobby.store), now=now
        )
        yield WholeServer(app, rules, login)


@asynccontextmanager
async def run_lifespan(app: Any) -> AsyncIterator[None]:
    """Start an application up, and shut it down."""
    inbox: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    outbox: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    running = asyncio.ensure_future(app({"type": "lifespan", "asgi": {}}, inbox.get, outbox.put))
    await inbox.put({"type": "lifespan.startup"})
    assert (await outbox.get())["type"] == "lifespan.startup.complete"
    try:
        yield
    finally:
        await inbox.put({"type": "lifespan.shutdown"})
        assert (await outbox.get())["type"] == "lifespan.shutdown.complete"
        await running
