"""The tail: how things stand in this turn, and what the player does; the only part that is new each time.

Secret slots never stand here, nor anything the narrator should not know yet.
"""

from dataclasses import dataclass, replace

from talewright.kernel.cards import PromptWeight
from talewright.kernel.documents import Json
from talewright.kernel.game import Game
from talewright.kernel.narrator import current_scene, offered, wording
from talewright.kernel.positions import Position
from talewright.kernel.table import Table
from talewright.kernel.texts import Texts
from talewright.prompt.results import prune, write_plainly, write_results


@dataclass(frozen=True, slots=True)
class Moment:
    """What is particular to one turn."""

    said: str
    happened: tuple[str, ...] = ()
    """Authored passages that the player's choice has brought about."""

    results: tuple[Json, ...] = ()
    """Rolls and results of calls: they stand and must be told as they are."""

    extra: tuple[str, ...] = ()
    """What the dialect adds, such as the index of an inventory."""


def write_tail(game: Game, texts: Texts, position: Position, moment: Moment) -> str:
    """The state, the notes, the scene, and the input."""
    parts = [
        f"[VERSION]\n{position.state.version}",
        f"[STATE]\n{write_plainly(shown_state(game, position))}",
        *moment.extra,
        _notes(game, position, texts.language),
        _scene(game, texts, position),
        "\n".join(("[HAPPENED]", *moment.happened)) if moment.happened else "",
        write_results(moment.results) if moment.results else "",
        f"[PLAYER]\n{moment.said}" if moment.said else "[PLAYER]\n(goes on)",
    ]
    return "\n\n".join(part for part in parts if part)


def shown_state(game: Game, position: Position) -> dict[str, Json]:
    """The document without secret slots and without those the author keeps out of prompts."""
    unwanted = {card.variable for card in game.cards if card.prompt_weight is PromptWeight.HIDDEN}
    return {
        name: prune(slot, position.state.document[name])
        for name, slot in game.layout.roots.items()
        if not slot.secret and name not in unwanted
    }


def _notes(game: Game, position: Position, language: str) -> str:
    table = Table(game, position)
    sights = [(system, replace(table.sight(system), language=language)) for system in game.systems]
    told = [note.text for system, sight in sights for note in system.notes(sight)]
    return "\n".join(["[NOTES]", *(f"- {text}" for text in told)]) if told else ""


def _scene(game: Game, texts: Texts, position: Position) -> str:
    scene = current_scene(game, position)
    if scene is None:
        return ""
    choices = [
        f"- {choice.id}: {texts.get(f'scene.{scene.id}.{choice.id}.label')}"
        for choice in offered(scene, position)
    ]
    return "\n".join(["[SCENE]", texts.get(wording(scene, position)), *choices])
