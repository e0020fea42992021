"""The oracle: what the highest die means, its effects, and how likely each answer is.

Words and effects are defined by the author in `prompt.md`. The arithmetic is exact, with integers.
"""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction

from talewright.common.frozen_values import frozen

SIDES = 6
BOTCH = 1
"""The result of an empty pool."""


class OracleEffect(StrEnum):
    """What an answer does to tags."""

    REMOVE_GLITCH = "remove_glitch"
    ADD_GLITCH = "add_glitch"
    FLUSH = "flush"
    CONDITION = "condition"


class FlushOn(StrEnum):
    """Which failures flush glitches."""

    FAILURE = "failure"
    BOTCH = "botch"


@frozen
class OracleAnswer:
    """The meaning of one face."""

    word: str
    effects: tuple[OracleEffect, ...] = ()


@frozen
class Oracle:
    """The table, by the highest die."""

    answers: Mapping[int, OracleAnswer]

    def read(self, highest: int) -> OracleAnswer:
        """The meaning of a result."""
        return self.answers[highest]

    def costs_glitch(self, highest: int) -> bool:
        """Whether a result causes a glitch, which resist could avert."""
        return OracleEffect.ADD_GLITCH in self.answers[highest].effects


DEFAULT_ORACLE = Oracle(
    {
        6: OracleAnswer("Yes, and...", (OracleEffect.REMOVE_GLITCH,)),
        5: OracleAnswer("Yes, but...", (OracleEffect.ADD_GLITCH,)),
        4: OracleAnswer("Yes, but...", (OracleEffect.ADD_GLITCH,)),
        3: OracleAnswer("No, but..."),
        2: OracleAnswer("No...", (OracleEffect.FLUSH,)),
        1: OracleAnswer("No, and...", (OracleEffect.FLUSH, OracleEffect.CONDITION)),
    }
)
"""The table of the original design."""


def with_flush_on(oracle: Oracle, flush_on: FlushOn) -> Oracle:
    """The same table, with flushing only on a botch if the author wants that."""
    if flush_on is FlushOn.FAILURE:
        return oracle
    answers = {
        face: answer
        if face == BOTCH
        else OracleAnswer(
            answer.word, tuple(effect for effect in answer.effects if effect is not OracleEffect.FLUSH)
        )
        for face, answer in oracle.answers.items()
    }
    return Oracle(answers)


def net_of(action_dice: int, danger_dice: int) -> int:
    """Dice left after danger has cancelled action."""
    return max(0, action_dice - danger_dice)


def chance_of(highest: int, net_dice: int) -> Fraction:
    """The probability that the highest of so many dice shows exactly this; no dice always show a botch."""
    if net_dice == 0:
        return Fraction(int(highest == BOTCH))
    return Fraction(highest**net_dice - (highest - 1) ** net_dice, SIDES**net_dice)


def odds_of(oracle: Oracle, net_dice: int) -> tuple[tuple[str, Fraction], ...]:
    """The probability of each word, the best first; faces with the same word count together."""
    found: dict[str, Fraction] = {}
    for face in range(SIDES, 0, -1):
        word = oracle.read(face).word
        found[word] = found.get(word, Fraction(0)) + chance_of(face, net_dice)
    return tuple(found.items())
