"""Seeded chance: many small decisions derived from one recorded draw.

A month of a large world needs thousands of decisions. Recording each one would fill the commit. So the commit
holds one draw of 32 bits, and the rest follows from it, the same on every machine.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

from talewright.systems.world.authored.authored_world import WHOLE

SEED_SIDES = 2**32
"""Sides of the draw that everything else follows from."""

_MASK = 2**64 - 1
_STEP = 0x9E3779B97F4A7C15
_T = TypeVar("_T")


class SeededChance:
    """Decisions that follow from a seed and a word (the generator is SplitMix64)."""

    __slots__ = ("_state",)

    def __init__(self, seed: int, word: str = "") -> None:
        self._state = int.from_bytes(sha256(f"{seed}:{word}".encode()).digest()[:8], "big")

    def below(self, count: int) -> int:
        """A whole number from 0 up to, but excluding, a count far below 2 to the power of 64."""
        self._state = (self._state + _STEP) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return (mixed ^ (mixed >> 31)) % count

    def happens(self, chance: int) -> bool:
        """Whether something with this chance, in ten-thousandths, happens."""
        return self.below(WHOLE) < chance

    def pick(self, among: Sequence[_T]) -> _T:
        """One of several."""
        return among[self.below(len(among))]
