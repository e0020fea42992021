"""Ticks: what systems do by themselves at the end of a turn, and what they hear of each other."""

from collections.abc import Mapping

import pytest

from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.judging.move_resolution import judge, settle, waiting_calls
from talewright.kernel.judging.moves import ENGINE, MODEL, Call, Op, Update
from talewright.kernel.judging.rulings import Decision, Errand, Granted, Option, Refused, Waiting
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.state.state import begin
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import NO_TICK, AuthorFiles, Grant, Heard, Sight, SystemAnswer, Tick, Tool, Wait
from tests.kernel.making import Scripted, make_game, make_layout
from tests.plugs.toll import Toll

CARD = Decision("gate", "The gate closes. Stay?", (Option("stay", "Stay"), Option("go", "Go")))
BELL = Event("bell", "The bell rings.", "system:clock")
SHOUT = Event("shout", "Somebody shouts.", MODEL)


class Clock:
    """It ticks what it is told to, and remembers what it heard."""

    name = "clock"

    def __init__(self, tick: Tick = NO_TICK, answer: Tick = NO_TICK) -> None:
        self.now = tick
        self.answer = answer
        self.heard: list[Heard] = []

    def slots(self, files: AuthorFiles) -> Mapping[str, Slot]:
        return {}

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return tuple(Tool(name, "", {}) for name in ("strike", "close_gate", "wonder"))

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        if call.tool == "close_gate":
            return Grant(result=answers["gate"]) if "gate" in answers else Wait(CARD)
        if call.tool == "wonder":
            return Wait(Errand("why", "Why?", {"type": "string"}))
        return Grant(result=chance.draw(12, "strike"))

    def tick(self, sight: Sight, chance: Chance) -> Tick:
        return self.now

    def hear(self, heard: Heard, sight: Sight, chance: Chance) -> Tick:
        self.heard.append(heard)
        return self.answer


LAYOUT = make_layout(Toll().slots({}))


def test_others_hear_events_and_time_whatever_their_order() -> None:
    for order in (0, 1):
        clock = Clock(Tick(events=(BELL,), minutes=120))
        other = Clock()
        other.name = "other"
        systems = [Toll(), other, clock] if order else [clock, other, Toll()]
        game = make_game(LAYOUT, systems=systems)
        refused = Event("rejected_update", "no", ENGINE)
        step = settle(game, begin(game), Scripted(), (SHOUT, refused))
        # It rises by itself, and once more for every hour.
        assert step.position.state.read(("bridge", "water")) == 3
        assert other.heard == [Heard((SHOUT, BELL), 120)]
        assert clock.heard == [Heard((SHOUT,), 0)]
        assert step.events == (BELL,)


def test_where_nothing_happened_nobody_is_asked_and_answers_are_not_heard() -> None:
    clock = Clock(answer=Tick(events=(BELL,), minutes=60))
    game = make_game(LAYOUT, systems=[clock, Toll()])
    settle(game, begin(game), Scripted())
    assert clock.heard == []
    step = settle(game, begin(game), Scripted(), (SHOUT,))
    assert clock.heard == [Heard((SHOUT,), 0)]
    assert step.events == (BELL,)
    assert step.position.state.read(("bridge", "water")) == 1


def test_systems_hear_what_was_told() -> None:
    clock = Clock()
    game = make_game(LAYOUT, systems=[clock])
    settle(game, begin(game), Scripted(), told=Heard(narration="It rains.", facts=("The roof leaks.",)))
    assert clock.heard == [Heard((), 0, "It rains.", ("The roof leaks.",))]


def test_a_tick_rolls_dice_by_a_call() -> None:
    game = make_game(LAYOUT, systems=[Clock(Tick(calls=(Call("strike"),)))])
    (ruling,) = settle(game, begin(game), Scripted(7)).rulings
    assert ruling == Granted(Call("strike"), (), 7)


def test_a_tick_shows_the_player_a_card() -> None:
    game = make_game(LAYOUT, systems=[Clock(Tick(calls=(Call("close_gate"),)))])
    step = settle(game, begin(game), Scripted())
    assert step.waits == (Waiting(Call("close_gate"), CARD),)
    held = waiting_calls(step.position)
    assert held == {"gate": Call("close_gate", {}, "gate")}
    (answered,) = judge(game, step.position, [held["gate"]], MODEL, Scripted(), {"gate": "go"}).rulings
    assert isinstance(answered, Granted)
    assert answered.result == "go"
    # The card is open already; the same one is not opened twice.
    (again,) = settle(game, step.position, Scripted()).rulings
    assert isinstance(again, Refused)


@pytest.mark.parametrize(
    ("tool", "reason"),
    [
        ("wonder", "'wonder' waits for an answer, and the turn is over"),
        ("pay", "'pay' is no tool of the system 'clock'"),
        ("fly", "'fly' is no tool of the system 'clock'"),
    ],
)
def test_what_a_tick_cannot_do_is_refused(tool: str, reason: str) -> None:
    game = make_game(LAYOUT, systems=[Clock(Tick(calls=(Call(tool),))), Toll()])
    step = settle(game, begin(game), Scripted())
    refused = [ruling for ruling in step.rulings if isinstance(ruling, Refused)]
    assert [ruling.reason for ruling in refused] == [reason]
    assert waiting_calls(step.position) == {}


def test_updates_of_a_tick_that_do_not_fit_are_skipped() -> None:
    ticks = Tick((Update(Op.SET, "nowhere", 1), Update(Op.SET, "bridge.crossed", True)))
    game = make_game(LAYOUT, systems=[Clock(ticks)])
    step = settle(game, begin(game), Scripted())
    assert [type(ruling) for ruling in step.rulings] == [Refused, Granted]
    assert step.position.state.read(("bridge", "crossed")) is True
