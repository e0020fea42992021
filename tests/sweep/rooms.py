"""Rooms: which of them are tried by mutation, their mutants, and the tests that must notice these.

Every room is tried against its own tests alone: what only a test of another room would notice is not noticed.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from tests.sweep.ledger import ROOT
from tests.sweep.mutants import Mutant, find_mutants

SOURCE = ROOT / "src" / "talewright"
ROOMS = ("kernel", "chronicle", "contract")


def room_of(mutant: Mutant) -> str:
    """The room a mutant is of."""
    return mutant.file.partition("/")[0]


def folder_of(room: str) -> str:
    """The folder of a room's own tests."""
    return f"tests/{room}"


def find_all(names: Sequence[str] = ROOMS) -> list[Mutant]:
    """The mutants of the modules named, room by room."""
    return [
        mutant
        for file in list_files()
        if any(answers_to(file, name) for name in names)
        for mutant in find_mutants(file, (SOURCE / file).read_text(encoding="utf-8"))
    ]


def list_files() -> list[str]:
    """The source files of all rooms, such as `kernel/slots/slot_types.py`."""
    paths = (path for room in ROOMS for path in sorted((SOURCE / room).rglob("*.py")))
    return [path.relative_to(SOURCE).as_posix() for path in paths]


def answers_to(file: str, name: str) -> bool:
    """Whether a file is meant by a name: by that of its module, of a folder it is in, or by a path."""
    return f"/{name.strip('/').removesuffix('.py')}/" in f"/{Path(file).with_suffix('').as_posix()}/"


def choose(mutants: list[Mutant], count: int | None, seed: int) -> list[Mutant]:
    """So many of them, the same ones for the same seed."""
    if count is None:
        return mutants
    ranked = sorted(mutants, key=lambda mutant: hashlib.sha256(f"{seed} {mutant.key}".encode()).digest())
    kept = {mutant.key for mutant in ranked[:count]}
    return [mutant for mutant in mutants if mutant.key in kept]
