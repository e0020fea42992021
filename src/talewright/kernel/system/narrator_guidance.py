"""Narrator guidance: what a system tells the narrator: phases, notes, memories, and which turns to keep.

Values only; the `prompt` room puts them into words for a model.
"""

from enum import StrEnum

from talewright.common.frozen_values import frozen


@frozen
class Phase:
    """A stretch of play with its own rules, such as character creation."""

    name: str
    prompt: str = ""
    """The key of the text that tells the narrator what is going on."""

    tools: frozenset[str] | None = None
    """Tools of its own system that may be called; None allows all."""

    plan: str = ""
    """The plan used for turns in this phase; empty uses the game's own plan."""

    text: str = ""
    """The text itself, instead of `prompt`, if it is not a text of the game."""

    opens: bool = False
    """Whether it starts with a turn of its own, without player input."""

    rulebook: str = ""
    """Rules that the storyteller plays by and that players may read as well. The other texts are private."""


class NoteAudience(StrEnum):
    """Who may read a note."""

    NARRATOR = "narrator"
    EVERYONE = "everyone"
    PLAYER = "player"
    """The player knows it, and the narrator need not be told; so it is in no prompt, and nobody guards it."""


@frozen
class Note:
    """A fact in words."""

    text: str
    ear: NoteAudience = NoteAudience.NARRATOR


@frozen
class SystemMemory:
    """Something the narrator should remember besides the past turns."""

    title: str
    text: str
    told: bool = False
    """Whether the player was told all of it: then it is not hidden, but must not reveal hidden things."""


@frozen
class Retention:
    """Which past turns stay in the prompt word for word."""

    first: int
    """The version of the oldest of them."""

    due: bool = False
    """Whether to drop the older ones now, all at once."""
