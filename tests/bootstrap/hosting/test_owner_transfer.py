"""An owner takes campaigns to a host and back over HTTP: every hash stays equal, and they verify."""

import asyncio
import json
from pathlib import Path

import httpx
import pytest

from talewright.bootstrap import open_game_library, open_store
from talewright.bootstrap.serving.remote_play import ServerAccess
from talewright.bootstrap.serving.server_transfer import pull_over_http, push_over_http
from talewright.chronicle.store import DamagedError, Store
from talewright.errors import TalewrightError
from talewright.play.transfer.campaign_transfer import read_for_transfer
from talewright.play.transfer.transfer_file import write_transfer_file
from talewright.play.verify.campaign_verification import verify
from tests.bootstrap.hosting.host_app import HostApp, host_app
from tests.bootstrap.hosting.test_host_transfer import SOME, read_lines
from tests.bootstrap.serving.whole_server import ORIGIN
from tests.kept_campaigns.keeping import Kept, lay_out

OPEN = [kept for kept in SOME if kept.name == "millrace_fresh"][-1]
"""One that goes on, of the newest set; the first of all is of the oldest, and has ended."""


def reach(host: HostApp, owner: str) -> tuple[ServerAccess, httpx.AsyncBaseTransport]:
    """What an owner needs to reach the host."""
    return ServerAccess(ORIGIN, host.tokens[owner]), httpx.ASGITransport(host.app)


async def check(store: Store, name: str, secret: bytes | None) -> None:
    book = await store.open(name)
    assert (await verify(book, secret=secret)).violations == ()
    await book.close()


async def play_on(host: HostApp, owner: str, campaign: str) -> int:
    """Take a turn if there is one to take; returns how many were taken."""
    async with host.client(host.tokens[owner]) as client:
        view = (await client.get(f"/api/campaigns/{campaign}/view")).json()
        if not view["choices"]:
            return 0
        body = {"kind": "choose", "choice": view["choices"][0]["id"]}
        told = await client.post(f"/api/campaigns/{campaign}/turns?wait=60", json=body)
        assert told.json()["kind"] == "committed", told.text
    return 1


@pytest.mark.parametrize("kept", [SOME[0], OPEN], ids=lambda kept: f"{kept.place.name}-{kept.name}")
def test_kept_campaigns_are_pushed_played_on_and_pulled_back(
    kept: Kept, tmp_path: Path, database_url: str
) -> None:
    async def run() -> None:
        lay_out(kept, tmp_path / "home")
        home = open_store(tmp_path / "home", git=False)
        before = await read_lines(home, kept.name)
        async with host_app(database_url, shelf=open_game_library()) as host:
            ann = await host.add_owner("Ann")
            access, transport = reach(host, ann)
            pushed = await push_over_http(access, home, kept.name, "tale", transport)
            assert (pushed.end.length, pushed.end.hash) == (len(before), kept.expected["chain"])
            theirs = host.store.for_owner(ann)
            assert await read_lines(theirs, "tale") == before
            played = await play_on(host, ann, "tale")
            early = await pull_over_http(access, home, "tale", "early", transport)
            assert (early.with_secret, early.closed) == (False, False)
            with pytest.raises(DamagedError, match="secret"):
                await (await home.open("early")).secret()
            closed = await pull_over_http(access, home, "tale", "back", transport, close=True)
            assert (closed.with_secret, closed.closed) == (True, True)
            after = await read_lines(theirs, "tale")
            assert (len(after) > len(before)) == bool(played)
            assert after == await read_lines(home, "early") == await read_lines(home, "back")
            secret = await (await home.open("back")).secret()
            assert secret == await (await home.open(kept.name)).secret()
            await check(home, "early", None)
            await check(home, "back", secret)
            await check(theirs, "tale", secret)
            async with host.client(host.tokens[ann]) as client:
                # Nothing will ever change that: no program should send it again.
                body = {"kind": "say", "text": "I wait."}
                told = await client.post("/api/campaigns/tale/turns?wait=60", json=body)
                assert (told.json()["kind"], told.json()["reason"]) == ("failed", "campaign_closed"), (
                    told.text
                )
                named = await client.put("/api/campaigns/tale/marks/here", json={})
                assert (named.status_code, named.json().get("code")) == (409, "campaign_closed"), named.text

    asyncio.run(run())


def test_what_an_owner_pushes_is_not_trusted(tmp_path: Path, database_url: str) -> None:
    async def run() -> None:
        lay_out(OPEN, tmp_path / "home")
        home = open_store(tmp_path / "home", git=False)
        moved = await read_for_transfer(home, OPEN.name, with_secret=True)
        good = write_transfer_file(moved, closed=False)
        header, *lines = good.split(b"\n")
        about = json.loads(header)
        wrong = {
            "nothing": b"",
            "another kind": b'{"whole_save": 1}\n',
            "a missing line": b"\n".join([header, *lines[1:]]),
            "a changed record": good.replace(b'"at":"20', b'"at":"19', 1),
            "another secret": b"\n".join([write_header(about, secret="00" * 32), *lines]),
            "no secret": b"\n".join([write_header(about, secret=""), *lines]),
            "a secret that is none": b"\n".join([write_header(about, secret="xyz"), *lines]),
            "another game": good.replace(b'"game":{', b'"gone":{', 1),
        }
        async with host_app(database_url, shelf=open_game_library()) as host:
            ann, bob = await host.add_owner("Ann"), await host.add_owner("Bob")
            async with host.client(host.tokens[ann]) as client:
                for what, data in wrong.items():
                    answer = await client.post("/api/campaigns/copies?name=tale", content=data)
                    assert answer.status_code == 422, (what, answer.text)
                assert (await client.get("/api/campaigns")).json()["total"] == 0
                taken = await client.post("/api/campaigns/copies?name=tale", content=good)
                assert taken.status_code == 201, taken.text
                again = await client.post("/api/campaigns/copies?name=tale", content=good)
                assert again.status_code == 409
                # Without its secret, what an owner gets cannot be pushed on: nobody could roll its dice.
                copy = (await client.get("/api/campaigns/tale/copy")).content
                assert moved.secret.hex().encode() not in copy
                without = await client.post("/api/campaigns/copies?name=other", content=copy)
                assert without.status_code == 422
            access, transport = reach(host, bob)
            for close in (False, True):
                with pytest.raises(TalewrightError, match="no campaign"):
                    await pull_over_http(access, home, "tale", "stolen", transport, close=close)

    asyncio.run(run())


def write_header(about: dict[str, object], **changed: str) -> bytes:
    return json.dumps({**about, **changed}, separators=(",", ":")).encode()
