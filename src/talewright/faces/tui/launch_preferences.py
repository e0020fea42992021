"""Launch preferences: what the player prefers and asked for, and the services the app is handed.

Only values. The services are entered after the first paint, because loading them takes longer than drawing.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from talewright.common.frozen_values import frozen
from talewright.play.lobby import Lobby
from talewright.play.model_choices import ModelChooser


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """What stays."""

    theme: str = "talewright-dark"
    language: str = ""
    """Of the face's own words; empty follows the terminal, and at the table the campaign."""

    animations: bool = True
    """Whether dice roll and the activity line turns."""

    cards_open: bool = True
    """Whether the cards stand beside the story where there is room."""

    descriptions: bool = True
    """Whether every card says what it means."""

    inspector: bool = False
    """Whether the inspector for authors is offered."""

    folded: str = ""
    """The cards and panels that are folded, by their keys, with spaces between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalStartRequest:
    """What was asked for on the command line."""

    game: str = ""
    campaign: str = ""
    language: str = ""
    locale: str = ""
    """The language of the terminal, taken where the player names none and the game has it."""

    new: bool = False
    place: str = ""
    """Where campaigns are kept, in words for the player."""


@frozen
class TerminalServices:
    """What lies behind the door."""

    lobby: Lobby
    models: ModelChooser
    close: Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalLaunch:
    """All that the face is handed."""

    enter: Callable[[], TerminalServices]
    """Called once, in a thread, after the first paint."""

    preferences: Preferences
    keep: Callable[[Preferences], None]
    """Keeps what the player prefers for the next time."""

    wishes: TerminalStartRequest
    first_run: bool = False
    """Whether nothing was ever set up or played here."""
