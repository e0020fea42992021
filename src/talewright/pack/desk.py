"""The desk: where the faults of one folder are gathered while it is read.

It stops nothing by itself: a reader goes on, so that all faults are shown at once.
"""

from collections.abc import Collection
from dataclasses import replace

from talewright.common.name_suggestions import listed, nearest
from talewright.errors import Fault, Severity, SourcePlace
from talewright.pack.faults import Code

FAULTS_MAX = 500
"""Faults kept of one folder. A person mends the first ones; a hostile folder could make millions."""


class Desk:
    """Gathers faults, each kind once at one place."""

    def __init__(self) -> None:
        self._faults: dict[tuple[str, SourcePlace], Fault] = {}
        self.stumbles = 0
        """How often a reader met something wrong. Where it has grown, what was read is not whole."""

    @property
    def full(self) -> bool:
        """Whether no further fault is kept."""
        return len(self._faults) >= FAULTS_MAX

    @property
    def has_errors(self) -> bool:
        """Whether the folder cannot become a game."""
        return any(fault.severity is Severity.ERROR for fault in self._faults.values())

    def report(self, code: Code, place: SourcePlace, message: str, suggestion: str) -> None:
        """Keep one fault."""
        self.add(code.fault(place, message, suggestion))

    def add(self, fault: Fault) -> None:
        """Keep a fault that somebody else has worded, such as a system in a file it reads."""
        self.stumbles += 1
        if not self.full:
            told = replace(
                fault, message=_make_visible(fault.message), suggestion=_make_visible(fault.suggestion)
            )
            self._faults.setdefault((fault.code, fault.place), told)

    def suggest(self, word: str, names: Collection[str], noun: str = "names") -> str:
        """What to write instead of a word that is none of the names."""
        if self.full:
            return ""
        near = nearest(word, names)
        if near:
            return f"Write `{near}`."
        return f"The {noun} here are: {listed(names)}." if names else f"There are no {noun} here."

    def faults(self) -> tuple[Fault, ...]:
        """Everything found, in the order of the files."""
        return tuple(sorted(self._faults.values(), key=lambda fault: (fault.place, fault.code)))


def _make_visible(text: str) -> str:
    """A text in which what nobody sees, or what would move a cursor, is written out."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)
