"""What updates are granted, and the changes they lead to."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import ENGINE, MODEL, Op, Update
from talewright.kernel.judging.rulings import Granted, Refused
from talewright.kernel.judging.state_updates import judge_update
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.slot_types import Carry
from talewright.kernel.state.changes import Change, to_operation
from talewright.kernel.state.documents import ABSENT
from talewright.kernel.state.state import begin
from tests.kernel.every_kind import table
from tests.kernel.making import (
    integer,
    listing,
    make_game,
    make_layout,
    number,
    opened,
    record,
)


def grant(op: Op, path: str, value: Json = None, cause: str = MODEL) -> list[Json]:
    """The operations an update leads to."""
    on = table()
    update = Update(op, path, value, "why")
    ruling = judge_update(on, update, cause)
    assert isinstance(ruling, Granted), ruling
    assert ruling.move is update
    assert ruling.result is None
    assert ruling.changes == tuple(on.changes)
    assert all(change.reason == "why" and change.cause == cause for change in ruling.changes)
    return [to_operation(change) for change in ruling.changes]


def put(path: str, value: Json) -> Json:
    return {"op": "replace", "path": path, "value": value}


@pytest.mark.parametrize(
    ("op", "path", "value", "operations"),
    [
        (Op.SET, "hp", 30, [put("/hp", 30)]),
        (Op.SET, "/hp", 30.0, [put("/hp", 30)]),
        (Op.SET, "hp", 80, []),
        (Op.SET, "free", 2.25, [put("/free", 2.25)]),
        (Op.SET, "name", "黎安", [put("/name", "黎安")]),
        (Op.SET, "place", "docks", [put("/place", "docks")]),
        (Op.SET, "lit", True, [put("/lit", True)]),
        (Op.SET, "bag", ["x"], [put("/bag", ["x"])]),
        (Op.SET, "bag.1", "x", [put("/bag/1", "x")]),
        (Op.SET, "pack.0.qty", 5, [put("/pack/0/qty", 5)]),
        (Op.SET, "maybe", None, [put("/maybe", None)]),
        (Op.SET, "time", {"hour": 22}, [put("/time/hour", 22)]),
        (
            Op.SET,
            "time",
            {"minute": 75, "hour": 21},
            [put("/time/hour", 21), put("/time/hour", 22), put("/time/minute", 15)],
        ),
        (Op.SET, "scores.b", 4, [{"op": "add", "path": "/scores/b", "value": 4}]),
        (
            Op.SET,
            "scores",
            {"b": 4},
            [{"op": "remove", "path": "/scores/a"}, {"op": "add", "path": "/scores/b", "value": 4}],
        ),
        (Op.SET, "people.lian", {"trust": 3}, [put("/people/lian/trust", 3)]),
        (
            Op.SET,
            "people.mayor",
            {"trust": 3},
            [{"op": "add", "path": "/people/mayor", "value": {"trust": 3, "oath": False}}],
        ),
        (Op.SET, "sealed", {"open": 1, "shut": 7}, [put("/sealed/open", 1)]),
        (Op.INC, "hp", 5, [put("/hp", 85)]),
        (Op.INC, "hp", 0, []),
        (Op.DEC, "hp", 5, [put("/hp", 75)]),
        (Op.INC, "free", 0.25, [put("/free", 1.75)]),
        (Op.INC, "trust", 4, [put("/trust", 4)]),
        (Op.INC, "scores.a", 2, [put("/scores/a", 3)]),
        (Op.INC, "scores.b", 2, [{"op": "add", "path": "/scores/b", "value": 12}]),
        (Op.DEC, "people.lian.trust", 2, [put("/people/lian/trust", -1)]),
        (Op.INC, "time.minute", 55, [put("/time/hour", 21), put("/time/minute", 5)]),
        (Op.INC, "time.minute", 130, [put("/time/hour", 22), put("/time/minute", 20)]),
        (Op.INC, "time.minute", 49, [put("/time/minute", 59)]),
        (Op.INC, "time.minute", 50, [put("/time/hour", 21), put("/time/minute", 0)]),
        (Op.DEC, "time.minute", 11, [put("/time/hour", 19), put("/time/minute", 59)]),
        (Op.SET, "time.minute", 75, [put("/time/hour", 21), put("/time/minute", 15)]),
        (Op.PUSH, "bag", "rope", [{"op": "add", "path": "/bag/2", "value": "rope"}]),
        (
            Op.PUSH,
            "pack",
            {"id": "coin"},
            [{"op": "add", "path": "/pack/1", "value": {"id": "coin", "qty": 1}}],
        ),
        (Op.REMOVE, "bag", "knife", [{"op": "remove", "path": "/bag/1"}]),
        (Op.TOGGLE, "lit", None, [put("/lit", True)]),
        (Op.INSERT, "bag.0", "rope", [{"op": "add", "path": "/bag/0", "value": "rope"}]),
        (Op.INSERT, "bag.2", "rope", [{"op": "add", "path": "/bag/2", "value": "rope"}]),
        (Op.INSERT, "scores.b", 99, [{"op": "add", "path": "/scores/b", "value": 20}]),
        (Op.DELETE, "scores.a", None, [{"op": "remove", "path": "/scores/a"}]),
        (Op.DELETE, "bag.0", None, [{"op": "remove", "path": "/bag/0"}]),
        (Op.TEST, "hp", 80, []),
        (Op.TEST, "hp", 80.0, []),
        (Op.TEST, "fixed", 3, []),
        (Op.TEST, "double", 0, []),
    ],
)
def test_granted(op: Op, path: str, value: Json, operations: list[Json]) -> None:
    assert grant(op, path, value) == operations


def only_change(op: Op, path: str, value: Json = None, cause: str = MODEL) -> Change:
    on = table()
    ruling = judge_update(on, Update(op, path, value), cause)
    assert isinstance(ruling, Granted)
    (change,) = ruling.changes
    return change


def test_a_change_knows_what_stood_there() -> None:
    assert only_change(Op.INC, "hp", 5).was == 80
    assert only_change(Op.PUSH, "bag", "rope").was is ABSENT
    assert only_change(Op.REMOVE, "bag", "watch").was == "watch"


@pytest.mark.parametrize(
    ("op", "path", "value", "result", "clamped"),
    [
        (Op.SET, "hp", 101, 100, True),
        (Op.INC, "hp", 20, 100, False),
        (Op.INC, "hp", 21, 100, True),
        (Op.DEC, "hp", 500, 0, True),
        (Op.SET, "slow", 55, 55, False),
        (Op.SET, "slow", 56, 55, True),
        (Op.SET, "slow", 45, 45, False),
        (Op.SET, "slow", 44, 45, True),
        (Op.SET, "stiff", 55, 55, False),
        (Op.DEC, "stiff", 5, 45, False),
        (Op.INSERT, "scores.b", 21, 20, True),
        (Op.SET, "scores.b", 21, 20, True),
        (Op.PUSH, "pack", {"id": "x", "qty": 100}, {"id": "x", "qty": 99}, True),
        (Op.SET, "pack", [{"id": "x", "qty": 100}], [{"id": "x", "qty": 99}], True),
        (Op.SET, "name", "x", "x", False),
    ],
)
def test_out_of_range_is_brought_in_and_said(
    op: Op, path: str, value: Json, result: Json, clamped: bool
) -> None:
    change = only_change(op, path, value)
    assert (change.value, change.clamped) == (result, clamped)


def test_the_largest_step_counts_from_where_the_answer_began() -> None:
    on = table()
    for _ in range(3):
        judge_update(on, Update(Op.INC, "slow", 3), MODEL)
    assert on.draft.document["slow"] == 55


def test_numbers_are_rounded_so_that_what_is_shown_is_what_is_compared() -> None:
    game = make_game(
        make_layout(
            {
                "purse": number(0.7, 0, 10),
                "pace": replace(number(0.2), max_step=0.1, clamp=False),
                "left": replace(number(0), derived="purse - 0.7"),
                "counts": opened(number(0.1)),
                "past": listing(number()),
            }
        ),
        derived=(("left", "purse - 0.7"),),
    )
    on = WorkingState(game, begin(game))
    for op, path, value in (
        *((Op.DEC, "purse", 0.1),) * 7,
        *((Op.INC, "purse", 0.1),) * 3,
        (Op.INC, "pace", 0.1),
        (Op.INC, "counts.new", 0.2),
        (Op.SET, "counts.set", 0.12345678949),
        (Op.PUSH, "past", -8.881784197e-16),
    ):
        assert isinstance(judge_update(on, Update(op, path, value), MODEL), Granted), path
    on.refresh()
    found = on.draft.document
    assert [change.value for change in on.changes[:10]] == [0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0, 0.1, 0.2, 0.3]
    assert (found["pace"], found["left"], found["past"]) == (0.3, -0.4, [0])
    assert found["counts"] == {"new": 0.3, "set": 0.123456789}
    assert repr(found["past"]) == "[0]"


def test_a_whole_number_is_not_rounded_to_one() -> None:
    game = make_game(make_layout({"hp": integer(3)}))
    ruling = judge_update(WorkingState(game, begin(game)), Update(Op.SET, "hp", 2.9999999999), MODEL)
    assert isinstance(ruling, Refused)


def test_the_largest_step_of_a_new_element_counts_from_itself() -> None:
    layout = make_layout({"scores": opened(integer(0, max_step=2))})
    game = make_game(layout)
    on = WorkingState(game, begin(game))
    judge_update(on, Update(Op.SET, "scores.a", 50), MODEL)
    judge_update(on, Update(Op.SET, "scores.a", 60), MODEL)
    assert on.draft.document["scores"] == {"a": 52}


def test_a_carry_cut_by_a_bound_is_said() -> None:
    layout = make_layout(
        {"time": record(hour=integer(24, 0, 24), minute=integer(50, carry=Carry("hour", 60)))}
    )
    game = make_game(layout)
    on = WorkingState(game, begin(game))
    judge_update(on, Update(Op.INC, "time.minute", 20), MODEL)
    assert [(to_operation(change), change.clamped) for change in on.changes] == [
        (put("/time/minute", 10), True)
    ]


@pytest.mark.parametrize("cause", ["scene:s", "trigger:t", "system:x", "import", ENGINE])
def test_others_than_model_and_player_write_closed_slots(cause: str) -> None:
    assert grant(Op.SET, "fixed", 5, cause) == [put("/fixed", 5)]
    assert grant(Op.SET, "plot", "x", cause) == [put("/plot", "x")]
    assert grant(Op.SET, "vault", [], cause) == [put("/vault", [])]


def test_the_engine_writes_its_own_root() -> None:
    assert grant(Op.SET, "_engine.scene", "x", ENGINE) == [put("/_engine/scene", "x")]
