"""Conditions: expressions an author wrote, ready to be asked of a state.

A condition only answers. It changes nothing and remembers nothing of the states it was asked about.
"""

from collections.abc import Iterable, Sequence
from typing import Self

from talewright.common.json_values import Json
from talewright.kernel.conditions.expression_evaluator import (
    FUEL_MAX,
    Document,
    Evaluator,
    TruthEvaluator,
    compile_truth,
    compile_value,
)
from talewright.kernel.conditions.expression_parser import parse
from talewright.kernel.conditions.expression_tree import ExpressionError, Node, reads_of, tree_from_json
from talewright.kernel.conditions.expression_types import PHRASES, ValueType, check, check_fit, type_of
from talewright.kernel.slots.slot_types import Layout, Slot
from talewright.kernel.state.documents import normal_number
from talewright.kernel.state.state_paths import Path


class Formula:
    """A text and the tree it is: what conditions and expressions have in common.

    A game may have ten thousand of them, of which a session asks a few. So one that comes from a compiled
    game keeps the JSON form, and builds its tree and the function made of it when they are first needed.
    """

    __slots__ = ("_form", "_layout", "_tree", "reads", "source")

    def __init__(
        self, source: str, reads: frozenset[Path], layout: Layout, tree: Node | None, form: Json = None
    ) -> None:
        self.source = source
        """The text as the author wrote it."""

        self.reads = reads
        """Paths the answer depends on, TURN among them where it asks for the turn."""

        self._layout = layout
        self._tree = tree
        self._form = form

    @classmethod
    def restore(cls, source: str, tree_json: Json, reads: Iterable[Sequence[str]], layout: Layout) -> Self:
        """One that was checked against this layout before; nothing is parsed or checked again."""
        return cls(source, frozenset(map(tuple, reads)), layout, None, tree_json)

    @property
    def tree(self) -> Node:
        """The tree; its columns are known only where the text has just been parsed."""
        if self._tree is None:
            self._tree = tree_from_json(self._form)
        return self._tree

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.source == other.source

    def __hash__(self) -> int:
        return hash(self.source)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.source!r})"


class Condition(Formula):
    """A question that a state answers with yes or no."""

    __slots__ = ("_judge",)

    _judge: TruthEvaluator

    def holds(self, document: Document, turn: int) -> bool:
        """Whether it is true of a document in a turn; where it has no answer it does not hold."""
        try:
            judge = self._judge
        except AttributeError:
            judge = self._judge = compile_truth(self.tree, self._layout)
        try:
            return judge(document, turn, [FUEL_MAX])
        except ArithmeticError:
            return False


class Expression(Formula):
    """A value that is computed from a state."""

    __slots__ = ("_evaluate",)

    _evaluate: Evaluator

    @property
    def value_type(self) -> ValueType:
        """What it gives."""
        return type_of(self.tree, self._layout)

    def value(self, document: Document, turn: int) -> Json:
        """What it gives for a document in a turn; None where it has no answer."""
        try:
            evaluate = self._evaluate
        except AttributeError:
            evaluate = self._evaluate = compile_value(self.tree, self._layout)
        try:
            value = evaluate(document, turn, [FUEL_MAX])
        except ArithmeticError:
            return None
        # A number read straight from a document may not be in its one spelling yet.
        return normal_number(value) if type(value) is float else value


def parse_condition(text: str, layout: Layout) -> Condition:
    """Read a condition and check it against the slots; ExpressionError where it is none."""
    tree = parse(text)
    given = check(tree, layout)
    if given is not ValueType.BOOLEAN:
        raise ExpressionError(
            f"a condition is true or false, and this is {PHRASES[given]}",
            tree.column,
            "Compare it with something, such as `hp > 0`.",
        )
    return Condition(text, reads_of(tree), layout, tree)


def parse_expression(text: str, layout: Layout, slot: Slot | None = None) -> Expression:
    """Read an expression and check it against the slots, and against the slot it is to fill."""
    tree = parse(text)
    check(tree, layout)
    if slot is not None:
        check_fit(tree, layout, slot)
    return Expression(text, reads_of(tree), layout, tree)
