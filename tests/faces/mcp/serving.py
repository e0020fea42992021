"""MCP servers and clients for tests: in this process, and as processes of their own.

Importing the SDK takes over a second, so processes are shared among tests.
"""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client
from mcp.client.context import ClientRequestContext
from mcp.client.streamable_http import streamable_http_client
from mcp.server import Server
from mcp_types import CallToolResult, ElicitRequestParams, ElicitResult

from talewright.bootstrap import open_game_library, open_lobby
from talewright.bootstrap.mcp_launcher import McpCommandOptions, find_token, open_server
from talewright.play.campaign_view import Viewer
from tests.warm_homes import warm

ROOT = Path(__file__).parents[3]
TOKEN = "a-token-for-tests-0123456789"
MODERN, LEGACY = "2026-07-28", "legacy"
MODES = (MODERN, LEGACY)
SECRET = b"the lamp at the end of the pier."
"""Of the dice, as in the plays."""


async def make_test_server(
    saves: Path,
    game: str = "",
    role: Viewer = Viewer.MASTER,
    campaign: str = "",
    secret: bytes = SECRET,
    token: str = TOKEN,
) -> Server[Any]:
    """A server in this process; `game` may be a folder, as on the command line."""
    shelf = open_game_library()
    game = shelf.admit(game).game.id if game else ""
    lobby = open_lobby(saves, shelf=shelf, git=False, language="en", secret=secret)
    asked = McpCommandOptions(role=role, saves=saves, game=game, campaign=campaign, git=False)
    return await open_server(lobby, asked, find_token({"TALEWRIGHT_TOKEN": token}))


@dataclass
class PlayersAnswers:
    """The client's user, who answers decisions; without an answer at hand, they decline."""

    waiting: list[tuple[str, str]] = field(default_factory=list)
    """Option and note of each."""

    asked: list[str] = field(default_factory=list)

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        self.asked.append(params.message)
        if not self.waiting:
            return ElicitResult(action="decline")
        option, note = self.waiting.pop(0)
        content: dict[str, str | int | float | bool | list[str] | None] = {"option": option}
        return ElicitResult(action="accept", content=content | ({"note": note} if note else {}))


class ToolError(AssertionError):
    """A call was refused."""


async def call(client: Client, name: str, /, **arguments: Any) -> Any:
    """The structured answer of a call that must not be refused."""
    result = await client.call_tool(name, arguments)
    if result.is_error:
        raise ToolError(f"{name}: {text_of(result)}")
    structured = result.structured_content
    assert structured == json.loads(text_of(result))
    return structured


async def refusal(client: Client, name: str, /, **arguments: Any) -> Any:
    """The error of a call that must be refused."""
    result = await client.call_tool(name, arguments)
    assert result.is_error, text_of(result)
    assert result.structured_content is None
    return json.loads(text_of(result))["error"]


def text_of(result: CallToolResult) -> str:
    """What an assistant reads."""
    (content,) = result.content
    assert content.type == "text"
    return content.text


def environment(home: Path) -> dict[str, str]:
    """Of a server process."""
    return {
        **os.environ,
        "TALEWRIGHT_HOME": str(warm(home)),
        "TALEWRIGHT_TOKEN": TOKEN,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
    }


def command(*options: str) -> list[str]:
    """The command of a server process."""
    return [sys.executable, "-m", "talewright", "mcp", "--no-git", *options]


def fixed_command(*options: str) -> list[str]:
    """The command of a server process whose dice are known."""
    return [sys.executable, "-m", "tests.faces.mcp.fixed_dice", *options]


@dataclass
class HttpServers:
    """Server processes on loopback."""

    home: Path
    options: Sequence[str]
    fixed_dice: bool = False
    running: list[tuple[subprocess.Popen[str], int]] = field(default_factory=list)

    def start(self, count: int = 1) -> None:
        """Start processes side by side, and wait until they listen."""
        spell = fixed_command if self.fixed_dice else command
        started = [
            subprocess.Popen(
                spell(*self.options, "--http", "--port", "0"),
                env=environment(self.home),
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(count)
        ]
        for process in started:
            assert process.stdout is not None
            address = process.stdout.readline()
            self.running.append((process, int(address.split("/")[2].rpartition(":")[2])))

    def kill(self, number: int) -> None:
        """Kill one, without a chance to clean up."""
        process, _ = self.running.pop(number)
        process.kill()
        process.communicate()

    @property
    def ports(self) -> list[int]:
        """Where they listen."""
        return [port for _, port in self.running]


@contextmanager
def http_servers(
    home: Path, *options: str, count: int = 2, fixed_dice: bool = False
) -> Iterator[HttpServers]:
    """Server processes that share saves and token."""
    servers = HttpServers(home, options, fixed_dice)
    try:
        servers.start(count)
        yield servers
    finally:
        while servers.running:
            servers.kill(0)


class InTurns(httpx2.AsyncBaseTransport):
    """Sends each request to another server."""

    def __init__(self, servers: HttpServers) -> None:
        self.servers = servers
        self.sent = 0
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        ports = self.servers.ports
        port = ports[self.sent % len(ports)]
        self.sent += 1
        request.url = request.url.copy_with(port=port)
        request.headers["host"] = f"127.0.0.1:{port}"
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


@asynccontextmanager
async def http_client(
    servers: HttpServers,
    mode: str,
    user: PlayersAnswers | None = None,
    headers: Mapping[str, str] | None = None,
) -> AsyncIterator[tuple[Client, InTurns]]:
    """A client whose requests go to the servers in turn."""
    transport = InTurns(servers)
    sent = {"Authorization": f"Bearer {TOKEN}"} if headers is None else dict(headers)
    async with httpx2.AsyncClient(transport=transport, headers=sent, timeout=60) as http:
        way = streamable_http_client(f"http://127.0.0.1:{servers.ports[0]}/mcp", http_client=http)
        async with Client(way, mode=mode, elicitation_callback=user) as client:
            yield client, transport
