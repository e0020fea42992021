"""Errors: what went wrong, sorted by who must act on it, always with what to do next.

Nothing here knows a game, a file format or a model.
"""

from dataclasses import dataclass
from enum import StrEnum

from talewright.common.frozen_values import frozen


class TalewrightError(Exception):
    """Something the person at the keyboard can act on."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        """What to do next, as a whole sentence; empty where the message says it already."""


class SettingsError(TalewrightError):
    """What was set by hand, in a file or a variable, cannot be taken as it is."""


@dataclass(frozen=True, slots=True, order=True)
class SourcePlace:
    """A spot in an author's file. Lines and columns count from one, as editors do."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Severity(StrEnum):
    """How much a fault weighs: an error stops the game from loading; a hint never counts."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@frozen
class Fault:
    """What is wrong in an author's file."""

    code: str
    """A stable name such as `unknown-field`; the list stands in `pack/faults.py`."""

    message: str
    place: SourcePlace
    suggestion: str = ""
    """What to write instead, as a whole sentence."""

    severity: Severity = Severity.ERROR
