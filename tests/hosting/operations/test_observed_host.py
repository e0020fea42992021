"""A whole host in an operator's eyes: real processes, their log lines, metrics and connections."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import psycopg
import pytest

from talewright.bootstrap.hosting.operations_launcher import OPERATIONS_BIND
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright_testkit.servers.server_process import ServerMissingError, find_port
from tests.hosting.chaos.chaos_host import TOKEN, ChaosHost, HostProcess, chaos_host
from tests.hosting.chaos.chaos_players import ChaosPlayer, PlayerNotes
from tests.hosting.chaos.chaos_provider import ChaosProvider, serve_provider
from tests.hosting.chaos.waiting_players import play_together
from tests.servers import skip_or_fail

SEED = 20_260_101
TOGETHER = 12
"""Players who wait for the model at the same time: three times what a host once allowed."""

CAMPAIGN = "the-drowned-king"
OPERATION = "0f3a5c7e" * 4
AWAY_SECONDS = 12.0
LINES_MAX = 40
"""What the processes may log while PostgreSQL is away; DBOS alone would write hundreds of lines."""

START = re.compile(r"(?:node|worker): ")
"""Lines on standard output, which say that a process is ready."""


@asynccontextmanager
async def standing_host(folder: Path) -> AsyncIterator[tuple[ChaosHost, ChaosProvider]]:
    """A node and a worker, each with a port for its metrics."""
    async with serve_provider() as provider, AsyncExitStack() as stack:
        standing = chaos_host(folder, provider.url, nodes=0, workers=0)
        host = await asyncio.to_thread(standing.__enter__)
        stack.push_async_callback(asyncio.to_thread, standing.__exit__, None, None, None)
        host.workers.append(HostProcess(host, settings=listen_on(find_port())))
        host.nodes.append(HostProcess(host, find_port(), listen_on(find_port())))
        for one in (*host.workers, *host.nodes):
            one.start()
        await asyncio.to_thread(host.nodes[0].wait_ready)
        yield host, provider


def listen_on(port: int) -> dict[str, str]:
    return {OPERATIONS_BIND: f"127.0.0.1:{port}"}


def read_lines(host: ChaosHost) -> list[dict[str, Any]]:
    """The log: every line on standard error is one JSON object."""
    assert CAMPAIGN not in host.log
    return [json.loads(line) for line in host.log.splitlines() if not START.match(line)]


def find_events(host: ChaosHost, event: str) -> list[dict[str, Any]]:
    return [line for line in read_lines(host) if line["event"] == event]


async def read_metrics(process: HostProcess) -> Mapping[str, float]:
    async with httpx.AsyncClient() as client:
        answer = await client.get(f"http://{process.settings[OPERATIONS_BIND]}/metrics", timeout=20)
    samples = (line.rpartition(" ") for line in answer.text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in samples}


async def check_connections(host: ChaosHost) -> None:
    """Whoever looks at PostgreSQL sees whose connections these are."""
    async with await psycopg.AsyncConnection.connect(f"{host.database_url}?application_name=look") as look:
        rows = await look.execute("select application_name from pg_stat_activity where datname is not null")
        names = Counter(row[0] for row in await rows.fetchall())
    assert names.keys() <= {"talewright-node", "talewright-worker", "look"}, names
    assert min(names["talewright-node"], names["talewright-worker"]) > 0


async def check_refusal(host: ChaosHost) -> None:
    """A refused turn is one line with its operation."""
    body = {"kind": "say", "operation_id": OPERATION, "text": CAMPAIGN, "base": "f" * 32}
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        url = f"{host.nodes[0].url}/api/campaigns/{CAMPAIGN}/turns?wait=20"
        answer = await client.post(url, json=body, timeout=40)
    await wait_for(host, "request_refused", 1)
    (line,) = [one for one in read_lines(host) if one.get("operation") == OPERATION]
    assert (line["event"], line["status"], line["code"]) == ("request_refused", 409, answer.json()["code"])


async def check_outage(host: ChaosHost) -> None:
    """An outage of PostgreSQL is one line of each process when it begins and when it ends, and few others."""
    before = len(read_lines(host))
    await asyncio.to_thread(host.postgres.kill)
    await asyncio.sleep(AWAY_SECONDS)
    during = read_lines(host)[before:]
    await asyncio.to_thread(host.postgres.start)
    assert len(during) <= LINES_MAX, Counter((line["event"], line.get("place")) for line in during)
    assert [line["server"] for line in during if line["event"] == "server_lost"] == ["database"] * 2
    await wait_for(host, "server_back", 2)


async def check_takeover(host: ChaosHost, provider: ChaosProvider, player: ChaosPlayer) -> None:
    """A turn whose worker dies is taken over, which is one line with its operation."""
    operation = "1f3a5c7e" * 4
    provider.piece_seconds = 0.5
    turn = asyncio.create_task(player.take(operation))
    while operation not in provider.asks:
        await asyncio.sleep(0.05)
    host.workers.append(HostProcess(host, settings=listen_on(find_port())))
    await asyncio.to_thread(host.workers[1].start)
    await asyncio.to_thread(host.workers[0].kill)
    await turn
    lines = find_events(host, "turn_taken_over")
    assert [line["operation"] for line in lines if line["queue"] == "turns"] == [operation]


async def wait_for(host: ChaosHost, event: str, count: int) -> None:
    until = monotonic() + 60
    while len(find_events(host, event)) < count:
        assert monotonic() < until, f"no {event}: {host.log[-2000:]}"
        await asyncio.sleep(0.2)


@pytest.mark.hosted
@pytest.mark.timeout(400)
def test_an_operator_sees_what_happens(tmp_path: Path) -> None:
    """One test for all: a host takes longer to start than each of them."""

    async def run() -> None:
        async with standing_host(tmp_path) as (host, provider):
            # Nobody is answered before all have asked.
            provider.needed = TOGETHER
            assert len(await play_together(host, TOGETHER, 1, SEED)) == TOGETHER
            player = ChaosPlayer(CAMPAIGN, [host.nodes[0].url], PlayerNotes(), "one")
            await player.begin()
            await player.wait_opened()
            await check_connections(host)
            await check_refusal(host)
            worker, node = await read_metrics(host.workers[0]), await read_metrics(host.nodes[0])
            assert worker['talewright_turn_seconds_count{result="committed"}'] >= 2 * TOGETHER + 1
            assert worker[f'talewright_live_workers{{engine="{ENGINE_NUMBER}"}}'] == 1
            assert worker['talewright_server_up{server="database"}'] == 1
            assert node['talewright_http_seconds_count{kind="wait",method="POST",status="200"}'] >= TOGETHER
            assert node['talewright_pool_size{pool="campaigns"}'] == 10
            await check_outage(host)
            await check_takeover(host, provider, player)
            await player.close()

    try:
        asyncio.run(run())
    except ServerMissingError as error:
        skip_or_fail(error)
