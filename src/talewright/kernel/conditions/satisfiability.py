"""Satisfiability: whether a condition can ever be true or false, given what its slots may hold.

Undecidable cases stay open; a definite answer holds for every state within the ranges. It never evaluates a
condition on a state.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import reduce
from types import MappingProxyType
from typing import TypeAlias, assert_never

from talewright.kernel.conditions.condition_functions import CONDITION_FUNCTIONS, ArgumentKind
from talewright.kernel.conditions.conditions import FUEL_MAX
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
    ReadPlace,
    TurnNumber,
    ValueType,
    children_of,
    nodes_of,
)
from talewright.kernel.conditions.expression_types import type_of
from talewright.kernel.conditions.value_domains import (
    OPPOSITES,
    ChoiceDomain,
    Domain,
    NumberDomain,
    Possible,
    chosen,
    domain_of,
    domain_of_value,
    join,
    meet,
    narrow,
    reckon,
    truths_of,
)
from talewright.kernel.slots.slot_types import Layout, Slot, default_of
from talewright.kernel.state.documents import INTEGER_MAX
from talewright.kernel.state.state_paths import Path

STEPS_MAX = 3_000
"""Nodes visited for one judgement; beyond that nothing is decided."""

ROUNDS_MAX = 3
"""How often the parts of an `and` are compared with one another."""

Facts: TypeAlias = Mapping[Path, Domain]
"""Known domains of some paths, overriding those of their slots."""

NO_FACTS: Facts = MappingProxyType({})

_BOTH = ChoiceDomain(frozenset({True, False}))

_Terms: TypeAlias = Mapping[Node, Domain]
"""What the current assumptions imply for parts of the tree."""


class Outlook(StrEnum):
    """What static analysis says about a condition."""

    ALWAYS = "always"
    NEVER = "never"
    UNKNOWN = "unknown"


def judge_possible(tree: Node, layout: Layout, facts: Facts = NO_FACTS) -> Outlook:
    """Whether a checked condition holds in every state, in none, or (as far as known) in some."""
    try:
        truths, fails = _Judge(tree, layout, facts).truths(tree, {})
    except _TooLongError:
        return Outlook.UNKNOWN
    if True not in truths:
        return Outlook.NEVER
    if False in truths or fails or _fuel_needed(tree, layout) > FUEL_MAX:
        return Outlook.UNKNOWN
    return Outlook.ALWAYS


def possible_values(tree: Node, layout: Layout, facts: Facts = NO_FACTS) -> Domain | None:
    """The possible values of a checked expression; None if it never has an answer."""
    try:
        return _Judge(tree, layout, facts).possible(tree, {}).domain
    except _TooLongError:
        return (
            _BOTH if type_of(tree, layout) is ValueType.BOOLEAN else NumberDomain(-INTEGER_MAX, INTEGER_MAX)
        )


class _TooLongError(Exception):
    """The analysis exceeded its step limit."""


class _Judge:
    """Analyzes one tree. Assumptions about parts of it are passed from call to call as terms."""

    def __init__(self, tree: Node, layout: Layout, facts: Facts) -> None:
        self._layout = layout
        self._facts = facts
        self._steps = 0
        places = [node for node in nodes_of(tree) if isinstance(node, ReadPlace)]
        self._entangled = len(places) > len(set(places))
        """Whether anything is read twice; if not, no two parts can contradict each other."""

    def possible(self, node: Node, terms: _Terms) -> Possible:
        """The possible results of a node, under the given terms."""
        self._steps += 1
        if self._steps > STEPS_MAX:
            raise _TooLongError
        possible = self._possible_alone(node, terms)
        if possible.domain and node in terms:
            return Possible(meet(possible.domain, terms[node]), possible.fails)
        return possible

    def truths(self, node: Node, terms: _Terms) -> tuple[frozenset[bool], bool]:
        """Which truth values a condition may have, and whether it may have no answer."""
        possible = self.possible(node, terms)
        if possible.domain is None:
            return frozenset(), True
        assert isinstance(possible.domain, ChoiceDomain), "only conditions are asked for their truth"
        known = possible.domain.values | ({False} if possible.domain.null else set())
        return frozenset(truth for truth in (True, False) if truth in known), possible.fails

    def _possible_alone(self, node: Node, terms: _Terms) -> Possible:
        match node:
            case Literal(value):
                return Possible(domain_of_value(value))
            case PathReading(path):
                return Possible(self._facts.get(path) or _reading_domain(path, self._layout))
            case TurnNumber():
                return Possible(self._facts.get(TURN) or NumberDomain(0, INTEGER_MAX, whole=True))
            case Negative(operand):
                return self._reckon(Arithmetic("-", Literal(0), operand), terms)
            case Arithmetic():
                return self._reckon(node, terms)
            case Not(operand):
                truths, fails = self.truths(operand, terms)
                return Possible(chosen(frozenset(not truth for truth in truths), null=False), fails)
            case Junction():
                return self._join(node, terms)
            case Comparison():
                return self._compare(node, terms)
            case FunctionCall():
                return self._call(node, terms)
            case _:
                assert_never(node)

    def _number(self, node: Node, terms: _Terms) -> Possible:
        """The possible numbers of a node; a null has no answer."""
        possible = self.possible(node, terms)
        if not isinstance(possible.domain, NumberDomain):
            return Possible(None, possible.fails)
        return Possible(possible.domain, possible.fails or possible.domain.null)

    def _reckon(self, node: Arithmetic, terms: _Terms) -> Possible:
        left, right = self._number(node.left, terms), self._number(node.right, terms)
        if not isinstance(left.domain, NumberDomain) or not isinstance(right.domain, NumberDomain):
            return Possible(None)
        result = reckon(node.sign, left.domain, right.domain)
        return Possible(result.domain, result.fails or left.fails or right.fails)

    def _join(self, node: Junction, terms: _Terms) -> Possible:
        """Judge part by part, as in evaluation: earlier parts decide whether later ones are reached."""
        decisive = node.word == "or"
        found: set[bool] = set()
        fails, reached = False, terms
        for part in node.parts:
            truths, part_fails = self.truths(part, reached)
            fails = fails or part_fails
            found.update(truths & {decisive})
            supposed = self._suppose_further(part, not decisive, reached, truths)
            if supposed is None:
                break
            reached = supposed
        else:
            if self._suppose_further(node, not decisive, reached, {not decisive}) is not None:
                found.add(not decisive)
        return Possible(chosen(frozenset(found), null=False), fails)

    def _suppose_further(
        self, node: Node, truth: bool, terms: _Terms, truths: Collection[bool]
    ) -> _Terms | None:
        """Like `suppose`, but returns immediately if the parts of the tree are independent of one another."""
        if truth not in truths:
            return None
        return self.suppose(node, truth, terms) if self._entangled else terms

    def _compare(self, node: Comparison, terms: _Terms) -> Possible:
        left, right = self.possible(node.left, terms), self.possible(node.right, terms)
        if left.domain is None or right.domain is None:
            return Possible(None)
        fails = left.fails or right.fails
        if node.sign not in ("==", "!="):
            fails = fails or left.domain.null or right.domain.null
        holds = narrow(node.sign, left.domain, right.domain) is not None
        holds_not = narrow(OPPOSITES[node.sign], left.domain, right.domain) is not None
        return Possible(truths_of(holds, holds_not), fails)

    def _call(self, node: FunctionCall, terms: _Terms) -> Possible:
        row = CONDITION_FUNCTIONS[node.function]
        kinds = row.kinds(len(node.arguments))
        found = [
            self._number(argument, terms) if kind is ArgumentKind.NUMBER else self.possible(argument, terms)
            for kind, argument in zip(kinds, node.arguments, strict=True)
        ]
        if any(
            one.domain is None and kind is not ArgumentKind.HOLDER
            for kind, one in zip(kinds, found, strict=True)
        ):
            return Possible(None)
        return Possible(row.possible([one.domain for one in found]), any(one.fails for one in found))

    def suppose(self, node: Node, truth: bool, terms: _Terms) -> _Terms | None:
        """What follows if a condition has this answer; None if that is impossible."""
        match node:
            case Not(operand):
                return self.suppose(operand, not truth, terms)
            case Junction() if truth is (node.word == "and"):
                return self._suppose_all(node, truth, terms)
            case Junction():
                branches = [self.suppose(part, truth, terms) for part in node.parts]
                return _shared([branch for branch in branches if branch is not None])
            case _:
                truths, _ = self.truths(node, terms)
                return self._narrow(node, truth, terms) if truth in truths else None

    def _suppose_all(self, node: Junction, truth: bool, terms: _Terms) -> _Terms | None:
        """What follows if all parts have one answer; later parts may narrow earlier ones."""
        for _ in range(ROUNDS_MAX):
            before = terms
            for part in node.parts:
                supposed = self.suppose(part, truth, terms)
                if supposed is None:
                    return None
                terms = supposed
            if terms == before:
                break
        return terms

    def _narrow(self, node: Node, truth: bool, terms: _Terms) -> _Terms:
        """The terms, narrowed by the answer of one comparison, call or path."""
        supposed = {**terms, node: ChoiceDomain(frozenset({truth}), null=not truth)}
        if isinstance(node, Comparison):
            left, right = self.possible(node.left, terms).domain, self.possible(node.right, terms).domain
            assert left, "a comparison with an answer has a left side"
            assert right, "a comparison with an answer has a right side"
            narrowed = narrow(node.sign if truth else OPPOSITES[node.sign], left, right)
            assert narrowed, "this answer has been found possible"
            supposed[node.left], supposed[node.right] = narrowed
            supposed[replace(node, sign=OPPOSITES[node.sign])] = ChoiceDomain(frozenset({not truth}))
        return supposed


def _shared(branches: Sequence[_Terms]) -> _Terms | None:
    """What follows in every branch; None if there are no branches."""
    if not branches:
        return None
    first, *others = branches
    common = [node for node in first if all(node in other for other in others)]
    return {node: reduce(join, (branch[node] for branch in branches)) for node in common}


def _reading_domain(path: Path, layout: Layout) -> Domain:
    """The possible values of a path: those of its slot, plus the default if the path may break off."""
    slot = layout.find_readable(path)
    assert slot, "only paths that passed the check are read"
    domain = domain_of(slot)
    return domain if _is_fixed(path, layout) else join(domain, domain_of_value(default_of(slot)))


def _is_fixed(path: Path, layout: Layout) -> bool:
    """Whether a path has a value in every state."""
    if path in layout.computed:
        return True
    holders = [layout.find(path[:length]) for length in range(1, len(path))]
    return all(
        holder and not holder.nullable and key in holder.fields
        for holder, key in zip(holders, path[1:], strict=True)
    )


def _fuel_needed(tree: Node, layout: Layout) -> int:
    """The maximum number of elements that an evaluation may look at."""
    needed = 0
    for node in nodes_of(tree):
        if isinstance(node, Comparison) or (
            isinstance(node, FunctionCall) and CONDITION_FUNCTIONS[node.function].searches
        ):
            left = children_of(node)[0]
            slot = layout.find_readable(left.path) if isinstance(left, PathReading) else None
            needed += _elements_max(slot) if slot else 0
    return needed


def _elements_max(slot: Slot) -> int:
    """Elements and members within a slot, at any depth."""
    many = slot.element or slot.values
    named = sum(1 + _elements_max(inner) for inner in slot.fields.values())
    return named + (slot.max_items * (1 + _elements_max(many)) if many else 0)
