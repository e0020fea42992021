"""Refits: values keep their places, new ones come from defaults, and what no longer fits is refused."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.judging.rulings import Refusal
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.state.changes import apply, invert
from talewright.kernel.state.documents import ABSENT
from talewright.kernel.state.state import State, begin
from talewright.kernel.state.state_migration import MIGRATION_REASON, MigratedState, migrate_state
from tests.kernel.making import (
    boolean,
    enum,
    integer,
    listing,
    make_game,
    make_layout,
    number,
    opened,
    record,
    string,
)

ENGINE: Mapping[str, Json] = make_layout({}).defaults()


def game_of(derived: tuple[tuple[str, str], ...] = (), **slots: Slot) -> Game:
    return make_game(make_layout(slots), derived=derived)


def computed(expression: str) -> Slot:
    return replace(integer(), derived=expression)


def document(**values: Json) -> State:
    return State({**values, **ENGINE}, version=7)


def fitted(game: Game, state: State) -> MigratedState:
    """Refit; going back must give the old document."""
    found = migrate_state(game, state)
    assert found.state.version == state.version
    assert apply(state.document, found.changes) == found.state.document
    assert apply(found.state.document, invert(found.changes)) == state.document
    return found


def lines(found: MigratedState) -> list[tuple[str, str, object]]:
    assert {(change.reason, change.cause) for change in found.changes} <= {(MIGRATION_REASON, "engine")}
    return [(c.op, c.path, c.was if c.value is ABSENT else c.value) for c in found.changes]


def test_what_fits_stays_as_it_is() -> None:
    game = game_of(a=integer(1, 0, 9), b=string(), c=record(d=boolean()), e=listing(integer()))
    state = document(a=5, b="x", c={"d": True}, e=[1, 2])
    assert fitted(game, state) == MigratedState(state, ())


def test_numbers_with_too_many_places_are_rounded_and_others_that_do_not_fit_are_refused() -> None:
    game = game_of(a=number(0, 0, 1), b=listing(number()))
    found = fitted(game, document(a=0.30000000000000004, b=[0.5, -8.881784197e-16]))
    assert lines(found) == [("replace", "/a", 0.3), ("replace", "/b/1", 0)]
    with pytest.raises(Refusal, match="a is a number from 0 to 1"):
        migrate_state(game, document(a=1.5, b=[]))


def test_new_roots_get_the_first_state_of_the_game() -> None:
    found = fitted(game_of(a=integer(1), b=record(c=integer(2))), document(a=5))
    assert lines(found) == [("add", "/b", {"c": 2})]


def test_roots_that_are_gone_are_dropped() -> None:
    found = fitted(game_of(a=integer(1)), document(a=5, b=[1]))
    assert lines(found) == [("remove", "/b", [1])]


def test_members_come_and_go_at_any_depth() -> None:
    game = game_of(a=record(b=record(new=string("n"), kept=integer())))
    found = fitted(game, document(a={"b": {"old": 1, "kept": 2}, "gone": {}}))
    assert lines(found) == [
        ("add", "/a/b/new", "n"),
        ("remove", "/a/b/old", 1),
        ("remove", "/a/gone", {}),
    ]


def test_members_of_open_objects_are_kept_and_looked_into() -> None:
    game = game_of(a=replace(opened(record(n=integer(), m=integer(9))), fields={"own": integer(3)}))
    found = fitted(game, document(a={"x": {"n": 1}, "own": 4}))
    assert lines(found) == [("add", "/a/x/m", 9)]


def test_elements_gain_and_lose_fields() -> None:
    game = game_of(a=listing(record(n=integer(), wet=boolean(True))))
    found = fitted(game, document(a=[{"n": 1, "dry": 0}, {"n": 2, "wet": False}]))
    assert lines(found) == [("add", "/a/0/wet", True), ("remove", "/a/0/dry", 0)]


def test_the_engines_own_root_is_refitted_too() -> None:
    engine = ENGINE["_engine"]
    assert isinstance(engine, dict)
    older = {name: value for name, value in engine.items() if name != "facts"}
    found = fitted(game_of(a=integer()), State({"a": 1, "_engine": older}, 7))
    assert lines(found) == [("add", "/_engine/facts", [])]


REFUSED: list[tuple[Slot, Json, str]] = [
    (string(), 5, "a is a text of at most 2000 characters, not 5"),
    (integer(), "x", "a is a whole number, not 'x'"),
    (boolean(), 1, "a is true or false, not 1"),
    (enum("red", "blue"), "green", "a is one of red, blue, not 'green'"),
    (record(b=integer()), [1], "a is an object with b, not a list"),
    (listing(integer()), {"b": 1}, "a is a list of at most 500 elements, not an object"),
    (listing(integer()), [1, "x"], "a.1 is a whole number, not 'x'"),
    (record(b=record(c=integer())), {"b": {"c": None}}, "a.b.c cannot be null; it is a whole number"),
    (opened(integer()), {"b": "x"}, "a.b is a whole number, not 'x'"),
]


@pytest.mark.parametrize(("slot", "value", "reason"), REFUSED)
def test_a_value_of_another_kind_is_refused(slot: Slot, value: Json, reason: str) -> None:
    with pytest.raises(Refusal) as caught:
        migrate_state(game_of(a=slot), document(a=value))
    assert caught.value.reason == reason


def test_nobody_guesses_what_a_value_should_have_become() -> None:
    with pytest.raises(Refusal) as caught:
        migrate_state(game_of(a=integer(0, 0, 4)), document(a=5))
    assert caught.value.reason == "a is a whole number from 0 to 4, not 5"
    assert migrate_state(game_of(a=integer(0, 0, 5)), document(a=5)).changes == ()
    with pytest.raises(Refusal):
        migrate_state(game_of(a=listing(integer(), max_items=1)), document(a=[1, 2]))
    assert migrate_state(game_of(a=listing(integer(), max_items=2)), document(a=[1, 2])).changes == ()


def test_whole_numbers_are_numbers() -> None:
    assert migrate_state(game_of(a=number(0, 0, 9)), document(a=5)).changes == ()


def test_what_is_computed_is_computed_anew() -> None:
    slots = {"a": integer(2), "b": computed("a * 2"), "c": computed("b + 1")}
    game = game_of((("b", "a * 2"), ("c", "b + 1")), **slots)
    found = migrate_state(game, document(a=5, b="what it once was", c=0))
    assert (found.state.document["b"], found.state.document["c"]) == (10, 11)
    assert [(c.op, c.path, c.value, c.reason) for c in found.changes] == [
        ("replace", "/b", 10, ""),
        ("replace", "/c", 11, ""),
    ]


def test_deriving_everything_whatever_has_changed() -> None:
    slots = {"a": integer(2), "b": computed("a * 2"), "c": replace(computed("b / 0"), default=7)}
    game = game_of((("b", "a * 2"), ("c", "b / 0")), **slots)
    table = WorkingState(game, begin(game))
    table.derive()
    # Nothing can be divided by zero: the default is shown, and stands there already.
    assert [(c.path, c.value) for c in table.changes] == [("/b", 4)]
    table.derive()
    assert len(table.changes) == 1
