"""Days: glitches, conditions and resist over whole days of play, as exact sums over every way it can go.

Counted in floating-point numbers; the shares of all ways add up to one within 1e-12. Pools stay the same
from check to check, apart from the glitches, and the conditions that happen to bear on a check.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from bench.spirals.chain import FACES, SUCCESS_MIN, binomial, move_glitches
from talewright.systems.spiral.moves.player_sheet import CLEAR_COST, NEGATE_COST
from talewright.systems.spiral.oracle import DEFAULT_ORACLE, Oracle, OracleEffect, chance_of, net_of
from talewright.systems.spiral.slots import CONDITIONS_MAX, RESIST


class Habit(StrEnum):
    """What a player does with resist."""

    NONE = "never spent"
    GLITCHES = "on the first glitches"
    CONDITIONS = "kept for conditions"
    EITHER = "a condition in the morning, else glitches"

    @property
    def negates(self) -> bool:
        """Whether a glitch is kept away while there are points."""
        return self in (Habit.GLITCHES, Habit.EITHER)

    @property
    def mends(self) -> bool:
        """Whether a condition is cleared in the morning."""
        return self in (Habit.CONDITIONS, Habit.EITHER)


@dataclass(frozen=True, slots=True)
class Life:
    """How somebody plays."""

    difference: int
    """Action dice less other danger dice, conditions apart."""

    habit: Habit = Habit.NONE
    oracle: Oracle = DEFAULT_ORACLE
    checks_a_day: int = 8
    conditions_bear: Fraction = Fraction(1, 3)
    """How likely one condition bears on one check."""


@dataclass(frozen=True, slots=True)
class Day:
    """What is to be expected of one day."""

    successes: float
    gained: float
    """Conditions that came."""

    conditions: float
    """Conditions that stand when it ends."""

    flushes: float


class Plight(NamedTuple):
    """What carries over from check to check; a tuple, since it is looked up very often."""

    glitches: int = 0
    conditions: int = 0
    resist: int = RESIST


def wake(plight: Plight, habit: Habit) -> Plight:
    """A new morning: resist is back, and may go at once."""
    if habit.mends and plight.conditions:
        return Plight(plight.glitches, plight.conditions - 1, RESIST - CLEAR_COST)
    return Plight(plight.glitches, plight.conditions, RESIST)


def suffer(plight: Plight, life: Life, face: int) -> Plight:
    """What an answer makes of somebody."""
    effects = life.oracle.read(face).effects
    conditions = min(plight.conditions + (OracleEffect.CONDITION in effects), CONDITIONS_MAX)
    if OracleEffect.ADD_GLITCH in effects and life.habit.negates and plight.resist >= NEGATE_COST:
        return Plight(plight.glitches, conditions, plight.resist - NEGATE_COST)
    return Plight(move_glitches(effects, plight.glitches), conditions, plight.resist)


@dataclass(frozen=True, slots=True)
class _Outlook:
    """What one check brings to somebody in a plight."""

    ways: tuple[tuple[Plight, float], ...]
    success: float
    gained: float
    flush: float


def _look_ahead(plight: Plight, life: Life) -> _Outlook:
    ways: list[tuple[Plight, float]] = []
    success = gained = flush = 0.0
    for face in FACES:
        chance = float(
            sum(
                binomial(plight.conditions, bearing, life.conditions_bear)
                * chance_of(face, net_of(life.difference, plight.glitches + bearing))
                for bearing in range(plight.conditions + 1)
            )
        )
        after = suffer(plight, life, face)
        ways.append((after, chance))
        success += chance * (face >= SUCCESS_MIN)
        gained += chance * max(after.conditions - plight.conditions, 0)
        flush += chance * (OracleEffect.FLUSH in life.oracle.read(face).effects and plight.glitches > 0)
    return _Outlook(tuple(ways), success, gained, flush)


def live(life: Life, days: int) -> Iterator[Day]:
    """The expectations of one day after the other, from a clean sheet."""
    known: dict[Plight, _Outlook] = {}
    shares: dict[Plight, float] = {Plight(): 1.0}
    for number in range(days):
        if number:
            shares = _gather((wake(plight, life.habit), share) for plight, share in shares.items())
        successes = gained = flushes = 0.0
        for _ in range(life.checks_a_day):
            following: list[tuple[Plight, float]] = []
            for plight, share in shares.items():
                if plight not in known:
                    known[plight] = _look_ahead(plight, life)
                ahead = known[plight]
                successes += share * ahead.success
                gained += share * ahead.gained
                flushes += share * ahead.flush
                following += [(after, share * chance) for after, chance in ahead.ways]
            shares = _gather(following)
        standing = sum(plight.conditions * share for plight, share in shares.items())
        yield Day(successes, gained, standing, flushes)


def _gather(ways: Iterable[tuple[Plight, float]]) -> dict[Plight, float]:
    found: dict[Plight, float] = {}
    for plight, share in ways:
        found[plight] = found.get(plight, 0.0) + share
    return found
