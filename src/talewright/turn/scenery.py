"""Scenery: the scene the player stands in, before and after a turn, and its words.

Which scene may come next is the kernel's rule; here it is entered and worded.
"""

from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scene_rules import (
    current_scene,
    enter,
    is_over,
    open_finale,
    open_scenes,
    wording,
)
from talewright.kernel.story.scenes_and_endings import Scene
from talewright.turn.working import Working

BREAK = "\n\n"
"""What stands between two passages."""


def open_next(working: Working, follows: str, leaves: bool) -> Scene | None:
    """Enter the scene that comes next; None where the player stays, or nothing more opens."""
    game, position = working.game, working.position
    if is_over(position) or open_finale(game, position) is not None:
        return None
    here = current_scene(game, position)
    holds = here is not None and (
        here.when is None or here.when.holds(position.state.document, position.turn)
    )
    if holds and not leaves:
        return None
    scene = game.scenes[follows] if follows else next(iter(open_scenes(game, position)), None)
    if scene is not None:
        working.take(enter(game, position, scene))
    return scene


def tell_scene(working: Working, scene: Scene | None, texts: Texts) -> tuple[str, ...]:
    """The words of the scene that was entered, or of the end."""
    if is_over(working.position):
        return tell_end(working, texts)
    return () if scene is None else (texts.get(wording(scene, working.position)),)


def tell_end(working: Working, texts: Texts) -> tuple[str, ...]:
    """The words of the ending, where the game is over."""
    memory = working.position.state.document[ENGINE_ROOT]
    assert isinstance(memory, dict)
    told = texts.find(f"ending.{memory['ending']}")
    return (told,) if is_over(working.position) and told else ()
