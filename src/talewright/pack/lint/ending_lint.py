"""Lint of endings: unreachable ones, those in the first turn, and stories that stop without one.

Plays some turns through the scenes, without a storyteller; dead ends it does not meet are not reported.
"""

from collections import Counter
from collections.abc import Iterator

from talewright.errors import SourcePlace
from talewright.kernel.chance import Fate
from talewright.kernel.conditions.conditions import Condition
from talewright.kernel.conditions.expression_tree import Not
from talewright.kernel.conditions.satisfiability import Outlook
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import allowed_tools, settle
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.documents import find
from talewright.kernel.state.state import Position, advance, begin
from talewright.kernel.story.scene_rules import (
    carry_out_choice,
    current_scene,
    enter,
    is_over,
    may_stay,
    offered,
    open_finale,
    open_scenes,
)
from talewright.kernel.story.scenes import Scene
from talewright.pack.faults import FaultCode
from talewright.pack.files.yaml_nodes import ScalarNode, shorten
from talewright.pack.lint.condition_lint import ConditionConsequence, check_condition
from talewright.pack.lint.lint_context import LintContext
from talewright.pack.lint.reachable_values import FIRST_TURN


def check_endings(inquiry: LintContext) -> None:
    """Report endings that cannot be reached, and those that come at once."""
    earlier: list[tuple[str, Condition]] = []
    first = _find_first_ending(inquiry)
    for name, node, finale in _written(inquiry):
        condition = inquiry.conditions[node]
        if name == first:
            message = f"the game is over before it starts: `{shorten(condition.source)}` holds at the start"
            suggestion = "Change the condition, or the initial values it depends on."
            inquiry.fault_list.report(FaultCode.ENDS_AT_ONCE, node.place_at(0), message, suggestion)
        elif _check_reach(inquiry, name, node) is not Outlook.NEVER:
            _check_precedence(inquiry, name, node, earlier)
        if not finale:
            earlier.append((name, condition))


def check_dead_ends(inquiry: LintContext) -> None:
    """Report choices after which no scene is open, so that the story stops without a storyteller."""
    sources = {scene.id: scene for scene in inquiry.library.scenes}
    for scene, choice in SceneTrial(inquiry.game).find_dead_ends():
        place, when = SourcePlace("game.yaml"), "when the game starts,"
        if scene:
            names = {one.id or str(number): one for number, one in enumerate(sources[scene].choices, 1)}
            place, when = names[choice].node.place, f"after the choice `{choice}` of `{scene}`,"
        message = f"{when} it can happen that no scene is open: without a storyteller the story stops"
        suggestion = "Add a scene without `once` whose `when` holds there, or continue with `next:`."
        inquiry.fault_list.report(FaultCode.DEAD_END, place, message, suggestion)


TRIAL_TURNS_MAX = 400
"""Turns that are played in total to find dead ends."""

TRIAL_LENGTH_MAX = 60
"""Turns in one play, unless it ends before."""


class SceneTrial:
    """Plays a game through its scenes, preferring the choices taken least often."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._taken: Counter[tuple[str, str]] = Counter()
        self._left = TRIAL_TURNS_MAX

    def find_dead_ends(self) -> list[tuple[str, str]]:
        """Scenes, each with a choice after which no scene is open; both are empty for the start."""
        found: dict[str, str] = {}
        while self._game.scenes and self._left > 0:
            stopped = self._play()
            if stopped is not None:
                found.setdefault(*stopped)
        return list(found.items())

    def _play(self) -> tuple[str, str] | None:
        """Play until the game ends; if it stops before, return the scene and the choice it stops after."""
        secret = str(self._left).encode()
        position = begin(self._game)
        follows, came = "", ("", "")
        for turn in range(TRIAL_LENGTH_MAX):
            self._left -= 1
            fate = Fate(secret, turn)
            position = settle(self._game, position, fate).position
            if is_over(position) or open_finale(self._game, position) is not None:
                return None
            here = self._find_next(position, follows)
            if here is None:
                return None if self._systems_offer_choices(position) else came
            position = advance(enter(self._game, position, here).position)
            choices = offered(here, position)
            if not choices:
                # Reported elsewhere: every scene should have choices without conditions.
                return None
            choice = min(choices, key=lambda one: self._taken[here.id, one.id])
            came = here.id, choice.id
            self._taken[came] += 1
            act = carry_out_choice(self._game, position, here, choice, fate)
            position, follows = act.step.position, act.next
        return None

    def _find_next(self, position: Position, follows: str) -> Scene | None:
        if follows:
            return self._game.scenes[follows]
        here = current_scene(self._game, position)
        scene = next(iter(open_scenes(self._game, position)), None)
        return here if scene is None and here is not None and may_stay(here, position) else scene

    def _systems_offer_choices(self, position: Position) -> bool:
        """Whether a system's choices let the player continue with no scene open."""
        table = WorkingState(self._game, position)
        allowed = allowed_tools(table)
        choices = (one for system in self._game.parts.choices for one in system.choices(table.sight(system)))
        return any(choice.call.tool in allowed for choice in choices)


def _find_first_ending(inquiry: LintContext) -> str:
    """The ending or finale that comes in the first turn in any case; or empty."""
    game = inquiry.game
    if game.systems or not any(ending.when.holds(game.initial, FIRST_TURN) for ending in game.endings):
        return ""
    state = settle(game, begin(game), _NoChance()).position.state
    ending, finale = (find(state.document, (ENGINE_ROOT, name)) for name in ("ending", "finale"))
    return str(ending or finale)


class _NoChance:
    """A source of randomness that must not be used: without systems, nothing is drawn."""

    def draw(self, sides: int, why: str = "") -> int:
        raise AssertionError("rules alone draw nothing")


def _check_reach(inquiry: LintContext, name: str, node: ScalarNode) -> Outlook:
    if not inquiry.game.model_may_end:
        consequence = f"the ending `{name}` can never be reached"
        return check_condition(inquiry, node, ConditionConsequence(FaultCode.UNREACHABLE_ENDING, consequence))
    # The storyteller may still end the game, so `false` can mean "only the storyteller decides".
    if not inquiry.conditions[node].reads:
        return Outlook.NEVER
    return check_condition(inquiry, node)


def _written(inquiry: LintContext) -> Iterator[tuple[str, ScalarNode, bool]]:
    """Every ending in order of precedence: its id, its condition and whether it is a finale."""
    source = inquiry.source
    for ending in source.endings:
        yield ending.id, ending.when, bool(ending.finale)
    for kind, nodes in (("win", source.win_conditions), ("lose", source.lose_conditions)):
        for number, node in enumerate(nodes, 1):
            yield f"{kind}_{number}", node, False


def _check_precedence(
    inquiry: LintContext, name: str, node: ScalarNode, earlier: list[tuple[str, Condition]]
) -> None:
    """Report endings that an earlier one always precedes."""
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
