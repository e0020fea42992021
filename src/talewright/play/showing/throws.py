"""Throws: what was thrown and how each die fell, read back from a roll as it is recorded.

A roll that is told in other words has no dice here, and is told all the same.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from talewright.kernel.state.documents import Json
from talewright.play.showing.messages import Phrase
from talewright.play.showing.wording import Wording

FACES_MAX = 500
"""Dice of one roll that are shown."""

TEXT_LENGTH_MAX = 20_000
"""Characters of a roll's words that are looked through: 500 dice with all that can be said of them."""

_THROW = re.compile(r"(\d*d(?:\d+|%|F)[^\s()\[\]]*) \(((?:[^()]|\([^()]*\))*)\)")
"""One pool and its dice: `4d6kh3 (6, 5, 2 dropped, 4)`; a die that exploded may stand in parentheses."""

_SIGNS = r"(?:\)| \[[^\[\]]*\]| [-+*/] |[-(]|\d)*"
"""What a sum may have between its pools, and after the last: `) [fire] * 2 + `."""

_BETWEEN, _AFTER = re.compile(_SIGNS), re.compile(rf"{_SIGNS}(?= = )")
_BEFORE = re.compile(r"(?:[-(]|\d+(?:\)| \[[^\[\]]*\])* [-+*/] )*\Z")
"""How a sum may begin before its first pool: `(2 + `. Other words there only lead up to the roll."""

BEFORE_LENGTH_MAX = 400
"""Characters before the first pool that are looked through for the beginning of its sum."""

_FACE = re.compile(r"(?:[+-]?\d+ rerolled to )?([+-]?\d+)(?: as [+-]?\d+)?(?: counts)?")
_DROPPED = " dropped"
_WORDS: Mapping[str, Phrase] = {
    "dropped": Phrase.DIE_DROPPED,
    "rerolled to": Phrase.DIE_REROLLED,
    "as": Phrase.DIE_WORTH,
    "counts": Phrase.DIE_COUNTS,
    "then": Phrase.DIE_AGAIN,
}
"""What the record says of single dice, which a player reads in their own language."""

_WORD = re.compile(rf"\b({'|'.join(_WORDS)})\b")


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
    throws = list(_THROW.finditer(text))
    for found in throws:
        for die in found[2].split(", "):
            fallen = _read_die(die)
            if not fallen:
                return Thrown()
            faces += fallen
    if not faces:
        return Thrown()
    return Thrown(_read_sum(text, throws), tuple(faces[:FACES_MAX]))


def _read_sum(text: str, throws: Sequence[re.Match[str]]) -> str:
    """The sum that was thrown, without its faces; the pools alone where other words part them."""
    first, last = throws[0].start(), throws[-1].end()
    parts = [text[one.end() : other.start()] for one, other in pairwise(throws)]
    if not all(map(_BETWEEN.fullmatch, parts)):
        return ", ".join(throw[1] for throw in throws)
    before = _BEFORE.search(text[max(0, first - BEFORE_LENGTH_MAX) : first])
    after = _AFTER.match(text, last)
    begins, ends = (found[0] if found is not None else "" for found in (before, after))
    return begins + _THROW.sub(r"\1", text[first:last]) + ends


def word_throws(text: str, wording: Wording) -> str:
    """The same words with what they say of single dice in the viewer's language."""
    if len(text) > TEXT_LENGTH_MAX:
        return text

    def word(throw: re.Match[str]) -> str:
        told = _WORD.sub(lambda found: wording.say(_WORDS[found[1]]), throw[2])
        return f"{throw[1]} ({told})"

    return _THROW.sub(word, text)


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
