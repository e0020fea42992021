"""Plays on a host: the lobby of an API node, and a worker, each in a process of its own.

The test says in a file which turn is next, as for a server of one person.
"""

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from talewright.bootstrap import new_id
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.news.redis_stream_reader import RedisNews
from talewright.hosting.node_services import NodeServices
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.turn_queue import TurnQueue
from talewright.hosting.worker_process import WorkerProcess, WorkerSettings, work_until_stopped
from talewright.llm.profiles import Profile
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.providers.scripted import by
from talewright.stores.postgres.connection_retry import Database
from talewright.stores.postgres.postgres_store import PostgresStore
from talewright.stores.postgres.shards import single_database
from talewright.turn.turn_context import Teller
from tests.hosting.forked_processes import ForkedProcess
from tests.plays.scripts import PLAYS, read_play
from tests.plays.stage import CHUNK_CHARACTERS, NOW, SECRET
from tests.remote.play_server import PacedTeller, PlayCues, PlayShelf
from tests.stores.postgres.stores import KEYS

LOBBY = "tests.hosting.play_host:make_lobby"
OWNER = "players"


def open_store(options: Mapping[str, Any]) -> PostgresStore:
    """Where the campaigns of all owners are; connects when it is first used."""
    shards = single_database(options["database_url"])
    databases = tuple(Database(address) for address in shards.databases)
    return PostgresStore(shards, databases, KEYS)


def hire_for(cues: PlayCues, pace_seconds: float) -> Any:
    """Who tells a play."""

    def hire(game: str, campaign: str) -> Teller | None:
        play = read_play(PLAYS / f"{campaign}.yaml")
        profile = Profile("scripted", context_tokens=play.context_tokens)
        teller = PacedTeller(cues.reply, profile=profile, cut=by(CHUNK_CHARACTERS))
        teller.pace_seconds = pace_seconds
        return Teller(teller) if play.has_teller else None

    return hire


def make_lobby(**options: Any) -> StoreLobby:
    """The lobby of an API node."""
    script = PlayCues(Path(options["cues"]))
    url = options["database_url"]
    services = NodeServices(TurnQueue(url), HostingTables(url), RedisNews(options["redis_url"]))
    lobby = StoreLobby(
        store=open_store(options).for_owner(OWNER),
        shelf=PlayShelf(script),
        now=lambda: NOW,
        new_id=new_id,
        new_secret=lambda: SECRET,
        seconds=lambda: 0.0,
        hire=hire_for(script, 0.0),
    )
    return services.host(lobby, OWNER)


def make_parts(options: Mapping[str, Any], news: RedisNews) -> WorkerParts:
    """What a worker is made of."""
    script = PlayCues(Path(options["cues"]))
    store = open_store(options)
    hire = hire_for(script, options.get("pace_seconds", 0.0))
    return WorkerParts(
        store_of=store.for_owner,
        news_of=news.for_owner,
        editions=PlayShelf(script),
        now=lambda: NOW,
        new_id=new_id,
        seconds=lambda: 0.0,
        hire=lambda owner, game, book: hire(game, book.campaign),
        seal=KEYS.seal_for(b""),
    )


async def work(options: Mapping[str, Any]) -> None:
    """Be a worker until SIGTERM."""
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    news = RedisNews(options["redis_url"])
    settings = WorkerSettings(options["database_url"], options.get("executor") or new_id())
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
    """The process of a worker."""
    asyncio.run(work(json.loads(options)))


@dataclass
class Worker:
    """A worker process."""

    options: Mapping[str, Any]
    process: "ForkedProcess | subprocess.Popen[str] | None" = None
    program: ClassVar["staticmethod[[str], None]"] = staticmethod(main)
    """What the process does, with its options as JSON."""

    def open(self) -> "ForkedProcess | subprocess.Popen[str]":
        """Start the process."""
        return ForkedProcess(self.program, json.dumps(dict(self.options)))

    def start(self) -> None:
        """Start it, and wait until it works."""
        self.process = self.open()
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"

    @property
    def is_running(self) -> bool:
        """Whether the process lives."""
        return self.process is not None and self.process.poll() is None

    def kill(self) -> None:
        """Kill -9; does nothing the second time."""
        assert self.process is not None
        assert self.process.stdout is not None
        self.process.kill()
        if not self.process.stdout.closed:
            self.process.communicate()

    def stop(self) -> dict[str, Any]:
        """SIGTERM: it drains, and says how many turns it has left to others."""
        assert self.process is not None
        self.process.terminate()
        out, _ = self.process.communicate(timeout=60)
        said: dict[str, Any] = json.loads(out.splitlines()[-1])
        return said


@contextmanager
def worker_process(**options: Any) -> Iterator[Worker]:
    """A worker, killed at the end."""
    worker = Worker(options)
    worker.start()
    try:
        yield worker
    finally:
        worker.kill()
