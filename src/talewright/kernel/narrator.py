"""The scene narrator: plays a game from its scenes alone, one whole turn at a time.

It tells by keys of texts and asks no model. Which words stand behind a key is the face's business.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from talewright.kernel.chance import Chance
from talewright.kernel.changes import Change
from talewright.kernel.dice import Roll, parse, roll
from talewright.kernel.documents import Json
from talewright.kernel.endings import Ending, Route
from talewright.kernel.engine_slots import ENGINE_ROOT
from talewright.kernel.game import Game
from talewright.kernel.moves import ENGINE, Op, Update
from talewright.kernel.paths import pointer
from talewright.kernel.positions import Position, advance
from talewright.kernel.resolution import Step, carry_out, conclude, settle
from talewright.kernel.rulings import Ruling
from talewright.kernel.scenes import Choice, Scene
from talewright.kernel.triggers import Event


@dataclass(frozen=True, slots=True)
class Act:
    """A choice carried out: what happened, in which words, and where it leads."""

    step: Step
    texts: tuple[str, ...]
    roll: Roll | None
    next: str


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


def begin_story(game: Game, position: Position, chance: Chance) -> Played:
    """The first turn: what holds from the start happens, and the first scene opens."""
    return _finish(game, settle(game, position, chance), (), None, "")


def play(game: Game, position: Position, choice: str, chance: Chance) -> Played:
    """Take one of the offered choices, or a route of the open finale, by its id."""
    finale = open_finale(game, position)
    if finale is not None:
        route = next(route for route in finale.finale if route.id == choice)
        step = conclude(game, position, route, f"finale:{finale.id}")
        return _finish(game, _after(step, settle(game, step.position, chance)), (), None, "")
    scene = current_scene(game, position)
    assert scene is not None
    chosen = next(offer for offer in offered(scene, position) if offer.id == choice)
    act = carry_out_choice(game, position, scene, chosen, chance)
    settled = _after(act.step, settle(game, act.step.position, chance))
    return _finish(game, settled, act.texts, act.roll, act.next)


def carry_out_choice(game: Game, position: Position, scene: Scene, choice: Choice, chance: Chance) -> Act:
    """Make the updates of a choice and of its check."""
    cause = f"scene:{scene.id}"
    step = carry_out(game, position, choice.updates, cause)
    told = [choice.text]
    if choice.check is None:
        return Act(step, _nonempty(told), None, choice.next)
    rolled = roll(parse(choice.check.roll), chance)
    result = choice.check.success if rolled.total >= choice.check.at_least else choice.check.failure
    after = carry_out(game, step.position, result.updates, cause)
    told.append(result.text)
    return Act(_after(step, after), _nonempty(told), rolled, result.next or choice.next)


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


def _finish(game: Game, step: Step, texts: tuple[str, ...], rolled: Roll | None, follows: str) -> Played:
    scene = None
    if is_over(step.position):
        texts = (*texts, f"ending.{_memory(step.position)['ending']}")
    elif open_finale(game, step.position) is None:
        waiting = open_scenes(game, step.position)
        scene = game.scenes[follows] if follows else next(iter(waiting), None)
    if scene is not None:
        step = _after(step, enter(game, step.position, scene))
        texts = (*texts, wording(scene, step.position))
    return Played(advance(step.position), texts, scene, rolled, step.rulings, step.changes, step.events)


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
