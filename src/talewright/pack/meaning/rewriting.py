"""Rewriting: a condition as it would read after an update, or with some of its parts exchanged.

Trees are values: a new one is made, the old one stays.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from talewright.kernel.conditions.expression_tree import (
    TURN,
    Arithmetic,
    Comparison,
    FunctionCall,
    Junction,
    Literal,
    Negative,
    Node,
    Not,
    PathReading,
    TurnNumber,
)
from talewright.kernel.conditions.value_domains import Domain, NumberDomain
from talewright.kernel.judging.moves_and_rulings import Op
from talewright.kernel.slots.slot_types import NUMERIC, Layout, Slot
from talewright.kernel.state.state_paths import Path
from talewright.pack.meaning.deeds import Writing


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What stands at some places after updates, in terms of what stood there before."""

    values: Mapping[Path, Node] = field(default_factory=dict)
    facts: Mapping[Path, Domain] = field(default_factory=dict)
    """What is known of the stand-ins that `values` reads: places that no state has."""

    def of(self, tree: Node) -> Node:
        """What a condition asks of the state before, when it is asked of the state after."""

        def change(node: Node) -> Node:
            if isinstance(node, TurnNumber):
                return self.values.get(TURN, node)
            return self.values.get(node.path, node) if isinstance(node, PathReading) else node

        return rewrite(tree, change) if self.values else tree


def rewrite(tree: Node, change: Callable[[Node], Node]) -> Node:
    """A tree with every node put through `change`, from the leaves up."""
    match tree:
        case Literal() | PathReading() | TurnNumber():
            return change(tree)
        case Negative() | Not():
            return change(replace(tree, operand=rewrite(tree.operand, change)))
        case Junction():
            return change(replace(tree, parts=tuple(rewrite(part, change) for part in tree.parts)))
        case Arithmetic() | Comparison():
            return change(replace(tree, left=rewrite(tree.left, change), right=rewrite(tree.right, change)))
        case FunctionCall():
            arguments = tuple(rewrite(argument, change) for argument in tree.arguments)
            return change(replace(tree, arguments=arguments))
        case _:
            assert_never(tree)


def follow(before: Aftermath, writing: Writing, layout: Layout) -> Aftermath | None:
    """What stands where after one more update; None where what stood there before does not tell."""
    slot, value = writing.slot, writing.update.value
    if slot.max_step is not None:
        return None
    if len(writing.moved) > 1:
        return _follow_carry(before, writing, layout)
    here = before.values.get(writing.path, PathReading(writing.path))
    after: Node
    match writing.update.op:
        case Op.SET if isinstance(value, bool | int | float | str):
            after = Literal(value)
        case Op.TOGGLE:
            after = Not(here)
        case Op.INC | Op.DEC if isinstance(value, int | float):
            after = Arithmetic("+" if writing.update.op is Op.INC else "-", here, Literal(value))
        case _:
            return None
    if slot.kind in NUMERIC:
        after = _within(after, slot)
    return replace(before, values={**before.values, writing.path: after})


def _within(node: Node, slot: Slot) -> Node:
    """A number brought into range. One that would be refused instead stays where it was, also in range."""
    if slot.maximum is not None:
        node = FunctionCall("min", (node, Literal(slot.maximum)))
    if slot.minimum is not None:
        node = FunctionCall("max", (node, Literal(slot.minimum)))
    return node


def _follow_carry(before: Aftermath, writing: Writing, layout: Layout) -> Aftermath | None:
    """The last place of a chain of carries moves by some amount; of the others only the range is known."""
    gained = writing.update.value
    if writing.update.op not in (Op.INC, Op.DEC) or not isinstance(gained, int):
        return None
    values, facts = dict(before.values), dict(before.facts)
    for path in writing.moved[:-1]:
        slot = layout.find(path)
        assert slot is not None
        assert slot.carry is not None, "all but the last of a chain carry"
        gained = math.ceil(gained / slot.carry.at)
        values[path] = _stand_in(facts, 0, slot.carry.at - 1)
    last = writing.moved[-1]
    target = layout.find(last)
    assert target is not None
    low, high = (0, gained) if writing.update.op is Op.INC else (-gained, 0)
    moved = Arithmetic("+", values.get(last, PathReading(last)), _stand_in(facts, low, high))
    return Aftermath({**values, last: _within(moved, target)}, facts)


def _stand_in(facts: dict[Path, Domain], low: int, high: int) -> PathReading:
    """Some number, as a place that no state has: no key of a state is empty."""
    path = ("", str(len(facts)))
    facts[path] = NumberDomain(low, high, whole=True)
    return PathReading(path)
