"""Mechanics: what a storyteller said of an attempt, held against what is true.

It only compares. Nobody is refused for being wrong about a number that is not theirs to know.
"""

from collections.abc import Mapping

from talewright.kernel.state.documents import Json, equal, quote_value
from talewright.systems.odds.attempts import Attempt
from talewright.systems.odds.words import Words

CORRECTED = "mechanics_corrected"
"""The type of the event that tells of a correction."""


def told_wrong(said: Mapping[str, Json], attempt: Attempt, words: Words) -> str:
    """What was said otherwise than it is, in words; empty where all of it is right or nothing was said."""
    true: dict[str, Json] = {
        "skill_value": attempt.value,
        "p": attempt.p,
        "rand": attempt.rand,
        "outcome": attempt.outcome.value,
    }
    wrong = [name for name in true if said.get(name) is not None and not equal(said[name], true[name])]
    return words.between.join(
        words.corrected.format(name=name, said=quote_value(said[name]), true=quote_value(true[name]))
        for name in wrong
    )


def mechanics_of(attempt: Attempt, difficulty: int | float | None) -> dict[str, Json]:
    """An attempt in the members that a patch bundle has for it."""
    return {
        "skill_used": attempt.skill,
        "skill_value": attempt.value,
        "difficulty": difficulty,
        "rand": attempt.rand,
        "p": attempt.p,
        "outcome": attempt.outcome.value,
    }
