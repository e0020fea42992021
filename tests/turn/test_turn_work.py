"""The work of a turn: a hostile game stops its own turn, at the same step every time, and nothing else."""

import asyncio
import random
import threading
from collections.abc import Mapping
from dataclasses import replace

import pytest

from talewright.chronicle.records import MAIN, Aside, AttemptVerdict, Commit
from talewright.common import work_meter
from talewright.common.json_values import Json
from talewright.common.work_meter import (
    UNLIMITED,
    WORK_MAX,
    TooMuchWorkError,
    WorkMeter,
    count_work,
    limit_work,
)
from talewright.kernel.chance import Chance
from talewright.kernel.judging.move_resolution import settle
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.kernel.state.state import begin
from talewright.kernel.system import Sight, SystemAnswer
from talewright.turn.game_master.master_rounds import OutsideRound
from talewright.turn.game_master.master_turn import finish
from talewright.turn.inputs.player_inputs import Choose, GoOn, Input, Opening, Say
from talewright.turn.records.turn_circumstances import read_circumstances
from talewright.turn.records.turn_replay import replay_turn
from talewright.turn.turn_context import work_aside
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_outcomes import Committed, Failed, OutcomeReason, Unspent
from tests.kernel.making import Scripted
from tests.plugs.toll import Toll
from tests.turn.differences import find_differences
from tests.turn.expecting import expect_unchanged
from tests.turn.hostile_games import KINDS, HostileGame, make_hostile, make_quadratic, play_hostile
from tests.turn.making import altered, bridge, bundle, calls, cards, chapel, ferry, lay_bench, plain, update
from tests.turn.mastering import begin_master, to_calls

TRIGGERS = 400
"""As many took a worker 47 s."""

BITE = 100_000
"""The most steps that are counted at once."""

STOPPED = Failed(
    OutcomeReason.TOO_MUCH_WORK, f"the rules of this game take more than {WORK_MAX:,} steps here"
)
MECHANICS = '```json\n{"mechanics": {"skill_used": "perception", "difficulty": 0.2}}\n```'
FREE = TurnLimits(work_max=UNLIMITED)


def attack() -> HostileGame:
    return make_quadratic(random.Random(1), TRIGGERS)


@pytest.fixture
def meters(monkeypatch: pytest.MonkeyPatch) -> list[WorkMeter]:
    """Every meter that was used."""
    made: list[WorkMeter] = []
    first = WorkMeter.__init__

    def note(self: WorkMeter, limit: int, steps: int = 0) -> None:
        first(self, limit, steps)
        made.append(self)

    monkeypatch.setattr(WorkMeter, "__init__", note)
    return made


@pytest.mark.slow
def test_an_attack_is_stopped_and_leaves_everything_as_it_was() -> None:
    async def play() -> None:
        bench = await lay_bench(attack().edition)
        before = await bench.standing()
        assert await bench.take(Opening(), "opening") == STOPPED
        assert await bench.standing() == before
        (attempt,) = await bench.attempts("opening")
        assert (attempt.verdict, attempt.body["reason"]) == (AttemptVerdict.FAILED, "too_much_work")

    asyncio.run(play())


def test_the_same_game_is_played_on_where_its_triggers_are_few() -> None:
    async def play() -> None:
        bench = await lay_bench(make_quadratic(random.Random(1), 20).edition)
        assert isinstance(await bench.take(Opening(), "opening"), Committed)
        assert isinstance(await bench.take(Choose("go"), "go"), Committed)

    asyncio.run(play())


def test_a_narrated_turn_is_stopped_after_the_model_has_answered() -> None:
    async def play() -> None:
        edition = replace(ferry(), game=replace(ferry().game, triggers=()))
        bench = await lay_bench(edition, [cards("You wait.")] * 2, opened=True)
        small = bench.with_road(limits=TurnLimits(work_max=1_000))
        detail = "the rules of this game take more than 1,000 steps here"
        expected = Failed(OutcomeReason.TOO_MUCH_WORK, detail)
        await expect_unchanged(
            small, lambda: small.take(Say("I wait"), "wait"), expected, AttemptVerdict.FAILED
        )

    asyncio.run(play())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(len(KINDS)), ids=list(KINDS))
def test_no_kind_of_hostile_game_takes_more_than_its_limit(seed: int, meters: list[WorkMeter]) -> None:
    turns = asyncio.run(play_hostile(make_hostile(seed)))
    assert all(not isinstance(turn.outcome, Failed) or turn.outcome == STOPPED for turn in turns)
    assert meters
    assert max(meter.steps for meter in meters) <= WORK_MAX + BITE


@pytest.mark.slow
def test_steps_do_not_depend_on_what_was_judged_before(meters: list[WorkMeter]) -> None:
    for kind in ("busy world", "lore", "hiding"):
        seed = list(KINDS).index(kind)
        counts = []
        hostile = make_hostile(seed)
        for _ in range(2):
            meters.clear()
            asyncio.run(play_hostile(hostile))
            counts.append([meter.steps for meter in meters])
        assert counts[0] == counts[1]


# A replay judges with the limit that applied; if there was none, it stops after a generous number of steps.


SMALL = TurnLimits(work_max=10_000)
"""Less than the first turn of the game with 20 triggers takes."""


def _claim(commit: Commit, engine: int, limits: TurnLimits) -> Commit:
    """The same turn, with another engine number and another limit."""
    changed: dict[str, Json] = {"limits": {"work_max": limits.work_max}}
    circumstances = {**plain(commit.body).get("circumstances", {}), **changed}
    return replace(commit, body={**commit.body, "engine": engine, "circumstances": circumstances})


def test_a_replay_judges_with_the_limit_of_the_turn() -> None:
    async def play() -> None:
        bench = await lay_bench(make_quadratic(random.Random(1), 20).edition, limits=FREE)
        outcome = await bench.take(Opening(), "opening")
        assert isinstance(outcome, Committed)
        commit = outcome.commit
        assert plain(commit.body)["circumstances"]["limits"] == {"work_max": UNLIMITED}
        small = bench.with_road(limits=SMALL).road
        assert find_differences(commit, await replay_turn(small, commit)) == ()
        with pytest.raises(TooMuchWorkError):
            await replay_turn(bench.road, _claim(commit, 4, SMALL))
        assert isinstance(await replay_turn(bench.road, _claim(commit, 3, SMALL)), Commit)

    asyncio.run(play())


def test_a_record_without_a_limit_has_the_usual_one() -> None:
    assert read_circumstances(None).limits.work_max == WORK_MAX


@pytest.mark.parametrize("claimed", [UNLIMITED, 10**15, -1, float("nan"), float("inf"), True])
def test_no_record_makes_its_replay_endless(claimed: float) -> None:
    async def play() -> None:
        bench = await lay_bench(make_quadratic(random.Random(1), 20).edition)
        outcome = await bench.take(Opening(), "opening")
        assert isinstance(outcome, Committed)
        limits: dict[str, Json] = {"limits": {"work_max": claimed}}
        free = replace(outcome.commit, body={**outcome.commit.body, "circumstances": limits})
        for commit in (free, _claim(outcome.commit, 3, FREE)):
            assert isinstance(await replay_turn(bench.road, commit), Commit)
            stopped = await replay_turn(bench.road, commit, work_max=1_000)
            assert isinstance(stopped, Unspent)
            assert stopped.reason is OutcomeReason.TOO_MUCH_WORK

    asyncio.run(play())


# A game master from outside.


@pytest.mark.slow
def test_a_game_master_learns_that_the_turn_was_stopped() -> None:
    async def play() -> None:
        bench = await lay_bench(attack().edition)
        before = await bench.standing()
        master = await begin_master(bench.road, MAIN, Opening(), "opening")
        with pytest.raises(TooMuchWorkError):
            await master.tell("You are here.")
        assert await bench.standing() == before
        assert await bench.book.open_turn(MAIN) is None
        (attempt,) = await bench.attempts("opening")
        assert (attempt.verdict, attempt.body["reason"]) == (AttemptVerdict.FAILED, "too_much_work")

    asyncio.run(play())


def test_a_round_of_calls_that_takes_too_long_has_no_effect() -> None:
    async def play() -> None:
        bench = await lay_bench(make_quadratic(random.Random(1), 20).edition, opened=True)
        master = await begin_master(
            bench.with_road(limits=TurnLimits(work_max=13_000)).road, MAIN, GoOn(), "on"
        )
        with pytest.raises(TooMuchWorkError):
            await master.propose([Update(Op.INC, "a", 1)] * 20)
        lease = await bench.book.open_turn(MAIN)
        assert lease is not None
        assert plain(lease.body)["rounds"] == []

    asyncio.run(play())


@pytest.mark.parametrize("narrate", [False, True])
def test_dice_that_fell_in_a_round_that_takes_too_long_count_as_seen(narrate: bool) -> None:
    """Whether it takes too long may depend on them."""

    async def play() -> None:
        bench = await lay_bench(altered(bridge(), systems=(TiringToll(),)), opened=True)
        master = await begin_master(bench.road, MAIN, GoOn(), "on")
        ask = [Call("ask_keeper", {}, "c1")]
        last = OutsideRound(to_calls(ask), text="He sighs.")
        with pytest.raises(TooMuchWorkError):
            await (finish(bench.road, master.opened.handle, last) if narrate else master.propose(ask))
        assert await bench.book.open_turn(MAIN) is None
        (attempt,) = await bench.attempts("on")
        assert (attempt.verdict, attempt.body["reason"]) == (AttemptVerdict.FAILED, "too_much_work")
        (aside,) = [one for one in await bench.records() if isinstance(one, Aside)]
        assert plain(aside.body)["checks"][0]["for"]["check"] == ["ask_keeper", {}]

    asyncio.run(play())


class TiringToll(Toll):
    """A question takes more work than a turn may, after a die has fallen."""

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        if call.tool == "ask_keeper":
            chance.draw(6, "patience")
            count_work(WORK_MAX + 1)
        return super().judge(call, sight, chance, answers)


def test_a_turn_that_cannot_even_begin_leaves_no_open_turn() -> None:
    async def play() -> None:
        bench = await lay_bench(ferry(), opened=True)
        small = bench.with_road(limits=TurnLimits(work_max=300)).road
        with pytest.raises(TooMuchWorkError):
            await begin_master(small, MAIN, GoOn(), "on")
        assert await bench.book.open_turn(MAIN) is None
        (attempt,) = await bench.attempts("on")
        assert (attempt.verdict, attempt.body["reason"]) == (AttemptVerdict.FAILED, "too_much_work")

    asyncio.run(play())


# Long work leaves the event loop.


def test_long_work_is_done_again_in_a_thread_and_counted_once() -> None:
    names: list[str] = []

    def work() -> int:
        names.append(threading.current_thread().name)
        for _ in range(3):
            count_work(work_meter.LOOP_WORK_MAX // 2)
        return len(names)

    async def play() -> None:
        with limit_work(WORK_MAX) as meter:
            assert await work_aside(work) == 2
            assert meter.steps == work_meter.LOOP_WORK_MAX // 2 * 3
            # From now on the turn stays there.
            await work_aside(work)

    asyncio.run(play())
    assert [name.partition("_")[0] for name in names] == ["MainThread", "judging", "judging"]


@pytest.mark.parametrize("most", [0, 40, 200, 1_000])
@pytest.mark.parametrize(
    ("edition", "script", "given"),
    [
        (ferry(), None, Choose("haggle")),
        (ferry(), [cards("He nods.", update("dec", "coins", 1))], Say("I wave")),
        (bridge(), [calls("Hm.", ("ask_keeper", {})), '"Old Marn"', "He tells you."], Say("Who?")),
        (
            chapel(),
            [
                MECHANICS,
                bundle("It drags.", 1),
            ],
            Say("I look"),
        ),
    ],
    ids=["scenes", "cards", "tools", "moves first"],
)
def test_a_turn_judged_in_a_thread_is_the_same(
    edition: object, script: object, given: Input, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> Commit:
        bench = await lay_bench(plain(edition), opened=True)
        if script is not None:
            bench = bench.told_by(*plain(script))
        await bench.commit(given, "given")
        return await bench.head()

    expected = asyncio.run(play())
    monkeypatch.setattr(work_meter, "LOOP_WORK_MAX", most)
    assert find_differences(expected, asyncio.run(play())) == ()


@pytest.mark.slow
def test_firing_triggers_stops_at_the_limit() -> None:
    game = attack().edition.game
    with limit_work(WORK_MAX) as meter, pytest.raises(TooMuchWorkError):
        settle(game, begin(game), Scripted())
    assert WORK_MAX < meter.steps <= WORK_MAX + BITE
