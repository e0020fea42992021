"""Lint of updates: those that the rules refuse in every state in which they can be applied.

An update that may succeed even once is not reported.
"""

from collections.abc import Iterator

from talewright.errors import SourcePlace
from talewright.kernel.conditions.expression_tree import (
    Arithmetic,
    Comparison,
    FunctionCall,
    Junction,
    Literal,
    Node,
    PathReading,
)
from talewright.kernel.conditions.satisfiability import Outlook
from talewright.kernel.judging.moves import Op
from talewright.kernel.slots.slot_types import NUMERIC, Policy, Slot, SlotKind
from talewright.kernel.state.documents import INTEGER_MAX
from talewright.kernel.state.state_paths import Path, dotted, index_of
from talewright.pack.faults import FaultCode
from talewright.pack.files.yaml_nodes import MapNode, shorten
from talewright.pack.files.yaml_nodes import Node as YamlNode
from talewright.pack.lint.authored_updates import AuthoredUpdate, UpdateGroup
from talewright.pack.lint.lint_context import LintContext


def check_updates(inquiry: LintContext) -> None:
    """Report updates that are always refused."""
    for deed in inquiry.deeds.all:
        if inquiry.fault_list.full:
            return
        done = list(deed.before)
        for writing in deed.writings:
            _check_writing(inquiry, deed, writing, done)
            done.append(writing)


def _check_writing(
    inquiry: LintContext, deed: UpdateGroup, writing: AuthoredUpdate, done: list[AuthoredUpdate]
) -> None:
    if _check_index(inquiry, writing) or _check_members(inquiry, writing):
        return
    for need, reason, suggestion in _needs(writing):
        if inquiry.outlooks.judge(need) is Outlook.NEVER:
            _report(inquiry, writing, reason, suggestion)
            return
        clash = _find_clash(inquiry, deed, writing, need, done)
        if clash:
            _report(inquiry, writing, f"{reason} while `{shorten(clash)}` holds", "Change one of the two.")
            return


def _needs(writing: AuthoredUpdate) -> Iterator[tuple[Node, str, str]]:
    """What must hold for an update to succeed: the condition, what is wrong otherwise, what to write."""
    slot, name, here = writing.slot, dotted(writing.path), PathReading(writing.path)
    value = writing.update.value
    match writing.update.op:
        case Op.REMOVE if isinstance(value, bool | int | float | str):
            thing = shorten(str(value))
            yield (
                FunctionCall("has", (here, Literal(value))),
                f'"{thing}" is never in `{name}`',
                f"Add it with `push` in a choice or a trigger, or remove something that is in `{name}`.",
            )
        case Op.PUSH:
            full = Comparison("<", FunctionCall("len", (here,)), Literal(slot.max_items))
            yield full, f"`{name}` is always full", "Raise `max_items`, or remove something first."
        case Op.INC | Op.DEC if isinstance(value, int | float) and slot.carry is None:
            yield from _needs_of_shift(writing, here, value)
        case Op.SET if slot.kind in NUMERIC and isinstance(value, int | float):
            yield from _needs_of_step(slot, here, name, value)
        case Op.TOGGLE if slot.nullable:
            either = (Comparison("==", here, Literal(True)), Comparison("==", here, Literal(False)))
            yield Junction("or", either), f"`{name}` is always null", "Set it first."
        case _:
            pass


def _needs_of_shift(
    writing: AuthoredUpdate, here: PathReading, amount: int | float
) -> Iterator[tuple[Node, str, str]]:
    slot, name = writing.slot, dotted(writing.path)
    if slot.nullable:
        known = Comparison(">=", here, Literal(-INTEGER_MAX))
        yield known, f"`{name}` is always null", "Set it first."
    if slot.clamp:
        return
    if writing.update.op is Op.INC and slot.maximum is not None:
        fits = Comparison("<=", Arithmetic("+", here, Literal(amount)), Literal(slot.maximum))
        yield (
            fits,
            f"`{name}` would always go above {slot.maximum}",
            "Write a smaller number, or `clamp: true`.",
        )
    if writing.update.op is Op.DEC and slot.minimum is not None:
        fits = Comparison(">=", Arithmetic("-", here, Literal(amount)), Literal(slot.minimum))
        yield (
            fits,
            f"`{name}` would always go below {slot.minimum}",
            "Write a smaller number, or `clamp: true`.",
        )


def _needs_of_step(
    slot: Slot, here: PathReading, name: str, value: int | float
) -> Iterator[tuple[Node, str, str]]:
    if slot.max_step is None or slot.clamp:
        return
    near = (
        Comparison(">=", here, Literal(value - slot.max_step)),
        Comparison("<=", here, Literal(value + slot.max_step)),
    )
    reason = f"`{name}` is always more than {slot.max_step} away from {value}"
    yield Junction("and", near), reason, "Change it in smaller steps, or raise `max_step`."


def _find_clash(
    inquiry: LintContext, deed: UpdateGroup, writing: AuthoredUpdate, need: Node, done: list[AuthoredUpdate]
) -> str:
    """A condition of the update that contradicts what it needs; empty if there is none."""
    touched = {path for earlier in done for path in earlier.moved}
    if any(path[: len(writing.path)] == writing.path[: len(path)] for path in touched):
        return ""
    for condition in deed.conditions:
        if writing.path in condition.reads and inquiry.outlooks.judge(condition.tree) is not Outlook.NEVER:
            if inquiry.outlooks.exclude(condition.tree, need):
                return condition.source
    return ""


def _check_index(inquiry: LintContext, writing: AuthoredUpdate) -> bool:
    """Report an update of an element that the list can never have."""
    for length in range(1, len(writing.path)):
        slot = inquiry.game.layout.find(writing.path[:length])
        if slot is not None and slot.kind is SlotKind.LIST:
            if index_of(writing.path[length], slot.max_items) is None:
                name = dotted(writing.path[:length])
                message = f"`{name}` has at most {slot.max_items} elements, counted from 0"
                place = writing.update.place("path")
                _report(inquiry, writing, message, f"Write a number below {slot.max_items}.", place)
                return True
    return False


def _check_members(inquiry: LintContext, writing: AuthoredUpdate) -> bool:
    """Report an update that sets a whole object although one of its members cannot be set."""
    node = writing.update.node.entries.get("value")
    if writing.update.op is not Op.SET or writing.slot.kind is not SlotKind.OBJECT or node is None:
        return False
    for path, slot, inner in _members(writing.path, writing.slot, node):
        if slot.policy is Policy.INC_DEC_ONLY:
            reason = f"`{dotted(path)}` can only go up or down"
            _report(inquiry, writing, reason, "Leave it out.", inner.place)
            return True
    return False


def _members(path: Path, slot: Slot, node: YamlNode) -> Iterator[tuple[Path, Slot, YamlNode]]:
    """The members of a written object, at every depth."""
    for key, inner in node.entries.items() if isinstance(node, MapNode) else ():
        below = slot.fields.get(key)
        if below is not None:
            yield (*path, key), below, inner
            yield from _members((*path, key), below, inner)


def _report(
    inquiry: LintContext,
    writing: AuthoredUpdate,
    reason: str,
    suggestion: str,
    place: SourcePlace | None = None,
) -> None:
    name = "value" if "value" in writing.update.node.entries else "path"
    inquiry.fault_list.report(
        FaultCode.UPDATE_ALWAYS_REFUSED,
        place or writing.update.place(name),
        f"this `{writing.update.op}` is always refused: {reason}",
        suggestion,
    )
