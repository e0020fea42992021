"""Condition trees: formats them for messages, and rewrites them to account for updates.

Nothing is judged here.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import assert_never

from talewright.common.frozen_values import frozen
from talewright.common.name_suggestions import listed
from talewright.kernel.conditions.expression_tree import (
    TURN,
    Arithmetic,
    Comparison,
    ComparisonSign,
    FunctionCall,
    Junction,
    Literal,
    Negative,
    Node,
    Not,
    PathReading,
    TurnNumber,
    nodes_of,
)
from talewright.kernel.conditions.value_domains import (
    ChoiceDomain,
    ContentsDomain,
    Domain,
    Number,
    NumberDomain,
    TextDomain,
)
from talewright.kernel.judging.moves import Op
from talewright.kernel.slots.slot_types import NUMERIC, Layout, Slot
from talewright.kernel.state.documents import INTEGER_MAX
from talewright.kernel.state.state_paths import Path, dotted
from talewright.pack.files.yaml_nodes import shorten
from talewright.pack.lint.authored_updates import AuthoredUpdate

_LOW_SIGNS: frozenset[ComparisonSign] = frozenset({"<", "<="})
_HIGH_SIGNS: frozenset[ComparisonSign] = frozenset({">", ">="})


def start_of(node: Node) -> int:
    """The column of a part in the text of its condition, counted from one."""
    return min(inner.column for inner in nodes_of(node))


def quoted(node: Node) -> str:
    """The source of a part of a condition, shortened for a message."""
    return f"`{shorten(write(node))}`"


def write(node: Node) -> str:
    """The source of a tree."""
    match node:
        case Literal(value):
            return f'"{value}"' if isinstance(value, str) else str(value).lower()
        case PathReading(path):
            return dotted(path)
        case TurnNumber():
            return "turn"
        case Negative(operand):
            return f"-{_bracketed(operand)}"
        case Not(FunctionCall("has", (holder, sought))):
            return f"{_bracketed(sought)} not in {write(holder)}"
        case Not(operand):
            return f"not {_bracketed(operand)}"
        case Junction(word, parts):
            return f" {word} ".join(
                f"({write(part)})" if isinstance(part, Junction) else write(part) for part in parts
            )
        case Comparison(sign, left, right):
            return f"{write(left)} {sign} {write(right)}"
        case Arithmetic(sign, left, right):
            return f"{_bracketed(left)} {sign} {_bracketed(right)}"
        case FunctionCall("has", (holder, sought)):
            return f"{_bracketed(sought)} in {write(holder)}"
        case FunctionCall(function, arguments):
            return f"{function}({', '.join(map(write, arguments))})"
        case _:
            assert_never(node)


def _bracketed(node: Node) -> str:
    return f"({write(node)})" if isinstance(node, Junction | Arithmetic | Comparison | Not) else write(node)


def describe_domain(domain: Domain, sign: ComparisonSign, held: bool) -> str:
    """Describe what makes a comparison with a domain always or never hold; empty if unknown.

    The words follow `is`. Only the limit that matters is mentioned.
    """
    match domain:
        case NumberDomain(low, high) if low == high:
            return f"always {_figure(low)}"
        case NumberDomain():
            return _describe_numbers(domain, sign, held)
        case ChoiceDomain(values) if len(values) == 1:
            (value,) = values
            return f"always {write(Literal(value))}"
        case ChoiceDomain(values) if values and all(isinstance(value, str) for value in values):
            return f"always one of {listed(sorted(map(str, values)))}"
        case ChoiceDomain() | TextDomain() | ContentsDomain():
            return ""
        case _:
            assert_never(domain)


def _describe_numbers(domain: NumberDomain, sign: ComparisonSign, held: bool) -> str:
    bounded_below, bounded_above = domain.low > -INTEGER_MAX, domain.high < INTEGER_MAX
    if sign in (_HIGH_SIGNS if held else _LOW_SIGNS) and bounded_below:
        return f"at least {_figure(domain.low)}"
    if sign in (_LOW_SIGNS if held else _HIGH_SIGNS) and bounded_above:
        return f"at most {_figure(domain.high)}"
    if bounded_below and bounded_above:
        return f"from {_figure(domain.low)} to {_figure(domain.high)}"
    if bounded_below:
        return f"at least {_figure(domain.low)}"
    return f"at most {_figure(domain.high)}" if bounded_above else ""


def _figure(number: Number) -> str:
    return f"{number:g}" if isinstance(number, float) else str(number)


@frozen
class ValuesAfterUpdates:
    """The values of some paths after updates, in terms of the values before."""

    values: Mapping[Path, Node] = field(default_factory=dict)
    facts: Mapping[Path, Domain] = field(default_factory=dict)
    """Domains of the placeholders that `values` reads: paths that no state has."""

    def of(self, tree: Node) -> Node:
        """Rewrite a condition on the state after into one on the state before."""

        def change(node: Node) -> Node:
            if isinstance(node, TurnNumber):
                return self.values.get(TURN, node)
            return self.values.get(node.path, node) if isinstance(node, PathReading) else node

        return rewrite(tree, change) if self.values else tree


def rewrite(tree: Node, change: Callable[[Node], Node]) -> Node:
    """Apply `change` to every node of a tree, from the leaves up."""
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


def follow(before: ValuesAfterUpdates, writing: AuthoredUpdate, layout: Layout) -> ValuesAfterUpdates | None:
    """The values after one more update; None if they cannot be derived from those before."""
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
    """Clamp a number. If it would be refused instead, the old value stays, which is in range too."""
    if slot.maximum is not None:
        node = FunctionCall("min", (node, Literal(slot.maximum)))
    if slot.minimum is not None:
        node = FunctionCall("max", (node, Literal(slot.minimum)))
    return node


def _follow_carry(
    before: ValuesAfterUpdates, writing: AuthoredUpdate, layout: Layout
) -> ValuesAfterUpdates | None:
    """The last slot of a chain of carries changes by some amount; of the others only the range is known."""
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
    return ValuesAfterUpdates({**values, last: _within(moved, target)}, facts)


def _stand_in(facts: dict[Path, Domain], low: int, high: int) -> PathReading:
    """A placeholder for some number: a path that no state has, because no key of a state is empty."""
    path = ("", str(len(facts)))
    facts[path] = NumberDomain(low, high, whole=True)
    return PathReading(path)
