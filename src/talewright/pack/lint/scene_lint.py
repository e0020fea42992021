"""Lint of scenes: scenes that never open; wordings, choices and results that never come up.

It plays nothing; it only looks at what conditions and dice allow.
"""

from collections.abc import Iterable
from functools import lru_cache

from talewright.kernel.conditions.conditions import Condition
from talewright.kernel.conditions.expression_tree import TURN, Node, Not
from talewright.kernel.conditions.satisfiability import Outlook
from talewright.kernel.dice.dice_odds import distribution
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_tree import DiceError
from talewright.pack.faults import FaultCode
from talewright.pack.files.yaml_nodes import shorten
from talewright.pack.lint.authored_updates import followers
from talewright.pack.lint.condition_lint import ConditionConsequence, check_condition
from talewright.pack.lint.lint_context import LintContext
from talewright.pack.schema.scene_fields import (
    CheckSource,
    ChoiceSource,
    LadderSource,
    SceneSource,
    VariantSource,
)


def check_scenes(inquiry: LintContext) -> None:
    """Report what players can never see of the scenes."""
    closed = {scene.id for scene in inquiry.library.scenes if not _check_opening(inquiry, scene)}
    _check_ways(inquiry, closed)
    for scene in inquiry.library.scenes:
        if inquiry.fault_list.full:
            return
        # One fault is enough for a scene that never opens.
        if scene.id not in closed or scene.id in inquiry.named:
            _check_wordings(inquiry, scene)
            for number, choice in enumerate(scene.choices, 1):
                _check_choice(inquiry, scene, choice, choice.id or str(number))
                if isinstance(choice.check, LadderSource):
                    _check_results(inquiry, choice.check)
                elif isinstance(choice.check, CheckSource):
                    _check_target(inquiry, choice.check)


def _check_opening(inquiry: LintContext, scene: SceneSource) -> bool:
    """Whether a scene's own condition can open it."""
    if scene.when is None:
        return False
    never = ConditionConsequence(FaultCode.UNREACHABLE_SCENE, f"the scene `{scene.id}` never opens")
    if set(inquiry.named.get(scene.id, ())) - {scene.id}:
        words = f"the scene `{scene.id}` is only reached through `next`"
        never = ConditionConsequence(FaultCode.NEVER_HOLDS, words, "Delete `when`.")
    if check_condition(inquiry, scene.when, never) is Outlook.NEVER:
        return False
    ending = _find_ending(inquiry, [inquiry.conditions[scene.when]])
    if ending is None:
        return True
    message = f"{never.words}: {_tell_ending(*ending)}"
    suggestion = never.mend or f"Move its text to the ending `{ending[0]}`, or change `when`."
    inquiry.fault_list.report(never.code, scene.when.place_at(0), message, suggestion)
    return False


def _check_ways(inquiry: LintContext, closed: set[str]) -> None:
    """Report scenes that nothing leads to; of those that only lead to each other, the first."""
    scenes = {scene.id: scene for scene in inquiry.library.scenes}
    reached: set[str] = set()
    _go_on([name for name in scenes if name not in closed], scenes, reached)
    for name, scene in scenes.items():
        if scene.when is not None and name not in inquiry.named:
            # Already reported, by its condition.
            _go_on([name], scenes, reached)
    for name, scene in scenes.items():
        if name not in reached and set(inquiry.named.get(name, ())) <= {name}:
            message = f"nothing leads to the scene `{name}`: it has no `when`, and no `next` refers to it"
            suggestion = f"Add `when:` to it, or write `next: {name}` under a choice."
            inquiry.fault_list.report(FaultCode.UNREACHABLE_SCENE, scene.place("id"), message, suggestion)
            _go_on([name], scenes, reached)
    for name, scene in scenes.items():
        if name not in reached:
            message = f"nothing leads to the scene `{name}` except scenes that cannot be reached"
            suggestion = f"Add `when:` to it, or write `next: {name}` in a scene that can be reached."
            inquiry.fault_list.report(FaultCode.UNREACHABLE_SCENE, scene.place("id"), message, suggestion)
            _go_on([name], scenes, reached)


def _go_on(names: Iterable[str], scenes: dict[str, SceneSource], reached: set[str]) -> None:
    """Add scenes, and all scenes their choices lead to, to those that can be reached."""
    pending = list(names)
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            pending.extend(follower for choice in scenes[name].choices for follower in followers(choice))


def _opened(inquiry: LintContext, scene: SceneSource) -> list[Condition]:
    """What certainly holds once a scene is open: its condition, unless a `next` bypasses it."""
    if scene.when is None or scene.id in inquiry.named:
        return []
    return [inquiry.conditions[scene.when]]


def _check_wordings(inquiry: LintContext, scene: SceneSource) -> None:
    if isinstance(scene.text, str):
        return
    above: list[Node] = []
    for number, variant in enumerate(scene.text, 1):
        if variant.when is not None:
            never = ConditionConsequence(
                FaultCode.WORDING_NEVER_TOLD, f"wording {number} of `{scene.id}` is never shown"
            )
            always = ConditionConsequence(
                FaultCode.WORDING_NEVER_TOLD,
                f"the wordings below wording {number} are never shown",
                "Move it to the end without `when`, or make the condition stricter.",
            )
            outlook = check_condition(inquiry, variant.when, never, always)
            if outlook is Outlook.ALWAYS:
                return
            if outlook is Outlook.NEVER:
                continue
        if above and _is_left_nothing(inquiry, scene, variant, above):
            message = f"wording {number} of `{scene.id}` is never shown: those above it cover every case"
            place = variant.node.place if variant.when is None else variant.when.place_at(0)
            suggestion = "Delete it, or make the conditions above it stricter."
            inquiry.fault_list.report(FaultCode.WORDING_NEVER_TOLD, place, message, suggestion)
            return
        if variant.when is not None and inquiry.outlooks.is_total(inquiry.tree(variant.when)):
            above.append(Not(inquiry.tree(variant.when)))


def _is_left_nothing(
    inquiry: LintContext, scene: SceneSource, variant: VariantSource, above: list[Node]
) -> bool:
    """Whether the wordings above cover every case in which this one would hold."""
    own = [] if variant.when is None else [inquiry.tree(variant.when)]
    opened = [condition.tree for condition in _opened(inquiry, scene)]
    return inquiry.outlooks.exclude(*opened, *own, *above)


def _check_choice(inquiry: LintContext, scene: SceneSource, choice: ChoiceSource, name: str) -> None:
    node = choice.when
    if node is None:
        return
    what = f"the choice `{name}` of `{scene.id}` is never offered"
    never = ConditionConsequence(FaultCode.CHOICE_NEVER_OFFERED, what)
    always = ConditionConsequence(FaultCode.ALWAYS_HOLDS, mend="Delete `when`, or make it stricter.")
    if check_condition(inquiry, node, never, always) is not Outlook.UNKNOWN:
        return
    condition = inquiry.conditions[node]
    # A choice is offered one turn after its scene opened.
    opened = [other for other in _opened(inquiry, scene) if TURN not in other.reads]
    if any(_excludes(inquiry, other, condition) for other in opened):
        message = f"{what}: the scene opens only while `{shorten(opened[0].source)}` holds"
        suggestion = "Change one of the two conditions."
        inquiry.fault_list.report(FaultCode.CHOICE_NEVER_OFFERED, node.place_at(0), message, suggestion)
        return
    ending = _find_ending(inquiry, [*opened, condition])
    if ending is not None:
        message = f"{what}: {_tell_ending(*ending)}"
        inquiry.fault_list.report(
            FaultCode.CHOICE_NEVER_OFFERED, node.place_at(0), message, "Change the condition."
        )


@lru_cache(maxsize=256)
def _totals(roll: str) -> list[int]:
    """The possible totals of a roll, in ascending order; empty if that takes too long to compute."""
    try:
        return [total for total, _ in distribution(parse(roll)).weights]
    except DiceError:
        return []


def _check_target(inquiry: LintContext, check: CheckSource) -> None:
    """Report a check that always or never succeeds."""
    totals = _totals(check.roll.text)
    if not totals or totals[0] < check.at_least <= totals[-1]:
        return
    never = "succeeds" if check.at_least > totals[-1] else "fails"
    message = f"this check never {never}: {check.roll.text} gives {totals[0]} to {totals[-1]}"
    suggestion = f"Write a number from {totals[0] + 1} to {totals[-1]}, or change the roll."
    if len(totals) == 1:
        suggestion = "Roll dice, such as 2d6, or write the result without a check."
    inquiry.fault_list.report(FaultCode.RESULT_NEVER_REACHED, check.place("at_least"), message, suggestion)


def _check_results(inquiry: LintContext, ladder: LadderSource) -> None:
    """Report results that no total of the roll gives."""
    left = _totals(ladder.roll.text)
    if not left:
        return
    span = f"{left[0]} to {left[-1]}"
    for number, rung in enumerate(ladder.results, 1):
        below = [] if rung.at_least is None else [total for total in left if total < rung.at_least]
        if len(below) == len(left):
            place = rung.node.place if rung.at_least is None else rung.place("at_least")
            message = f"result {number} is never reached: {ladder.roll.text} gives {span}"
            suggestion = "Delete it, or change the roll, or `at_least` here or above."
            inquiry.fault_list.report(FaultCode.RESULT_NEVER_REACHED, place, message, suggestion)
        left = below


def _excludes(inquiry: LintContext, one: Condition, other: Condition) -> bool:
    return bool(one.reads & other.reads) and inquiry.outlooks.exclude(one.tree, other.tree)


def _find_ending(inquiry: LintContext, conditions: list[Condition]) -> tuple[str, Condition] | None:
    """An ending that is reached, or whose finale is open, whenever these conditions hold."""
    trees = [condition.tree for condition in conditions]
    outlooks = inquiry.outlooks
    for ending in inquiry.game.endings:
        when = ending.when
        shared = any(when.reads & condition.reads for condition in conditions)
        # An ending that always holds is reported once, not for every scene.
        if not shared or TURN in when.reads or outlooks.judge(when.tree) is not Outlook.UNKNOWN:
            continue
        if outlooks.is_total(when.tree) and outlooks.exclude(*trees, Not(when.tree)):
            return ending.id, when
    return None


def _tell_ending(name: str, when: Condition) -> str:
    return f"while `{shorten(when.source)}` holds, the ending `{name}` is reached and no scene is played"
