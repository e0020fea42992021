"""Condition explanations: finds which part makes a condition hold always or never, and what to write.

Used only for conditions that `condition_judge` has found.
"""

from collections.abc import Iterable

from talewright.common.frozen_values import frozen
from talewright.errors import SourcePlace
from talewright.kernel.conditions.expression_tree import (
    Comparison,
    ComparisonSign,
    FunctionCall,
    Junction,
    Literal,
    Node,
    Not,
    PathReading,
    TurnNumber,
    ValueType,
    nodes_of,
)
from talewright.kernel.conditions.expression_types import type_of
from talewright.kernel.conditions.satisfiability import Outlook, judge_possible, possible_values
from talewright.kernel.conditions.value_domains import Domain, NumberDomain, domain_of
from talewright.kernel.slots.slot_types import Slot, describe_slot
from talewright.kernel.state.documents import INTEGER_MAX
from talewright.kernel.state.state_paths import Path, dotted
from talewright.pack.files.yaml_nodes import ScalarNode
from talewright.pack.lint.condition_judge import ConditionJudge
from talewright.pack.lint.condition_trees import describe_domain, quoted, start_of
from talewright.pack.lint.reachable_values import ReachableValues


@frozen
class ConditionExplanation:
    """Why the value of a condition never changes."""

    part: Node
    """The smallest part that decides it."""

    outlook: Outlook
    """Whether the part always or never holds; under a `not`, the opposite of the whole condition."""

    reason: str
    """Words that follow `since`; empty if there is no short reason."""

    suggestion: str
    trapped: bool = False
    """Whether only a carry keeps it from holding."""

    def place(self, node: ScalarNode) -> SourcePlace:
        """The place of the part in the file."""
        return node.place_at(start_of(self.part) - 1)

    def tell(self) -> str:
        """The part, its value and the reason as one clause."""
        return f"{quoted(self.part)} {self.outlook} holds" + (f", since {self.reason}" if self.reason else "")


class ConditionExplainer:
    """Explains the conditions of one game that always or never hold."""

    def __init__(self, outlooks: ConditionJudge, reach: ReachableValues, clocks: Iterable[Path]) -> None:
        self._outlooks = outlooks
        self._reach = reach
        self._layout = outlooks.layout
        self._clocks = frozenset(clocks)
        """Minutes that carry automatically."""

    def accuse(self, tree: Node, outlook: Outlook) -> ConditionExplanation:
        """Explain a condition that always or never holds."""
        part, outlook = self._narrow_down(tree, outlook)
        if outlook is Outlook.NEVER:
            trap = self._find_trap(part)
            if trap is not None:
                return self._blame_carry(part, *trap)
        reasons, culprits = self._find_reasons(part, held=outlook is Outlook.ALWAYS)
        return ConditionExplanation(
            part, outlook, " and ".join(reasons), self._suggest(part, culprits, outlook)
        )

    def _narrow_down(self, tree: Node, outlook: Outlook) -> tuple[Node, Outlook]:
        """The smallest part found that decides the value."""
        match tree:
            case Not(Junction() as operand):
                opposite = Outlook.ALWAYS if outlook is Outlook.NEVER else Outlook.NEVER
                if self._outlooks.judge(operand) is opposite:
                    return self._narrow_down(operand, opposite)
            case Junction(word, parts) if (word == "and") is (outlook is Outlook.NEVER):
                for part in parts:
                    if self._outlooks.judge(part) is outlook:
                        return self._narrow_down(part, outlook)
            case _:
                pass
        return tree, outlook

    def _find_trap(self, part: Node) -> tuple[Path, Slot] | None:
        """Find the slot whose carry alone keeps a part from holding."""
        for path in sorted({node.path for node in nodes_of(part) if isinstance(node, PathReading)}):
            slot = self._layout.find(path)
            if slot is None or slot.carry is None:
                continue
            low = -INTEGER_MAX if slot.minimum is None else slot.minimum
            high = INTEGER_MAX if slot.maximum is None else slot.maximum
            facts = {**self._reach.facts, path: NumberDomain(int(low), int(high), whole=True)}
            if judge_possible(part, self._layout, facts) is not Outlook.NEVER:
                return path, slot
        return None

    def _blame_carry(self, part: Node, path: Path, slot: Slot) -> ConditionExplanation:
        assert slot.carry is not None
        name, target = dotted(path), dotted((*path[:-1], slot.carry.into))
        at = slot.carry.at
        reason = f"`{name}` carries into `{target}` at {at} and so stays from 0 to {at - 1}"
        suggestion = f"Use `{target}` instead, or delete the `carry` of `{name}`."
        if path in self._clocks:
            suggestion = f"Use `{target}` instead."
        return ConditionExplanation(part, Outlook.NEVER, reason, suggestion, trapped=True)

    def _find_reasons(self, part: Node, held: bool) -> tuple[list[str], list[Path]]:
        """Why a part always or never holds, as clauses, and the paths that cause it."""
        match part:
            case Not(operand):
                return self._find_reasons(operand, not held)
            case PathReading(path):
                return [self._clause(part, "==", held)], [path]
            case Comparison():
                sides = [side for side in (part.left, part.right) if not isinstance(side, Literal)]
                signs = (part.sign, _turned(part.sign)) if part.left in sides else (_turned(part.sign),)
                clauses = [self._clause(side, sign, held) for side, sign in zip(sides, signs, strict=False)]
                found = [clause for clause in clauses if clause]
                # Half a reason is worse than none.
                return found if len(found) == len(clauses) else [], _paths_of(part)
            case FunctionCall("has", (PathReading(path), sought)):
                return [self._clause_of_contents(path, sought, held)], [path]
            case Junction(word, parts) if len(parts) > 1 and (word == "and") is not held:
                return [f"its parts {'cover every case' if held else 'contradict each other'}"], []
            case _:
                return [], _paths_of(part)

    def _clause(self, side: Node, sign: ComparisonSign, held: bool) -> str:
        """What is known about one side of a comparison, as a clause; empty if that explains nothing."""
        if type_of(side, self._layout) not in (ValueType.NUMBER, ValueType.BOOLEAN, ValueType.TEXT):
            return ""
        domain = possible_values(side, self._layout, self._reach.facts)
        words = "" if domain is None else describe_domain(domain, sign, held)
        if not words:
            return ""
        return f"{quoted(side)} is {words}{self._origin(side)}"

    def _origin(self, side: Node) -> str:
        """Where a limit comes from, if not from the declared range."""
        match side:
            case TurnNumber():
                return ""
            case PathReading(path) if path in self._reach.unwritten:
                return " (nothing ever writes it)"
            case PathReading(path) if self._is_narrowed(path):
                return " (no update gives it another value)"
            case PathReading(path) if (
                slot := self._layout.find(path)
            ) is not None and slot.carry is not None:
                return f" (it carries into `{dotted((*path[:-1], slot.carry.into))}`)"
            case _:
                return ""

    def _clause_of_contents(self, path: Path, sought: Node, held: bool) -> str:
        if held:
            return f"{quoted(sought)} is always in `{dotted(path)}`"
        return f"nothing ever adds {quoted(sought)} to `{dotted(path)}`"

    def _is_narrowed(self, path: Path) -> bool:
        slot, known = self._layout.find(path), self._reach.facts.get(path)
        return slot is not None and not slot.derived and known is not None and known != domain_of(slot)

    def _suggest(self, part: Node, culprits: list[Path], outlook: Outlook) -> str:
        for path in culprits:
            slot = self._layout.find(path)
            if slot is not None and self._is_narrowed(path):
                barred = "secret" if slot.secret else "readonly"
                return f"Let a choice or a trigger change `{dotted(path)}`, or delete its `{barred}`."
        want = "Delete it, or make it stricter"
        if outlook is Outlook.NEVER:
            want = "Use a value it can have"
        match part:
            case Comparison(_, PathReading(path), Literal()) | Comparison(_, Literal(), PathReading(path)):
                slot = self._layout.find_readable(path)
                if slot is not None and _is_bounded(self._reach.facts.get(path)):
                    return f"{want}: `{dotted(path)}` is {describe_slot(slot)}."
                return f"{want}."
            case Comparison():
                return f"{want}."
            case _:
                return "Change it so that it can be true." if outlook is Outlook.NEVER else "Delete it."


def _is_bounded(domain: Domain | None) -> bool:
    return isinstance(domain, NumberDomain) and (domain.low > -INTEGER_MAX or domain.high < INTEGER_MAX)


def _paths_of(part: Node) -> list[Path]:
    paths = [(node.column, node.path) for node in nodes_of(part) if isinstance(node, PathReading)]
    return list(dict.fromkeys(path for _, path in sorted(paths)))


def _turned(sign: ComparisonSign) -> ComparisonSign:
    """The sign with its sides swapped."""
    turned: dict[ComparisonSign, ComparisonSign] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    return turned.get(sign, sign)
