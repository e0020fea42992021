"""The lint of endings: those that no path can reach, and those that come within the first turn.

Only the first turn is tried, and without any system.
"""

from collections.abc import Iterator

from talewright.kernel.conditions.conditions import Condition
from talewright.kernel.conditions.expression_tree import Not
from talewright.kernel.conditions.satisfiability import Outlook
from talewright.kernel.judging.move_resolution import settle
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.documents import find
from talewright.kernel.state.state import begin
from talewright.pack.faults import FaultCode
from talewright.pack.files.yaml_nodes import ScalarNode, shorten
from talewright.pack.lint.condition_lint import ConditionConsequence, check_condition
from talewright.pack.lint.lint_context import LintContext
from talewright.pack.lint.reachable_values import FIRST_TURN


def check_endings(inquiry: LintContext) -> None:
    """Tell which endings cannot be reached, or cannot be missed."""
    earlier: list[tuple[str, Condition]] = []
    first = _find_first_ending(inquiry)
    for name, node, finale in _written(inquiry):
        condition = inquiry.conditions[node]
        if name == first:
            message = (
                f"the game is over before it has begun: `{shorten(condition.source)}` holds at the start"
            )
            suggestion = "Change the condition, or the first values that it asks for."
            inquiry.fault_list.report(FaultCode.ENDS_AT_ONCE, node.place_at(0), message, suggestion)
        elif _check_reach(inquiry, name, node) is not Outlook.NEVER:
            _check_precedence(inquiry, name, node, earlier)
        if not finale:
            earlier.append((name, condition))


def _find_first_ending(inquiry: LintContext) -> str:
    """The ending, or finale, that comes in the first turn whatever anybody does; or empty."""
    game = inquiry.game
    if game.systems or not any(ending.when.holds(game.initial, FIRST_TURN) for ending in game.endings):
        return ""
    state = settle(game, begin(game), _NoChance()).position.state
    ending, finale = (find(state.document, (ENGINE_ROOT, name)) for name in ("ending", "finale"))
    return str(ending or finale)


class _NoChance:
    """Nothing is drawn where no system is at work."""

    def draw(self, sides: int, why: str = "") -> int:
        raise AssertionError("rules alone draw nothing")


def _check_reach(inquiry: LintContext, name: str, node: ScalarNode) -> Outlook:
    if not inquiry.game.model_may_end:
        consequence = f"the ending `{name}` can never be reached"
        return check_condition(inquiry, node, ConditionConsequence(FaultCode.UNREACHABLE_ENDING, consequence))
    # The storyteller may still declare it; so `false` is a way to leave it to the storyteller alone.
    if not inquiry.conditions[node].reads:
        return Outlook.NEVER
    return check_condition(inquiry, node)


def _written(inquiry: LintContext) -> Iterator[tuple[str, ScalarNode, bool]]:
    """Every ending in the order of precedence: its id, its condition and whether it is a finale."""
    source = inquiry.source
    for ending in source.endings:
        yield ending.id, ending.when, bool(ending.finale)
    for kind, nodes in (("win", source.win_conditions), ("lose", source.lose_conditions)):
        for number, node in enumerate(nodes, 1):
            yield f"{kind}_{number}", node, False


def _check_precedence(
    inquiry: LintContext, name: str, node: ScalarNode, earlier: list[tuple[str, Condition]]
) -> None:
    """Tell where an earlier ending always takes the place of a later one."""
    if inquiry.game.model_may_end:
        return
    condition, outlooks = inquiry.conditions[node], inquiry.outlooks
    for first, other in earlier:
        shared = condition.reads & other.reads
        if shared and outlooks.is_total(other.tree) and outlooks.exclude(condition.tree, Not(other.tree)):
            message = (
                f"the ending `{name}` can never be reached: whenever its condition holds, "
                f"`{shorten(other.source)}` holds too, and `{first}` comes before it"
            )
            suggestion = f"Put `{name}` before `{first}`, or narrow the condition of `{first}`."
            inquiry.fault_list.report(FaultCode.UNREACHABLE_ENDING, node.place_at(0), message, suggestion)
            return
