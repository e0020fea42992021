"""Jobs as a server uses them: over HTTP, on a host, and until the client or the server is gone."""

import asyncio
import signal
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from talewright.bootstrap.hosting.node_launcher import open_host_games, open_job_pool
from talewright.bootstrap.jobs.game_preparation import LOOK_SECONDS, GamePreparation
from talewright.chronicle.store import StorageLimits
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.pack.game_folders import shipped_games
from talewright.pack.user_folders import UserFolders
from talewright.play.error_codes import RemoteError, code_of
from talewright.play.lobby import ExportForm
from talewright.play.serving.campaign_audit import StoreAudit
from talewright.play.serving.served_jobs import JobKind, JobResult
from talewright.stores.postgres.postgres_store import connect
from talewright.stores.postgres.sealing import SEALING_KEYS, parse_keys
from talewright.stores.postgres.shards import DATABASE_URL, single_database
from tests.bootstrap.serving.processes import begin_campaign, serve_command
from tests.bootstrap.serving.whole_server import PORT, TOKEN, whole_server
from tests.play.making import compiled, make_lobby
from tests.warm_homes import warm

KEYS = "k1:" + "A" * 43 + "="


@pytest.mark.process
def test_a_server_imports_exports_and_verifies_in_other_processes(tmp_path: Path) -> None:
    with serve_command(tmp_path) as server, server.client() as client:
        campaign = begin_campaign(client)
        assert not find_children(server.process.pid)
        whole = client.get(f"/api/campaigns/{campaign}/export", params={"form": "jsonl"})
        assert whole.status_code == 200
        children = find_children(server.process.pid)
        assert len(children) == 1
        for secret in (TOKEN.encode(), b"TALEWRIGHT_TOKEN"):
            assert secret not in Path(f"/proc/{children[0]}/environ").read_bytes()
        made = client.post("/api/campaigns/import", params={"name": "again"}, content=whole.content)
        assert (made.status_code, made.json()) == (201, {"campaign": "again"})
        taken = client.post("/api/campaigns/import", params={"name": "again"}, content=whole.content)
        assert (taken.status_code, taken.json()["code"]) == (409, "name_taken")
        broken = client.post("/api/campaigns/import", content=b"\0{")
        assert (broken.status_code, broken.json()["code"]) == (422, "save_unreadable")
        assert client.post("/api/campaigns/again/verify").json()["good"] is True
        assert client.get("/api/campaigns/nobody/export").json()["code"] == "campaign_unknown"
        assert find_children(server.process.pid) == children
        assert server.stop(signal.SIGTERM) == 0
        assert not Path(f"/proc/{children[0]}").exists()


@pytest.mark.process
def test_an_import_is_bound_by_the_quota_of_campaigns(tmp_path: Path) -> None:
    with serve_command(tmp_path, quotas="campaigns=1") as server, server.client() as client:
        campaign = begin_campaign(client)
        whole = client.get(f"/api/campaigns/{campaign}/export", params={"form": "jsonl"})
        full = client.post("/api/campaigns/import", params={"name": "again"}, content=whole.content)
        assert (full.status_code, full.json()["code"]) == (409, "too_many_campaigns")


@pytest.mark.process
@pytest.mark.hosted
def test_jobs_on_a_host_see_only_the_campaigns_of_their_owner(tmp_path: Path, database_url: str) -> None:
    async def check() -> None:
        places = UserFolders(tmp_path / "saves", warm(tmp_path) / "cache", (shipped_games(),))
        environment = {DATABASE_URL: database_url, SEALING_KEYS: KEYS, "OPENAI_API_KEY": "a-key"}
        store = await connect(single_database(database_url), parse_keys(KEYS))
        try:
            async with open_job_pool(places, environment, StorageLimits(campaigns=2)) as pool:
                shelf = open_host_games(places, environment)
                ann = replace(
                    make_lobby(shelf.edition("mist_harbor")), store=store.for_owner("ann"), shelf=shelf
                )
                session = await ann.begin("mist_harbor", campaign="hers")
                await session.close()
                served = replace(ann, jobs=pool.for_owner("ann"))
                whole = await served.write_out("hers", ExportForm.WHOLE)
                assert whole == await ann.write_out("hers", ExportForm.WHOLE)
                assert await served.bring_in(whole, "again") == "again"
                with pytest.raises(RemoteError) as full:
                    await served.bring_in(whole, "third")
                assert code_of(full.value) == "too_many_campaigns"
                audit = StoreAudit(ann.store, ann.shelf, ann.lookup, served.jobs)
                assert (await audit.verify("again"))["good"] is True
                with pytest.raises(RemoteError) as found:
                    await replace(served, jobs=pool.for_owner("bob")).write_out("hers", ExportForm.SAVE)
                assert code_of(found.value) == "campaign_unknown"
        finally:
            await store.close()

    asyncio.run(check())


class EndlessJobs:
    """Jobs that end only when they are cancelled."""

    def __init__(self) -> None:
        self.begun, self.cancelled = asyncio.Event(), False

    async def run(self, kind: JobKind, arguments: Mapping[str, Json], data: bytes = b"") -> JobResult:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return JobResult()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/campaigns/import"),
        ("POST", "/api/campaigns/copies"),
        ("GET", "/api/campaigns/one/export"),
        ("GET", "/api/campaigns/one/copy"),
        ("POST", "/api/campaigns/one/verify"),
    ],
)
def test_a_client_that_disconnects_ends_its_job(method: str, path: str) -> None:
    async def check() -> None:
        jobs = EndlessJobs()
        async with whole_server(replace(make_lobby(compiled("mist_harbor")), jobs=jobs)) as server:
            sent: list[Any] = []
            received = [{"type": "http.request", "body": b"", "more_body": False}]

            async def receive() -> Any:
                if received:
                    return received.pop()
                await jobs.begun.wait()
                return {"type": "http.disconnect"}

            async def send(message: Any) -> None:
                sent.append(message)

            scope = {
                "type": "http",
                "method": method,
                "path": path,
                "raw_path": path.encode(),
                "query_string": b"name=other",
                "headers": [
                    (b"host", f"127.0.0.1:{PORT}".encode()),
                    (b"authorization", f"Bearer {TOKEN}".encode()),
                ],
                "scheme": "http",
                "http_version": "1.1",
                "client": ("127.0.0.1", 1),
                "server": ("127.0.0.1", PORT),
            }
            await server.app(scope, receive, send)
            assert (jobs.cancelled, sent[0]["status"]) == (True, 422)

    asyncio.run(check())


def test_a_request_waits_only_briefly_for_changed_games() -> None:
    async def check() -> None:
        now, looks, answered, ready = [0.0], [0], [0], asyncio.Event()

        async def prepare() -> None:
            looks[0] += 1
            await ready.wait()
            raise TalewrightError("busy")

        async def app(scope: Any, receive: Any, send: Any) -> None:
            answered[0] += 1

        async def ask(kind: str = "http") -> None:
            await prepared({"type": kind}, None, None)

        prepared = GamePreparation(app, prepare, lambda: now[0], wait_seconds=0.01)
        # A server that has just started may have no game yet: its first requests wait.
        first = [asyncio.create_task(ask()) for _ in range(3)]
        await asyncio.wait(first, timeout=0.05)
        assert (looks, answered) == ([1], [0])
        ready.set()
        await asyncio.gather(*first)
        # Within a moment nothing is looked at again.
        await ask()
        assert (looks, answered) == ([1], [4])
        now[0] += LOOK_SECONDS
        await ask()
        assert (looks, answered) == ([2], [5])
        ready.clear()
        now[0] += LOOK_SECONDS
        await ask()
        now[0] += LOOK_SECONDS
        await ask()
        await ask("lifespan")
        assert (looks, answered) == ([3], [8])

    asyncio.run(check())


def find_children(process: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    return sorted(int(one) for task in tasks for one in (task / "children").read_text().split())
