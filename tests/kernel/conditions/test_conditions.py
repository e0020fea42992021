"""Conditions: what an author wrote, asked of states; attacks; and the sweep against the naive oracle."""

import json
import pathlib
import sys
import time
import tracemalloc
from typing import Any

import pytest

from talewright.common.json_values import Json
from talewright.kernel.conditions.conditions import (
    Condition,
    Expression,
    Formula,
    parse_condition,
    parse_expression,
)
from talewright.kernel.conditions.expression_json import tree_to_json
from talewright.kernel.conditions.expression_tree import TURN, ExpressionError, ValueType
from talewright.kernel.slots.slot_types import Layout, Slot
from tests.kernel.making import boolean, enum, integer, listing, number, record, string
from tests.sweep import conditions as sweep

LAYOUT = Layout(
    {
        "hp": integer(80),
        "energy": integer(70),
        "luck": number(0.5),
        "name": string(),
        "suspicion": integer(10),
        "location": enum("dock", "tower"),
        "flags": record(chased=boolean()),
        "bag": listing(string(), "rope"),
        "places": listing(enum("dock", "tower")),
    }
)
DOCUMENT = LAYOUT.defaults()
CHASED = "suspicion >= 80 and flags.chased == false"


def test_a_condition_holds_or_not() -> None:
    condition = parse_condition(CHASED, LAYOUT)
    assert condition.source == CHASED
    assert condition.reads == {("suspicion",), ("flags", "chased")}
    assert tree_to_json(condition.tree) == [
        "and",
        [">=", [".", "suspicion"], 80],
        ["==", [".", "flags", "chased"], False],
    ]
    assert condition.holds(DOCUMENT, 1) is False
    assert condition.holds({**DOCUMENT, "suspicion": 80}, 1) is True
    assert condition.holds({**DOCUMENT, "suspicion": 80, "flags": {"chased": True}}, 1) is False


def test_the_turn_is_asked() -> None:
    condition = parse_condition("turn >= 3", LAYOUT)
    assert condition.reads == {TURN}
    assert [condition.holds(DOCUMENT, turn) for turn in (2, 3, 4)] == [False, True, True]


@pytest.mark.parametrize(
    "text",
    [
        "1 / 0 > 1",
        "not (1 / 0 > 1)",
        "hp / (hp - hp) == 1",
        "hp * 9007199254740991 > 1",
        "true and 1 / 0 > 1",
    ],
)
def test_without_an_answer_it_does_not_hold(text: str) -> None:
    assert parse_condition(text, LAYOUT).holds(DOCUMENT, 1) is False


def test_too_long_lists_have_no_answer() -> None:
    full: dict[str, Json] = {**DOCUMENT, "bag": ["rope"] * 10_000}
    over: dict[str, Json] = {**DOCUMENT, "bag": ["rope"] * 10_001}
    condition, expression = (
        parse_condition("has(bag, 'rope')", LAYOUT),
        parse_expression("count(bag, 'rope')", LAYOUT),
    )
    assert (condition.holds(full, 1), condition.holds(over, 1)) == (True, False)
    assert (expression.value(full, 1), expression.value(over, 1)) == (10_000, None)
    # Fuel is for one evaluation, not for the life of a condition.
    assert condition.holds(full, 1) is True


@pytest.mark.parametrize(
    ("text", "column", "what"),
    [
        ("hp", 1, "a number"),
        ("hp + 1", 4, "a number"),
        ("'a'", 1, "a text"),
        ("bag", 1, "a list"),
        ("flags", 1, "an o"),
    ],
)
def test_a_condition_must_be_true_or_false(text: str, column: int, what: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        parse_condition(text, LAYOUT)
    assert refused.value.message.startswith(f"a condition is true or false, and this is {what}")
    assert refused.value.column == column
    assert refused.value.suggestion == "Compare it with something, such as `hp > 0`."


EXPRESSIONS: list[tuple[str, ValueType, Json]] = [
    ("hp / 2 + 1", ValueType.NUMBER, 41),
    ("luck", ValueType.NUMBER, 0.5),
    ("hp > 1", ValueType.BOOLEAN, True),
    ("location", ValueType.TEXT, "dock"),
    ("bag", ValueType.LIST, ["rope"]),
    ("flags", ValueType.OBJECT, {"chased": False}),
    ("hp / 0", ValueType.NUMBER, None),
]


@pytest.mark.parametrize(("text", "given", "value"), EXPRESSIONS)
def test_expressions(text: str, given: ValueType, value: Json) -> None:
    expression = parse_expression(text, LAYOUT)
    assert expression.value_type is given
    for _ in range(2):
        assert expression.value(DOCUMENT, 1) == value
        assert type(expression.value(DOCUMENT, 1)) is type(value)


def test_an_expression_knows_turn_and_reads() -> None:
    expression = parse_expression("turn * hp", LAYOUT)
    assert expression.value(DOCUMENT, 3) == 240
    assert expression.reads == {TURN, ("hp",)}


def test_numbers_come_in_their_one_spelling() -> None:
    value = parse_expression("luck", LAYOUT).value({**DOCUMENT, "luck": 3.0}, 1)
    assert (value, type(value)) == (3, int)
    assert parse_expression("luck", LAYOUT).value({**DOCUMENT, "luck": float("inf")}, 1) is None


@pytest.mark.parametrize(
    ("slot", "fits"), [(integer(), True), (number(), True), (boolean(), False), (None, True)]
)
def test_an_expression_must_fit_its_slot(slot: Slot | None, fits: bool) -> None:
    if fits:
        assert parse_expression("hp + 1", LAYOUT, slot).value(DOCUMENT, 1) == 81
    else:
        with pytest.raises(ExpressionError, match="this gives a number"):
            parse_expression("hp + 1", LAYOUT, slot)


def test_meaning_is_checked_in_both() -> None:
    for read in (parse_condition, parse_expression):
        with pytest.raises(ExpressionError, match="there is no `hpp` in the state"):
            read("hpp > 1", LAYOUT)


def test_what_is_restored_can_be_confirmed_by_its_text() -> None:
    known: dict[tuple[type, str], Formula] = {}
    for _ in range(2):
        condition = Condition.restore("hp > 1", [">", [".", "hp"], 1], [["hp"]], LAYOUT)
        condition.confirm(known)
        assert condition.holds(DOCUMENT, 1)
        # Only a tree that was parsed knows its columns.
        assert condition.tree.column > 0
        expression = Expression.restore("hp + turn", ["+", [".", "hp"], ["turn"]], [["hp"], ["turn"]], LAYOUT)
        expression.confirm(known)
        assert expression.value(DOCUMENT, 2) == 82
    assert {source for _, source in known} == {"hp > 1", "hp + turn"}


@pytest.mark.parametrize(
    ("source", "tree", "reads", "told"),
    [
        ("hp > 1", True, [["hp"]], "not what its text says"),
        ("hp > 1", [">", [".", "hp"], True], [["hp"]], "not what its text says"),
        ("hp > 1", [">", [".", "hp"], 1], [], "not what its text says"),
        ("hp", [".", "hp"], [["hp"]], "true or false"),
        ("no_such > 1", [">", [".", "no_such"], 1], [["no_such"]], "no_such"),
        (7, [">", [".", "hp"], 1], [["hp"]], "missing"),
    ],
)
def test_what_its_text_does_not_say_is_not_confirmed(
    source: Any, tree: Json, reads: list[list[str]], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        Condition.restore(source, tree, reads, LAYOUT).confirm({})


def test_both_are_restored_without_reading_the_text() -> None:
    condition = Condition.restore("??", ["not", [".", "flags", "chased"]], [["flags", "chased"]], LAYOUT)
    assert condition.source == "??"
    assert condition.reads == {("flags", "chased")}
    assert condition.holds(DOCUMENT, 1) is True
    assert tree_to_json(condition.tree) == ["not", [".", "flags", "chased"]]
    assert condition.tree is condition.tree
    expression = Expression.restore("??", ["+", [".", "hp"], ["turn"]], [["hp"], ["turn"]], LAYOUT)
    assert expression.value(DOCUMENT, 5) == 85
    assert expression.value_type is ValueType.NUMBER
    assert expression.reads == {("hp",), TURN}


def test_restoring_builds_nothing_before_it_is_asked() -> None:
    condition = Condition.restore("hp > 1", ["no such form"], [["hp"]], LAYOUT)
    with pytest.raises(ValueError, match="heads no tree"):
        condition.holds(DOCUMENT, 1)


def test_equality_and_looks() -> None:
    one, other = parse_condition("hp > 1", LAYOUT), parse_condition("hp > 1", LAYOUT)
    assert one == other
    assert hash(one) == hash(other)
    assert one != parse_condition("hp > 2", LAYOUT)
    assert one != parse_expression("hp > 1", LAYOUT)
    assert one != "hp > 1"
    assert repr(one) == "Condition('hp > 1')"
    assert repr(parse_expression("hp", LAYOUT)) == "Expression('hp')"


def attacks() -> list[str]:
    lines = pathlib.Path(__file__).with_name("attacks.txt").read_text(encoding="utf-8").splitlines()
    forms = [json.loads(line) for line in lines if line and not line.startswith("#")]
    return [form if isinstance(form, str) else repeated(form) for form in forms]


def repeated(form: list[str | int]) -> str:
    texts, counts = form[::2], form[1::2]
    return "".join(str(text) * int(count) for text, count in zip(texts, counts, strict=True))


ATTACKS = attacks()


def test_there_are_many_attacks() -> None:
    assert len(set(ATTACKS)) == len(ATTACKS) >= 200


def test_every_attack_is_refused_at_once() -> None:
    # Whoever counts the lines that are run, or puts mistakes into them, cannot be in a hurry.
    limit_seconds = 0.010 if sys.gettrace() is None else 1
    for text in ATTACKS:
        seconds = []
        # The quickest of three: another process may take the processor away for longer than that.
        for _ in range(3):
            start = time.process_time()
            with pytest.raises(ExpressionError) as refused:
                parse_condition(text, LAYOUT)
            seconds.append(time.process_time() - start)
        assert min(seconds) < limit_seconds, text[:80]
        error = refused.value
        assert 1 <= error.column <= len(text) + 1
        told = error.message + error.suggestion
        assert told.isprintable()
        assert len(told) < 300


def test_attacks_leave_nothing_behind() -> None:
    def attack() -> None:
        for text in ATTACKS:
            with pytest.raises(ExpressionError):
                parse_condition(text, LAYOUT)

    attack()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        attack()
        assert tracemalloc.get_traced_memory()[0] - before < 200_000
    finally:
        tracemalloc.stop()


def test_random_programs_agree_with_the_oracle() -> None:
    done: list[int] = []
    assert sweep.run(1_000, 20_260_101, done.append) == 1_000
    assert done[-1] == 1_000
