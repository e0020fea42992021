"""Scene walks: a game played through its scenes alone, without the turn pipeline.

A second, simpler engine for tests: it writes no record.
"""

from dataclasses import dataclass

from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.dice.dice_rolls import Roll
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep, carry_out_call, conclude, settle
from talewright.kernel.judging.moves import Call
from talewright.kernel.judging.rulings import Ruling
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import Position, advance
from talewright.kernel.story.endings import Route
from talewright.kernel.story.scene_rules import (
    TakenChoice,
    _engine_memory,
    carry_out_choice,
    current_scene,
    enter,
    is_over,
    join_steps,
    leave,
    may_stay,
    offered,
    open_finale,
    open_scenes,
    wording,
)
from talewright.kernel.story.scenes import Scene
from talewright.kernel.story.triggers import Event


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
        return _finish(game, join_steps(step, settle(game, step.position, chance)))
    scene = current_scene(game, position)
    assert scene is not None
    chosen = next(offer for offer in offered(scene, position) if offer.id == choice)
    act = carry_out_choice(game, position, scene, chosen, chance)
    return _finish(game, join_steps(act.step, settle(game, act.step.position, chance)), act)


def start_move(game: Game, position: Position, call: Call, chance: Chance) -> Played:
    """A move of a system that the player starts; the scene goes on as long as its condition holds.

    A scene with a higher priority interrupts one that has a condition.
    """
    step = carry_out_call(game, position, call, chance)
    step = join_steps(step, settle(game, step.position, chance))
    here = current_scene(game, step.position)
    position = step.position
    holds = here is not None and (
        here.when is None or here.when.holds(position.state.document, position.turn)
    )
    if holds and here is not None and here.when is not None:
        holds = all(scene.priority <= here.priority for scene in open_scenes(game, position))
    if not holds or is_over(position) or open_finale(game, position) is not None:
        return _finish(game, step)
    return Played(advance(position), (), here, rulings=step.rulings, changes=step.changes, events=step.events)


def routes(game: Game, position: Position) -> tuple[Route, ...]:
    """The routes of the open finale."""
    finale = open_finale(game, position)
    return () if finale is None else finale.finale


def _finish(game: Game, step: JudgedStep, act: TakenChoice | None = None) -> Played:
    """Open what comes next, and tell of it after what has happened."""
    texts = act.texts if act else ()
    follows = act.next if act else ""
    scene = None
    if is_over(step.position):
        texts = (*texts, f"ending.{_engine_memory(step.position)['ending']}")
    elif (finale := open_finale(game, step.position)) is not None:
        texts = (*texts, f"finale.{finale.id}")
    else:
        waiting = open_scenes(game, step.position)
        scene = game.scenes[follows] if follows else next(iter(waiting), None)
        here = current_scene(game, step.position)
        if scene is not None:
            step = join_steps(step, enter(game, step.position, scene))
        elif here is not None and may_stay(here, step.position):
            scene = here
        elif here is not None:
            step = join_steps(step, leave(game, step.position))
    if scene is not None:
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
