"""Expressions: trees as values, what they read, and their JSON form."""

import json

import pytest

from talewright.common.json_values import Json
from talewright.kernel.conditions.condition_functions import CONDITION_FUNCTIONS
from talewright.kernel.conditions.expression_json import tree_from_json, tree_to_json
from talewright.kernel.conditions.expression_tree import (
    ARITHMETIC_SIGNS,
    COMPARISON_SIGNS,
    RESERVED_WORDS,
    TURN,
    Arithmetic,
    Comparison,
    ExpressionError,
    FunctionCall,
    Junction,
    Literal,
    Negative,
    Node,
    Not,
    PathReading,
    TurnNumber,
    children_of,
    nodes_of,
    reads_of,
)

HP = PathReading(("hp",))
CHASED = PathReading(("flags", "chased"))
HP_FORM: Json = [".", "hp"]
CHASED_FORM: Json = [".", "flags", "chased"]

FORMS: list[tuple[Node, Json]] = [
    (Literal(3), 3),
    (Literal(0.5), 0.5),
    (Literal("rope"), "rope"),
    (Literal(True), True),
    (HP, HP_FORM),
    (CHASED, CHASED_FORM),
    (TurnNumber(), ["turn"]),
    (Negative(HP), ["negative", HP_FORM]),
    (Not(CHASED), ["not", CHASED_FORM]),
    (Junction("and", (CHASED, Literal(True), CHASED)), ["and", CHASED_FORM, True, CHASED_FORM]),
    (Junction("or", (CHASED, Literal(False))), ["or", CHASED_FORM, False]),
    *((Arithmetic(sign, HP, Literal(2)), [sign, HP_FORM, 2]) for sign in ARITHMETIC_SIGNS),
    *((Comparison(sign, Literal(2), HP), [sign, 2, HP_FORM]) for sign in COMPARISON_SIGNS),
    *((FunctionCall(name, (HP, Literal("a"))), [name, HP_FORM, "a"]) for name in CONDITION_FUNCTIONS),
    (FunctionCall("len", (HP,)), ["len", HP_FORM]),
]


@pytest.mark.parametrize(("tree", "form"), FORMS)
def test_a_tree_and_its_form_are_one(tree: Node, form: Json) -> None:
    assert tree_to_json(tree) == form
    back = tree_from_json(json.loads(json.dumps(form)))
    assert back == tree
    assert type(back) is type(tree)
    assert back.column == 0


def test_a_form_keeps_what_is_true_apart_from_one() -> None:
    assert tree_from_json(True) == Literal(True)
    assert tree_from_json(1) == Literal(1)
    assert tree_to_json(Literal(True)) is True


NO_FORMS: list[tuple[Json, str]] = [
    (None, "a tree is a plain value or a list headed by a word or sign"),
    ([], "a tree is a plain value or a list headed by a word or sign"),
    ({"and": 1}, "a tree is a plain value or a list headed by a word or sign"),
    (["nand", 1, 2], "'nand' heads no tree of 2 parts"),
    ([3], "3 heads no tree of 0 parts"),
    ([["+", 1, 2]], "['+', 1, 2] heads no tree of 0 parts"),
    (["+", 1], "'+' heads no tree of 1 parts"),
    (["+", 1, 2, 3], "'+' heads no tree of 3 parts"),
    ([">=", 1], "'>=' heads no tree of 1 parts"),
    (["==", 1, 2, 3], "'==' heads no tree of 3 parts"),
    (["turn", 1], "'turn' heads no tree of 1 parts"),
    (["not"], "'not' heads no tree of 0 parts"),
    (["not", True, True], "'not' heads no tree of 2 parts"),
    (["negative"], "'negative' heads no tree of 0 parts"),
    (["negative", 1, 2], "'negative' heads no tree of 2 parts"),
]


@pytest.mark.parametrize(("form", "message"), NO_FORMS)
def test_what_is_no_form_is_refused(form: Json, message: str) -> None:
    with pytest.raises(ValueError) as refused:
        tree_from_json(form)
    assert str(refused.value) == message


def test_columns_are_not_compared() -> None:
    assert Comparison(">", PathReading(("hp",), 1), Literal(3, 6), 4) == Comparison(">", HP, Literal(3))
    assert hash(Literal("a", 4)) == hash(Literal("a"))
    assert hash(PathReading(("hp",), 7)) == hash(HP)
    assert TurnNumber(3) == TurnNumber(9)
    assert FunctionCall("len", (HP,), 1) == FunctionCall("len", (HP,), 2)
    assert Junction("or", (HP, HP), 1) == Junction("or", (HP, HP), 2)
    assert Arithmetic("+", HP, HP, 1) == Arithmetic("+", HP, HP, 2)
    assert Not(HP, 1) == Not(HP, 2)
    assert Negative(HP, 1) == Negative(HP, 2)


def test_literals_are_equal_by_type() -> None:
    assert Literal(1) == Literal(1)
    assert Literal(1) != Literal(2)
    assert Literal(True) != Literal(1)
    assert Literal("1") != Literal(1)
    assert Literal(1) != 1
    assert Literal(1).column == 0


def test_children_and_nodes() -> None:
    one, two, three = Literal(1), Literal(2), Literal(3)
    assert children_of(one) == children_of(HP) == children_of(TurnNumber()) == ()
    assert children_of(Not(HP)) == children_of(Negative(HP)) == (HP,)
    assert children_of(Junction("and", (one, two, three))) == (one, two, three)
    assert children_of(Arithmetic("-", one, two)) == (one, two)
    assert children_of(Comparison("<", two, one)) == (two, one)
    assert children_of(FunctionCall("min", (three, one))) == (three, one)
    tree = Comparison("<", Arithmetic("+", one, two), HP)
    assert set(nodes_of(tree)) == {tree, Arithmetic("+", one, two), one, two, HP}


def test_reads() -> None:
    tree = Junction("and", (Not(CHASED), Comparison(">", TurnNumber(), Negative(HP)), CHASED))
    assert reads_of(tree) == {("flags", "chased"), TURN, ("hp",)}
    assert reads_of(Literal("hp")) == frozenset()
    assert TURN == ("turn",)


def test_reserved_words() -> None:
    assert sorted(RESERVED_WORDS) == ["and", "false", "in", "not", "or", "true", "turn"]


def test_an_error_says_what_where_and_what_else() -> None:
    error = ExpressionError("wrong", 3, "Do right.")
    assert (error.message, error.column, error.suggestion, str(error)) == ("wrong", 3, "Do right.", "wrong")
    assert ExpressionError("wrong", 1).suggestion == ""
