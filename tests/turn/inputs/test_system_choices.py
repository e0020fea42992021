"""Choices of systems: offered after a turn, started by the player, and judged like any other move."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from talewright.kernel.game import Game
from talewright.kernel.judging.moves import Call
from talewright.kernel.state.state import begin
from talewright.kernel.story.scenes import Risk, SystemChoice
from talewright.kernel.system import Sight, System
from talewright.turn.inputs.player_choices import SYSTEM_CHOICES_MAX, find_system_choices
from talewright.turn.inputs.player_inputs import (
    AnswerDecision,
    Choose,
    Deed,
    Input,
    Opening,
    PlayersTable,
    Say,
)
from talewright.turn.inputs.player_inputs import carry_out_input as carry_out
from talewright.turn.records.commit_body import OfferedChoice, TurnBody
from talewright.turn.turn_outcomes import OutcomeReason, Unspent
from talewright.turn.turn_progress import TurnDraws, TurnProgress
from tests.kernel.making import make_game, make_layout
from tests.kernel.system.test_system_port import Mute
from tests.plugs.toll import Toll
from tests.turn.making import SECRET, Bench, altered, bridge, calls, lay_bench, plain
from tests.turn.stories import GAME, stand, tower

PAY = SystemChoice("pay", "Pay a coin", Call("pay", {"coins": 1}), "It is fair.", Risk.MEDIUM)
GAMBLE = SystemChoice("gamble", "Take the dice", Call("gamble"))
ALL = SystemChoice("all", "Pay nine coins", Call("pay", {"coins": 9}))


class Inviting(Toll):
    """A toll that says what can be done at it."""

    def choices(self, sight: Sight) -> Sequence[SystemChoice]:
        return (PAY, GAMBLE, ALL)


OFFERED = (
    OfferedChoice("toll.pay", "Pay a coin", "It is fair.", "medium", "system"),
    OfferedChoice("toll.gamble", "Take the dice", source="system"),
    OfferedChoice("toll.all", "Pay nine coins", source="system"),
)
LABELS = ("Wave", "Pay", "Wait")


async def begin_at_bridge() -> Bench:
    return await lay_bench(altered(bridge(), systems=(Inviting(),)), ["He waits."], opened=True)


def test_choices_of_systems_come_after_those_of_the_storyteller() -> None:
    async def run() -> None:
        bench = await begin_at_bridge()
        given = [
            {"id": name, "label": label} for name, label in zip(("a", "toll.pay", "c"), LABELS, strict=True)
        ]
        told = await bench.told_by(calls("Well?", ("offer_choices", {"choices": given}))).commit(
            Say("I wave"), "op-1"
        )
        # An id of a system belongs to that system.
        assert [choice.label for choice in told.choices if choice.source == "model"] == ["Wave", "Wait"]
        assert told.choices[2:] == OFFERED

    asyncio.run(run())


def test_a_player_starts_a_move_and_the_storyteller_learns_what_came_of_it() -> None:
    async def run() -> None:
        bench = await begin_at_bridge()
        assert (await bench.told_by("He nods.").commit(Say("I wave"), "op-1")).choices == OFFERED
        paying = bench.told_by("He lets you pass.")
        paid = await paying.commit(Choose("toll.pay"), "op-2")
        assert paid.said == "Pay a coin"
        assert plain(await bench.value("bridge"))["coins"] == 2
        assert '"paid": 1' in paying.provider.requests[0].messages[-1].text.replace('"paid":1', '"paid": 1')
        # Across the bridge only the keeper can be asked, so nothing is offered.
        assert paid.choices == ()

    asyncio.run(run())


def test_a_move_of_the_player_may_be_refused_or_ask_back() -> None:
    async def run() -> None:
        bench = await begin_at_bridge()
        await bench.told_by("He nods.").commit(Say("I wave"), "op-1")
        refused = await bench.told_by("He laughs.").commit(Say("pay nine coins!"), "op-2")
        assert plain(await bench.value("bridge"))["coins"] == 3
        assert [plain(roll)["result"] for roll in refused.rolls] == [
            {"refused": "bridge.coins is a whole number from 0 to 9, not -6"}
        ]
        asked = await bench.told_by("He shakes the cup.").commit(Choose("toll.gamble"), "op-3")
        assert [card.id for card in asked.decisions] == ["gamble"]
        answered = await bench.told_by("You step back.").commit(AnswerDecision("gamble", "withdraw"), "op-4")
        assert answered.decisions == ()

    asyncio.run(run())


class Silent:
    """The same toll, which needs somebody to tell what happens at it."""

    name = "toll"

    def __init__(self) -> None:
        toll = Inviting()
        self.slots, self.tools, self.judge, self.choices = toll.slots, toll.tools, toll.judge, toll.choices


def at_tower(
    given: Input, *, teller: bool = False, game: Game | None = None, system: System | None = None
) -> Deed | Unspent:
    layout = make_layout({**GAME.layout.roots, **Toll().slots({})})
    bare = replace(GAME, layout=layout, systems=(system or Silent(),))
    document = {
        **stand(scene="hall").state.document,
        "bridge": begin(make_game(layout)).state.document["bridge"],
    }
    position = stand(scene="hall")
    position = replace(position, state=replace(position.state, document=document))
    working = TurnProgress(game or bare, position, TurnDraws(SECRET, position.turn))
    table = PlayersTable(TurnBody(choices=OFFERED), tower().words("en"), teller, begun=True)
    return carry_out(table, working, given)


def test_without_a_storyteller_the_scene_goes_on_after_the_move() -> None:
    moved = Deed("Pay a coin", moves=(PAY.call,), resumes=True, by_system=True)
    assert at_tower(Choose("toll.pay")) == moved
    assert at_tower(Say("pay a coin")) == moved
    assert at_tower(Say("Pay a coin"), teller=True) == replace(moved, resumes=False)


def test_a_scene_may_leave_all_choices_to_a_system() -> None:
    hall = replace(GAME.scenes["hall"], choices=())
    layout = make_layout({**GAME.layout.roots, **Toll().slots({})})
    silent = replace(GAME, layout=layout, systems=(Silent(),), scenes={**GAME.scenes, "hall": hall})
    assert at_tower(Choose("toll.pay"), game=silent) == Deed(
        "Pay a coin", moves=(PAY.call,), resumes=True, by_system=True
    )
    nowhere = replace(silent, scenes={})
    assert at_tower(Choose("toll.pay"), game=nowhere) == Unspent(OutcomeReason.NO_TELLER)


def test_a_system_that_tells_turns_needs_neither_storyteller_nor_scene() -> None:
    moved = Deed("Pay a coin", moves=(PAY.call,), authored=True, by_system=True)
    assert at_tower(Choose("toll.pay"), system=Inviting()) == moved
    assert at_tower(Say("Pay a coin"), system=Inviting()) == moved
    assert at_tower(Choose("toll.pay"), teller=True, system=Inviting()) == replace(moved, authored=False)


class Talking(Inviting):
    """A toll that also says how it begins."""

    def tell(self, calls: Sequence[Call], sight: Sight) -> str:
        return super().tell(calls, sight) or f"A bridge, before turn {sight.turn + 1}."


def test_a_game_without_scenes_is_told_by_its_system() -> None:
    async def run() -> None:
        edition = altered(bridge(), systems=(Talking(), Mute()))
        bench = await lay_bench(edition, opened=False)
        opening = await bench.commit(Opening(), "op-0")
        assert opening.narration.endswith("A bridge, before turn 2.")
        assert opening.choices == OFFERED
        refused = await bench.commit(Choose("toll.all"), "op-1")
        assert refused.narration == ""
        assert refused.rolls
        paid = await bench.commit(Choose("toll.pay"), "op-2")
        assert paid.narration == "The keeper nods: pay."
        assert await bench.take(Say("I sing"), "op-3") == Unspent(OutcomeReason.NO_TELLER)

    asyncio.run(run())


def test_a_move_that_is_no_longer_offered_is_not_made() -> None:
    gone = Unspent(OutcomeReason.NO_SUCH_CHOICE, "toll.pay")
    assert at_tower(Choose("toll.pay"), game=GAME) == gone


class Lavish(Toll):
    """A toll that offers far too much."""

    def choices(self, sight: Sight) -> Sequence[SystemChoice]:
        return tuple(replace(PAY, id=str(number)) for number in range(99))


def test_there_are_only_so_many() -> None:
    game = make_game(make_layout(Toll().slots({})), systems=[Lavish()])
    assert len(find_system_choices(game, begin(game))) == SYSTEM_CHOICES_MAX
