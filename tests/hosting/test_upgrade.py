"""An upgrade from engine 3, with the old version and this one beside each other on the same servers.

Nodes come first, then workers. The old version cannot read what the new one has written and says so; the new
one takes all of it, and nothing is lost or doubled.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from talewright.bootstrap import open_game_library
from talewright.chronicle.records import Commit
from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.receipts import find_secret
from talewright.stores.postgres.postgres_store import connect
from talewright.stores.postgres.sealing import parse_keys
from talewright.stores.postgres.shards import single_database
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright_testkit.servers.postgres_server import PostgresServer
from talewright_testkit.servers.redis_server import RedisServer
from talewright_testkit.servers.server_process import find_port
from tests.hosting.chaos.chaos_host import (
    GAME,
    KEY,
    OWNER,
    THIS,
    TOKEN,
    ChaosHost,
    HostProcess,
    Version,
    find_places,
)
from tests.hosting.chaos.chaos_provider import serve_provider
from tests.hosting.chaos.chaos_versions import OLD_ENGINE, unpack_old_version

TURN_SECONDS_MAX = 60.0
pytestmark = [pytest.mark.hosted, pytest.mark.process, pytest.mark.slow]


class Player:
    """Plays on one node or another, by their addresses."""

    def __init__(self) -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        self.client = httpx.AsyncClient(headers=headers, timeout=TURN_SECONDS_MAX)
        self.taken: dict[str, list[str]] = {}
        """The operations that were taken, by campaign."""

    async def begin(self, node: str, campaign: str) -> None:
        body = {"game": GAME, "name": campaign, "operation_id": f"begin-{campaign}"}
        answer = await self.client.post(f"{node}/api/campaigns", json=body)
        assert answer.status_code in (200, 201), answer.text
        self.taken[campaign] = []
        while (await self.view(node, campaign)).json()["turn"] is None:
            await asyncio.sleep(0.1)

    async def view(self, node: str, campaign: str) -> httpx.Response:
        return await self.client.get(f"{node}/api/campaigns/{campaign}/view")

    async def send(self, node: str, campaign: str, operation: str) -> httpx.Response:
        body = {"kind": "say", "operation_id": operation, "text": f"I go on, op:{operation}."}
        place = f"{node}/api/campaigns/{campaign}/turns?wait=30"
        return await self.client.post(place, json=body)

    async def take(self, node: str, campaign: str, operation: str) -> None:
        answer = await self.send(node, campaign, operation)
        self.taken[campaign].append(operation)
        assert answer.status_code == 200, answer.text
        assert answer.json()["kind"] == "committed", answer.text


async def list_engines(url: str) -> list[str]:
    """The engines of the workers that are running."""
    connection = await asyncpg.connect(url)
    try:
        if await connection.fetchval("select to_regclass('hosting.executors')") is None:
            return []
        rows = await connection.fetch("select version from hosting.executors where beats > 1")
        return [row[0] for row in rows]
    finally:
        await connection.close()


async def read_schema(url: str) -> int:
    connection = await asyncpg.connect(url)
    try:
        return int(await connection.fetchval("select max(version) from schema_versions"))
    finally:
        await connection.close()


async def wait_for_engine(url: str, engine: int) -> None:
    async with asyncio.timeout(TURN_SECONDS_MAX):
        while await list_engines(url) != [str(engine)]:
            await asyncio.sleep(0.1)


async def check_records(host: ChaosHost, player: Player) -> Mapping[str, list[int]]:
    """Every campaign verifies and has each turn once; returns the engines of their turns."""
    store = await connect(single_database(host.database_url), parse_keys(KEY))
    library = open_game_library(find_places(host.folder))
    engines: dict[str, list[int]] = {}
    try:
        for campaign, operations in player.taken.items():
            book = await store.for_owner(OWNER).open(campaign)
            report = await verify(book, editions=library, secret=await find_secret(book))
            assert report.good, report
            commits = [one async for one in book.records() if isinstance(one, Commit)]
            # The root and the opening come first.
            assert [one.operation_id for one in commits[2:]] == operations
            engines[campaign] = [int(str(one.body["engine"])) for one in commits[2:]]
            assert not (await book.look()).waiting
            await book.close()
    finally:
        await store.close()
    return engines


def read_code(answer: httpx.Response) -> tuple[int, Any]:
    return answer.status_code, answer.json().get("code")


def start_node(host: ChaosHost, version: Version) -> str:
    """Start a node for one owner; returns its address."""
    token = {"TALEWRIGHT_TOKEN": TOKEN}
    node = HostProcess(host, find_port(), token, version, ("--owner", OWNER))
    host.nodes.append(node)
    node.start()
    node.wait_ready()
    return node.url


def start_worker(host: ChaosHost, version: Version) -> HostProcess:
    worker = HostProcess(host, version=version)
    host.workers.append(worker)
    worker.start()
    return worker


def test_a_host_is_upgraded_from_an_older_engine(
    tmp_path: Path, postgres_server: PostgresServer, redis_server: RedisServer
) -> None:
    old = unpack_old_version(tmp_path / "old")
    if old is None:
        pytest.skip("this tree has no history, or one that does not contain the older version")

    async def run(host: ChaosHost) -> None:
        player, url = Player(), host.database_url
        before = await asyncio.to_thread(start_node, host, old)
        old_worker = await asyncio.to_thread(start_worker, host, old)
        await wait_for_engine(url, OLD_ENGINE)
        for campaign in ("touched", "untouched", "crossing"):
            await player.begin(before, campaign)
            await player.take(before, campaign, f"{campaign}-0")

        # Workers first is the wrong order: a new one refuses to start, and changes nothing.
        schema = await read_schema(url)
        refused = await asyncio.to_thread(start_worker, host, THIS)
        assert await asyncio.to_thread(refused.wait_ended) == 2, host.log
        assert f"workers with engine {OLD_ENGINE} are running" in host.log
        assert "Update all nodes first." in host.log
        assert await read_schema(url) == schema
        assert await list_engines(url) == [str(OLD_ENGINE)]

        # A new node beside the old one: both work, with the old worker.
        after = await asyncio.to_thread(start_node, host, THIS)
        await player.take(after, "touched", "touched-1")
        await player.take(before, "touched", "touched-2")

        # The old worker is stopped in the midst of a turn; the new one has the rest.
        crossing = asyncio.create_task(player.take(after, "crossing", "crossing-1"))
        await asyncio.sleep(0.2)
        await asyncio.to_thread(old_worker.stop)
        waiting = asyncio.create_task(player.take(after, "touched", "touched-3"))
        await asyncio.to_thread(start_worker, host, THIS)
        await wait_for_engine(url, ENGINE_NUMBER)
        await crossing
        await waiting

        # The old node refuses to show what it cannot read, and shows the rest; the new one takes everything.
        assert read_code(await player.view(before, "touched")) == (409, "newer_format")
        assert (await player.view(before, "untouched")).status_code == 200
        for campaign, operation in (("touched", "touched-4"), ("untouched", "untouched-1")):
            sent = await player.send(before, campaign, operation)
            assert sent.status_code in (200, 409), sent.text
            # Whether the old node has passed it on or refused it: it is played once.
            await player.take(after, campaign, operation)
        await player.client.aclose()
        engines = await check_records(host, player)
        assert engines["touched"] == [OLD_ENGINE] * 3 + [ENGINE_NUMBER] * 2
        assert engines["untouched"] == [OLD_ENGINE, ENGINE_NUMBER]

    async def work() -> None:
        async with serve_provider() as provider:
            host = ChaosHost(tmp_path / "home", postgres_server, redis_server, provider.url)
            try:
                await asyncio.wait_for(run(host), 300)
            finally:
                for one in (*host.nodes, *host.workers):
                    one.kill()

    asyncio.run(work())
