"""The choice of a face: terminal or plain, depending on the terminal and what is installed.

It loads no code that draws.
"""

from collections.abc import Mapping
from enum import Enum, auto
from importlib.util import find_spec
from typing import Protocol

from talewright.config.environment import FACE, PLAIN_FACE

DRAWER = "textual"
"""The package that the terminal face needs."""

DUMB = "dumb"
"""The value of TERM for a terminal that cannot draw."""

HOW_TO_DRAW = "For the interface with cards and colours: pip install 'talewright[tui]'"


class FaceChoice(Enum):
    """The interface that a player sees."""

    TERMINAL = auto()
    PLAIN = auto()
    MISSING = auto()
    """The plain one, because the package of the terminal face is not installed."""


class TerminalStream(Protocol):
    """An input or output."""

    def isatty(self) -> bool: ...


def pick_face(
    environment: Mapping[str, str], source: TerminalStream | None, out: TerminalStream | None
) -> FaceChoice:
    """Choose the face; the terminal one only on an interactive terminal that can draw."""
    if environment.get(FACE, "").strip().lower() == PLAIN_FACE or environment.get("TERM", "") == DUMB:
        return FaceChoice.PLAIN
    if source is None or out is None or not (source.isatty() and out.isatty()):
        return FaceChoice.PLAIN
    return FaceChoice.TERMINAL if can_draw() else FaceChoice.MISSING


def can_draw() -> bool:
    """Whether the package for the terminal face is installed."""
    return find_spec(DRAWER) is not None
