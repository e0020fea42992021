"""The chain: how glitches gather from a clean sheet until an answer flushes them, exactly, in fractions.

It throws no dice. The number of glitches is all that a run remembers from check to check; the oracle says how
each answer moves it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TypeAlias

from talewright.systems.spiral.oracle import SIDES, Oracle, OracleEffect, chance_of, net_of
from talewright.systems.spiral.slots import GLITCHES_MAX

SUCCESS_MIN = 4
"""The lowest face that says yes, in the table of the original design and in those of the page."""

FACES = range(1, SIDES + 1)

Pools: TypeAlias = Mapping[int, Fraction]
"""How likely a check has so many dice more for it than against it, glitches apart."""


@dataclass(frozen=True, slots=True)
class Run:
    """What is to be expected between a clean sheet and the flush, the flushing check included."""

    checks: Fraction
    successes: Fraction
    conditions: Fraction
    flushed: Fraction
    """Glitches that go with the flush."""

    @property
    def success_share(self) -> Fraction:
        """Of all checks of a long campaign, how many succeed."""
        return self.successes / self.checks

    @property
    def conditions_a_check(self) -> Fraction:
        """How many conditions a check of a long campaign brings."""
        return self.conditions / self.checks


def steady(difference: int) -> Pools:
    """Every check has the same pool: so many action dice more than other danger dice."""
    return {difference: Fraction(1)}


def scattered(helping: int, hindering: int, relevance: Fraction) -> Pools:
    """Each tag of a sheet and a scene counts in a check with a certain chance, whichever its colour."""
    pools: dict[int, Fraction] = {}
    for good in range(helping + 1):
        for bad in range(hindering + 1):
            share = binomial(helping, good, relevance) * binomial(hindering, bad, relevance)
            pools[1 + good - bad] = pools.get(1 + good - bad, Fraction(0)) + share
    return pools


def binomial(number: int, hits: int, chance: Fraction) -> Fraction:
    """How likely so many of a number of things happen, each with the same chance."""
    return comb(number, hits) * chance**hits * (1 - chance) ** (number - hits)


def move_glitches(effects: Sequence[OracleEffect], glitches: int) -> int:
    """How many glitches there are after an answer."""
    if OracleEffect.FLUSH in effects:
        return 0
    more = int(OracleEffect.ADD_GLITCH in effects) - int(OracleEffect.REMOVE_GLITCH in effects)
    return min(max(glitches + more, 0), GLITCHES_MAX)


def face_odds(pools: Pools, glitches: int) -> Mapping[int, Fraction]:
    """How likely each highest die is with so many glitches."""
    return {
        face: sum(
            (share * _chance(face, net_of(more, glitches)) for more, share in pools.items()), Fraction(0)
        )
        for face in FACES
    }


@lru_cache
def _chance(face: int, net_dice: int) -> Fraction:
    return chance_of(face, net_dice)


def solve_run(oracle: Oracle, pools: Pools) -> Run:
    """The expectations of a run.

    What is expected from here on is what this check brings and what is expected from where it leads: one
    linear equation for each number of glitches. Asked for is what is expected from none.
    """
    rows: list[list[Fraction]] = []
    for glitches in range(GLITCHES_MAX + 1):
        row = [Fraction(0)] * (GLITCHES_MAX + 1)
        row[glitches] += 1
        gains = [Fraction(1), Fraction(0), Fraction(0), Fraction(0)]
        for face, share in face_odds(pools, glitches).items():
            effects = oracle.read(face).effects
            gains[1] += share * (face >= SUCCESS_MIN)
            gains[2] += share * (OracleEffect.CONDITION in effects)
            if OracleEffect.FLUSH in effects:
                gains[3] += share * glitches
            else:
                row[move_glitches(effects, glitches)] -= share
        rows.append(row + gains)
    checks, successes, conditions, flushed = _eliminate(rows)
    return Run(checks, successes, conditions, flushed)


def _eliminate(rows: list[list[Fraction]]) -> list[Fraction]:
    """Solve linear equations; the right sides of the first unknown, by elimination from the last."""
    size = len(rows)
    for column in range(size - 1, -1, -1):
        pivot = rows[column]
        if pivot[column] == 0:
            raise ValueError("these rules never flush, so a run has no end")
        pivot[:] = [value / pivot[column] for value in pivot]
        for row in rows[:column]:
            factor = row[column]
            if factor:
                row[:] = [value - factor * other for value, other in zip(row, pivot, strict=True)]
    return rows[0][size:]


def running_after(oracle: Oracle, pools: Pools, checks: int) -> list[Fraction]:
    """How likely it is that nothing has been flushed after 0, 1, 2 ... checks."""
    standing = [Fraction(1)] + [Fraction(0)] * GLITCHES_MAX
    shares = [Fraction(1)]
    for _ in range(checks):
        following = [Fraction(0)] * (GLITCHES_MAX + 1)
        for glitches, weight in enumerate(standing):
            if not weight:
                continue
            for face, share in face_odds(pools, glitches).items():
                effects = oracle.read(face).effects
                if OracleEffect.FLUSH not in effects:
                    following[move_glitches(effects, glitches)] += weight * share
        standing = following
        shares.append(sum(standing, Fraction(0)))
    return shares
