"""Expression types: type-checks an expression against the slots of its game.

It uses the tree and the layout only, never the values of a running game.
"""

import re
from typing import assert_never

from talewright.common.name_suggestions import listed, nearest
from talewright.kernel.conditions.condition_functions import (
    CONDITION_FUNCTIONS,
    ArgumentKind,
    ConditionFunction,
)
from talewright.kernel.conditions.expression_parser import word_hint
from talewright.kernel.conditions.expression_tokens import quote
from talewright.kernel.conditions.expression_tree import (
    PHRASES,
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
    ValueType,
)
from talewright.kernel.slots.slot_types import Layout, Slot, SlotKind, member
from talewright.kernel.state.state_paths import Path, dotted

_DERIVABLE = frozenset({ValueType.NUMBER, ValueType.BOOLEAN, ValueType.TEXT})

_TRUTHS = {
    **dict.fromkeys(("true", "yes", "on", "y", "1"), True),
    **dict.fromkeys(("false", "no", "off", "n", "0"), False),
}
"""Common spellings of true and false."""

_TYPES = {
    SlotKind.NUMBER: ValueType.NUMBER,
    SlotKind.INTEGER: ValueType.NUMBER,
    SlotKind.BOOLEAN: ValueType.BOOLEAN,
    SlotKind.ENUM: ValueType.TEXT,
    SlotKind.STRING: ValueType.TEXT,
    SlotKind.LIST: ValueType.LIST,
    SlotKind.OBJECT: ValueType.OBJECT,
}


def check(tree: Node, layout: Layout) -> ValueType:
    """The type of a tree; raises ExpressionError if it reads an unknown path or mixes types."""
    match tree:
        case Literal() | TurnNumber() | PathReading():
            pass
        case Negative():
            _demand(ValueType.NUMBER, "`-`", tree.operand, layout)
        case Not():
            _demand(ValueType.BOOLEAN, "`not`", tree.operand, layout)
        case Junction():
            for part in tree.parts:
                _demand(ValueType.BOOLEAN, f"`{tree.word}`", part, layout)
        case Arithmetic():
            _demand(ValueType.NUMBER, f"`{tree.sign}`", tree.left, layout)
            _demand(ValueType.NUMBER, f"`{tree.sign}`", tree.right, layout)
        case Comparison():
            _check_comparison(tree, layout)
        case FunctionCall():
            _check_call(tree, layout)
        case _:
            assert_never(tree)
    return type_of(tree, layout)


def type_of(tree: Node, layout: Layout) -> ValueType:
    """The type of a tree that has passed `check`, given by its top node."""
    match tree:
        case Literal():
            return _type_of_value(tree.value)
        case PathReading():
            return _TYPES[_find(tree, layout).kind]
        case TurnNumber() | Negative() | Arithmetic():
            return ValueType.NUMBER
        case Not() | Junction() | Comparison():
            return ValueType.BOOLEAN
        case FunctionCall():
            return CONDITION_FUNCTIONS[tree.function].result
        case _:
            assert_never(tree)


def check_fit(tree: Node, layout: Layout, slot: Slot) -> None:
    """Check that a derived slot can hold the value of a tree; raises ExpressionError if not."""
    given = check(tree, layout)
    if given not in _DERIVABLE or given is not _TYPES[slot.kind]:
        raise ExpressionError(
            f"this gives {PHRASES[given]}, which a derived variable of the type {slot.kind} cannot hold",
            tree.column,
            "A derived variable is a number, an integer, a boolean, a string or an enum.",
        )
    if slot.kind is not SlotKind.ENUM:
        return
    _check_choice(slot, tree)
    if isinstance(tree, PathReading):
        source = _find(tree, layout)
        if source.kind is not SlotKind.ENUM or not set(source.enum_values) <= set(slot.enum_values):
            raise ExpressionError(
                f"{quote(dotted(tree.path))} may hold a value that is not in this enum",
                tree.column,
                f"The values are {listed(slot.enum_values)}.",
            )


def _type_of_value(value: bool | int | float | str) -> ValueType:
    if isinstance(value, bool):
        return ValueType.BOOLEAN
    return ValueType.TEXT if isinstance(value, str) else ValueType.NUMBER


def _demand(wanted: ValueType, taker: str, node: Node, layout: Layout) -> None:
    given = check(node, layout)
    if given is not wanted:
        raise ExpressionError(f"{taker} takes {PHRASES[wanted]}, not {PHRASES[given]}", node.column)


def _check_comparison(tree: Comparison, layout: Layout) -> None:
    left, right = check(tree.left, layout), check(tree.right, layout)
    if left is not right:
        raise ExpressionError(
            f"`{tree.sign}` compares values of the same type, not {PHRASES[left]} with {PHRASES[right]}",
            tree.column,
            _compare_hint(tree, left, right, layout),
        )
    if tree.sign not in ("==", "!=") and left is not ValueType.NUMBER:
        hint = "Compare other values with `==` and `!=`."
        raise ExpressionError(f"`{tree.sign}` compares numbers, not {PHRASES[left]}", tree.column, hint)
    for one, other in ((tree.left, tree.right), (tree.right, tree.left)):
        if isinstance(one, PathReading):
            _check_choice(_find(one, layout), other)


def _compare_hint(tree: Comparison, left: ValueType, right: ValueType, layout: Layout) -> str:
    """A hint for comparing a value with a literal of another type; empty if there is none."""
    for one, kind, other in ((tree.left, left, tree.right), (tree.right, right, tree.left)):
        if not isinstance(one, PathReading) or not isinstance(other, Literal):
            continue
        path, word = dotted(one.path), str(other.value).lower()
        if kind is ValueType.BOOLEAN and word in _TRUTHS and tree.sign in ("==", "!="):
            return f"Write `{path}`." if _TRUTHS[word] == (tree.sign == "==") else f"Write `not {path}`."
        if kind is ValueType.BOOLEAN:
            return f"Write `{path}` or `not {path}`."
        slot = _find(one, layout)
        if slot.kind is SlotKind.ENUM:
            return f"The values are {listed(slot.enum_values)}."
        if kind is ValueType.TEXT and not isinstance(other.value, bool):
            return f'Write `"{other.value}"`, in quotes.'
        if kind is ValueType.NUMBER and re.fullmatch(r"[0-9]{1,15}", word):
            return f"Write `{word}`, without quotes."
    return ""


def _check_call(tree: FunctionCall, layout: Layout) -> None:
    row = CONDITION_FUNCTIONS[tree.function]
    _check_arity(tree, row)
    for kind, argument in zip(row.kinds(len(tree.arguments)), tree.arguments, strict=True):
        match kind:
            case ArgumentKind.NUMBER:
                _demand(ValueType.NUMBER, f"`{row.name}`", argument, layout)
            case ArgumentKind.HOLDER:
                _check_holder(row, argument, layout)
            case ArgumentKind.SOUGHT:
                _check_sought(argument, _held(tree.arguments[0], layout), layout)
            case _:
                assert_never(kind)


def _check_arity(tree: FunctionCall, row: ConditionFunction) -> None:
    given, wanted = len(tree.arguments), len(row.arguments)
    if given < wanted or (given > wanted and not row.repeats):
        more = " or more" if row.repeats else ""
        raise ExpressionError(
            f"`{row.name}` takes {wanted}{more} arguments, not {given}",
            tree.column,
            f"Write `{row.example}`.",
        )


def _check_holder(row: ConditionFunction, node: Node, layout: Layout) -> None:
    given = check(node, layout)
    if given not in row.holders:
        wanted = " or ".join(PHRASES[one] for one in row.holders)
        raise ExpressionError(f"`{row.name}` takes {wanted}, not {PHRASES[given]}", node.column)


def _held(node: Node, layout: Layout) -> Slot:
    """The slot of a list or object: always a path, since containers have no literals."""
    assert isinstance(node, PathReading)
    return _find(node, layout)


def _check_sought(sought: Node, holder: Slot, layout: Layout) -> None:
    """Check that the value searched for could ever be in a list, or be a key of an object."""
    given = check(sought, layout)
    if holder.kind is SlotKind.OBJECT:
        if given is not ValueType.TEXT:
            raise ExpressionError(f"a key of an object is a text, not {PHRASES[given]}", sought.column)
        if isinstance(sought, Literal) and member(holder, str(sought.value)) is None:
            near = nearest(str(sought.value), holder.fields)
            hint = f'Write `"{near}"`.' if near else f"Its keys are {listed(holder.fields)}."
            raise ExpressionError(
                f"this object never has a key {quote(str(sought.value))}", sought.column, hint
            )
        return
    assert holder.element, "a list says what its elements are"
    wanted = _TYPES[holder.element.kind]
    if given is not wanted:
        raise ExpressionError(
            f"the elements of this list are each {PHRASES[wanted]}, not {PHRASES[given]}", sought.column
        )
    _check_choice(holder.element, sought)


def _check_choice(slot: Slot, node: Node) -> None:
    """Check that a literal text is a value of the enum it is compared with."""
    if slot.kind is SlotKind.ENUM and isinstance(node, Literal) and node.value not in slot.enum_values:
        near = nearest(str(node.value), slot.enum_values)
        hint = f'Write `"{near}"`.' if near else f"The values are {listed(slot.enum_values)}."
        raise ExpressionError(f"{quote(str(node.value))} is not a value of this enum", node.column, hint)


def _find(reading: PathReading, layout: Layout) -> Slot:
    slot = layout.find_readable(reading.path)
    if slot is None:
        written = dotted(reading.path)
        hint = word_hint(written)
        if not hint and (near := nearest_path(reading.path, layout)):
            hint = f"Write `{near}`."
        raise ExpressionError(f"there is no {quote(written)} in the state", reading.column, hint)
    return slot


def nearest_path(path: Path, layout: Layout) -> str:
    """The known path, with dots, that an unknown one was probably meant to be; or empty.

    A matching key elsewhere (`flags.chased` for `chased`) is a better suggestion than a similar name.
    """
    known = 0
    while known < len(path) and layout.find(path[: known + 1]):
        known += 1
    if known == 0:
        for found, _ in layout.walk():
            if found[-len(path) :] == path:
                return dotted(found)
    holder = layout.find(path[:known])
    beside = [one for one in layout.computed if one[:-1] == path[:known]]
    if known == len(path) or (holder and holder.kind not in (SlotKind.OBJECT, SlotKind.LIST)):
        return dotted(path[:known])
    names = (
        layout.roots if holder is None else {"0": holder} if holder.kind is SlotKind.LIST else holder.fields
    )
    near = nearest(path[known], [*names, *(one[-1] for one in beside)])
    if not near:
        return ""
    better = (*path[:known], near)
    whole = (*better, *path[known + 1 :])
    return dotted(whole if layout.find_readable(whole) else better)
