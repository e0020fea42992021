"""The door: what the terminal face is handed when it is opened.

The rooms behind it are entered after the first paint, because loading them takes longer than drawing.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from talewright.faces.tui.preferences import Preferences
from talewright.play.lobby import Lobby
from talewright.play.model_choices import ModelChooser


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What was asked for on the command line."""

    game: str = ""
    campaign: str = ""
    language: str = ""
    locale: str = ""
    """The language of the terminal, taken where the player names none and the game has it."""

    new: bool = False
    place: str = ""
    """Where campaigns are kept, in words for the player."""


@dataclass(frozen=True, slots=True)
class Rooms:
    """What lies behind the door."""

    lobby: Lobby
    models: ModelChooser
    close: Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """All that the face is handed."""

    enter: Callable[[], Rooms]
    """Called once, in a thread, after the first paint."""

    preferences: Preferences
    keep: Callable[[Preferences], None]
    """Keeps what the player prefers for the next time."""

    wishes: Wishes
    first_run: bool = False
    """Whether nothing was ever set up or played here."""
