"""Entries: what is asked of a piece of lore besides whether it comes up: its words, and how long it matters.

Nothing of a running turn is known here.
"""

from talewright.kernel.game import Game
from talewright.kernel.story.cast_and_cards import Lore
from talewright.kernel.story.game_texts import Texts
from talewright.prompt.clipping import clip


def word_entry(entry: Lore, texts: Texts) -> str:
    """The text of an entry as it is told: on one line, and no longer than its budget."""
    text = " ".join(texts.find(f"lore.{entry.id}.text").split())
    return clip(text, entry.budget) if entry.budget else text


def list_always(game: Game) -> tuple[Lore, ...]:
    """The entries that hold from the first turn to the last: they are frozen, not brought up."""
    always = (e for e in game.lore if e.constant and e.when is None and e.reveal_when is None and not e.group)
    return tuple(sorted(always, key=lambda entry: (entry.priority, entry.id)))


def still_matters(entry: Lore, told_at: int, turn: int) -> bool:
    """Whether it still has to be known in a turn when an entry was last told."""
    return turn < told_at + max(entry.sticky, entry.cooldown)
