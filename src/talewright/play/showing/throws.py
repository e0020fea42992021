"""Throws: what was thrown and how each die fell, read back from a roll as it is recorded.

It only reads. A roll that is told in other words has no dice here, and is told all the same.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from talewright.kernel.documents import Json

FACES_MAX = 500
"""Dice of one roll that are shown."""

TEXT_LENGTH_MAX = 20_000
"""Characters of a roll's words that are looked through: 500 dice with all that can be said of them."""

_THROW = re.compile(r"(\d*d(?:\d+|%|F)[^\s()\[\]]*) \(((?:[^()]|\([^()]*\))*)\)")
"""One pool and its dice: `4d6kh3 (6, 5, 2 dropped, 4)`; a die that exploded may stand in parentheses."""

_FACE = re.compile(r"(?:[+-]?\d+ rerolled to )?([+-]?\d+)(?: as [+-]?\d+)?(?: counts)?")
_DROPPED = " dropped"


@dataclass(frozen=True, slots=True)
class Thrown:
    """What fell."""

    pool: str = ""
    faces: tuple[int, ...] = ()


def read_thrown(facts: Mapping[str, Json]) -> Thrown:
    """What a roll says of its dice: in members of their own, or else in its words."""
    pool, throws, text = facts.get("dice"), facts.get("throws"), facts.get("text")
    if isinstance(pool, str) and isinstance(throws, Sequence):
        return Thrown(pool, tuple(_read_members(throws))[:FACES_MAX])
    return read_words(text) if isinstance(text, str) and len(text) <= TEXT_LENGTH_MAX else Thrown()


def read_words(text: str) -> Thrown:
    """Pool and faces of `4d6kh3 (6, 5, 2 dropped, 4) + 1 = 16`; nothing where the words are others."""
    faces: list[int] = []
    for found in _THROW.finditer(text):
        for die in found[2].split(", "):
            fallen = _read_die(die)
            if not fallen:
                return Thrown()
            faces += fallen
    if not faces:
        return Thrown()
    return Thrown(_THROW.sub(r"\1", text).rpartition(" = ")[0], tuple(faces[:FACES_MAX]))


def _read_die(die: str) -> list[int]:
    """The faces of one die, several where it exploded."""
    told = die.removesuffix(_DROPPED).removeprefix("(").removesuffix(")")
    found = [_FACE.fullmatch(face) for face in told.split(" then ")]
    return [int(face[1]) for face in found if face is not None] if all(found) else []


def _read_members(throws: Sequence[Json]) -> list[int]:
    """The faces in the form in which the kernel records a roll."""
    return [
        face
        for throw in _members(throws, "dice")
        for die in _members([throw], "faces")
        if isinstance(die, Mapping) and isinstance(face := die.get("face"), int)
    ]


def _members(rows: Sequence[Json], name: str) -> list[Json]:
    """What stands under a name in each of the rows, one after the other."""
    held = [row.get(name) for row in rows if isinstance(row, Mapping)]
    return [each for row in held if isinstance(row, list) for each in row]
