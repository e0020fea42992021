"""The page about scale: its arithmetic is repeated, and its constants are the program's.

The inputs are not checked here: they were measured once, or are assumed, and the page says which."""

import json
import math
import re
from pathlib import Path

import pytest

from talewright.hosting import hosting_tables, turn_jobs, turn_queue, worker_process
from talewright.hosting.news.redis_stream_writer import COALESCE_SECONDS
from talewright.hosting.recovery import executor_recovery
from talewright.stores.postgres.connection_pool import POOL_SIZE as STORE_CONNECTIONS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "run" / "scale.md").read_text("utf-8")
TEXT = " ".join(PAGE.split())
"""The page as one line, so that sentences are found wherever they are wrapped."""

SIZES = (10_000, 100_000, 1_000_000)
TURN_SECONDS = 12
DAY_SECONDS = 86_400
TURNS = worker_process.WorkerSettings("", "").turns_max
WORKER_CONNECTIONS = 38
NODE_CONNECTIONS = 22


def find_rows() -> dict[str, list[str]]:
    """The rows of both tables, by their first cell."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.splitlines()
        if line.startswith("|")
    ]
    return {row[0]: row[1:] for row in rows}


ROWS = find_rows()


def read_input(name: str) -> float:
    """A value of the first table."""
    return float(re.sub(r"[^\d.]", "", ROWS[name][0]))


def read_sizes(name: str) -> list[float]:
    """A row of the second table."""
    return [float(re.sub(r"[^\d.]", "", cell)) for cell in ROWS[name]]


def cost_of_turn() -> float:
    """Milliseconds of a worker's core, with background work."""
    chunks = read_input("chunks per reply") * read_input("worker: per chunk") / 1000
    turn = read_input("worker: DBOS, per turn") + read_input("worker: our own work, per turn") + chunks
    assert f"= {turn:g} ms of a core" in TEXT
    return turn * (1 + read_input("background work, on top") / 100)


def count_cores(milliseconds: float) -> list[int]:
    """Cores for so many milliseconds a turn, at half load."""
    return [max(math.ceil(round(peak * milliseconds / 500, 6)), 1) for peak in peaks()]


def peaks() -> list[float]:
    daily = read_input("turns per player per day")
    return [size * daily / DAY_SECONDS * read_input("peak over average") for size in SIZES]


def test_loads_follow_from_the_assumptions() -> None:
    assert read_sizes("daily players") == list(SIZES)
    assert read_sizes("turns per day") == [size * 20 for size in SIZES]
    assert read_sizes("turns per second at the peak") == pytest.approx(peaks(), rel=0.02)
    in_flight = [peak * TURN_SECONDS for peak in peaks()]
    assert read_sizes("turns at the same time") == pytest.approx(in_flight, rel=0.01)
    assert read_sizes("connected players") == [size / 10 for size in SIZES]
    assert read_input("seconds per turn") == TURN_SECONDS


def test_machines_follow_from_the_loads() -> None:
    cost = cost_of_turn()
    assert f"with background work {cost:g} ms" in TEXT
    assert f"takes {500 / cost:.1f} turns" in TEXT
    assert read_sizes("cores for workers, at half load") == count_cores(cost)
    in_flight = read_sizes("turns at the same time")
    workers = [max(math.ceil(turns / TURNS), 2) for turns in in_flight]
    assert read_sizes(f"workers, {TURNS} turns each") == workers
    idle = [one * read_input("worker: per idle second") / 1000 for one in workers]
    assert read_sizes("cores that workers use to poll the queue") == pytest.approx(idle, abs=0.05)
    assert f"use {read_sizes('cores that workers use to poll the queue')[-1]} cores for it" in TEXT
    streams = int(read_input("streams per node process"))
    nodes = [max(math.ceil(size / 10 / streams), 2) for size in SIZES]
    assert read_sizes(f"nodes, {streams:,} streams each") == nodes
    connections = [
        one * WORKER_CONNECTIONS + other * NODE_CONNECTIONS for one, other in zip(workers, nodes, strict=True)
    ]
    assert read_sizes("connections to PostgreSQL") == connections
    events = TURN_SECONDS / COALESCE_SECONDS * read_input("node: per event sent to a stream") / 1000
    assert read_sizes("cores for nodes, at half load") == count_cores(read_input("node: per turn") + events)
    assert read_sizes("cores for PostgreSQL, at half load") == count_cores(read_input("PostgreSQL: per turn"))


def test_data_follows_from_the_loads() -> None:
    sent = [peak * read_input("PostgreSQL: transactions per turn") for peak in peaks()]
    assert read_sizes("transactions per second") == pytest.approx(sent, rel=0.01)
    log = [peak * read_input("PostgreSQL: write-ahead log per turn") / 1000 for peak in peaks()]
    assert read_sizes("PostgreSQL write-ahead log per second") == pytest.approx(log, rel=0.06)
    most = 1e6 / read_input("Redis: per chunk of narration")
    assert f"full at {round(most, -3):,.0f} events per second" in TEXT
    players = most * COALESCE_SECONDS / TURN_SECONDS / (peaks()[0] / SIZES[0])
    assert f"about {round(players, -4):,.0f} daily players" in TEXT
    news = [turns / COALESCE_SECONDS for turns in read_sizes("turns at the same time")]
    assert read_sizes("events per second through Redis") == [int(one) for one in news]
    record = [turns * read_input("record per turn") / 1e6 for turns in read_sizes("turns per day")]
    assert read_sizes("records per day") == record
    assert f"{record[-1] * 365 / 1000:.0f} TB" in TEXT
    tokens = [peak * 60 * read_input("input tokens per turn") / 1e6 for peak in peaks()]
    assert read_sizes("input tokens per minute") == pytest.approx(tokens, rel=0.01)


def test_tokens_are_those_of_the_benchmark() -> None:
    games = json.loads((ROOT / "bench" / "results" / "prefix.json").read_text("utf-8"))
    ours = [vendor["ours"] for game in games.values() for vendor in game.values()]
    shares = [one["cached_share"] for one in ours]
    whole = [one["uncached_tokens_a_turn"] / (1 - one["cached_share"]) for one in ours]
    assert f"{min(whole) / 1000:.0f},000 to {max(whole) / 1000:.0f},000 over four games" in TEXT
    assert f"{min(shares):.0%} to {max(shares):.0%}".replace("% to", " to").replace("%", " %") in TEXT
    assert min(whole) < read_input("input tokens per turn") < max(whole)


def test_the_constants_are_those_of_the_program() -> None:
    store, queue, tables = STORE_CONNECTIONS, turn_queue.POOL_SIZE, hosting_tables.POOL_SIZE_MAX
    assert store + queue + tables == NODE_CONNECTIONS
    assert store + queue + tables + worker_process.POOL_SIZE == WORKER_CONNECTIONS
    deleted = turn_jobs.LIST_MAX * executor_recovery.REMOVALS_MAX / executor_recovery.SWEEP_SECONDS
    assert f"at {deleted:,.0f} workflows per second" in TEXT
    # One workflow a turn, and one after a fifth of them.
    players = deleted / 1.2 / (peaks()[0] / SIZES[0])
    assert players == pytest.approx(2_500_000, rel=0.01)
    looks = 1 / worker_process.POLL_SECONDS + 1 / worker_process.BACKGROUND_POLL_SECONDS
    assert f"63 workers ask {63 * looks:,.0f} times per second" in TEXT
