"""Refusals: every place of the spiral at which something is refused, and which of them a performance has met.

The places are read from the source; what was met is heard where the refusal is made. Nothing is judged here.
"""

import ast
import importlib
import pkgutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest

import talewright.systems.spiral as room
from talewright.kernel.judging.rulings import Refusal, mend

MAKERS = ("mend", "drop", "Denial", "Refusal")
"""What a refusal is made with."""


@dataclass(frozen=True, slots=True)
class Site:
    """One place."""

    file: str
    first: int
    last: int
    """Lines."""

    words: str
    """What it says, with {} for what is filled in."""

    def __str__(self) -> str:
        return f"{self.file}: {self.words}"


def list_sites() -> list[Site]:
    """Every place at which words of the room's own refuse something."""
    return [
        Site(path.name, node.lineno, node.end_lineno or node.lineno, words)
        for path in sorted(Path(room.__path__[0]).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS
        # Where a refusal is only handed on, the words are another place's.
        if (words := _read_words(node.args[0]))
    ]


def _read_words(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return ""


def list_modules() -> Iterator[ModuleType]:
    """The modules of the room, those in its folders too."""
    for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        yield importlib.import_module(found.name)


@dataclass(slots=True)
class Listener:
    """Hears every refusal that is made, and where."""

    heard: list[tuple[str, int, str]] = field(default_factory=list)
    """File, line and words."""

    def mend(self, reason: str) -> Refusal:
        """In place of the room's own `mend`."""
        frame = sys._getframe(1)
        self.heard.append((Path(frame.f_code.co_filename).name, frame.f_lineno, reason))
        return mend(reason)

    def listen(self, patch: pytest.MonkeyPatch) -> None:
        """Stand at every place that refuses by it."""
        for module in list_modules():
            if hasattr(module, "mend"):
                patch.setattr(module, "mend", self.mend)

    def find(self, site: Site) -> list[str]:
        """What was said at one place."""
        return [
            words for file, line, words in self.heard if file == site.file and site.first <= line <= site.last
        ]
