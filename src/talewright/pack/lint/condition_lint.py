"""Lint of conditions: those that always or never hold, as a whole or in part, and division by zero.

What cannot be decided without playing is not reported.
"""

from talewright.common.frozen_values import frozen
from talewright.kernel.conditions.expression_tree import (
    Arithmetic,
    ArithmeticSign,
    Comparison,
    Junction,
    Literal,
    Node,
    Not,
    nodes_of,
    reads_of,
)
from talewright.kernel.conditions.satisfiability import Outlook, possible_values
from talewright.kernel.conditions.value_domains import NumberDomain
from talewright.pack.faults import FaultCode
from talewright.pack.files.yaml_nodes import ScalarNode, shorten
from talewright.pack.lint.condition_trees import quoted, rewrite, start_of, write
from talewright.pack.lint.lint_context import LintContext, slot_sources

DIVISION: ArithmeticSign = "/"


@frozen
class ConditionConsequence:
    """What follows if a condition always or never holds."""

    code: FaultCode
    words: str = ""
    """Such as "`frost` never fires"; empty if there is nothing to add."""

    mend: str = ""
    """A suggestion that replaces the one for the condition."""


USELESS = ConditionConsequence(FaultCode.NEVER_HOLDS)
NEEDLESS = ConditionConsequence(FaultCode.ALWAYS_HOLDS)


def check_condition(
    inquiry: LintContext,
    node: ScalarNode,
    never: ConditionConsequence = USELESS,
    always: ConditionConsequence = NEEDLESS,
) -> Outlook:
    """Judge a condition, and report if it, or a part of it, always or never holds."""
    tree = inquiry.tree(node)
    outlook = inquiry.outlooks.judge(tree)
    if outlook is Outlook.UNKNOWN:
        _check_parts(inquiry, node, tree)
    elif outlook is Outlook.NEVER:
        _report(inquiry, node, tree, outlook, never)
    elif reads_of(tree) or always is not NEEDLESS:
        # A literal `true` is intended.
        _report(inquiry, node, tree, outlook, always)
    return outlook


def _report(
    inquiry: LintContext, node: ScalarNode, tree: Node, outlook: Outlook, follows: ConditionConsequence
) -> None:
    blame = inquiry.accuser.accuse(tree, outlook)
    code = FaultCode.CARRY_TRAP if blame.trapped else follows.code
    message = blame.tell()
    if follows.words:
        message = f"{follows.words}: {message}"
    suggestion = blame.suggestion
    if outlook is Outlook.ALWAYS and blame.part is inquiry.tree(node):
        # A part can be deleted, but the whole condition is required.
        suggestion = suggestion.replace("Delete it", "Write `true` if you mean that")
    inquiry.fault_list.report(code, blame.place(node), message, follows.mend or suggestion)


def _check_parts(inquiry: LintContext, node: ScalarNode, tree: Node) -> None:
    """Report parts of a condition that have no effect."""
    if isinstance(tree, Not):
        _check_parts(inquiry, node, tree.operand)
    elif isinstance(tree, Junction):
        for part in tree.parts:
            outlook = inquiry.outlooks.judge(part)
            if outlook is Outlook.UNKNOWN:
                _check_parts(inquiry, node, part)
            elif reads_of(part):
                _report(inquiry, node, part, outlook, USELESS if outlook is Outlook.NEVER else NEEDLESS)


def check_divisions(inquiry: LintContext) -> None:
    """Report divisors that may be zero in conditions and derived variables."""
    for node, condition in inquiry.conditions.items():
        if DIVISION in condition.source:
            _check_divisors(inquiry, node, condition.tree, "the condition does not hold")
    written = {path: source.derived for path, source, _ in slot_sources(inquiry.source)}
    for derived in inquiry.game.derived:
        found = written.get(derived.path)
        if found is not None and DIVISION in derived.expression.source:
            _check_divisors(inquiry, found, derived.expression.tree, "the variable keeps its default")


def _check_divisors(inquiry: LintContext, node: ScalarNode, tree: Node, consequence: str) -> None:
    doubtful = [divisor for divisor in _divisors(tree) if _may_be_zero(inquiry, divisor, tree)]
    if not doubtful or inquiry.outlooks.is_total(tree):
        return
    # An expression may lack a value for other reasons; only division by zero is reported here.
    if not inquiry.outlooks.is_total(rewrite(tree, _undivided)):
        return
    divisor = doubtful[0]
    message = f"{quoted(divisor)} may be 0; then the division has no result and {consequence}"
    suggestion = "Give the divisor a `min` above 0."
    if consequence.startswith("the condition"):
        suggestion = f"Check first that it is not 0: `{shorten(write(divisor))} > 0 and ...`."
    inquiry.fault_list.report(
        FaultCode.DIVISION_BY_ZERO, node.place_at(start_of(divisor) - 1), message, suggestion
    )


def _divisors(tree: Node) -> list[Node]:
    """All divisors, from left to right."""
    divisions = (node for node in nodes_of(tree) if isinstance(node, Arithmetic) and node.sign == DIVISION)
    return [division.right for division in sorted(divisions, key=lambda division: division.column)]


def _may_be_zero(inquiry: LintContext, divisor: Node, tree: Node) -> bool:
    domain = possible_values(divisor, inquiry.game.layout, inquiry.reach.facts)
    if not isinstance(domain, NumberDomain) or not domain.low <= 0 <= domain.high:
        return False
    # If the condition compares the divisor with zero, the author has thought of it.
    asked = {Comparison("!=", divisor, Literal(0)), Comparison("==", divisor, Literal(0))}
    return not any(node in asked for node in nodes_of(tree))


def _undivided(node: Node) -> Node:
    """Replace the divisor of a division by one; return other nodes unchanged."""
    if isinstance(node, Arithmetic) and node.sign == DIVISION:
        return Arithmetic(DIVISION, node.left, Literal(1))
    return node
