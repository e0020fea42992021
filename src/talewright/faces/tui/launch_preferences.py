"""Launch preferences: the player's preferences and request, and the services passed to the app.

Only values. The services are loaded after the first paint, because loading takes longer than drawing.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from talewright.common.frozen_values import frozen
from talewright.play.lobby import Lobby
from talewright.play.model_choices import ModelChooser


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """The player's saved preferences."""

    theme: str = "talewright-dark"
    language: str = ""
    """The interface language; empty follows the terminal, and at the table the campaign."""

    animations: bool = True
    """Whether dice roll and the activity line spins."""

    cards_open: bool = True
    """Whether the cards are shown next to the story where there is room."""

    descriptions: bool = True
    """Whether cards show their descriptions."""

    inspector: bool = False
    """Whether the inspector for authors is offered."""

    folded: str = ""
    """Keys of the folded cards and panels, separated by spaces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalStartRequest:
    """What the command line requested."""

    game: str = ""
    campaign: str = ""
    language: str = ""
    locale: str = ""
    """The terminal's language, used if the player names none and the game has it."""

    new: bool = False
    place: str = ""
    """Where campaigns are saved, as shown to the player."""


@frozen
class TerminalServices:
    """The services the app uses."""

    lobby: Lobby
    models: ModelChooser
    close: Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TerminalLaunch:
    """Everything passed to the terminal app."""

    enter: Callable[[], TerminalServices]
    """Called once, in a thread, after the first paint."""

    preferences: Preferences
    keep: Callable[[Preferences], None]
    """Saves the player's preferences."""

    wishes: TerminalStartRequest
    first_run: bool = False
    """Whether nothing has been set up or played here yet."""
