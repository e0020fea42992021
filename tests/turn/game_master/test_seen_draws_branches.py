"""Dice that a game master has seen, on other branches: they are the same there, and after undone turns."""

import asyncio
from dataclasses import replace

import pytest

from talewright.chronicle.records import PointerKind, Pointing
from talewright.turn.game_master.master_turn import begin_outside, give_up
from talewright.turn.game_master.open_turn_lease import LEASE_SECONDS_MAX, LeaseError
from talewright.turn.inputs.player_inputs import Choose, Opening, Say
from talewright.turn.records.commit_body import read_body
from tests.turn.doubles import Trying
from tests.turn.game_master.cheats import (
    HARD,
    OTHER,
    SEVERAL,
    Cheat,
    cheating,
    check,
)
from tests.turn.game_master.test_master_turn import at
from tests.turn.making import NOW, ferry, lay_bench
from tests.turn.mastering import Master, begin_master


@pytest.mark.parametrize("fresh", [False, True])
def test_another_branch_has_the_same_dice(fresh: bool) -> None:
    async def attack(cheat: Cheat) -> None:
        seen = await cheat.look(*SEVERAL)
        await cheat.fork("elsewhere")
        await cheat.use(OTHER)
        assert await cheat.use(*SEVERAL) == seen

    cheating(attack, fresh=fresh)


def test_a_campaign_has_one_open_turn() -> None:
    """With two branches, the same check could be looked at twice."""

    async def attack(cheat: Cheat) -> None:
        turn = await cheat.begin()
        seen = [await check(turn, **arguments) for arguments in SEVERAL]
        await cheat.fork("elsewhere")
        with pytest.raises(LeaseError) as caught:
            await cheat.begin()
        assert caught.value.message == "someone else is narrating a turn of this campaign"
        await give_up(cheat.bench.road, turn.opened.handle)
        await cheat.use(OTHER)
        assert await cheat.use(*SEVERAL) == seen

    cheating(attack)


def test_turns_begun_on_two_branches_at_once() -> None:
    async def attack(cheat: Cheat) -> None:
        await cheat.fork("elsewhere")
        road = cheat.bench.road
        opened = await asyncio.gather(
            *(begin_outside(road, branch, Say("Now."), branch) for branch in ("main", "elsewhere")),
            return_exceptions=True,
        )
        assert sum(isinstance(one, LeaseError) for one in opened) == 1
        turns = [await road.book.open_turn(branch) for branch in ("main", "elsewhere")]
        assert sum(turn is not None for turn in turns) == 1

    cheating(attack)


@pytest.mark.parametrize(
    ("begun", "rival"), [("main", "elsewhere"), ("elsewhere", "main"), ("elsewhere", "third")]
)
def test_a_turn_begun_on_another_branch_in_the_meantime(begun: str, rival: str) -> None:
    """The rival comes before the campaign is claimed, or before the turn is stored."""

    async def run() -> None:
        bench = await lay_bench(ferry(), book=Trying)
        assert isinstance(bench.book, Trying)
        await (await begin_master(bench.road, "main", Opening(), "opening")).finish("Rain.")
        head = (await bench.head()).id
        for branch in ("elsewhere", "third"):
            await bench.book.point(Pointing(PointerKind.BRANCH, branch, head, NOW))
        opened: list[Master] = []

        async def come_first() -> None:
            opened.append(await begin_master(bench.road, rival, Choose("haggle"), "rival"))

        bench.book.before["write open turn"] = come_first
        with pytest.raises(LeaseError) as caught:
            await begin_outside(bench.road, begun, Choose("haggle"), "late")
        assert caught.value.message == "someone else is narrating a turn of this campaign"
        assert await bench.book.open_turn(begun) is None
        await opened[0].finish("He wants two coins.")
        await (await begin_master(bench.road, begun, Choose("haggle"), "late")).finish("Here too.")

    asyncio.run(run())


def test_an_open_turn_elsewhere_is_settled_when_its_time_is_over() -> None:
    async def attack(cheat: Cheat) -> None:
        turn = await cheat.begin()
        seen = [await check(turn, **arguments) for arguments in SEVERAL]
        await cheat.fork("elsewhere")
        later = at(LEASE_SECONDS_MAX + 1)
        cheat.bench = cheat.bench.with_road(now=lambda: later)
        await cheat.use(OTHER)
        assert await cheat.use(*SEVERAL) == seen
        with pytest.raises(LeaseError):
            await replace(turn, road=cheat.bench.road).tell("Too late.")

    cheating(attack)


@pytest.mark.parametrize("fresh", [False, True])
def test_undoing_turns_leaves_nothing_behind(fresh: bool) -> None:
    async def attack(cheat: Cheat) -> None:
        await cheat.use(OTHER)
        seen = await cheat.look(*SEVERAL)
        await cheat.bench.go_back()
        for _ in range(3):
            await cheat.use(OTHER)
        assert await cheat.use(*SEVERAL) == seen
        # What is undone has used nothing.
        await cheat.bench.go_back()
        assert await cheat.use(*SEVERAL) == seen

    cheating(attack, fresh=fresh)


@pytest.mark.parametrize("fresh", [False, True])
def test_a_roll_that_was_first_made_in_an_undone_turn(fresh: bool) -> None:
    """Only the turn that replaces the undone one has the same dice, unless dice are fresh."""

    async def attack(cheat: Cheat) -> None:
        first = await cheat.use(*SEVERAL)
        await cheat.bench.go_back()
        easy = [{**one, "difficulty": 1} for one in SEVERAL]
        assert (await cheat.use(*easy) == first) is not fresh
        await cheat.bench.go_back()
        await cheat.use(OTHER)
        assert await cheat.use(*SEVERAL) != first

    cheating(attack, fresh=fresh)


def test_good_dice_are_not_had_twice_by_looking_at_a_turn_that_is_undone() -> None:
    async def attack(cheat: Cheat) -> None:
        await cheat.use(HARD)
        head = await cheat.bench.head()
        before = await cheat.bench.go_back()
        await cheat.look(*SEVERAL)
        pointing = Pointing(PointerKind.BRANCH, "main", head.id, NOW)
        await cheat.bench.book.point(pointing, expected=before)
        await cheat.use(HARD)
        (first,), (second,) = (read_body(one.body).draws for one in (head, await cheat.bench.head()))
        assert first.name != second.name

    cheating(attack)
