"""Conditions: expressions an author wrote, parsed, compiled to functions and evaluated on a state.

Evaluating a condition changes nothing and has no memory of earlier evaluations. It looks at a limited number
of elements and terminates for every document: with a value, or with no answer (an ArithmeticError inside). A
document that fits its layout is read directly; otherwise the slot's default is used.
"""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self, TypeAlias, assert_never, cast

from talewright.common.json_values import Json
from talewright.common.work_meter import count_work
from talewright.kernel.conditions.condition_functions import (
    CONDITION_FUNCTIONS,
    ArgumentKind,
    Document,
    Evaluator,
    Fuel,
    NoAnswerError,
    Number,
    NumberEvaluator,
    are_equal,
)
from talewright.kernel.conditions.expression_json import tree_from_json, tree_to_json
from talewright.kernel.conditions.expression_parser import parse
from talewright.kernel.conditions.expression_tree import (
    PHRASES,
    Arithmetic,
    ArithmeticSign,
    Comparison,
    ComparisonSign,
    ExpressionError,
    FunctionCall,
    Junction,
    Literal,
    Negative,
    Node,
    Not,
    PathReading,
    TurnNumber,
    ValueType,
    nodes_of,
    reads_of,
)
from talewright.kernel.conditions.expression_types import check, check_fit, type_of
from talewright.kernel.slots.slot_types import Layout, Slot, SlotKind, default_of
from talewright.kernel.state.documents import normal_number, rounded_number
from talewright.kernel.state.state_paths import Path

FUEL_MAX = 10_000
"""Elements of lists and members of objects that one evaluation may look at; beyond that it has no answer."""

_NUMBERS = frozenset({int, float})
_TEXTS = frozenset({str})
_TYPES: Mapping[SlotKind, frozenset[type]] = {
    SlotKind.NUMBER: _NUMBERS,
    SlotKind.INTEGER: _NUMBERS,
    SlotKind.BOOLEAN: frozenset({bool}),
    SlotKind.ENUM: _TEXTS,
    SlotKind.STRING: _TEXTS,
    SlotKind.LIST: frozenset({list}),
    SlotKind.OBJECT: frozenset({dict}),
}
"""Python types of each kind's values. Enum values are not looked up in their list: any text is accepted."""

TruthEvaluator: TypeAlias = Callable[[Document, int, Fuel], bool]

_OPERATIONS: Mapping[ArithmeticSign, Callable[[Number, Number], Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}

_ORDERS: Mapping[ComparisonSign, Callable[[Number, Number], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


class Formula:
    """A text and its tree: the common base of conditions and expressions.

    A game may have ten thousand of them, but a session evaluates only a few. A formula from a compiled game
    therefore stores its JSON form, and builds the tree and the function from it on first use.
    """

    __slots__ = ("_form", "_layout", "_steps", "_tree", "reads", "source")

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
        self._steps = 0 if tree is None else _count_nodes(tree)

    @property
    def steps(self) -> int:
        """Steps of work that an evaluation takes, apart from the elements it looks at: one for each node."""
        return self._steps or _count_nodes(self.tree)

    @classmethod
    def restore(cls, source: str, tree_json: Json, reads: Iterable[Sequence[str]], layout: Layout) -> Self:
        """Restore a formula already checked against this layout. Nothing is parsed or checked again, unless
        `confirm` is called: whoever stored it may have been a stranger.
        """
        return cls(source, frozenset(map(tuple, reads)), layout, None, tree_json)

    def confirm(self, known: dict[tuple[type, str], "Formula"]) -> None:
        """Parse the text of a restored formula again, and use that from now on.

        Raises ValueError if the text is not valid, or if the stored tree and paths are not what it says.
        `known` keeps what was parsed for other formulas of the same layout.
        """
        if not isinstance(self.source, str):
            raise ValueError("the text of a condition or expression is missing")
        parsed = known.get((type(self), self.source))
        if parsed is None:
            if isinstance(self, Condition):
                parsed = parse_condition(self.source, self._layout)
            else:
                parsed = parse_expression(self.source, self._layout)
            known[type(self), self.source] = parsed
        stored = (self._form, sorted(self.reads))
        if repr(stored) != repr((tree_to_json(parsed.tree), sorted(parsed.reads))):
            raise ValueError(f"what is stored of {self.source!r} is not what its text says")
        self._tree, self._form, self._steps = parsed.tree, None, parsed.steps

    @property
    def tree(self) -> Node:
        """The tree; it has columns only if the text was just parsed."""
        if self._tree is None:
            self._tree = tree_from_json(self._form)
            self._steps = _count_nodes(self._tree)
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
        fuel = [FUEL_MAX]
        try:
            return judge(document, turn, fuel)
        except ArithmeticError:
            return False
        finally:
            count_work(self._steps + FUEL_MAX - fuel[0])


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
        fuel = [FUEL_MAX]
        try:
            value = evaluate(document, turn, fuel)
        except ArithmeticError:
            return None
        finally:
            count_work(self._steps + FUEL_MAX - fuel[0])
        # A number read straight from a document may not be normalized yet.
        return normal_number(value) if type(value) is float else value


def _count_nodes(tree: Node) -> int:
    return sum(1 for _ in nodes_of(tree))


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


def reader(path: Path, layout: Layout, null: Json = None, null_answers: bool = True) -> Evaluator:
    """A function that reads a path; null reads as `null`, or gives no answer."""
    if path in layout.computed:
        compute = layout.computed[path].compute
        return lambda document, turn, fuel: compute(document)
    steps = _steps_along(path, layout)
    slot = steps[-1][1]
    fitting = _TYPES[slot.kind]

    def read_slowly(document: Document) -> Json:
        value = _walk(document, steps)
        if value is not None and type(value) not in fitting:
            value = default_of(slot)
        if type(value) in fitting:
            return value
        if not null_answers:
            raise NoAnswerError
        return null

    if any(isinstance(key, int) for key, _ in steps):
        return lambda document, turn, fuel: read_slowly(document)
    return _fast_reader(path, fitting, read_slowly)


def _fast_reader(path: Path, fitting: frozenset[type], read_slowly: Callable[[Document], Json]) -> Evaluator:
    """Read members of objects; fall back to the slow path if one is missing or has another type."""
    # Most paths have one key or two, and conditions are evaluated often: these two cases avoid a loop.
    first, second, others = path[0], path[1] if len(path) > 1 else "", path[2:]

    def read_root(document: Document, turn: int, fuel: Fuel) -> Json:
        try:
            value = document[first]
        except KeyError:
            return read_slowly(document)
        return value if type(value) in fitting else read_slowly(document)

    # Any, because something on the way may not be an object; the error is caught.
    def read_member(document: Mapping[str, Any], turn: int, fuel: Fuel) -> Json:
        try:
            value: Json = document[first][second]
        except (KeyError, TypeError):
            return read_slowly(document)
        return value if type(value) in fitting else read_slowly(document)

    def read_deep(document: Mapping[str, Any], turn: int, fuel: Fuel) -> Json:
        try:
            value = document[first][second]
            for key in others:
                value = value[key]
        except (KeyError, TypeError):
            return read_slowly(document)
        return value if type(value) in fitting else read_slowly(document)

    return read_deep if others else read_member if second else read_root


def _steps_along(path: Path, layout: Layout) -> list[tuple[str | int, Slot]]:
    """Every key with the slot it leads to; a list index is an int."""
    steps: list[tuple[str | int, Slot]] = []
    holder: Slot | None = None
    for length, key in enumerate(path, start=1):
        slot = layout.find(path[:length])
        assert slot, "only paths that passed the check are read"
        steps.append((int(key) if holder and holder.kind is SlotKind.LIST else key, slot))
        holder = slot
    return steps


def _walk(document: Document, steps: list[tuple[str | int, Slot]]) -> Json:
    """The value at the end of the path; where the path breaks off, the default of that slot is used."""
    value: Json = document
    for key, slot in steps:
        if isinstance(key, int):
            value = value[key] if isinstance(value, list) and key < len(value) else default_of(slot)
        else:
            value = value[key] if isinstance(value, dict) and key in value else default_of(slot)
    return value


def compile_value(tree: Node, layout: Layout) -> Evaluator:
    """Compile a checked tree to a function for its value; None if it reads a null."""
    match tree:
        case Literal(value):
            return lambda document, turn, fuel: value
        case PathReading(path):
            return reader(path, layout)
        case TurnNumber():
            return lambda document, turn, fuel: turn
        case Negative(operand):
            number = _compile_number(operand, layout)
            return lambda document, turn, fuel: _settle(-number(document, turn, fuel))
        case Not(operand):
            truth = compile_truth(operand, layout)
            return lambda document, turn, fuel: not truth(document, turn, fuel)
        case Junction():
            return _compile_junction(tree, layout)
        case Arithmetic():
            return _compile_arithmetic(tree, layout)
        case Comparison():
            return _compile_comparison(tree, layout)
        case FunctionCall():
            return _compile_call(tree, layout)
        case _:
            assert_never(tree)


def compile_truth(tree: Node, layout: Layout) -> TruthEvaluator:
    """Compile a checked condition to a function for its truth; false if it reads a null."""
    if isinstance(tree, PathReading):
        return cast(TruthEvaluator, reader(tree.path, layout, null=False))
    return cast(TruthEvaluator, compile_value(tree, layout))


def _compile_number(tree: Node, layout: Layout) -> NumberEvaluator:
    if isinstance(tree, PathReading):
        return cast(NumberEvaluator, reader(tree.path, layout, null_answers=False))
    return cast(NumberEvaluator, compile_value(tree, layout))


def _compile_junction(tree: Junction, layout: Layout) -> TruthEvaluator:
    """Evaluate left to right with short-circuiting."""
    parts = [compile_truth(part, layout) for part in tree.parts]
    decisive = tree.word == "or"
    first, second = parts[:2]
    if len(parts) == 2 and decisive:
        return lambda document, turn, fuel: first(document, turn, fuel) or second(document, turn, fuel)
    if len(parts) == 2:
        return lambda document, turn, fuel: first(document, turn, fuel) and second(document, turn, fuel)

    def join(document: Document, turn: int, fuel: Fuel) -> bool:
        for part in parts:
            if part(document, turn, fuel) is decisive:
                return decisive
        return not decisive

    return join


def _compile_arithmetic(tree: Arithmetic, layout: Layout) -> NumberEvaluator:
    operate = _OPERATIONS[tree.sign]
    left, right = _compile_number(tree.left, layout), _compile_number(tree.right, layout)
    return lambda document, turn, fuel: _settle(
        operate(left(document, turn, fuel), right(document, turn, fuel))
    )


def _compile_comparison(tree: Comparison, layout: Layout) -> TruthEvaluator:
    if tree.sign == "==" or tree.sign == "!=":
        return _compile_equality(tree, layout)
    order = _ORDERS[tree.sign]
    left = _compile_number(tree.left, layout)
    if isinstance(tree.right, Literal):
        bound = cast(Number, tree.right.value)
        return lambda document, turn, fuel: order(left(document, turn, fuel), bound)
    right = _compile_number(tree.right, layout)
    return lambda document, turn, fuel: order(left(document, turn, fuel), right(document, turn, fuel))


def _compile_equality(tree: Comparison, layout: Layout) -> TruthEvaluator:
    wanted = tree.sign == "=="
    left, right = compile_value(tree.left, layout), compile_value(tree.right, layout)
    if type_of(tree.left, layout) in (ValueType.LIST, ValueType.OBJECT):
        return lambda document, turn, fuel: (
            are_equal(left(document, turn, fuel), right(document, turn, fuel), fuel) is wanted
        )
    if isinstance(tree.right, Literal):
        # A null is unequal to every literal, so it needs no special case here.
        value = tree.right.value
        return lambda document, turn, fuel: (left(document, turn, fuel) == value) is wanted

    def compare(document: Document, turn: int, fuel: Fuel) -> bool:
        value, other = left(document, turn, fuel), right(document, turn, fuel)
        return (value is not None and value == other) is wanted

    return compare


def _compile_call(tree: FunctionCall, layout: Layout) -> Evaluator:
    row = CONDITION_FUNCTIONS[tree.function]
    pairs = list(zip(row.kinds(len(tree.arguments)), tree.arguments, strict=True))
    arguments = [_compile_argument(kind, argument, layout) for kind, argument in pairs]
    return row.compile(arguments, [type_of(argument, layout) for _, argument in pairs])


def _compile_argument(kind: ArgumentKind, tree: Node, layout: Layout) -> Evaluator:
    match kind:
        case ArgumentKind.NUMBER:
            return _compile_number(tree, layout)
        case ArgumentKind.HOLDER if isinstance(tree, PathReading):
            # A null counts as empty.
            return reader(tree.path, layout, null=())
        case ArgumentKind.HOLDER | ArgumentKind.SOUGHT:
            return compile_value(tree, layout)
        case _:
            assert_never(kind)


def _settle(value: Number) -> Number:
    number = rounded_number(value)
    if number is None:
        raise NoAnswerError
    return number
