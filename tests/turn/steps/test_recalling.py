"""Recalling: the state is what was recorded or it is not handed out, and little is read for it."""

import asyncio
import json
from dataclasses import replace

import pytest

from talewright.chronicle.records import Aside, AttemptVerdict, Commit
from talewright.chronicle.store import BlobKind, DamagedError, NewerFormatError, UnknownCommitError
from talewright.common.json_values import Json
from talewright.kernel.memory_rules import MemoryRules
from talewright.kernel.state.state import State
from talewright.kernel.system import Sight
from talewright.play.presentation.words.player_messages import explain
from talewright.stores.memory_store import MemoryBook
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.fold_cache import FoldCache
from talewright.turn.game_editions import OpenedEditions
from talewright.turn.inputs.player_inputs import Choose, Opening
from talewright.turn.steps.beginning import recall_for_turn
from talewright.turn.steps.recalling import (
    PAST_TURNS_MAX,
    SNAPSHOT_EVERY,
    find_newer_engine,
    fold,
    reach_back,
    recall,
    recall_at,
    snapshot_due,
)
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_outcomes import Failed, OutcomeReason
from tests.plugs.toll import Toll
from tests.turn.making import NOW, Bench, altered, chapel, ferry, lay_bench


class Counting(MemoryBook):
    """Counts how many commits are read, and may tell another story."""

    def __init__(self, book: MemoryBook) -> None:
        super().__init__(book._volume)
        self.read_commits = 0
        self.asked: list[int] = []
        self.forged: dict[str, dict[str, Json]] = {}
        self.digests: dict[str, str] = {}

    async def back(self, commit: str, count: int) -> tuple[Commit, ...]:
        self.asked.append(count)
        found = await super().back(commit, count)
        self.read_commits += len(found)
        return tuple(
            replace(
                c,
                body={**c.body, **self.forged.get(c.id, {})},
                state_digest=self.digests.get(c.id, c.state_digest),
            )
            for c in found
        )

    async def read(self, commit: str) -> Commit:
        found = await super().read(commit)
        return replace(found, body={**found.body, **self.forged.get(commit, {})})


async def play_on(count: int) -> Bench:
    """A campaign of so many turns after the first."""
    bench = await lay_bench(ferry(), opened=True, book=Counting)
    for number in range(count):
        await bench.commit(Choose("wait"), f"op-{number}")
    return bench


def counting(bench: Bench) -> Counting:
    assert isinstance(bench.book, Counting)
    return bench.book


def test_where_a_branch_stands() -> None:
    async def run() -> None:
        bench = await play_on(2)
        recalled = await bench.recall()
        assert recalled.head == await bench.head()
        assert recalled.body.said == "Wait"
        assert [commit.version for commit in recalled.past] == [3, 2, 1, 0]
        assert (recalled.position.state.version, recalled.position.turn) == (3, 4)
        assert recalled.position.state.digest == recalled.head.state_digest
        assert (recalled.edition, recalled.adoption, recalled.asides) == (ferry(), None, ())
        earlier = await recall_at(bench.road, recalled.past[2].id)
        assert (earlier.head.version, earlier.position.state.version) == (1, 1)

    asyncio.run(run())


def test_no_such_branch() -> None:
    async def run() -> None:
        bench = await play_on(0)
        with pytest.raises(UnknownCommitError) as caught:
            await recall(bench.road, "nowhere")
        assert (caught.value.message, caught.value.hint) == (
            "there is no branch 'nowhere' in this campaign",
            "The campaign's tree lists the branches.",
        )

    asyncio.run(run())


def test_a_snapshot_shortens_the_way() -> None:
    async def run() -> None:
        bench = await play_on(70)
        head = await bench.head()
        assert head.version == 71
        book = counting(bench)
        book.read_commits = 0
        state, past = await fold(book, head.id)
        assert (past[0].version, past[-1].version) == (71, 64)
        assert book.read_commits == 8
        # Without snapshots the same state comes from the beginning, and from a damaged one as well.
        for damage in (None, {"coins": 99}, "no document"):
            for commit in await book.back(head.id, 80):
                if snapshot_due(commit) and commit.version:
                    await book.keep(BlobKind.SNAPSHOT, commit.id, damage)
            again, longer = await fold(book, head.id)
            assert again == state
            assert (len(longer), longer[-1].version) == (72, 0)

    asyncio.run(run())


def test_when_a_snapshot_is_due() -> None:
    async def run() -> None:
        bench = await play_on(SNAPSHOT_EVERY)
        commits = await bench.book.back((await bench.head()).id, 99)
        due = [commit.version for commit in commits if snapshot_due(commit)]
        assert (SNAPSHOT_EVERY, due) == (32, [32, 0])
        kept = [c.version for c in commits if await bench.book.kept(BlobKind.SNAPSHOT, c.id) is not None]
        assert kept == [32]
        at = next(commit for commit in commits if commit.version == 32)
        snapshot = await bench.book.kept(BlobKind.SNAPSHOT, at.id)
        assert isinstance(snapshot, dict)
        assert State(snapshot, 32).digest == at.state_digest

    asyncio.run(run())


def test_as_much_is_read_as_the_turn_needs() -> None:
    async def run() -> None:
        bench = await play_on(40)
        # From the head back to the snapshot at 32 are ten commits, more than asides or memory ask for.
        assert [c.version for c in (await bench.recall()).past] == list(range(41, 31, -1))
        far = bench.with_road(limits=TurnLimits(asides_commits=12))
        assert [c.version for c in (await far.recall()).past] == list(range(41, 29, -1))
        all_of_it = bench.with_road(limits=TurnLimits(asides_commits=99))
        assert len((await all_of_it.recall()).past) == 42
        mindful = altered(ferry(), memory=MemoryRules(keep_turns=20))
        bench.library.put(mindful)
        assert [c.version for c in (await bench.recall()).past] == list(range(41, 21, -1))

    asyncio.run(run())


def test_changes_that_do_not_give_the_recorded_state_are_not_believed() -> None:
    async def run() -> None:
        bench = await play_on(2)
        head = await bench.head()
        book = counting(bench)
        change: dict[str, Json] = {
            "op": "replace",
            "path": "/coins",
            "value": 9,
            "was": 5,
            "reason": "",
            "cause": "model",
        }
        book.forged = {head.id: {"changes": [change]}}
        with pytest.raises(DamagedError) as caught:
            await bench.recall()
        assert caught.value.message == "the changes up to turn 3 do not give the state that was recorded"
        bad: Json
        for bad in ({**change, "path": "/nowhere/at/all"}, {"op": "jump"}):
            book.forged = {head.id: {"changes": [bad]}}
            with pytest.raises(DamagedError) as caught:
                await bench.recall()
            assert caught.value.message.startswith("the changes of turn 3 do not fit the state before it: ")
            assert caught.value.hint == "Run `talewright verify` to see where the record goes wrong."

    asyncio.run(run())


def test_a_campaign_of_a_later_engine_is_not_played_on() -> None:
    async def run() -> None:
        bench = await play_on(1)
        head = await bench.head()
        book = counting(bench)
        book.forged = {head.id: {"engine": ENGINE_NUMBER + 1}}
        with pytest.raises(NewerFormatError) as caught:
            await bench.recall()
        newer = f"the campaign was played with engine {ENGINE_NUMBER + 1}"
        assert caught.value.message == f"{newer}; this version has engine {ENGINE_NUMBER}"
        # Whoever has its turns made elsewhere can read it, but cannot make one either.
        reading = replace(bench.road, folds=FoldCache(), reads_newer=True)
        assert await find_newer_engine(reading, head.id) == ENGINE_NUMBER + 1
        assert await find_newer_engine(reading, head.parent) is None
        assert (await recall_at(reading, head.id)).head.id == head.id
        assert await find_newer_engine(reading, head.id) == ENGINE_NUMBER + 1
        with pytest.raises(NewerFormatError):
            await recall_for_turn(reading, head.id)

    asyncio.run(run())


def test_a_turn_that_only_a_later_engine_can_make_is_refused_with_the_reason() -> None:
    async def run() -> None:
        bench = await play_on(1)
        head = await bench.head()
        counting(bench).forged = {head.id: {"engine": ENGINE_NUMBER + 1}}
        refused = await bench.with_road(folds=FoldCache()).take(Choose("wait"), "refused", head.id)
        assert isinstance(refused, Failed)
        assert refused.reason is OutcomeReason.NEWER_FORMAT
        assert "newer version" in explain("en", refused.reason)
        (attempt,) = await bench.attempts("refused")
        assert attempt.verdict is AttemptVerdict.FAILED

    asyncio.run(run())


def test_a_state_that_does_not_fit_its_game_is_not_played_on() -> None:
    async def run() -> None:
        bench = await play_on(1)
        head = await bench.head()
        state, _ = await fold(bench.book, head.id)
        rich = State({**state.document, "coins": 5_000}, state.version)
        change: Json = {
            "op": "replace",
            "path": "/coins",
            "value": 5_000,
            "was": state.document["coins"],
            "reason": "",
            "cause": "model",
        }
        book = counting(bench)
        book.forged = {head.id: {"changes": [*head.body.get("changes", []), change]}}  # type: ignore[misc]
        book.digests = {head.id: rich.digest}
        with pytest.raises(DamagedError) as caught:
            await bench.recall()
        assert caught.value.message == (
            "the state of turn 2 does not fit its game: coins is 5000; it must be a whole number from 0 to 20"
        )

    asyncio.run(run())


def test_a_campaign_without_its_game() -> None:
    async def run() -> None:
        bench = await play_on(0)
        await bench.book.keep(BlobKind.GAME, ferry().digest, None)
        # What was opened already is not read again.
        await bench.recall()
        fresh = bench.with_road(opened=OpenedEditions())
        with pytest.raises(DamagedError) as caught:
            await fresh.recall()
        assert caught.value.message == "the game this campaign was played with is missing from its folder"
        assert caught.value.hint.startswith("Bring back the folder `games`")

    asyncio.run(run())


async def put_aside(bench: Bench, name: str, commit: str) -> None:
    await bench.book.add(Aside(name, commit, NOW, {"kind": "summary", "text": name}))


def test_asides_of_this_line_that_no_turn_has_taken_up() -> None:
    async def run() -> None:
        bench = await play_on(3)
        past = (await bench.recall()).past
        await put_aside(bench, "old", past[-1].id)
        await put_aside(bench, "new", past[0].id)
        assert [aside.id for aside in (await bench.recall()).asides] == ["old", "new"]
        # The next turn takes both up; none is seen again.
        assert (await bench.commit(Choose("wait"), "taken")).asides == ("old", "new")
        assert (await bench.recall()).asides == ()
        # After undoing, they are there again for another turn.
        await bench.go_back()
        assert [aside.id for aside in (await bench.recall()).asides] == ["old", "new"]
        # An aside of a commit that is no longer an ancestor is not.
        await bench.go_back()
        assert [aside.id for aside in (await bench.recall()).asides] == ["old"]

    asyncio.run(run())


def test_asides_are_looked_for_so_many_commits_back() -> None:
    async def run() -> None:
        bench = await play_on(3)
        past = (await bench.recall()).past
        for number, commit in enumerate(past):
            await put_aside(bench, f"back-{number}", commit.id)
        near = bench.with_road(limits=TurnLimits(asides_commits=2))
        assert [aside.id for aside in (await near.recall()).asides] == ["back-0", "back-1"]

    asyncio.run(run())


def test_a_campaign_in_which_nothing_has_happened() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry())
        recalled = await bench.recall()
        assert (recalled.head.version, len(recalled.past)) == (0, 1)
        assert json.dumps(recalled.position.state.document) == json.dumps(ferry().game.initial)
        assert (await bench.commit(Opening(), "op")).told == "scenes"

    asyncio.run(run())


def test_systems_are_told_in_the_language_that_is_spoken() -> None:
    async def run() -> None:
        bench = await lay_bench(chapel())
        assert (await bench.recall()).position.language == "en"
        assert (await bench.recall()).position.texts is chapel().texts["en"]
        assert (await bench.with_road(language="zh-CN").recall()).position.language == "zh-CN"
        # What the game is not written in is told in its own language.
        assert (await bench.with_road(language="fr").recall()).position.language == "en"

    asyncio.run(run())


class Reaching(Toll):
    """A toll that wants to look back to one turn."""

    def __init__(self, first: int) -> None:
        self._first = first

    def reach(self, sight: Sight) -> int:
        return self._first


def test_systems_look_back_as_far_as_they_want() -> None:
    async def run() -> None:
        bench = await play_on(40)
        recalled = await bench.recall()
        for first, oldest in ((0, 32), (41, 32), (99, 32), (20, 20), (1, 1), (-5, 0)):
            game = replace(ferry().game, systems=(Toll(), Reaching(first)))
            edition = replace(ferry(), game=game)
            seen = await reach_back(bench.book, replace(recalled, edition=edition))
            assert [c.version for c in seen.past] == list(range(41, oldest - 1, -1)), first
            # Whoever looks back at all is shown everything, where everything is asked for.
            seen = await reach_back(bench.book, replace(recalled, edition=edition), whole=True)
            assert seen.past[-1].version == (1 if first else 32)
        assert await reach_back(bench.book, recalled) is recalled
        assert await reach_back(bench.book, recalled, whole=True) is recalled

    asyncio.run(run())


def test_they_look_back_no_further_than_the_limit() -> None:
    async def run() -> None:
        bench = await play_on(3)
        recalled = await bench.recall()
        far = replace(recalled, head=replace(recalled.head, version=PAST_TURNS_MAX + 50))
        edition = replace(ferry(), game=replace(ferry().game, systems=(Reaching(1),)))
        book = counting(bench)
        short = replace(far, edition=edition, past=far.past[:1])
        book.asked.clear()
        assert len((await reach_back(book, short)).past) == 5
        assert book.asked == [PAST_TURNS_MAX - 1]

    asyncio.run(run())
