"""Our side: a worker, and the lobby of an API node, as they run on a host; the model answers at once.

The node has no HTTP in front. Both record what they send, for the bare side.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from time import thread_time
from typing import Any

from bench.hosted.recorded_turns import NodeRecorder, WorkerRecorder
from talewright.bootstrap import new_id
from talewright.chronicle.records import MAIN
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.news.redis_stream_reader import RedisNews
from talewright.hosting.node_services import NodeServices
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.turn_jobs import name_place
from talewright.hosting.turn_queue import TurnQueue
from talewright.hosting.worker_process import WorkerProcess, WorkerSettings
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Chunk, Usage
from talewright.llm.requests import Request
from talewright.play.session import ResultKind
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.stores.postgres.postgres_book import PostgresBook
from talewright.stores.postgres.postgres_store import PostgresStore, connect
from talewright.stores.postgres.sealing import parse_keys
from talewright.stores.postgres.shards import single_database
from talewright.turn.inputs.player_inputs import Opening
from talewright.turn.new_campaign import write_first_commit
from talewright.turn.pipeline import take_turn
from talewright.turn.turn_context import Road, Teller
from talewright.turn.turn_outcomes import Committed
from tests.plays.scripts import PLAYS, read_play
from tests.plays.stage import NOW, SECRET, Shelf, load_edition

GAME = "games/mist_harbor"
OWNER = "bench"
KEYS = parse_keys("k1:" + "A" * 43 + "=")
SAID = "先问黎安她知道些什么"
PLAY = PLAYS / "01_harbor_first_turn.yaml"
PAUSE_SECONDS = 0.05
Rounds = Callable[[Path, int], Awaitable[dict[str, Any]]]
"""Runs one round: where its recording goes or comes from, and turns for each campaign."""


class Library(Shelf):
    """One game, as a library of games."""

    def games(self) -> Any:
        """None of them is listed."""
        return ()

    def edition(self, game: str) -> Any:
        """The one game."""
        return load_edition(self.newest)


class TimedScript(Scripted):
    """A model whose listener is timed: what it does with a chunk before it asks for the next."""

    chunk_seconds = 0.0
    """Processor time that was spent on chunks, in all turns of this process."""

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Yield the next reply."""
        async for chunk in super().stream(request):
            begin = thread_time()
            yield chunk
            TimedScript.chunk_seconds += thread_time() - begin


def make_teller() -> Teller:
    """A model that answers at once, in one piece, what it answers in the play."""
    answer = json.loads(read_play(PLAY).turns[-1].replies[0].text)
    answer["state_updates"] = [{"op": "inc", "path": "time.minute", "value": 1, "reason": "说话花了些时间"}]
    reply = ScriptedReply(json.dumps(answer, ensure_ascii=False), usage=Usage(12_000, 400, 11_000))
    main = TimedScript(lambda request: reply, profile=Profile("bench", context_tokens=1_000_000))
    main.requests = _Nowhere()
    return Teller(main)


class _Nowhere(list[Any]):
    """Keeps no requests: thousands of them would only fill the memory."""

    def append(self, item: Any) -> None:
        """Forget it."""


def name_campaign(number: int) -> str:
    """The name of the nth campaign."""
    return f"campaign-{number}"


async def found_campaigns(url: str, count: int) -> None:
    """Begin campaigns, each with its opening."""
    store, edition = await connect(single_database(url), KEYS), load_edition(GAME)
    for number in range(count):
        book = await write_first_commit(
            store.for_owner(OWNER),
            edition,
            campaign=name_campaign(number),
            language="zh-CN",
            secret=SECRET,
            now=lambda: NOW,
            new_id=new_id,
        )
        road = Road(book=book, editions=Library(GAME), now=lambda: NOW, new_id=new_id, teller=make_teller())
        assert isinstance(await take_turn(road, MAIN, Opening(), new_id()), Committed)
    await store.close()


async def open_worker(url: str, redis_url: str) -> Rounds:
    """A worker that has begun to work; its rounds end with those of the node."""
    store, news, recorder = await connect(single_database(url), KEYS), RedisNews(redis_url), WorkerRecorder()
    teller = make_teller()
    parts = WorkerParts(
        store_of=store.for_owner,
        news_of=news.for_owner,
        editions=Library(GAME),
        now=lambda: NOW,
        new_id=new_id,
        hire=lambda owner, game, book: teller,
        seal=KEYS.seal_for(b""),
    )
    process = WorkerProcess(WorkerSettings(url, new_id()), parts)
    await process.start()
    recorder.listen(store)

    async def keep(path: Path, turns: int) -> dict[str, Any]:
        while await process.queue.list_open():
            await asyncio.sleep(PAUSE_SECONDS)
        recorder.keep(path)
        return {}

    return keep


async def open_node(url: str, redis_url: str, campaigns: int) -> Rounds:
    """The lobby of a node, with a session in each campaign."""
    store = await connect(single_database(url), KEYS)
    services = NodeServices(TurnQueue(url), HostingTables(url), RedisNews(redis_url))
    await services.queue.prepare()
    sessions = await _open_sessions(store, services, campaigns)
    books, recorder = [_find_book(one) for one in sessions], NodeRecorder()
    places = {name_place(OWNER, one.campaign): one.campaign_id for one in books}
    recorder.listen(store, services.queue, places)

    async def play(session: StoreSession, turns: int) -> None:
        for _ in range(turns):
            recorder.begin(_find_book(session).campaign_id)
            result = await session.say(SAID)
            assert result.kind is ResultKind.COMMITTED, result

    async def run(path: Path, turns: int) -> dict[str, Any]:
        await asyncio.gather(*(play(one, turns) for one in sessions))
        recorder.keep(path)
        return {}

    return run


async def _open_sessions(store: PostgresStore, services: NodeServices, campaigns: int) -> list[StoreSession]:
    teller = make_teller()
    lobby = StoreLobby(
        store=store.for_owner(OWNER),
        shelf=Library(GAME),
        now=lambda: NOW,
        new_id=new_id,
        new_secret=lambda: SECRET,
        hire=lambda game, campaign: teller,
    )
    hosted = services.host(lobby, OWNER)
    return [await hosted.open(name_campaign(number)) for number in range(campaigns)]


def _find_book(session: StoreSession) -> PostgresBook:
    book = session.seat.road.book
    assert isinstance(book, PostgresBook)
    return book
