"""`talewright serve --hosted` and `talewright worker` as processes: they play a game, and stop on SIGTERM."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from talewright.bootstrap import open_lobby
from talewright.bootstrap.hosting.host_addresses import MODEL_SERVERS, read_bind, read_public_url
from talewright.bootstrap.hosting.host_admin import open_host_admin
from talewright.bootstrap.hosting.host_schema import migrate_host
from talewright.bootstrap.hosting.operations_launcher import OPERATIONS_BIND
from talewright.bootstrap.serving.server_transfer import pull_from_server, push_to_server
from talewright.config.access_token import TOKEN
from talewright.config.settings_file import HOME_VARIABLE, SETTINGS_FILE
from talewright.errors import SettingsError, TalewrightError
from talewright.play.input_results import ResultKind
from talewright.play.session import wait_for_opening
from talewright.remote.remote_lobby import RemoteLobby
from talewright_testkit.fake_provider.fake_server import serve
from talewright_testkit.fake_provider.wires.wire_form import Wire
from talewright_testkit.servers.postgres_server import POSTGRES_USER, PostgresServer
from talewright_testkit.servers.server_process import find_port
from tests.opened import opened

ROOT = Path(__file__).parents[3]
PUBLIC = "https://play.example.org"
GAME = "mist_harbor"
LAPTOP_ROUTES = (
    ("GET", "/api/models"),
    ("GET", "/api/models/address"),
    ("GET", "/api/models/local"),
    ("PUT", "/api/models/chosen"),
    ("POST", "/api/models/keep"),
    ("POST", "/api/models/test"),
    ("POST", "/api/games/scenario"),
)
"""Routes that paste keys, probe addresses, search the machine or bring games."""


@contextmanager
def command(environment: dict[str, str], *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A command of Talewright in a process of its own, from its first line on."""
    process = subprocess.Popen(
        [sys.executable, "-m", "talewright", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environment},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def read_line(process: "subprocess.Popen[str]") -> str:
    """The next line that a command prints."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


@contextmanager
def narrow_role(server: PostgresServer, database_url: str) -> Iterator[str]:
    """The address of a migrated database with a role that may only do what nodes and workers need."""
    name = database_url.rpartition("/")[2]
    role = f"role_{name}"
    server.query(f"create role {role} login")
    asyncio.run(migrate_host({"DATABASE_URL": database_url}, role))
    yield database_url.replace(f"{POSTGRES_USER}@", f"{role}@")
    server.query(f"drop owned by {role}", name)
    server.query(f"drop role {role}")


def test_a_game_is_played_on_a_host(
    database_url: str, redis_url: str, tmp_path: Path, postgres_server: PostgresServer
) -> None:
    with narrow_role(postgres_server, database_url) as narrow:
        play_on_host(database_url, narrow, redis_url, tmp_path)


def play_on_host(database_url: str, narrow: str, redis_url: str, tmp_path: Path) -> None:
    environment = {
        "DATABASE_URL": narrow,
        "REDIS_URL": redis_url,
        "TALEWRIGHT_SEALING_KEYS": "k1:" + "A" * 43 + "=",
        "HOME": str(tmp_path),
    }
    serve = ("serve", "--hosted", "--bind", "127.0.0.1:0", "--public-url", PUBLIC)
    token = asyncio.run(add_owner(database_url, "Ann"))
    operations = {name: f"127.0.0.1:{find_port()}" for name in ("worker", "node")}
    working, serving = (environment | {OPERATIONS_BIND: operations[name]} for name in ("worker", "node"))
    with command(working, "worker") as worker, command(serving, *serve) as node:
        url = "http://" + read_line(node).removeprefix("node: ")
        wait_until_ready(operations["node"])
        assert httpx.get(f"{url}/api/health", timeout=60).status_code == 200
        assert read_line(worker) == "worker: ready"
        asyncio.run(asyncio.wait_for(play(url, token), 90))
        walk_pages(url, token)
        check_routes(url, token)
        move_campaign(url, token, tmp_path / "saves")
        check_operations(operations["node"], operations["worker"])
        for process in (node, worker):
            process.send_signal(signal.SIGTERM)
        assert worker.wait(60) == 0
        assert node.wait(60) == 0


async def add_owner(database_url: str, label: str) -> str:
    """Add an owner as the operator does; returns its token."""
    async with open_host_admin({"DATABASE_URL": database_url}) as admin:
        _, token = await admin.add_owner(label)
    return token


async def play(url: str, token: str) -> None:
    """Take two turns that scenes tell."""
    lobby = RemoteLobby(url, token)
    try:
        session = await lobby.begin(GAME)
        opened = await wait_for_opening(session)
        assert opened is not None
        assert opened.kind is ResultKind.COMMITTED
        choices = (await session.view()).choices
        result = await session.choose(choices[0].id)
        assert result.kind is ResultKind.COMMITTED
        await session.close()
    finally:
        await lobby.close()


def walk_pages(url: str, token: str) -> None:
    """Log in, start a campaign, take a turn, look back and remove it: by pages alone, without a script."""
    headers = {"Origin": url}
    with httpx.Client(base_url=url, headers=headers, timeout=60) as client:
        assert client.get("/").status_code == 401
        entered = client.post("/login", data={"token": token})
        assert entered.headers["location"] == "/"
        # Its public address is https, so the client would not send the cookie here.
        client.headers["Cookie"] = entered.headers["set-cookie"].partition(";")[0]
        lobby = client.get("/").text
        assert "/models" not in lobby
        assert "/author" not in lobby
        operation = find(lobby, 'name="operation_id" value="([^"]+)"')
        begun = client.post("/start", data={"game": GAME, "language": "en", "operation_id": operation})
        table = begun.headers["location"]
        page = wait_for_choices(client, table)
        fields = {
            "kind": "choose",
            "choice": find(page, 'name="choice" value="([^"]+)"'),
            **{name: find(page, f'name="{name}" value="([^"]+)"') for name in ("base", "operation_id")},
        }
        assert client.post(table, data=fields).headers["location"].startswith(table)
        assert wait_for_choices(client, table) != page
        for path in ("history", "book", "receipts", "cost", "remove"):
            assert client.get(f"{table}/{path}").status_code == 200, path
        verified = client.post(f"{table}/receipts", data={"receipt": ""})
        assert verified.status_code == 303
        assert client.get("/models").status_code == 404
        assert client.post(f"{table}/remove").status_code == 200
        assert client.get(table).status_code == 404
        assert client.post("/logout").status_code == 303


def move_campaign(url: str, token: str, saves: Path) -> None:
    """Push a campaign of this machine as its owner, and pull it back over the copy that was pushed."""

    async def begin() -> None:
        session = await opened(open_lobby(saves, git=False).begin(GAME, "en", "own"))
        await session.close()

    asyncio.run(begin())
    there = url, {TOKEN: token}, saves, "own", "own"
    pushed = push_to_server(*there)
    pulled = pull_from_server(*there, close=True)
    assert (pulled.end, pulled.with_secret, pulled.closed) == (pushed.end, True, True)
    with pytest.raises(TalewrightError, match="already exists"):
        push_to_server(*there)


def find(page: str, pattern: str) -> str:
    """What a page has at a place."""
    found = re.search(pattern, page)
    assert found is not None, pattern
    return found[1]


def wait_for_choices(client: httpx.Client, table: str) -> str:
    """The page of a table once its turn has ended; it loads itself again and again until then."""
    for _ in range(120):
        page = client.get(table).text
        if 'name="choice"' in page and 'http-equiv="refresh"' not in page:
            return page
        time.sleep(0.25)
    raise AssertionError(page)


def check_routes(url: str, token: str) -> None:
    """What belongs to a laptop does not exist, and only the public name and this machine are answered."""
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=url, headers=headers) as client:
        for method, path in LAPTOP_ROUTES:
            body: dict[str, str] | None = None if method == "GET" else {}
            assert client.request(method, path, json=body).status_code == 404, path
        assert client.get("/api/games", headers={"Host": "play.example.org"}).status_code == 200
        foreign = {"Host": "play.example.org", "Origin": "https://elsewhere.example.org"}
        assert client.get("/api/games", headers=foreign).status_code == 403
        assert client.get("/api/games", headers={"Host": "other.example.org"}).status_code == 421


def wait_until_ready(address: str) -> None:
    """Ask as a load balancer does, as often as it can."""
    while True:
        with suppress(httpx.TransportError):
            if httpx.get(f"http://{address}/readyz").status_code == 200:
                return


def check_operations(*addresses: str) -> None:
    """Both processes are ready, and the worker has counted the turns."""
    for address in addresses:
        assert httpx.get(f"http://{address}/readyz").status_code == 200
    counted = httpx.get(f"http://{addresses[-1]}/metrics").text
    assert 'talewright_turns_total{reason="",result="committed"} 4.0' in counted


SETTINGS = """
model = "ours"
[models.ours]
base_url = "{url}/v1"
model = "fake"
key = "MODEL_API_KEY"
context_tokens = 32000
"""


def test_only_the_worker_needs_the_key_of_the_model(
    database_url: str, redis_url: str, tmp_path: Path
) -> None:
    serve_node = ("serve", "--hosted", "--bind", "127.0.0.1:0", "--public-url", PUBLIC)
    token = asyncio.run(add_owner(database_url, "Ann"))
    environment = {
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "TALEWRIGHT_SEALING_KEYS": "k1:" + "A" * 43 + "=",
        "HOME": str(tmp_path),
        HOME_VARIABLE: str(tmp_path),
    }

    async def run() -> None:
        async with serve(Wire.OPENAI, lambda asked: "The fog comes in.") as model:
            (tmp_path / SETTINGS_FILE).write_text(SETTINGS.format(url=model.url), "utf-8")
            servers = {MODEL_SERVERS: f"{model.url}=127.0.0.1", "MODEL_API_KEY": model.key}
            with (
                command(environment | servers, "worker") as worker,
                command(environment, *serve_node) as node,
            ):
                url = "http://" + (await asyncio.to_thread(read_line, node)).removeprefix("node: ")
                assert await asyncio.to_thread(read_line, worker) == "worker: ready"
                await asyncio.wait_for(play(url, token), 90)
            assert {asked.status for asked in model.ledger.asks} == {200}

    asyncio.run(run())


@pytest.mark.parametrize("text", ["play.example.org", "https://play.example.org/tales", "ftp://x", ""])
def test_a_public_address_is_an_origin(text: str) -> None:
    with pytest.raises(SettingsError):
        read_public_url(text)


@pytest.mark.parametrize("text", ["8734", "host:", ":1", "host:70000"])
def test_a_node_listens_at_an_address_and_a_port(text: str) -> None:
    with pytest.raises(SettingsError):
        read_bind(text)
    assert read_bind("0.0.0.0:80") == ("0.0.0.0", 80)
