"""Parts: what a sweep is made of, and how its parts are found.

A part is known by its file name alone; nothing registers itself.
"""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import TypeAlias

import tests.sweep

Progress: TypeAlias = Callable[[int], None]
"""Told now and then how many examples of this call are done."""

Run: TypeAlias = Callable[[int, int, Progress | None], int]
"""`run(count, seed, progress)`: checks, returns how many examples it checked, or raises AssertionError."""

CHUNKS = 100
"""Chunks of a part that does not say how large its `CHUNK` is."""

SEED = 20_260_101
"""Where a sweep starts, unless told otherwise; chunk number i takes this plus i."""


@dataclass(frozen=True, slots=True)
class Order:
    """How much of a part to do now."""

    count: int | None
    """Examples in all; None for the part's full count."""

    seed: int
    seconds: float
    """When to stop taking up new work."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a part so far."""

    done: int
    total: int
    seconds: float
    failure: str = ""
    """What failed, with its seed; empty where nothing did."""

    detail: Mapping[str, object] = field(default_factory=dict)
    """More for the result file."""

    @property
    def result(self) -> str:
        """`passed`, `failed` or `unfinished`."""
        if self.failure:
            return "failed"
        return "passed" if self.done >= self.total else "unfinished"


@dataclass(frozen=True, slots=True)
class Part:
    """One named check."""

    name: str
    full_count: int
    """0 for a part that counts by itself."""

    chunk: int
    """Examples that are done in one go, and done again after an interruption."""

    run: Run | None = None
    sweep: Callable[[Order], Outcome] | None = None
    """A part that divides its work by itself has this in place of `run`."""


def find_names() -> list[str]:
    """Names of modules that may be parts, in the order of the alphabet."""
    return sorted(module.name for module in pkgutil.iter_modules(tests.sweep.__path__))


def find_parts() -> list[Part]:
    """Every part there is."""
    found = (find_part(name) for name in find_names() if not name.startswith("__"))
    return [part for part in found if part is not None]


def find_part(name: str) -> Part | None:
    """The part of this name; None where the module is none."""
    return read_part(importlib.import_module(f"tests.sweep.{name}")) if name in find_names() else None


def read_part(module: ModuleType) -> Part | None:
    """A part from its module."""
    name = module.__name__.rpartition(".")[2]
    sweep = getattr(module, "sweep", None)
    if callable(sweep):
        return Part(name, 0, 0, sweep=sweep)
    full_count, run = getattr(module, "FULL_COUNT", None), getattr(module, "run", None)
    if not isinstance(full_count, int) or not callable(run):
        return None
    return Part(name, full_count, getattr(module, "CHUNK", max(1, full_count // CHUNKS)), run)
