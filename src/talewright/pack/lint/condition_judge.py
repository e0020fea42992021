"""The condition judge: decides whether a condition always, never or sometimes holds.

It is called often and must be fast; what it cannot decide counts as "sometimes".
"""

from collections import ChainMap
from collections.abc import Mapping
from types import MappingProxyType

from talewright.kernel.conditions.expression_tree import (
    Comparison,
    ComparisonSign,
    Junction,
    Literal,
    Node,
    Not,
    PathReading,
)
from talewright.kernel.conditions.satisfiability import Outlook, judge_possible
from talewright.kernel.conditions.value_domains import (
    OPPOSITES,
    ChoiceDomain,
    Domain,
    NumberDomain,
    domain_of_value,
    narrow,
)
from talewright.kernel.slots.slot_types import Layout
from talewright.kernel.state.state_paths import Path
from talewright.pack.lint.reachable_values import is_total

JUDGEMENTS_MAX = 1_500
"""Conditions of one game that get a full analysis; further ones stay undecided."""

Supposed = Mapping[Path, Domain]
"""Assumed domains of some paths, which replace the known ones."""

NOTHING: Supposed = MappingProxyType({})

_OPPOSITE = {Outlook.ALWAYS: Outlook.NEVER, Outlook.NEVER: Outlook.ALWAYS, Outlook.UNKNOWN: Outlook.UNKNOWN}


class ConditionJudge:
    """Judges the conditions of one game."""

    def __init__(self, layout: Layout, facts: dict[Path, Domain]) -> None:
        self.layout = layout
        self.facts = facts
        self._left = JUDGEMENTS_MAX
        self._known: dict[int, tuple[Node, Outlook]] = {}
        """Keyed by identity: the same trees come up often, and hashing one would walk it."""

    @property
    def spent(self) -> bool:
        """Whether the limit of full analyses is reached."""
        return self._left <= 0

    def judge(self, tree: Node) -> Outlook:
        """Whether a condition holds in every state, in none, or possibly in some."""
        known = self._known.get(id(tree))
        if known is None:
            known = self._known[id(tree)] = tree, self.judge_supposing(tree)
        return known[1]

    def judge_supposing(self, tree: Node, supposed: Supposed = NOTHING) -> Outlook:
        """As `judge`, with other domains for some paths."""
        quick = self.judge_quickly(tree, supposed)
        if quick is not None:
            return quick
        self._left -= 1
        if self._left < 0:
            return Outlook.UNKNOWN
        return judge_possible(tree, self.layout, self._with(supposed))

    def exclude(self, *trees: Node, supposed: Supposed = NOTHING) -> bool:
        """Whether these conditions certainly never hold at the same time."""
        parts: list[Node] = []
        for tree in trees:
            parts.extend(tree.parts if isinstance(tree, Junction) and tree.word == "and" else (tree,))
        return self.judge_supposing(Junction("and", tuple(parts)), supposed) is Outlook.NEVER

    def is_total(self, tree: Node, supposed: Supposed = NOTHING) -> bool:
        """Whether an expression certainly has a value in every state."""
        if self.judge_quickly(tree, supposed) is not None:
            return True
        self._left -= 1
        return self._left >= 0 and is_total(tree, self.layout, self._with(supposed))

    def judge_quickly(self, tree: Node, supposed: Supposed = NOTHING) -> Outlook | None:
        """Judge a condition that only compares paths with values; None for any other."""
        glance = _Glance(self.facts, supposed)
        outlook = glance.look(tree, truth=True)
        if outlook is None or not glance.repeats:
            return outlook
        if not isinstance(tree, Junction) or any(map(_is_nested, tree.parts)):
            return None
        return glance.hold_together(tree.word == "and", outlook)

    def _with(self, supposed: Supposed) -> Mapping[Path, Domain]:
        return ChainMap(dict(supposed), self.facts) if supposed else self.facts


class _Glance:
    """Judges a condition part by part."""

    def __init__(self, facts: Mapping[Path, Domain], supposed: Supposed) -> None:
        self._facts = facts
        self._supposed = supposed
        self._leaves: list[tuple[Path, ComparisonSign, Literal]] = []
        """Every comparison, as it must be for the tree to hold."""

    @property
    def repeats(self) -> bool:
        """Whether a path is used more than once, so that parts may depend on each other."""
        return len(self._leaves) > 1 and len({path for path, _, _ in self._leaves}) < len(self._leaves)

    def look(self, tree: Node, truth: bool) -> Outlook | None:
        """Judge the parts separately."""
        match tree:
            case Comparison(sign, PathReading(path), Literal() as literal):
                return self._compare(path, sign, literal, truth)
            case PathReading(path):
                return self._compare(path, "==", _TRUE, truth)
            case Not(operand):
                inner = self.look(operand, not truth)
                return None if inner is None else _OPPOSITE[inner]
            case Junction():
                parts: list[Outlook] = []
                for part in tree.parts:
                    seen = self.look(part, truth)
                    if seen is None:
                        return None
                    parts.append(seen)
                return _joined(tree, parts)
            case Literal(value=bool() as value):
                return Outlook.ALWAYS if value else Outlook.NEVER
            case _:
                return None

    def hold_together(self, together: bool, alone: Outlook) -> Outlook | None:
        """Judge a flat chain that uses one path more than once; None if limits do not decide it.

        For an `or`, the question is whether all its parts can be false at once.
        """
        left: dict[Path, Domain] = {}
        for path, sign, literal in self._leaves:
            domain = left.get(path) or self._supposed.get(path) or self._facts[path]
            asked = sign if together else OPPOSITES[sign]
            narrowed = narrow(asked, domain, domain_of_value(literal.value))
            if narrowed is None:
                return Outlook.NEVER if together else Outlook.ALWAYS
            if asked == "!=" and narrowed[0] == domain:
                # The excluded value is inside the range, which limits cannot express.
                return None
            left[path] = narrowed[0]
        return alone

    def _compare(self, path: Path, sign: ComparisonSign, literal: Literal, truth: bool) -> Outlook | None:
        domain = self._supposed.get(path) or self._facts.get(path)
        if domain is None or domain.null:
            return None
        self._leaves.append((path, sign if truth else OPPOSITES[sign], literal))
        value = literal.value
        if isinstance(domain, NumberDomain) and sign not in ("==", "!=") and isinstance(value, int | float):
            return _order(domain, sign, value)
        if isinstance(domain, ChoiceDomain) and isinstance(value, bool | str):
            equal = _find_equal(domain, value)
            return equal if sign == "==" else _OPPOSITE[equal]
        known = domain_of_value(value)
        if narrow(sign, domain, known) is None:
            return Outlook.NEVER
        return Outlook.UNKNOWN if narrow(OPPOSITES[sign], domain, known) else Outlook.ALWAYS


_TRUE = Literal(True)


def _order(domain: NumberDomain, sign: ComparisonSign, value: int | float) -> Outlook:
    """Compare the numbers of a domain with a value."""
    match sign:
        case "<":
            may, may_not = domain.low < value, domain.high >= value
        case "<=":
            may, may_not = domain.low <= value, domain.high > value
        case ">":
            may, may_not = domain.high > value, domain.low <= value
        case _:
            may, may_not = domain.high >= value, domain.low < value
    if may and may_not:
        return Outlook.UNKNOWN
    return Outlook.ALWAYS if may else Outlook.NEVER


def _find_equal(domain: ChoiceDomain, value: bool | str) -> Outlook:
    """Whether the values of a domain are all equal to a value, or none is."""
    if value not in domain.values:
        return Outlook.NEVER
    return Outlook.ALWAYS if len(domain.values) == 1 else Outlook.UNKNOWN


def _is_nested(part: Node) -> bool:
    return isinstance(part, Junction) or (isinstance(part, Not) and _is_nested(part.operand))


def _joined(tree: Junction, parts: list[Outlook]) -> Outlook:
    decisive, other = Outlook.NEVER, Outlook.ALWAYS
    if tree.word == "or":
        decisive, other = other, decisive
    if decisive in parts:
        return decisive
    return other if all(part is other for part in parts) else Outlook.UNKNOWN
