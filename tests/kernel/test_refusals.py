"""What updates are refused, in which grade and with which words."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import ENGINE, MODEL, PLAYER, Op, Update
from talewright.kernel.judging.rulings import Grade, Granted, Refused
from talewright.kernel.judging.state_updates import judge_update
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import begin
from tests.kernel.every_kind import GAME, SLOTS, table
from tests.kernel.making import integer, listing, make_game, make_layout, opened, record


def refuse(op: Op, path: str, value: Json = None, cause: str = MODEL) -> tuple[Grade, str]:
    on = table()
    update = Update(op, path, value)
    ruling = judge_update(on, update, cause)
    assert isinstance(ruling, Refused), ruling
    assert ruling.move is update
    assert on.changes == []
    assert on.draft.document == GAME.initial
    return ruling.grade, ruling.reason


MEND, DROP = Grade.MEND, Grade.DROP
ROOTS = "the state has " + ", ".join(list(SLOTS)[:9]) + ", lit, fixed, double ..."


@pytest.mark.parametrize(
    ("op", "path", "value", "grade", "reason"),
    [
        (
            Op.SET,
            "nope",
            1,
            MEND,
            f"there is no 'nope'; {ROOTS}",
        ),
        (Op.SET, "time.houre", 1, MEND, "there is no 'time.houre'; time has day, hour, minute"),
        (Op.SET, "hp.x", 1, MEND, "there is no 'hp.x'; hp has no members"),
        (Op.SET, "", 1, MEND, "'' has an empty key; write keys with single dots between them"),
        (
            Op.SET,
            "/",
            1,
            MEND,
            f"there is no '/'; {ROOTS}",
        ),
        (Op.SET, "hp", "x", MEND, "hp is a whole number from 0 to 100, not 'x'"),
        (Op.SET, "hp", True, MEND, "hp is a whole number from 0 to 100, not true"),
        (Op.SET, "hp", None, MEND, "hp cannot be null; it is a whole number from 0 to 100"),
        (Op.SET, "place", "moon", MEND, "place is one of bar, docks, not 'moon'"),
        (Op.SET, "strict", 11, MEND, "strict is a whole number from 0 to 10, not 11"),
        (Op.SET, "stiff", 56, MEND, "stiff moves by at most 5 in one answer, from 50"),
        (
            Op.SET,
            "slow",
            10**400,
            MEND,
            "slow takes numbers that can be kept exact, not 1" + "0" * 56 + "...",
        ),
        (Op.SET, "slow", "x", MEND, "slow is a whole number from 0 to 100, not 'x'"),
        (Op.SET, "slow", True, MEND, "slow is a whole number from 0 to 100, not true"),
        (Op.SET, "bag.5", "x", MEND, "bag has 2 elements; there is no place '5'"),
        (Op.SET, "bag.-", "x", MEND, "there is no 'bag.-'; bag has no members"),
        (Op.SET, "scores", {"a": 1, "b": 1, "c": 1}, MEND, "scores takes at most 2 keys"),
        (Op.SET, "time", {"hour": 1, "week": 1}, MEND, "time has no member 'week'; it has day, hour, minute"),
        (Op.SET, "time", {"hour": "late"}, MEND, "time.hour is a whole number, not 'late'"),
        (Op.SET, "time", 5, MEND, "time is an object with day, hour, minute, not 5"),
        (Op.SET, "trust", 5, DROP, "trust may only go up or down (inc, dec)"),
        (Op.SET, "fixed", 5, DROP, "fixed is not yours to write"),
        (Op.SET, "plot", "x", DROP, "plot is not yours to write"),
        (Op.SET, "plot", 5, DROP, "plot is not yours to write"),
        (Op.SET, "double", 5, DROP, "double is computed and cannot be written"),
        (Op.SET, "_engine.ending", "win", DROP, "_engine belongs to the engine"),
        (Op.SET, "sealed", {"open": 1, "shut": 8}, DROP, "sealed.shut is not yours to write"),
        (
            Op.SET,
            "vault",
            [],
            DROP,
            "vault holds members that are not yours to write; change its elements singly",
        ),
        (Op.PUSH, "vault", {"shut": 1}, DROP, "vault.1.shut is not yours to write"),
        (Op.TEST, "plot", "the mayor", DROP, "plot is not yours to write"),
        (Op.INC, "name", 1, MEND, "name is a text of at most 10 characters; inc and dec are for numbers"),
        (Op.INC, "rank", 1, DROP, "rank may only be set"),
        (Op.DEC, "fixed", 1, DROP, "fixed is not yours to write"),
        (Op.INC, "hp", -1, MEND, "inc and dec take a number of 0 or more, not -1"),
        (Op.INC, "hp", "1", MEND, "inc and dec take a number of 0 or more, not '1'"),
        (Op.INC, "hp", True, MEND, "inc and dec take a number of 0 or more, not true"),
        (Op.INC, "hp", float("inf"), MEND, "inc and dec take a number of 0 or more, not inf"),
        (Op.INC, "hp", 0.5, MEND, "hp is a whole number from 0 to 100, not 80.5"),
        (Op.PUSH, "hp", 1, MEND, "hp is a whole number from 0 to 100; push and remove are for lists"),
        (
            Op.PUSH,
            "name",
            "x",
            MEND,
            "name is a text of at most 10 characters; push and remove are for lists",
        ),
        (
            Op.PUSH,
            "empty_list",
            1,
            MEND,
            "empty_list is a list of at most 500 elements; push and remove are for lists",
        ),
        (Op.PUSH, "bag", 5, MEND, "bag.2 is a text of at most 10 characters, not 5"),
        (Op.REMOVE, "bag", "rope", MEND, "bag has nothing equal to 'rope'"),
        (Op.REMOVE, "fixed", "rope", DROP, "fixed is not yours to write"),
        (Op.TOGGLE, "hp", None, MEND, "hp is a whole number from 0 to 100; toggle is for true and false"),
        (Op.TOGGLE, "fixed", None, DROP, "fixed is not yours to write"),
        (Op.INSERT, "hp", 1, MEND, "nothing can be inserted at hp"),
        (Op.INSERT, "scores.a", 1, MEND, "scores.a is there already; set it"),
        (Op.INSERT, "time.hour", 1, MEND, "time.hour is there already; set it"),
        (Op.INSERT, "bag.4", "x", MEND, "bag has 2 elements; there is no place '4'"),
        (Op.INSERT, "empty_list.0", 1, MEND, "nothing can be inserted at empty_list.0"),
        (Op.DELETE, "hp", None, MEND, "hp always exists and cannot be deleted"),
        (Op.DELETE, "time.hour", None, MEND, "time.hour always exists and cannot be deleted"),
        (Op.DELETE, "scores.z", None, MEND, "there is nothing at scores.z"),
        (Op.DELETE, "bag.2", None, MEND, "there is nothing at bag.2"),
        (Op.TEST, "hp", 81, MEND, "hp was expected to be 81; it is 80"),
        (Op.TEST, "scores.z", 81, MEND, "scores.z was expected to be 81; it is nothing"),
    ],
)
def test_refused(op: Op, path: str, value: Json, grade: Grade, reason: str) -> None:
    assert refuse(op, path, value) == (grade, reason)


def full(path: str, value: Json) -> tuple[WorkingState, Update]:
    on = table()
    judge_update(on, Update(Op.PUSH, "bag", "a"), MODEL)
    judge_update(on, Update(Op.SET, "scores.b", 1), MODEL)
    return on, Update(Op.INSERT, path, value)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("bag.0", "x", "bag is full: a list of at most 3 elements"),
        ("scores.c", 1, "scores takes at most 2 keys"),
    ],
)
def test_what_is_full_takes_no_more(path: str, value: Json, reason: str) -> None:
    on, update = full(path, value)
    ruling = judge_update(on, update, MODEL)
    assert isinstance(ruling, Refused)
    assert (ruling.grade, ruling.reason) == (MEND, reason)


def test_a_null_object_has_no_members_to_write() -> None:
    on = table()
    judge_update(on, Update(Op.SET, "maybe", None), MODEL)
    ruling = judge_update(on, Update(Op.SET, "maybe.x", 2), MODEL)
    assert isinstance(ruling, Refused)
    assert ruling.reason == "nothing can be inserted at maybe.x"
    assert isinstance(judge_update(on, Update(Op.SET, "maybe", {"x": 4}), MODEL), Granted)
    assert on.draft.document["maybe"] == {"x": 4}


def test_a_null_number_is_set_first() -> None:
    layout = make_layout({"n": replace(integer(), nullable=True, default=None)})
    game = make_game(layout)
    on = WorkingState(game, begin(game))
    ruling = judge_update(on, Update(Op.INC, "n", 1), MODEL)
    assert isinstance(ruling, Refused)
    assert ruling.reason == "n is null; set it first"
    assert isinstance(judge_update(on, Update(Op.SET, "n", 1), MODEL), Granted)
    assert isinstance(judge_update(on, Update(Op.SET, "n", None), MODEL), Granted)


@pytest.mark.parametrize("cause", ["scene:s", "trigger:t", "system:x", "import", ENGINE])
def test_nobody_writes_what_is_computed(cause: str) -> None:
    assert refuse(Op.SET, "double", 5, cause)[0] is DROP


def test_the_player_has_no_more_authority_than_the_model() -> None:
    assert refuse(Op.SET, "fixed", 5, PLAYER) == (DROP, "fixed is not yours to write")


def test_nobody_but_the_engine_writes_its_root() -> None:
    assert refuse(Op.SET, "_engine.scene", "x", "system:x") == (DROP, "_engine belongs to the engine")


def test_secret_names_are_not_told_to_proposers() -> None:
    layout = make_layout({"a": integer(), "hush": integer(0, secret=True)})
    game = make_game(layout)
    told = judge_update(WorkingState(game, begin(game)), Update(Op.SET, "x", 1), MODEL)
    assert isinstance(told, Refused)
    assert told.reason == "there is no 'x'; the state has a"
    told = judge_update(WorkingState(game, begin(game)), Update(Op.SET, "x", 1), "scene:s")
    assert isinstance(told, Refused)
    assert told.reason == "there is no 'x'; the state has a, hush"


def test_a_half_done_set_leaves_nothing() -> None:
    assert refuse(Op.SET, "time", {"hour": 3, "minute": "x"}) == (
        MEND,
        "time.minute is a whole number from 0 to 59, not 'x'",
    )


def test_twelve_names_are_listed_without_dots() -> None:
    layout = make_layout({f"n{number}": integer() for number in range(12)})
    game = make_game(layout)
    told = judge_update(WorkingState(game, begin(game)), Update(Op.SET, "x", 1), MODEL)
    assert isinstance(told, Refused)
    assert told.reason.endswith("n10, n11")


def test_guards_are_found_at_any_depth() -> None:
    inner = listing(record(deep=record(shut=integer(0, readonly=True))))
    for slot in (
        inner,
        listing(opened(integer(0, secret=True))),
        listing(record(a=integer(), d=integer(0, derived="1"))),
    ):
        layout = make_layout({"x": slot})
        game = make_game(layout)
        ruling = judge_update(WorkingState(game, begin(game)), Update(Op.SET, "x", []), MODEL)
        assert isinstance(ruling, Refused)
        assert ruling.grade is DROP
