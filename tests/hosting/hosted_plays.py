"""Hosted plays: performed through two API nodes and a worker, with the news cut after every event.

Every request goes to the other node, so that each stream is resumed where it was not begun.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from talewright.chronicle.records import Commit
from talewright.chronicle.store import BlobKind, CampaignBook, Founding, Store
from talewright.hosting.turn_queue import TurnQueue
from talewright.play.session import InputResult, ResultKind, wait_for_opening
from talewright.stores.postgres.postgres_store import connect
from talewright.stores.postgres.shards import single_database
from talewright.turn.turn_outcomes import Outcome
from tests.faces.http.serving import ServerProcess, serve_process
from tests.hosting.play_host import LOBBY, OWNER, Worker, open_store, worker_process
from tests.plays.performances import in_folder, perform_straight
from tests.plays.scripts import Play, Turn
from tests.plays.stage import CAMPAIGN, Screen, Stage
from tests.remote.cut_streams import CuttingTransport
from tests.remote.remote_stage import RemoteStage
from tests.stores.postgres.stores import KEYS

REST_SECONDS = 0.05


class RoamingTransport(CuttingTransport):
    """Sends every request to the next node."""

    def __init__(self, ports: Sequence[int]) -> None:
        super().__init__()
        self._ports = ports
        self._requests = count()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.url = request.url.copy_with(port=self._ports[next(self._requests) % len(self._ports)])
        request.headers["host"] = request.url.netloc.decode()
        return await super().handle_async_request(request)


class HostedStage(RemoteStage):
    """A performance that waits for the background work of a turn before the next, as the plays do."""

    def __init__(self, play: Play, host: "PlayHost") -> None:
        self._store = open_store(host.options)
        super().__init__(play, self._reopen_store, Path(host.options["cues"]), host.nodes[0].url)
        self.use_transport(RoamingTransport([node.port for node in host.nodes]))
        self._queue = TurnQueue(host.options["database_url"], pool_size=1)

    async def _reopen_store(self) -> Store:
        return self._store.for_owner(OWNER)

    async def _take(self, turn: Turn, operation: str, screen: Screen) -> Outcome:
        while await self._queue.list_open():
            await asyncio.sleep(REST_SECONDS)
        return await super()._take(turn, operation, screen)

    async def _open_story(self) -> InputResult:
        """The opening. A cold node may answer when it is over; then nobody has to wait for it."""
        session = await self._session()
        opened = await wait_for_opening(session)
        return opened or InputResult(ResultKind.COMMITTED, commit=(await session.view()).head)

    async def close(self) -> None:
        """Close all connections."""
        await super().close()
        await self._queue.close()
        await self._leave()
        await self._store.close()


@dataclass
class PlayHost:
    """The processes of a host, and where their campaigns are."""

    folder: Path
    options: dict[str, Any]
    nodes: list[ServerProcess] = field(default_factory=list)
    workers: list[Worker] = field(default_factory=list)

    def perform(self, play: Play) -> RemoteStage:
        """Perform a play, and compare it with the performance in one process."""
        asyncio.run(self._prepare(play))
        stage = asyncio.run(self._perform(play))
        for found, told in zip(stage.told, perform_straight(play.name).told, strict=True):
            assert found.body.narration == told.body.narration, play.name
            assert found.commit.state_digest == told.commit.state_digest, play.name
        assert stage.transport.cuts > len(stage.told), play.name
        return stage

    async def _prepare(self, play: Play) -> None:
        """Begin the play in a folder, and bring its campaign here under the play's name."""
        reopen = in_folder(self.folder / play.name)
        await Stage(play, reopen).prepare()
        store = await connect(single_database(self.options["database_url"]), KEYS)
        await copy_campaign(await (await reopen()).open(CAMPAIGN), store.for_owner(OWNER), play.name)
        await store.close()

    async def _perform(self, play: Play) -> RemoteStage:
        stage = HostedStage(play, self)
        try:
            assert await stage.perform() == play.digest, play.name
        finally:
            await stage.close()
        return stage


async def copy_campaign(book: CampaignBook, store: Store, name: str) -> None:
    """Bring a campaign with all its records to another store."""
    records = [record async for record in book.records()]
    root = records[0]
    assert isinstance(root, Commit)
    digests = {one.game_digest for one in records if isinstance(one, Commit)}
    games = {digest: await book.kept(BlobKind.GAME, digest) for digest in digests}
    founding = Founding(
        name,
        root,
        await book.secret(),
        game=games.pop(root.game_digest),
        past=tuple(records[1:]),
        games=games,
    )
    await (await store.found(founding)).close()
    await book.close()


@contextmanager
def play_host(
    folder: Path, database_url: str, redis_url: str, nodes: int = 2, workers: int = 1, **options: Any
) -> Iterator[PlayHost]:
    """API nodes and workers, as processes."""
    shared = {
        "database_url": database_url,
        "redis_url": redis_url,
        "cues": str(folder / "turn.json"),
        **options,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "turn.json").write_text('["01_harbor_first_turn", 0]', encoding="utf-8")
    host = PlayHost(folder, shared)
    with ExitStack() as stack:
        host.workers += [stack.enter_context(worker_process(**shared)) for _ in range(workers)]
        host.nodes += [stack.enter_context(serve_process(LOBBY, **shared)) for _ in range(nodes)]
        yield host
