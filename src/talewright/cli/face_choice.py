"""The choice of a face: terminal or plain, by what kind of terminal a command is typed in.

It only looks; nothing that draws is loaded here.
"""

from collections.abc import Mapping
from enum import Enum, auto
from importlib.util import find_spec
from typing import Protocol

from talewright.config.environment import FACE, PLAIN_FACE

DRAWER = "textual"
"""The package that the terminal face is made with."""

DUMB = "dumb"
"""What TERM says of a terminal in which nothing can be drawn."""

HOW_TO_DRAW = "For the terminal face with cards and colours: pip install 'talewright[tui]'"


class FaceChoice(Enum):
    """What a player sees."""

    TERMINAL = auto()
    PLAIN = auto()
    MISSING = auto()
    """The plain one, for want of what draws the other."""


class TerminalStream(Protocol):
    """An input or output."""

    def isatty(self) -> bool: ...


def pick_face(
    environment: Mapping[str, str], source: TerminalStream | None, out: TerminalStream | None
) -> FaceChoice:
    """The face that fits; the terminal one only where somebody sits at a terminal that can draw."""
    if environment.get(FACE, "").strip().lower() == PLAIN_FACE or environment.get("TERM", "") == DUMB:
        return FaceChoice.PLAIN
    if source is None or out is None or not (source.isatty() and out.isatty()):
        return FaceChoice.PLAIN
    return FaceChoice.TERMINAL if can_draw() else FaceChoice.MISSING


def can_draw() -> bool:
    """Whether what the terminal face is made with is installed."""
    return find_spec(DRAWER) is not None
