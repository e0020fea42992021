"""Deeds: everything a player may ask of the plain face, as values.

Numbers, commands and plain words all come to one of these; `face` carries them out.
"""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Say:
    """Words of the player's own."""

    text: str


@dataclass(frozen=True, slots=True)
class Choose:
    """One of the choices."""

    choice: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One of the options of a decision."""

    decision: str
    option: str
    takes_note: bool = False


@dataclass(frozen=True, slots=True)
class GoOn:
    """Let the story go on, or finish the turn that was not finished."""


@dataclass(frozen=True, slots=True)
class Retry:
    """The last turn once more."""

    text: str = ""


Turn: TypeAlias = Say | Choose | Answer | GoOn | Retry
"""What takes a turn."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Go back."""

    turns: int = 1


@dataclass(frozen=True, slots=True)
class Save:
    """Give this place a name."""

    name: str


@dataclass(frozen=True, slots=True)
class Load:
    """Go back to a named place; without a name, list them."""

    name: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """Read back."""

    turns: int


@dataclass(frozen=True, slots=True)
class Why:
    """What set a variable."""

    variable: str = ""


@dataclass(frozen=True, slots=True)
class Language:
    """Which language the face speaks."""

    code: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """Show again where the story stands."""


@dataclass(frozen=True, slots=True)
class Cards:
    """Show all cards."""


@dataclass(frozen=True, slots=True)
class Help:
    """Say what can be typed."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave."""


@dataclass(frozen=True, slots=True)
class Tell:
    """Nothing to do but to say what was wrong with the line."""

    message: str


Deed: TypeAlias = Turn | Undo | Save | Load | History | Why | Language | Look | Cards | Help | Quit | Tell


@dataclass(frozen=True, slots=True)
class Offer:
    """A numbered line, and what taking it means."""

    text: str
    deed: Deed
