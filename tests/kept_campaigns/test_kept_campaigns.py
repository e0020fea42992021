"""Kept campaigns: every one of them opens, replays, verifies and can be gone on with, for ever.

A failure here means that somebody's campaign cannot be played any more. The sets are never made anew.
"""

import asyncio
import json
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.bootstrap import open_lobby, recover_campaign
from talewright.chronicle.records import Commit
from talewright.cli import main
from talewright.kernel.chance import commitment
from talewright.play.history.campaign_history import CampaignArchive
from talewright.play.session import InputResult, ResultKind
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.play.verify.campaign_replay import replay
from talewright.play.verify.campaign_verification import verify
from talewright.providers.scripted import Scripted
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.steps.recalling import fold
from talewright.turn.turn_context import Teller
from tests.kept_campaigns.features import FROM_HOST, MADE, WANTED
from tests.kept_campaigns.keeping import KEPT, Kept, find_kept, lay_out
from tests.kept_campaigns.make import make_set
from tests.kept_campaigns.plots import CHOOSE, GO_ON, SAY
from tests.kept_campaigns.served_plots import plots_on
from tests.kept_campaigns.standing import describe
from tests.opened import opened
from tests.warm_homes import warm

CAMPAIGNS = find_kept()
EARLY = {
    *("harbor_told", "lantern_scenes", "lantern_imported", "chapel_bundles", "solo_tools", "solo_scenes"),
    *("millrace_fresh", "millrace_long"),
}
LATER = {
    *("goblin_scenes", "goblin_told", "goblin_mcp", "tankard_scenes", "tankard_told", "tankard_pulled"),
}
NAMES = {
    "first": EARLY,
    "second": EARLY,
    "third": EARLY,
    "fourth": EARLY,
    "fifth": LATER,
    "sixth": {*EARLY, *LATER, "goblin_seen"},
    "seventh": {*EARLY, *LATER, "goblin_seen"},
}
"""By set. The first was made before the rooms were renamed, when the save format was 1 and turns had no
engine number; the second with engine number 1, the third with 2, the fourth with 3. The fifth was made with 3
as well, by the last engine before 0.3.0: it has the systems, face and host that no earlier set has. The sixth
was made with 4, the seventh with 5."""

OLDER = range(ENGINE_NUMBER)
"""Numbers of older engines; 0 is older than the first number."""

every_campaign = pytest.mark.parametrize("kept", CAMPAIGNS, ids=lambda kept: f"{kept.place.name}-{kept.name}")

SETS = tuple(NAMES)
NEWEST = {kept.name: kept for kept in sorted(CAMPAIGNS, key=lambda kept: SETS.index(kept.place.name))}
"""Every plot as the newest set has it."""


@pytest.fixture(autouse=True, scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A user's home of our own, with the games compiled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path_factory.mktemp("home"))))
        yield


def open_archive(saves: Path) -> CampaignArchive:
    """The campaigns there, to be looked back on."""
    lobby = open_lobby(saves, git=False)
    return CampaignArchive(lobby.store, lobby.shelf)


@every_campaign
def test_it_stands_where_it_stood(kept: Kept, tmp_path: Path) -> None:
    folder = lay_out(kept, tmp_path)
    found = asyncio.run(describe(open_archive(tmp_path), folder))
    # Later engines may know more that occurs in it, never less.
    assert set(found.pop("features")) >= set(kept.expected["features"])
    assert found == {name: kept.expected[name] for name in found}


@every_campaign
def test_it_replays_and_verifies(kept: Kept, tmp_path: Path) -> None:
    lay_out(kept, tmp_path)
    branches = kept.expected["branches"]

    async def run() -> None:
        async with open_archive(tmp_path).book(kept.name) as book:
            again = await replay(book)
            assert again.mismatches == ()
            assert again.branches == {name: head["version"] for name, head in branches.items()}
            secret = await book.secret()
            assert (await verify(book)).violations == ()
            seen = [head["head"] for head in branches.values()]
            report = await verify(book, secret=secret, seen=seen)
            assert report.violations == ()
            assert report.checked["records"] == kept.expected["records"]
            draws, derived = (report.checked.get(kind, 0) for kind in ("draws", "derived draws"))
            assert draws == derived
            root = await anext(aiter(book.records()))
            assert isinstance(root, Commit)
            assert commitment(secret) in json.dumps(root.body["root"])

    asyncio.run(run())


@every_campaign
def test_the_commands_say_so_too(kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(kept, tmp_path)
    saves = ("--saves", str(tmp_path), "--json")
    code = main(["verify", kept.name, *saves])
    report = json.loads(capsys.readouterr().out)
    assert (report["good"], report["rolls_derived"], report["violations"]) == (True, True, [])
    # What the present engine made is proven; of older turns those are named that it makes otherwise, or whose
    # game master could choose among draws.
    verdicts = {each["verdict"] for each in report["turns"]}
    assert (code, verdicts) in ((0, {"proven"}), (3, {"proven", "folded"}))
    assert {each["engine"] for each in report["turns"] if each["verdict"] == "folded"} <= set(OLDER)
    if (kept.place.name, kept.name) == ("fifth", "goblin_mcp"):
        chosen = "an older engine (number 3) let its game master choose among draws"
        assert (code, sum(each.get("why") == chosen for each in report["turns"])) == (3, 11)


@pytest.mark.parametrize("name", sorted(NEWEST))
def test_the_commands_need_no_secret(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = lay_out(NEWEST[name], tmp_path)
    (folder / "secret").unlink()
    saves = ("--saves", str(tmp_path), "--json")
    code = main(["verify", name, *saves])
    report = json.loads(capsys.readouterr().out)
    assert (report["good"], report["rolls_derived"], report["violations"]) == (True, False, [])
    # Turns with dice are not proven then.
    folded = any(each["verdict"] == "folded" for each in report["turns"])
    assert folded or not report["checked"]["draws"]
    assert code == (3 if folded else 0)
    assert main(["replay", name, *saves]) == 0
    assert json.loads(capsys.readouterr().out)["mismatches"] == []


@every_campaign
def test_it_opens_where_it_was_left_and_goes_on(kept: Kept, tmp_path: Path) -> None:
    folder = lay_out(kept, tmp_path)
    before = (folder / "chronicle.jsonl").read_bytes()

    async def run() -> None:
        session = await opened(hire(open_lobby(tmp_path, git=False), kept).open(kept.name))
        view = await session.view()
        branch = list(kept.expected["branches"])[-1]
        head = kept.expected["branches"][branch]
        assert (view.branch, view.head, view.version) == (branch, head["head"], head["version"])
        # What is folded from the record, by whatever snapshot there is, is what was played.
        state, _ = await fold(session.seat.road.book, view.head)
        assert (state.digest, state.version) == (head["state"], head["version"])
        result = await follow(session, kept)
        assert result.kind is ResultKind.COMMITTED, result
        assert (await session.view()).version == view.version + 1
        await session.close()
        async with open_archive(tmp_path).book(kept.name) as book:
            assert (await replay(book)).mismatches == ()
            assert (await verify(book, secret=await book.secret())).violations == ()

    asyncio.run(run())
    # Nothing of what was kept is written anew; the turn stands behind it.
    after = (folder / "chronicle.jsonl").read_bytes()
    assert after.startswith(before)
    assert len(after) > len(before)


def hire(lobby: StoreLobby, kept: Kept) -> StoreLobby:
    """The lobby with a storyteller who knows the replies to the turn that follows."""
    replies: list[str] = kept.expected["following"]["replies"]
    return replace(lobby, teller=Teller(Scripted(replies))) if replies else lobby


async def follow(session: StoreSession, kept: Kept) -> InputResult:
    """Take the turn that follows."""
    kind, text = (kept.expected["following"][name] for name in ("kind", "text"))
    if kind == SAY:
        return await session.say(text)
    if kind == GO_ON:
        return await session.go_on()
    assert kind == CHOOSE
    return await session.choose(text or (await session.view()).choices[0].id)


@pytest.mark.process
@pytest.mark.parametrize(
    "kept", [one for one in CAMPAIGNS if one.archive.is_file()], ids=lambda kept: kept.name
)
def test_a_kept_repository_gives_back_what_was_lost_and_is_gone_on_with(kept: Kept, tmp_path: Path) -> None:
    folder = lay_out(kept, tmp_path, git=True)
    chronicle = folder / "chronicle.jsonl"
    whole = chronicle.read_bytes()
    chronicle.write_bytes(whole[: len(whole) // 3] + b"?" + whole[len(whole) // 3 + 1 :])
    assert list(recover_campaign(tmp_path, kept.name))
    # Behind the frame that git gave back the damaged file is good again.
    assert chronicle.read_bytes() == whole
    newest = folder / ".git" / "refs" / "heads" / "main"
    before = newest.read_text()

    async def run() -> None:
        session = await opened(hire(open_lobby(tmp_path), kept).open(kept.name))
        assert (await follow(session, kept)).kind is ResultKind.COMMITTED
        await session.seat.afterwards.rest()
        assert (await session.seat.road.book.look()).notices == ()
        await session.close()

    asyncio.run(run())
    assert newest.read_text() != before


@pytest.mark.parametrize("place", NAMES)
def test_no_campaign_is_lost_from_a_set(place: str) -> None:
    assert {kept.name for kept in CAMPAIGNS if kept.place == KEPT / place} == NAMES[place]
    archived = {kept.name for kept in CAMPAIGNS if kept.place == KEPT / place and kept.archive.is_file()}
    assert archived == NAMES[place] & {"millrace_fresh"}


def test_no_set_is_lost() -> None:
    assert {kept.place.name for kept in CAMPAIGNS} == set(NAMES)


def test_everything_that_leaves_a_trace_occurs_in_some_kept_campaign() -> None:
    # That a campaign still has what it says is seen where it is read.
    covered = {name for kept in CAMPAIGNS for name in kept.expected["features"]}
    assert sorted(WANTED - covered) == []
    made = {name for kept in CAMPAIGNS for name in kept.expected.get("made", ())}
    assert sorted(MADE - made) == []


@every_campaign
def test_a_secret_is_for_its_owner_alone(kept: Kept, tmp_path: Path) -> None:
    folder = lay_out(kept, tmp_path)
    assert stat.S_IMODE((folder / "secret").stat().st_mode) == 0o600


@pytest.mark.process
def test_a_further_set_can_be_made(made: list[Kept], tmp_path: Path) -> None:
    assert sorted(WANTED - {name for kept in made for name in kept.expected["features"]}) == []
    for kept in made:
        lay_out(kept, tmp_path / "saves")


def test_a_campaign_of_a_host_can_be_made(database_url: str, redis_url: str, tmp_path: Path) -> None:
    (kept,) = make_set(tmp_path / "hosted", plots_on(database_url, redis_url))
    assert kept.expected["made"] == [FROM_HOST]
    lay_out(kept, tmp_path / "saves")

    async def run() -> None:
        async with open_archive(tmp_path / "saves").book(kept.name) as book:
            assert (await replay(book)).mismatches == ()
            assert (await verify(book, secret=await book.secret())).violations == ()

    asyncio.run(run())
