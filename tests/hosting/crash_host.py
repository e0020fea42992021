"""A host for crash tests: its model tells the same story to everyone, slowly, and notes every ask in a file.

A worker can be told to die at a crash point, once; and one input ends every worker that takes it.
"""

import asyncio
import json
import os
import signal
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from talewright.bootstrap import new_id
from talewright.crashpoints import set_hook
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.news.redis_stream_reader import RedisNews
from talewright.hosting.node_services import NodeServices
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.turn_queue import TurnQueue
from talewright.hosting.worker_process import WorkerProcess, WorkerSettings, work_until_stopped
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Chunk, Stop, StopReason, Text
from talewright.llm.requests import Request
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.stores.postgres.connection_retry import PATIENCE_SECONDS
from talewright.stores.postgres.postgres_store import PostgresStore, connect
from talewright.stores.postgres.shards import single_database
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.turn_context import Teller
from tests.hosting.play_host import OWNER, Worker
from tests.plays.stage import NOW, SECRET, Shelf, load_edition
from tests.stores.postgres.stores import KEYS

GAME = "tests/plays/games/ferry"
PACE = "pace"
"""The file that says how many seconds a piece takes, if there is one."""

HOLD = "hold"
"""As long as there is a file of this name, every story stops after its first words."""

POISON = "I open the box that ends workers"
"""Who asks the model what becomes of this is killed."""

HOLD_CHARACTERS = 84
PACE_SECONDS = 0.005
HOLD_LOOK_SECONDS = 0.02
DONE, TRACE = ".done", ".trace"
"""Endings of the plan's file: a worker has died as planned; all crash points are noted."""

WORDS = [f"word{number} " for number in range(20)]
STORY = "".join(WORDS)
ANSWER = {
    "narrative_markdown": STORY,
    "choices": [
        {"id": name, "label": name, "hint": "h", "risk": "low", "tags": []}
        for name in ("pay", "wait", "leave")
    ],
    "state_updates": [{"op": "dec", "path": "coins", "value": 1, "reason": "a coin for the lamp"}],
    "new_facts": [],
    "events": [],
    "end": {"is_game_over": False, "ending_id": "", "reason": ""},
}
"""Every turn costs a coin, so that a turn taken twice would show."""


@dataclass
class SlowTeller:
    """A model that tells the same story, piece by piece."""

    asks: Path
    profile: Profile = field(default_factory=lambda: Profile("slow", context_tokens=32_000))

    async def close(self) -> None:
        """There is nothing to close."""

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Tell it; the ask is noted before the first word."""
        with self.asks.open("a", encoding="utf-8") as notes:
            notes.write("ask\n")
        if POISON in str(request.messages[-1]):
            os.kill(os.getpid(), signal.SIGKILL)
        text, pace = json.dumps(ANSWER), self.asks.with_name(PACE)
        seconds = float(pace.read_text(encoding="utf-8")) if pace.exists() else PACE_SECONDS
        for start in range(0, len(text), 7):
            await asyncio.sleep(seconds)
            while start >= HOLD_CHARACTERS and self.asks.with_name(HOLD).exists():
                await asyncio.sleep(HOLD_LOOK_SECONDS)
            yield Text(text[start : start + 7])
        yield Stop(StopReason.END)


class FerryShelf(Shelf):
    """One game, as a library of games."""

    def games(self) -> Any:
        """None of them is listed."""
        return ()

    def edition(self, game: str) -> Any:
        """The one game."""
        return load_edition(self.newest)


def make_parts(options: dict[str, Any], store: PostgresStore, news: RedisNews) -> WorkerParts:
    """What such a worker is made of."""
    teller = Teller(SlowTeller(Path(options["asks"])))
    return WorkerParts(
        store_of=store.for_owner,
        news_of=news.for_owner,
        editions=FerryShelf(GAME),
        now=lambda: NOW,
        new_id=new_id,
        hire=lambda owner, game, book: teller,
        list_waiting=store.list_waiting,
        seal=KEYS.seal_for(b""),
    )


@asynccontextmanager
async def open_node(options: dict[str, Any]) -> AsyncIterator[StoreLobby]:
    """The lobby of an API node in this process."""
    url = options["database_url"]
    patience_seconds = options.get("patience_seconds", PATIENCE_SECONDS)
    store = await connect(single_database(url), KEYS, patience_seconds=patience_seconds)
    services = NodeServices(TurnQueue(url), HostingTables(url), RedisNews(options["redis_url"]))
    teller = Teller(SlowTeller(Path(options["asks"])))
    lobby = StoreLobby(
        store=store.for_owner(OWNER),
        shelf=FerryShelf(GAME),
        now=lambda: NOW,
        new_id=new_id,
        new_secret=lambda: SECRET,
        hire=lambda game, campaign: teller,
    )
    try:
        yield services.host(lobby, OWNER)
    finally:
        await services.close()
        await store.close()


def die_as_planned(plan: Path) -> Callable[[str], None]:
    """A hook that kills this process when it passes the crash point in a file so often as the file says.

    Only the first worker there dies. If there is a trace, all points are noted in it.
    """
    passes: Counter[str] = Counter()
    trace = plan.with_suffix(TRACE)

    def hook(passed: str) -> None:
        if trace.exists():
            with trace.open("a", encoding="utf-8") as notes:
                notes.write(f"{passed}\n")
        try:
            point, _, times = plan.read_text(encoding="utf-8").partition("#")
            if point == passed:
                passes[passed] += 1
                if passes[passed] >= int(times or 1):
                    plan.rename(plan.with_suffix(DONE))
                    os.kill(os.getpid(), signal.SIGKILL)
        except FileNotFoundError:
            return

    return hook


async def work(options: dict[str, Any]) -> None:
    """Be a worker until SIGTERM, or until the crash point."""
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    news = RedisNews(options["redis_url"])
    address = options.get("campaigns_url", options["database_url"])
    store = await connect(
        single_database(address), KEYS, patience_seconds=options.get("patience_seconds", 60.0)
    )
    settings = WorkerSettings(
        options["database_url"],
        new_id(),
        drain_seconds=options.get("drain_seconds", 20.0),
        version=options.get("version", str(ENGINE_NUMBER)),
    )
    process = WorkerProcess(settings, make_parts(options, store, news))
    set_hook(die_as_planned(Path(options["plan"])))
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


class CrashWorker(Worker):
    """A worker process of such a host."""

    program = staticmethod(main)
