"""Campaigns go from a folder to a host and back with every hash equal, whichever engine wrote them."""

import asyncio
from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest

from talewright.bootstrap import open_lobby, open_store
from talewright.bootstrap.hosting.host_transfer import pull_campaign, push_campaign
from talewright.chronicle.chained_lines import bind
from talewright.chronicle.records import Accepted
from talewright.chronicle.store import (
    BlobKind,
    CampaignBook,
    ClosedCampaignError,
    DamagedError,
    NameTakenError,
    RecordLines,
    Store,
    UnknownCampaignError,
)
from talewright.play.export.save_game import SaveGameError
from talewright.play.transfer.campaign_transfer import found_transferred, read_for_transfer
from talewright.play.verify.campaign_verification import verify
from talewright.stores.memory_store import MemoryStore
from talewright_testkit.servers.postgres_server import PostgresServer
from tests.kept_campaigns.keeping import Kept, find_kept, lay_out
from tests.opened import opened
from tests.stores.postgres.stores import FreshStores, run_with

SOME = [kept for kept in find_kept() if kept.name in ("lantern_scenes", "millrace_fresh")]
"""Of each of the first four sets, one that was played to its end and one that goes on."""

LONG = [kept for kept in find_kept() if kept.name == "millrace_long"][-1]
"""One that has a snapshot."""


async def read_lines(store: Store, campaign: str) -> list[bytes]:
    """The bytes of all records."""
    book = await store.open(campaign)
    assert isinstance(book, RecordLines)
    lines = [line async for line in book.lines()]
    await book.close()
    return lines


@pytest.mark.parametrize("kept", SOME, ids=lambda kept: f"{kept.place.name}-{kept.name}")
def test_kept_campaigns_are_pushed_played_on_and_pulled_back(
    kept: Kept, tmp_path: Path, postgres_server: PostgresServer
) -> None:
    async def check(stores: FreshStores) -> None:
        lay_out(kept, tmp_path / "home")
        home, back = open_store(tmp_path / "home", git=False), open_store(tmp_path / "back", git=False)
        host = (await stores.make_alone()).for_owner("ann")
        before = await read_lines(home, kept.name)
        pushed = await push_campaign(home, host, kept.name, kept.name)
        assert pushed.with_secret
        assert (pushed.end.length, pushed.end.hash) == (len(before), kept.expected["chain"])
        assert await read_lines(host, kept.name) == before
        lobby = replace(open_lobby(tmp_path / "home", git=False, language="en"), store=host)
        session = await opened(lobby.open(kept.name))
        view = await session.view()
        if view.choices:
            await session.choose(view.choices[0].id)
        await session.close()
        after = await read_lines(host, kept.name)
        assert after[: len(before)] == before
        assert (len(after) > len(before)) == bool(view.choices)
        pulled = await pull_campaign(host, back, kept.name, "back", as_operator=True)
        assert pulled.with_secret
        assert not pulled.closed
        assert await read_lines(back, "back") == after
        for store, name in ((host, kept.name), (back, "back")):
            book = await store.open(name)
            assert (await verify(book, secret=await book.secret())).violations == ()
            await book.close()

    run_with(postgres_server, check)


def test_a_pulled_campaign_replaces_its_older_copy_and_nothing_else(
    tmp_path: Path, postgres_server: PostgresServer
) -> None:
    kept = SOME[-1]

    async def check(stores: FreshStores) -> None:
        lay_out(kept, tmp_path / "home")
        home = open_store(tmp_path / "home", git=False)
        host = (await stores.make_alone()).for_owner("ann")
        await push_campaign(home, host, kept.name, kept.name)
        book = await host.open(kept.name)
        await book.accept(replace(await read_input(book), operation_id="new", base=""))
        after = await read_lines(host, kept.name)
        # Another campaign of the same name stays, and nothing is closed for it.
        lay_out(SOME[0], tmp_path / "other")
        other = open_store(tmp_path / "other", git=False)
        with pytest.raises(NameTakenError):
            await pull_campaign(host, other, kept.name, SOME[0].name, as_operator=True, close=True)
        assert await book.closed_at() is None
        await pull_campaign(host, home, kept.name, kept.name, as_operator=True, close=True)
        assert await read_lines(home, kept.name) == after
        # What is newer here than there stays, too.
        mine = await home.open(kept.name)
        await mine.accept(replace(await read_input(mine), operation_id="newer", base=""))
        await mine.close()
        with pytest.raises(NameTakenError):
            await pull_campaign(host, home, kept.name, kept.name, as_operator=True)

    run_with(postgres_server, check)


def test_an_owner_gets_the_secret_once_the_campaign_is_closed(
    tmp_path: Path, postgres_server: PostgresServer
) -> None:
    kept = SOME[-1]

    async def check(stores: FreshStores) -> None:
        lay_out(kept, tmp_path / "home")
        home = open_store(tmp_path / "home", git=False)
        operator = await stores.make_alone()
        host, eve = operator.for_owner("ann"), operator.for_owner("eve")
        await push_campaign(home, host, kept.name, "tale")
        with pytest.raises(NameTakenError):
            await push_campaign(home, host, kept.name, "tale")
        with pytest.raises(UnknownCampaignError):
            await pull_campaign(eve, home, "tale", "stolen", as_operator=False, close=True)
        secret = await (await home.open(kept.name)).secret()
        early = await pull_campaign(host, home, "tale", "early", as_operator=False)
        assert (early.with_secret, early.closed) == (False, False)
        copy = await home.open("early")
        with pytest.raises(DamagedError, match="secret"):
            await copy.secret()
        files = [path for path in (tmp_path / "home" / "early").rglob("*") if path.is_file()]
        assert files
        assert not any(secret.hex().encode() in path.read_bytes() for path in files)
        # Without its secret it cannot be pushed on either: nobody could roll its dice.
        with pytest.raises(DamagedError, match="secret"):
            await push_campaign(home, eve, "early", "early")
        closed = await pull_campaign(host, home, "tale", "whole", as_operator=False, close=True)
        assert (closed.with_secret, closed.closed) == (True, True)
        assert await (await home.open("whole")).secret() == secret
        assert closed.end == early.end
        book = await host.open("tale")
        wish = replace(await read_input(book), operation_id="new", base="")
        with pytest.raises(ClosedCampaignError, match="closed on this host"):
            await book.accept(wish)

    run_with(postgres_server, check)


async def read_input(book: CampaignBook) -> Accepted:
    """An input of a campaign."""
    return next(one for one in [one async for one in book.records()] if isinstance(one, Accepted))


def test_a_campaign_that_was_tampered_with_is_not_taken(
    tmp_path: Path, postgres_server: PostgresServer
) -> None:
    kept = SOME[0]

    async def check(stores: FreshStores) -> None:
        lay_out(kept, tmp_path / "home")
        moved = await read_for_transfer(open_store(tmp_path / "home", git=False), kept.name, with_secret=True)
        host = (await stores.make_alone()).for_owner("ann")
        for wrong, message in (
            (
                replace(moved, secret=b"another secret"),
                "does not match the commitment to the campaign's dice",
            ),
            (replace(moved, lines=moved.lines[:2] + moved.lines[3:]), "are inconsistent"),
        ):
            with pytest.raises(SaveGameError, match=message):
                await found_transferred(host, "wrong", wrong)
        assert await host.campaigns() == ()

    run_with(postgres_server, check)


def test_the_newest_snapshot_goes_along(tmp_path: Path) -> None:
    async def check() -> None:
        lay_out(LONG, tmp_path / "home")
        moved = await read_for_transfer(open_store(tmp_path / "home", git=False), LONG.name, with_secret=True)
        ((commit, document),) = moved.snapshots.items()
        book = await found_transferred(MemoryStore(), "copy", moved)
        assert await book.kept(BlobKind.SNAPSHOT, commit) == document
        assert (await book.read(commit)).version == 32

    asyncio.run(check())


def test_every_store_takes_the_same_bytes(tmp_path: Path) -> None:
    """Records of an older format keep their bytes, in memory too."""

    async def check() -> None:
        kept = SOME[0]
        lay_out(kept, tmp_path / "home")
        home, memory = open_store(tmp_path / "home", git=False), MemoryStore()
        moved = await read_for_transfer(home, kept.name, with_secret=True)
        assert reduce(bind, moved.lines, bytes(32)).hex() == moved.chain == kept.expected["chain"]
        book = await found_transferred(memory, "copy", moved)
        assert (await book.chain()).hash == moved.chain
        assert await read_lines(memory, "copy") == list(moved.lines)
        for digest, game in moved.games.items():
            assert await book.kept(BlobKind.GAME, digest) == game

    asyncio.run(check())
