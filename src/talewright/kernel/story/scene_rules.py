"""Scene rules: which scene is open or comes next, what it offers, and what a choice leads to.

It works with keys of texts and asks no model. The order of a turn is defined elsewhere.
"""

from collections.abc import Iterable, Mapping
from typing import assert_never

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_rolls import Roll, roll
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep, carry_out, carry_out_call
from talewright.kernel.judging.moves import ENGINE, Call, Op, Update
from talewright.kernel.judging.rulings import Granted, Ruling
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.state import Position
from talewright.kernel.state.state_paths import pointer
from talewright.kernel.story.endings import Ending
from talewright.kernel.story.scenes import Check, Choice, Ladder, Scene, SceneResult, Trial

SUCCESS = "success"
"""The outcome that a trial counts as a success; also the member by which a system marks other outcomes so."""

PARTIAL_SUCCESS = "partial_success"
"""The outcome that may have its own result in a trial."""


@frozen
class TakenChoice:
    """The result of a choice: what happened, its texts, and where it leads."""

    step: JudgedStep
    texts: tuple[str, ...]
    roll: Roll | None
    next: str
    trial: Json = None
    """The system's answer, if the choice was a trial and the call was granted."""


def carry_out_choice(
    game: Game, position: Position, scene: Scene, choice: Choice, chance: Chance
) -> TakenChoice:
    """Apply the updates of a choice, then those of its check or trial."""
    cause = f"scene:{scene.id}"
    step = carry_out(game, position, choice.updates, cause)
    rolled: Roll | None = None
    answer: Json = None
    match choice.check:
        case None:
            return TakenChoice(step, _nonempty([choice.text]), None, choice.next)
        case Check(notation, at_least, success, failure):
            rolled = roll(parse(notation), chance)
            result = success if rolled.total >= at_least else failure
        case Ladder(notation) as ladder:
            rolled = roll(parse(notation), chance)
            result = ladder.reached(rolled.total).result
        case Trial() as trial:
            tried = carry_out_call(game, step.position, Call(trial.tool, trial.arguments), chance)
            step = join_steps(step, tried)
            answer, result = _decide(trial, tried.rulings)
        case _:
            assert_never(choice.check)
    step = join_steps(step, carry_out(game, step.position, result.updates, cause))
    return TakenChoice(
        step, _nonempty([choice.text, result.text]), rolled, result.next or choice.next, answer
    )


def is_over(position: Position) -> bool:
    """Whether the game has ended."""
    return bool(_engine_memory(position)["ending"])


def open_finale(game: Game, position: Position) -> Ending | None:
    """The finale whose routes are currently offered."""
    name = _engine_memory(position)["finale"]
    if not name or is_over(position):
        return None
    return next(ending for ending in game.endings if ending.id == name)


def current_scene(game: Game, position: Position) -> Scene | None:
    """The current scene."""
    name = _engine_memory(position)["scene"]
    assert isinstance(name, str)
    return game.scenes.get(name)


def offered(scene: Scene, position: Position) -> tuple[Choice, ...]:
    """The choices of a scene whose conditions hold."""
    document, turn = position.state.document, position.turn
    return tuple(c for c in scene.choices if c.when is None or c.when.holds(document, turn))


def wording(scene: Scene, position: Position) -> str:
    """The key of the scene's text for the current state."""
    document, turn = position.state.document, position.turn
    return next(
        variant.text
        for variant in scene.variants
        if variant.when is None or variant.when.holds(document, turn)
    )


def open_scenes(game: Game, position: Position) -> list[Scene]:
    """The scenes that may come next, in order of precedence."""
    memory = _engine_memory(position)
    seen = memory["seen"]
    assert isinstance(seen, Mapping)
    document, turn = position.state.document, position.turn
    candidates = (
        scene
        for scene in game.scenes.values()
        if scene.when is not None
        and scene.id != memory["scene"]
        and not (scene.once and seen.get(scene.id))
        and scene.when.holds(document, turn)
    )
    return sorted(candidates, key=lambda scene: (-scene.priority, _count(seen, scene.id), scene.id))


def enter(game: Game, position: Position, scene: Scene) -> JudgedStep:
    """Enter a scene."""
    updates = (
        Update(Op.SET, f"{ENGINE_ROOT}.scene", scene.id),
        Update(Op.INC, pointer((ENGINE_ROOT, "seen", scene.id)), 1),
    )
    return carry_out(game, position, updates, ENGINE)


def may_stay(scene: Scene, position: Position) -> bool:
    """Whether a scene may repeat if no other follows: it is not `once`, and its condition still holds."""
    holds = scene.when is None or scene.when.holds(position.state.document, position.turn)
    return holds and not scene.once


def leave(game: Game, position: Position) -> JudgedStep:
    """Leave the scene that was played, if no other follows."""
    return carry_out(game, position, (Update(Op.SET, f"{ENGINE_ROOT}.scene", ""),), ENGINE)


def _decide(trial: Trial, rulings: tuple[Ruling, ...]) -> tuple[Json, SceneResult]:
    """A system's answer to a trial, and the result that follows from it."""
    (ruling,) = rulings
    if not isinstance(ruling, Granted):
        return None, trial.failure
    answer = ruling.result
    facts = answer if isinstance(answer, Mapping) else {}
    if trial.partial is not None and facts.get("outcome") == PARTIAL_SUCCESS:
        return answer, trial.partial
    # A system with more degrees of success marks which of them are successes. If only the call itself can
    # fail, there is no outcome.
    plain = "outcome" not in facts and SUCCESS not in facts
    won = plain or facts.get("outcome") == SUCCESS or facts.get(SUCCESS) is True
    return answer, trial.success if won else trial.failure


def join_steps(first: JudgedStep, second: JudgedStep) -> JudgedStep:
    return JudgedStep(
        second.position,
        first.rulings + second.rulings,
        first.changes + second.changes,
        first.events + second.events,
    )


def _engine_memory(position: Position) -> Mapping[str, Json]:
    memory = position.state.document[ENGINE_ROOT]
    assert isinstance(memory, Mapping)
    return memory


def _count(seen: Mapping[str, Json], scene: str) -> int:
    count = seen.get(scene, 0)
    assert isinstance(count, int)
    return count


def _nonempty(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text for text in texts if text)
