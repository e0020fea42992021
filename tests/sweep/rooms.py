"""Rooms: which of them are tried by mutation, their mutants, and the tests that must notice these.

Every room is tried against its own tests alone: what only a test of another room would notice is not noticed.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from tests.sweep.ledger import ROOT
from tests.sweep.mutants import Mutant, find_mutants

SOURCE = ROOT / "src" / "talewright"
ROOMS = ("kernel", "chronicle", "contract", "turn", "play", "hosting", "faces/http")

ALSO_TESTED_IN = {"faces/http": ("tests/remote",)}
"""More folders whose tests are a room's own: the client over HTTP asks every route."""

LEFT_OUT = {
    "hosting": (
        "operations/test_backup_page.py",
        "test_cancel_storm.py",
        "test_chaos.py",
        "test_crashes.py",
        "test_engine_numbers.py",
        "test_hosted_plays.py",
        "test_node_services.py::test_a_turn_of_a_worker_is_played_like_any_other",
    ),
}
"""Tests whose engine runs in processes of its own, which a mistake in this one does not reach."""

ONE_AT_A_TIME = frozenset({"hosting"})
"""Rooms whose tests empty a Redis that all of them share."""


def room_of(mutant: Mutant) -> str:
    """The room a mutant is of."""
    return next(room for room in ROOMS if mutant.file.startswith(f"{room}/"))


def folders_of(room: str) -> list[str]:
    """The folders of a room's own tests."""
    return [f"tests/{room}", *ALSO_TESTED_IN.get(room, ())]


def left_out_of(room: str) -> list[str]:
    """The files of a room's tests, and tests, that are not run for it."""
    return [f"tests/{room}/{name}" for name in LEFT_OUT.get(room, ())]


def find_all(names: Sequence[str] = ROOMS) -> list[Mutant]:
    """The mutants of the modules named, room by room."""
    return [
        mutant
        for file in list_files()
        if any(answers_to(file, name) for name in names)
        for mutant in find_mutants(file, (SOURCE / file).read_text(encoding="utf-8"))
    ]


def find_room(room: str) -> list[Mutant]:
    """The mutants of a room."""
    return [mutant for mutant in find_all([room]) if room_of(mutant) == room]


def list_files() -> list[str]:
    """The source files of all rooms, such as `kernel/slots/slot_types.py`."""
    paths = (path for room in ROOMS for path in sorted((SOURCE / room).rglob("*.py")))
    return [path.relative_to(SOURCE).as_posix() for path in paths]


def answers_to(file: str, name: str) -> bool:
    """Whether a file is meant by a name: by that of its module, of a folder it is in, or by a path."""
    return f"/{name.strip('/').removesuffix('.py')}/" in f"/{Path(file).with_suffix('').as_posix()}/"


def rank(mutants: Sequence[Mutant], seed: int) -> list[Mutant]:
    """All of them, drawn one after the other: the same order for the same seed, wherever lines have moved."""
    return sorted(mutants, key=lambda mutant: hashlib.sha256(f"{seed} {mutant.name}".encode()).digest())


def choose(mutants: Sequence[Mutant], count: int | None, seed: int) -> list[Mutant]:
    """The first so many that are drawn, or all, as they stand in the text."""
    drawn = {mutant.key for mutant in rank(mutants, seed)[:count]}
    return [mutant for mutant in mutants if mutant.key in drawn]
