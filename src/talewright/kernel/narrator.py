"""The scene narrator: plays a game from its scenes alone, one whole turn at a time.

It tells by keys of texts and asks no model. Which words stand behind a key is the face's business.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never

from talewright.kernel.chance import Chance
from talewright.kernel.changes import Change
from talewright.kernel.dice import Roll, parse, roll
from talewright.kernel.documents import Json
from talewright.kernel.endings import Ending, Route
from talewright.kernel.engine_slots import ENGINE_ROOT
from talewright.kernel.game import Game
from talewright.kernel.moves import ENGINE, Call, Op, Update
from talewright.kernel.paths import pointer
from talewright.kernel.positions import Position, advance
from talewright.kernel.resolution import Step, carry_out, carry_out_call, conclude, settle
from talewright.kernel.rulings import Granted, Ruling
from talewright.kernel.scenes import Check, Choice, Ladder, Result, Scene, Trial
from talewright.kernel.triggers import Event

SUCCESS = "success"
"""The outcome, in the answer of a system, that a trial counts as one."""


@dataclass(frozen=True, slots=True)
class Act:
    """A choice carried out: what happened, in which words, and where it leads."""

    step: Step
    texts: tuple[str, ...]
    roll: Roll | None
    next: str
    trial: Json = None
    """What the system answered, where the choice was a trial and the call was granted."""


@dataclass(frozen=True, slots=True)
class Played:
    """One turn told from scenes."""

    position: Position
    texts: tuple[str, ...]
    """Keys of what is told, in order."""

    scene: Scene | None
    """Where the player now is; None once the game is over, in a finale, or where no scene is open."""

    roll: Roll | None = None
    rulings: tuple[Ruling, ...] = ()
    changes: tuple[Change, ...] = ()
    events: tuple[Event, ...] = ()
    trial: Json = None
    """What a system answered to a trial."""


def begin_story(game: Game, position: Position, chance: Chance) -> Played:
    """The first turn: what holds from the start happens, and the first scene opens."""
    return _finish(game, settle(game, position, chance))


def play(game: Game, position: Position, choice: str, chance: Chance) -> Played:
    """Take one of the offered choices, or a route of the open finale, by its id."""
    finale = open_finale(game, position)
    if finale is not None:
        route = next(route for route in finale.finale if route.id == choice)
        step = conclude(game, position, route, f"finale:{finale.id}")
        return _finish(game, _after(step, settle(game, step.position, chance)))
    scene = current_scene(game, position)
    assert scene is not None
    chosen = next(offer for offer in offered(scene, position) if offer.id == choice)
    act = carry_out_choice(game, position, scene, chosen, chance)
    return _finish(game, _after(act.step, settle(game, act.step.position, chance)), act)


def carry_out_choice(game: Game, position: Position, scene: Scene, choice: Choice, chance: Chance) -> Act:
    """Make the updates of a choice, then those of whatever its check or trial comes to."""
    cause = f"scene:{scene.id}"
    step = carry_out(game, position, choice.updates, cause)
    rolled: Roll | None = None
    answer: Json = None
    match choice.check:
        case None:
            return Act(step, _nonempty([choice.text]), None, choice.next)
        case Check(notation, at_least, success, failure):
            rolled = roll(parse(notation), chance)
            result = success if rolled.total >= at_least else failure
        case Ladder(notation) as ladder:
            rolled = roll(parse(notation), chance)
            result = ladder.reached(rolled.total).result
        case Trial() as trial:
            tried = carry_out_call(game, step.position, Call(trial.tool, trial.arguments), chance)
            step = _after(step, tried)
            answer, result = _decide(trial, tried.rulings)
        case _:
            assert_never(choice.check)
    step = _after(step, carry_out(game, step.position, result.updates, cause))
    return Act(step, _nonempty([choice.text, result.text]), rolled, result.next or choice.next, answer)


def is_over(position: Position) -> bool:
    """Whether the game has ended."""
    return bool(_memory(position)["ending"])


def open_finale(game: Game, position: Position) -> Ending | None:
    """The finale whose routes are on the table."""
    name = _memory(position)["finale"]
    if not name or is_over(position):
        return None
    return next(ending for ending in game.endings if ending.id == name)


def current_scene(game: Game, position: Position) -> Scene | None:
    """The scene the player is in."""
    name = _memory(position)["scene"]
    assert isinstance(name, str)
    return game.scenes.get(name)


def offered(scene: Scene, position: Position) -> tuple[Choice, ...]:
    """The choices of a scene whose conditions hold."""
    document, turn = position.state.document, position.turn
    return tuple(c for c in scene.choices if c.when is None or c.when.holds(document, turn))


def routes(game: Game, position: Position) -> tuple[Route, ...]:
    """The routes of the open finale."""
    finale = open_finale(game, position)
    return () if finale is None else finale.finale


def wording(scene: Scene, position: Position) -> str:
    """The key of the text that tells a scene as things stand."""
    document, turn = position.state.document, position.turn
    return next(
        variant.text
        for variant in scene.variants
        if variant.when is None or variant.when.holds(document, turn)
    )


def open_scenes(game: Game, position: Position) -> list[Scene]:
    """The scenes that may come next, the one that would come first."""
    memory = _memory(position)
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


def enter(game: Game, position: Position, scene: Scene) -> Step:
    """Put the player into a scene."""
    updates = (
        Update(Op.SET, f"{ENGINE_ROOT}.scene", scene.id),
        Update(Op.INC, pointer((ENGINE_ROOT, "seen", scene.id)), 1),
    )
    return carry_out(game, position, updates, ENGINE)


def _decide(trial: Trial, rulings: tuple[Ruling, ...]) -> tuple[Json, Result]:
    """What a system answered to a trial, and the result that follows from it."""
    (ruling,) = rulings
    answer = ruling.result if isinstance(ruling, Granted) else None
    won = isinstance(answer, Mapping) and answer.get("outcome") == SUCCESS
    return answer, trial.success if won else trial.failure


def _finish(game: Game, step: Step, act: Act | None = None) -> Played:
    """Open what comes next, and tell of it after what has happened."""
    texts = act.texts if act else ()
    follows = act.next if act else ""
    scene = None
    if is_over(step.position):
        texts = (*texts, f"ending.{_memory(step.position)['ending']}")
    elif open_finale(game, step.position) is None:
        waiting = open_scenes(game, step.position)
        scene = game.scenes[follows] if follows else next(iter(waiting), None)
    if scene is not None:
        step = _after(step, enter(game, step.position, scene))
        texts = (*texts, wording(scene, step.position))
    return Played(
        advance(step.position),
        texts,
        scene,
        act.roll if act else None,
        step.rulings,
        step.changes,
        step.events,
        act.trial if act else None,
    )


def _after(first: Step, second: Step) -> Step:
    return Step(
        second.position,
        first.rulings + second.rulings,
        first.changes + second.changes,
        first.events + second.events,
    )


def _memory(position: Position) -> Mapping[str, Json]:
    memory = position.state.document[ENGINE_ROOT]
    assert isinstance(memory, Mapping)
    return memory


def _count(seen: Mapping[str, Json], scene: str) -> int:
    count = seen.get(scene, 0)
    assert isinstance(count, int)
    return count


def _nonempty(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(text for text in texts if text)
