"""The processes of a host on which a campaign to be kept is played: an API node, and a worker.

Clock, names, secret and storytellers are handed in, so that the campaign is the same every time. Everything
else is as on any host: PostgreSQL keeps it, DBOS runs the turns, and Redis carries the news.
"""

import asyncio
import hashlib
import itertools
import json
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from talewright.bootstrap import open_game_library
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.news.redis_stream_reader import RedisNews
from talewright.hosting.node_services import NodeServices
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.turn_queue import TurnQueue
from talewright.hosting.worker_process import WorkerProcess, WorkerSettings, work_until_stopped
from talewright.pack.game_folders import shipped_games
from talewright.pack.user_folders import UserFolders
from talewright.play.playable_games import GameLibrary
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.providers.scripted import Scripted
from talewright.turn.turn_context import Teller
from tests.hosting.play_host import Worker, open_store
from tests.kept_campaigns.road_and_town_plots import live_off_screen
from tests.kept_campaigns.workshop import calls
from tests.stores.postgres.stores import KEYS

LOBBY = "tests.kept_campaigns.host_processes:make_lobby"
OWNER = "ann"
NOW = "2026-11-15T12:00:00.000000Z"
"""The time on every machine of the host."""


def count_names(campaign: str, whose: str) -> Callable[[], str]:
    """The names that a process gives, one after another."""
    numbers = itertools.count(1)
    return lambda: make_digest(campaign, f"{whose} {next(numbers)}").hex()[:32]


def make_digest(campaign: str, what: str) -> bytes:
    """Bytes that look random, the same for the same words."""
    return hashlib.sha256(f"{campaign} {what}".encode()).digest()


def open_library(home: str) -> GameLibrary:
    """The shipped games."""
    return open_game_library(UserFolders(Path(home) / "saves", Path(home) / "cache", (shipped_games(),)))


def make_lobby(**options: Any) -> StoreLobby:
    """The lobby of the node."""
    url, campaign = options["database_url"], options["campaign"]
    services = NodeServices(TurnQueue(url), HostingTables(url), RedisNews(options["redis_url"]))
    lobby = StoreLobby(
        store=open_store(options).for_owner(OWNER),
        shelf=open_library(options["home"]),
        now=lambda: NOW,
        new_id=count_names(campaign, "node"),
        new_secret=lambda: make_digest(campaign, "secret"),
        seconds=lambda: 0.0,
        # A node asks nobody; it only says that there is somebody who narrates.
        teller=Teller(Scripted([])),
    )
    return services.host(lobby, OWNER)


def make_parts(options: Mapping[str, Any], news: RedisNews) -> WorkerParts:
    """What the worker is made of."""
    lines = [calls(text, *((name, arguments) for name, arguments in made)) for text, made in options["lines"]]
    teller = Teller(Scripted(lines), Scripted(live_off_screen))
    return WorkerParts(
        store_of=open_store(options).for_owner,
        news_of=news.for_owner,
        editions=open_library(options["home"]),
        now=lambda: NOW,
        new_id=count_names(options["campaign"], "worker"),
        seconds=lambda: 0.0,
        hire=lambda owner, game, book: teller,
        seal=KEYS.seal_for(b""),
    )


async def work(options: Mapping[str, Any]) -> None:
    """Be the worker until SIGTERM."""
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    news = RedisNews(options["redis_url"])
    settings = WorkerSettings(options["database_url"], count_names(options["campaign"], "executor")())
    process = WorkerProcess(settings, make_parts(options, news))
    working = asyncio.create_task(work_until_stopped(process, stopped))
    while not process.is_working and not working.done():
        await asyncio.sleep(0.01)
    print("ready", flush=True)
    left = await working
    await news.close()
    print(json.dumps({"left": left}), flush=True)
    os._exit(0)


def main(options: str) -> None:
    """The process of the worker."""
    asyncio.run(work(json.loads(options)))


class KeptWorker(Worker):
    """The worker as a process."""

    program = staticmethod(main)


@contextmanager
def kept_worker(**options: Any) -> Iterator[KeptWorker]:
    """The worker, killed at the end."""
    worker = KeptWorker(options)
    worker.start()
    try:
        yield worker
    finally:
        worker.kill()
