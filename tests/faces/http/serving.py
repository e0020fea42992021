"""HTTP servers and clients for tests: in this process, and as processes of their own.

A process is started with the name of a function that makes its lobby, and what that function is to be given.
"""

import asyncio
import hashlib
import importlib
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from talewright.bootstrap import new_id, open_lobby
from talewright.bootstrap.mcp_launcher import listen
from talewright.faces.http.access_grants import AccessRules
from talewright.faces.http.api_app import make_api_app, make_services
from talewright.faces.http.routes.proof_routes import find_own_token
from talewright.play.serving.campaign_audit import StoreAudit, read_birth
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.wire.token_proof import hash_token
from talewright.providers.scripted import Scripted, by
from talewright.turn.turn_context import Teller
from tests.faces.http.fake_models import FakeModels

ROOT = Path(__file__).parents[3]
TOKEN = "a-token-for-tests-0123456789"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
SECRET = b"the lamp at the end of the pier."
"""Of the dice, as in the plays."""

SCENES_LOBBY = "tests.faces.http.serving:make_lobby"


def make_lobby(saves: str, replies: list[str] | None = None, cut: int = 20) -> StoreLobby:
    """The shipped games on a folder: told by scenes, or by a model with these replies, cut into pieces."""
    lobby = open_lobby(Path(saves), git=False, language="en", secret=SECRET)
    if replies is None:
        return lobby
    return replace(lobby, teller=Teller(Scripted(replies, cut=by(cut))))


def make_app(lobby: StoreLobby, token: str = TOKEN) -> FastAPI:
    """The API on a lobby."""
    rules = AccessRules(
        lambda given: given == token, token.encode(), find_birth=partial(read_birth, lobby.store)
    )
    key = hashlib.sha256(token.encode()).digest()
    audit = StoreAudit(lobby.store, lobby.shelf, lobby.lookup)
    services = make_services(lobby, rules, new_id, key, audit=audit, models=FakeModels())
    return make_api_app(services, find_own_token(hash_token(token), rules))


@asynccontextmanager
async def app_client(
    lobby: StoreLobby, headers: Mapping[str, str] | None = None
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an application in this process. It reads bodies whole, so it cannot read the news."""
    app = make_app(lobby)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    sent = HEADERS if headers is None else headers
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=sent) as client:
        try:
            yield client
        finally:
            await app.state.services.close()


@dataclass
class ServerProcess:
    """A server in a process of its own."""

    lobby: str
    options: Mapping[str, Any]
    process: "subprocess.Popen[str] | None" = None
    port: int = 0

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, on the same port as before, and wait until it listens."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.faces.http.serving", self.lobby, str(self.port)],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
                "SERVING_OPTIONS": json.dumps(dict(self.options)),
            },
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def kill(self) -> None:
        """Kill it, without a chance to clean up."""
        assert self.process is not None
        self.process.kill()
        self.process.communicate()

    def stop(self) -> int:
        """Ask it to end, and wait."""
        assert self.process is not None
        self.process.terminate()
        self.process.communicate(timeout=30)
        return self.process.returncode


@contextmanager
def serve_process(lobby: str = SCENES_LOBBY, **options: Any) -> Iterator[ServerProcess]:
    """A real server process on a free port; `lobby` names a function that takes the options."""
    server = ServerProcess(lobby, options)
    server.start()
    try:
        yield server
    finally:
        server.kill()


def find_factory(name: str) -> Callable[..., StoreLobby]:
    """The function that makes a lobby."""
    module, _, function = name.partition(":")
    found: Callable[..., StoreLobby] = getattr(importlib.import_module(module), function)
    return found


async def serve_forever(lobby: StoreLobby, port: int) -> None:
    """Serve on a port of this machine, 0 for a free one; prints it."""
    import uvicorn

    with listen("127.0.0.1", port) as listening:
        app = make_app(lobby)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, timeout_graceful_shutdown=1, timeout_keep_alive=75
        )
        print(listening.getsockname()[1], flush=True)
        await uvicorn.Server(config).serve(sockets=[listening])


if __name__ == "__main__":
    made = find_factory(sys.argv[1])(**json.loads(os.environ["SERVING_OPTIONS"]))
    asyncio.run(serve_forever(made, int(sys.argv[2])))
