"""Moves in, rulings and the next position out."""

from dataclasses import replace

import pytest

from talewright.kernel.game import Game, GameLimits
from talewright.kernel.judging.move_resolution import (
    SAY_WHY,
    JudgedStep,
    carry_out,
    conclude,
    judge,
    settle,
)
from talewright.kernel.judging.moves import MASTER, MODEL, End, Move, Op, Update
from talewright.kernel.judging.rulings import Grade, Granted, Refused
from talewright.kernel.state.state import Position, advance, begin, position_of
from talewright.kernel.story.endings import Outcome, Route
from talewright.kernel.story.scenes import Risk
from talewright.kernel.story.triggers import Event
from tests.kernel.making import (
    Scripted,
    boolean,
    integer,
    listing,
    make_ending,
    make_game,
    make_layout,
    make_trigger,
    record,
    string,
)

LAYOUT = make_layout(
    {
        "hp": integer(80, 0, 100),
        "luck": integer(0, 0, 100),
        "fixed": integer(1, readonly=True),
        "sum": integer(0, 0, 1000, derived="hp + luck"),
        "half": integer(0, derived="sum / 2"),
        "safe": integer(7, 0, 9, derived="100 / luck"),
        "lit": boolean(),
        "log": listing(string()),
        "flags": record(a=boolean(), b=boolean()),
    }
)
DERIVED = [("sum", "hp + luck"), ("half", "sum / 2"), ("safe", "100 / luck")]


def game(**parts: object) -> Game:
    return make_game(LAYOUT, **parts)  # type: ignore[arg-type]


def take(on: Game, *moves: Move, cause: str = MODEL, position: Position | None = None) -> JudgedStep:
    return judge(on, position or begin(on), moves, cause, Scripted())


def up(path: str, value: int = 1) -> Update:
    return Update(Op.INC, path, value)


def test_a_game_master_says_why_it_changes_something() -> None:
    step = take(game(), up("hp"), Update(Op.INC, "luck", 1, " "), cause=MASTER)
    assert [ruling.reason for ruling in step.mends] == [SAY_WHY, SAY_WHY]
    granted = take(game(), Update(Op.INC, "hp", 1, "rest"), cause=MASTER)
    assert [(change.cause, change.reason) for change in granted.changes[:1]] == [("master", "rest")]
    # It may write no more than a model.
    refused = take(game(), Update(Op.INC, "fixed", 1, "rest"), cause=MASTER)
    assert isinstance(refused.rulings[0], Refused)


def test_an_answer_is_applied_in_order() -> None:
    step = take(game(), Update(Op.SET, "hp", 10), up("hp", 5))
    assert step.position.state.read(("hp",)) == 15
    assert [type(ruling) for ruling in step.rulings] == [Granted, Granted]
    assert len(step.changes) == 2
    assert step.events == ()
    assert step.mends == ()
    assert step.waits == ()


def test_one_mend_stops_everything() -> None:
    on = game()
    start = begin(on)
    step = judge(on, start, [up("hp"), up("nowhere"), up("luck")], MODEL, Scripted())
    assert step.position is start
    assert step.changes == ()
    assert step.events == ()
    assert [type(ruling) for ruling in step.rulings] == [Granted, Refused, Granted]
    assert len(step.mends) == 1


def test_a_drop_is_told_and_the_rest_happens() -> None:
    step = take(game(), up("fixed"), up("hp"))
    assert step.position.state.read(("hp",)) == 81
    assert step.mends == ()
    assert step.events == (Event("rejected_update", "fixed is not yours to write", "engine"),)


def test_too_many_moves_are_all_refused() -> None:
    on = game(limits=GameLimits(moves_max=2))
    assert len(take(on, up("hp"), up("hp")).changes) == 2
    step = take(on, up("hp"), up("hp"), up("hp"))
    assert [r.reason for r in step.mends] == ["an answer has at most 2 moves; this one has 3"] * 3


def test_an_authors_updates_are_made_singly() -> None:
    on = game()
    step = carry_out(on, begin(on), [up("hp"), Update(Op.REMOVE, "log", "x"), up("luck")], "scene:s")
    assert [change.path for change in step.changes] == ["/hp", "/luck"]
    assert step.events == (Event("rejected_update", "log has nothing equal to 'x'", "engine"),)
    assert step.changes[0].cause == "scene:s"


def test_derived_slots_follow_in_order() -> None:
    on = game(derived=DERIVED)
    step = take(on, up("luck", 25))
    read = step.position.state.read
    assert (read(("sum",)), read(("half",)), read(("safe",))) == (105, 52, 4)
    assert [(c.path, c.cause) for c in step.changes[1:]] == [
        ("/sum", "engine"),
        ("/half", "engine"),
        ("/safe", "engine"),
    ]
    assert [c.clamped for c in step.changes] == [False] * 4


def test_a_derived_slot_without_an_answer_has_its_default_and_keeps_its_range() -> None:
    on = game(derived=DERIVED)
    near = take(on, up("luck", 1))
    assert near.position.state.read(("safe",)) == 9
    assert [c.clamped for c in near.changes if c.path == "/safe"] == [True]
    back = judge(on, near.position, [Update(Op.SET, "luck", 0)], MODEL, Scripted())
    assert back.position.state.read(("safe",)) == 7


def test_a_derived_slot_that_does_not_clamp_has_its_default_outside_its_range() -> None:
    layout = make_layout({"n": integer(0), "d": integer(3, 0, 9, clamp=False, derived="n * 2")})
    on = make_game(layout, derived=[("d", "n * 2")])
    near = take(on, up("n", 4))
    assert near.position.state.read(("d",)) == 8
    far = judge(on, near.position, [up("n", 1)], MODEL, Scripted())
    assert far.position.state.read(("d",)) == 3
    assert [change.clamped for change in far.changes] == [False, False]


def test_triggers_fire_by_priority_then_id_and_only_once_a_turn() -> None:
    on = game(
        triggers=[
            make_trigger(
                LAYOUT, "late", "hp > 80", Update(Op.PUSH, "log", "late"), priority=20, event="e.late"
            ),
            make_trigger(LAYOUT, "b", "hp > 80", Update(Op.PUSH, "log", "b"), priority=10),
            make_trigger(LAYOUT, "a", "hp > 80", Update(Op.PUSH, "log", "a"), up("hp"), priority=10),
        ]
    )
    step = settle(on, take(on, up("hp")).position, Scripted())
    assert step.position.state.read(("log",)) == ["a", "b", "late"]
    assert step.position.state.read(("hp",)) == 82
    assert step.events == (Event("info", "e.late", "trigger:late"),)
    assert step.changes[0].cause == "trigger:a"


def test_a_lasting_condition_fires_every_turn() -> None:
    on = game(triggers=[make_trigger(LAYOUT, "t", "hp >= 80", up("luck"))])
    position = begin(on)
    for turn in (1, 2, 3):
        position = advance(settle(on, position, Scripted()).position)
        assert position.state.read(("luck",)) == turn
        assert position.state.version == turn


def test_once_means_once_in_a_campaign() -> None:
    on = game(triggers=[make_trigger(LAYOUT, "t", "hp >= 80", up("luck"), once=True)])
    first = settle(on, begin(on), Scripted())
    assert first.position.state.read(("_engine", "once", "t")) is True
    assert [(c.path, c.cause) for c in first.changes] == [
        ("/luck", "trigger:t"),
        ("/_engine/once/t", "engine"),
    ]
    second = settle(on, first.position, Scripted())
    assert second.changes == ()


def test_effects_make_other_triggers_true_or_false() -> None:
    on = game(
        triggers=[
            make_trigger(LAYOUT, "a", "hp > 80", Update(Op.SET, "flags.a", True), priority=1),
            make_trigger(LAYOUT, "b", "flags.a", Update(Op.SET, "flags.b", True), priority=0),
            make_trigger(LAYOUT, "c", "hp > 80 and not flags.a", up("luck", 7), priority=2),
        ]
    )
    step = settle(on, take(on, up("hp")).position, Scripted())
    assert step.position.state.read(("flags",)) == {"a": True, "b": True}
    assert step.position.state.read(("luck",)) == 0


def test_a_trigger_made_false_and_true_again_still_fires() -> None:
    on = game(
        triggers=[
            make_trigger(LAYOUT, "off", "hp > 80", Update(Op.SET, "lit", False), priority=1),
            make_trigger(LAYOUT, "target", "lit", up("luck"), priority=2),
            make_trigger(LAYOUT, "on", "hp > 80", Update(Op.SET, "lit", True), priority=3),
        ]
    )
    step = settle(on, take(on, up("hp"), Update(Op.SET, "lit", True)).position, Scripted())
    assert step.position.state.read(("luck",)) == 1


def chain(length: int, cascade_max: int) -> Game:
    layout = make_layout({"n": integer(0)})
    triggers = [make_trigger(layout, f"t{k}", f"n == {k}", up("n")) for k in range(length)]
    return make_game(layout, triggers=triggers, limits=GameLimits(cascade_max=cascade_max))


def test_a_chain_is_bounded() -> None:
    whole = chain(3, 3)
    assert settle(whole, begin(whole), Scripted()).position.state.read(("n",)) == 3
    cut = chain(4, 3)
    step = settle(cut, begin(cut), Scripted())
    assert step.position.state.read(("n",)) == 3
    assert step.events == (Event("cascade_stopped", "t3", "trigger:t3"),)


def test_many_triggers_at_once_are_no_chain() -> None:
    layout = make_layout({"n": integer(0)})
    on = make_game(
        layout,
        triggers=[make_trigger(layout, f"t{k:02}", "turn >= 1", up("n")) for k in range(40)],
        limits=GameLimits(cascade_max=1),
    )
    assert settle(on, begin(on), Scripted()).position.state.read(("n",)) == 40


def test_a_refused_effect_is_told_and_the_others_happen() -> None:
    on = game(triggers=[make_trigger(LAYOUT, "t", "hp > 80", Update(Op.REMOVE, "log", "x"), up("luck"))])
    step = settle(on, take(on, up("hp")).position, Scripted())
    assert step.position.state.read(("luck",)) == 1
    assert [type(r) for r in step.rulings] == [Refused]
    assert step.events[-1].type == "rejected_update"


def test_the_turn_is_looked_at_again_each_turn() -> None:
    on = game(
        triggers=[make_trigger(LAYOUT, "t", "turn == 2", up("luck"))],
        endings=[make_ending(LAYOUT, "late", "turn >= 3")],
    )
    position = begin(on)
    seen = []
    for _ in range(3):
        step = settle(on, position, Scripted())
        position = advance(step.position)
        seen.append((position.state.read(("luck",)), position.state.read(("_engine", "ending"))))
    assert seen == [(0, ""), (1, ""), (1, "late")]


def test_the_first_ending_that_holds_is_the_end() -> None:
    on = game(
        endings=[
            make_ending(LAYOUT, "win", "luck >= 5", Outcome.WIN),
            make_ending(LAYOUT, "lose", "hp <= 0"),
        ]
    )
    both = settle(on, take(on, up("luck", 5), Update(Op.SET, "hp", 0)).position, Scripted())
    assert both.position.state.read(("_engine", "ending")) == "win"
    assert both.position.state.read(("_engine", "outcome")) == "win"
    assert both.events == (Event("game_over", "ending.win", "engine"),)
    over = judge(on, both.position, [up("hp")], MODEL, Scripted())
    assert isinstance(over.rulings[0], Refused)
    assert (over.rulings[0].grade, over.rulings[0].reason) == (Grade.DROP, "the game is over")
    assert settle(on, both.position, Scripted()).changes == ()


FINALE = (
    Route("press", "public", Outcome.WIN, Risk.HIGH, (up("luck", 3),)),
    Route("burn", "ashes", Outcome.LOSE),
)


def test_a_finale_opens_once_and_its_route_is_the_end() -> None:
    on = game(
        endings=[
            make_ending(LAYOUT, "choice", "luck >= 5", Outcome.WIN, *FINALE),
            make_ending(LAYOUT, "dead", "hp <= 0"),
        ]
    )
    opened = settle(on, take(on, up("luck", 5)).position, Scripted())
    assert opened.position.state.read(("_engine", "finale")) == "choice"
    assert opened.position.state.read(("_engine", "ending")) == ""
    assert opened.events == (Event("finale", "finale.choice", "engine"),)
    assert settle(on, opened.position, Scripted()).changes == ()
    done = conclude(on, opened.position, FINALE[0], "finale:choice")
    read = done.position.state.read
    assert (read(("luck",)), read(("_engine", "ending")), read(("_engine", "outcome"))) == (
        8,
        "public",
        "win",
    )
    assert done.changes[0].cause == "finale:choice"
    died = settle(on, take(on, Update(Op.SET, "hp", 0), position=opened.position).position, Scripted())
    assert died.position.state.read(("_engine", "ending")) == "dead"


@pytest.mark.parametrize(
    ("may_end", "ending", "hp", "granted", "reason"),
    [
        (False, "dead", 0, True, ""),
        (False, "dead", 5, False, "the condition of the ending 'dead' does not hold"),
        (False, "public", 5, False, "there is no ending 'public'; there is dead"),
        (False, "choice", 5, False, "there is no ending 'choice'; there is dead"),
        (True, "dead", 5, True, ""),
        (True, "ashes", 5, True, ""),
        (True, "moon", 5, False, "there is no ending 'moon'; there is dead, public, ashes"),
    ],
)
def test_a_proposed_end(may_end: bool, ending: str, hp: int, granted: bool, reason: str) -> None:
    on = game(
        endings=[
            make_ending(LAYOUT, "choice", "luck >= 5", Outcome.WIN, *FINALE),
            make_ending(LAYOUT, "dead", "hp <= 0"),
        ],
        model_may_end=may_end,
    )
    step = take(on, Update(Op.SET, "hp", hp), End(ending))
    ruling = step.rulings[1]
    if granted:
        assert isinstance(ruling, Granted)
        assert ruling.changes[0].value == ending
        assert step.position.state.read(("_engine", "outcome")) == "lose"
    else:
        assert isinstance(ruling, Refused)
        assert (ruling.grade, ruling.reason) == (Grade.DROP, reason)


def test_what_stands_can_always_be_found_again() -> None:
    on = game(
        triggers=[
            make_trigger(LAYOUT, "a", "hp > 80"),
            make_trigger(LAYOUT, "b", "sum > 85"),
            make_trigger(LAYOUT, "c", "flags.a"),
        ],
        endings=[make_ending(LAYOUT, "e", "luck > 90", Outcome.WIN, *FINALE)],
        derived=DERIVED,
    )
    position = begin(on)
    for move in (
        up("hp", 9),
        Update(Op.SET, "flags", {"a": True}),
        up("luck", 95),
        Update(Op.SET, "luck", 0),
    ):
        step = take(on, move, position=position)
        position = settle(on, step.position, Scripted()).position
        assert position_of(on, position.state).standing == position.standing
    assert position.standing.triggers == {0, 1, 2}
    assert position.standing.endings == frozenset()


def test_a_position_knows_its_turn() -> None:
    start = begin(game())
    assert start.state.version == 0
    assert start.turn == 1
    later = advance(start)
    assert later.state.version == 1
    assert later.turn == 2
    assert later.state.document is start.state.document
    assert later.standing is start.standing
    assert replace(start) == start
