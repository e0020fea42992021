"""Errors: exception and fault types, sorted by who must act on them, each with what to do next.

Nothing here depends on a game, a file format or a model.
"""

from dataclasses import dataclass
from enum import StrEnum

from talewright.common.frozen_values import frozen


class TalewrightError(Exception):
    """An error that the user can act on."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        """What to do next, as a whole sentence; empty if the message already says it."""


class SettingsError(TalewrightError):
    """A setting from a file or an environment variable is invalid."""


@dataclass(frozen=True, slots=True, order=True)
class SourcePlace:
    """A position in an author's file. Lines and columns count from one, as in editors."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Severity(StrEnum):
    """How serious a fault is: an error stops the game from loading; a hint never counts."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@frozen
class Fault:
    """Something wrong in an author's file."""

    code: str
    """A stable name such as `unknown-field`; `pack/faults.py` lists them."""

    message: str
    place: SourcePlace
    suggestion: str = ""
    """What to write instead, as a whole sentence."""

    severity: Severity = Severity.ERROR
