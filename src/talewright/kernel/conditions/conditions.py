"""Conditions: expressions an author wrote, parsed and ready to be evaluated on a state.

Evaluating a condition changes nothing and has no memory of earlier evaluations.
"""

from collections.abc import Iterable, Sequence
from typing import Self

from talewright.common.json_values import Json
from talewright.kernel.conditions.evaluation_fuel import FUEL_MAX, Document, Evaluator
from talewright.kernel.conditions.expression_evaluator import TruthEvaluator, compile_truth, compile_value
from talewright.kernel.conditions.expression_json import tree_from_json
from talewright.kernel.conditions.expression_parser import parse
from talewright.kernel.conditions.expression_tree import PHRASES, ExpressionError, Node, ValueType, reads_of
from talewright.kernel.conditions.expression_types import check, check_fit, type_of
from talewright.kernel.slots.slot_types import Layout, Slot
from talewright.kernel.state.documents import normal_number
from talewright.kernel.state.state_paths import Path


class Formula:
    """A text and its tree: the common base of conditions and expressions.

    A game may have ten thousand of them, but a session evaluates only a few. A formula from a compiled game
    therefore stores its JSON form, and builds the tree and the function from it on first use.
    """

    __slots__ = ("_form", "_layout", "_tree", "reads", "source")

    def __init__(
        self, source: str, reads: frozenset[Path], layout: Layout, tree: Node | None, form: Json = None
    ) -> None:
        self.source = source
        """The text as the author wrote it."""

        self.reads = reads
        """Paths that the result depends on, including TURN if it reads the turn number."""

        self._layout = layout
        self._tree = tree
        self._form = form

    @classmethod
    def restore(cls, source: str, tree_json: Json, reads: Iterable[Sequence[str]], layout: Layout) -> Self:
        """Restore a formula already checked against this layout; nothing is parsed or checked again."""
        return cls(source, frozenset(map(tuple, reads)), layout, None, tree_json)

    @property
    def tree(self) -> Node:
        """The tree; it has columns only if the text was just parsed."""
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
    """A yes-or-no question about a state."""

    __slots__ = ("_judge",)

    _judge: TruthEvaluator

    def holds(self, document: Document, turn: int) -> bool:
        """Whether it is true of a document in a turn; false if it has no answer."""
        try:
            judge = self._judge
        except AttributeError:
            judge = self._judge = compile_truth(self.tree, self._layout)
        try:
            return judge(document, turn, [FUEL_MAX])
        except ArithmeticError:
            return False


class Expression(Formula):
    """A value computed from a state."""

    __slots__ = ("_evaluate",)

    _evaluate: Evaluator

    @property
    def value_type(self) -> ValueType:
        """The type of its value."""
        return type_of(self.tree, self._layout)

    def value(self, document: Document, turn: int) -> Json:
        """Its value for a document in a turn; None if it has no answer."""
        try:
            evaluate = self._evaluate
        except AttributeError:
            evaluate = self._evaluate = compile_value(self.tree, self._layout)
        try:
            value = evaluate(document, turn, [FUEL_MAX])
        except ArithmeticError:
            return None
        # A number read straight from a document may not be normalized yet.
        return normal_number(value) if type(value) is float else value


def parse_condition(text: str, layout: Layout) -> Condition:
    """Parse a condition and check it against the slots; raises ExpressionError if it is invalid."""
    tree = parse(text)
    given = check(tree, layout)
    if given is not ValueType.BOOLEAN:
        raise ExpressionError(
            f"a condition is true or false, and this is {PHRASES[given]}",
            tree.column,
            "Compare it with something, such as `hp > 0`.",
        )
    return Condition(text, _find_sources(tree, layout), layout, tree)


def parse_expression(text: str, layout: Layout, slot: Slot | None = None) -> Expression:
    """Parse an expression and check it against the slots and against the slot it computes."""
    tree = parse(text)
    check(tree, layout)
    if slot is not None:
        check_fit(tree, layout, slot)
    return Expression(text, _find_sources(tree, layout), layout, tree)


def _find_sources(tree: Node, layout: Layout) -> frozenset[Path]:
    """The paths that a tree depends on; a computed slot counts as the paths it is computed from."""
    paths: set[Path] = set()
    for path in reads_of(tree):
        computed = layout.computed.get(path)
        paths.update((path,) if computed is None else computed.reads)
    return frozenset(paths)
