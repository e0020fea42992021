"""Attempts: the skill, difficulty and outcome of each, and whether the narrator reported it correctly.

An attempt is never repeated in the same turn. A narrator's wrong number never causes a refusal: it is
corrected.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, equal, quote_value
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.slots.slot_types import Slot, SlotKind
from talewright.kernel.state.documents import find
from talewright.systems.odds.odds_phrases import OddsPhrases
from talewright.systems.odds.rulebook import DifficultyStep
from talewright.systems.odds.success_chance import WHOLE, chance_of, to_number

ROOT = "odds"

ATTEMPTS_MAX = 20
"""Attempts in one turn."""

STAKES_LENGTH_MAX = 300
"""Characters of the stakes."""

_NAME_LENGTH_MAX = 100


class OddsOutcome(StrEnum):
    """The outcome of an attempt."""

    NONE = "none"
    """Nothing has been attempted yet."""

    SUCCESS = "success"
    FAIL = "fail"
    BLOCKED = "blocked"
    """It could not be attempted at all; nothing was drawn."""


ODDS_OUTCOMES = tuple(verdict.value for verdict in OddsOutcome)


@frozen
class OddsAttempt:
    """One attempt; its JSON form has the same members."""

    turn: int
    skill: str
    difficulty: str
    """The name of a difficulty."""

    value: int
    """The skill at that time."""

    p: int | float
    rand: int | float | None
    """None if nothing was drawn."""

    outcome: OddsOutcome
    stakes: str = ""

    def to_json(self) -> dict[str, Json]:
        """The attempt as stored in the state."""
        return {**asdict(self), "outcome": self.outcome.value}


_ATTEMPT = Slot(
    kind=SlotKind.OBJECT,
    fields={
        "turn": Slot(kind=SlotKind.INTEGER, default=0, minimum=0),
        "skill": Slot(kind=SlotKind.STRING, default="", max_length=_NAME_LENGTH_MAX),
        "difficulty": Slot(kind=SlotKind.STRING, default="", max_length=_NAME_LENGTH_MAX),
        "value": Slot(kind=SlotKind.INTEGER, default=0),
        "p": Slot(kind=SlotKind.NUMBER, default=0, minimum=0, maximum=1),
        "rand": Slot(kind=SlotKind.NUMBER, nullable=True, minimum=0, maximum=1),
        "outcome": Slot(kind=SlotKind.ENUM, default=OddsOutcome.NONE.value, enum_values=ODDS_OUTCOMES),
        "stakes": Slot(kind=SlotKind.STRING, default="", max_length=STAKES_LENGTH_MAX),
    },
)

SLOTS: Mapping[str, Slot] = {
    ROOT: Slot(
        kind=SlotKind.OBJECT,
        readonly=True,
        fields={
            "last": _ATTEMPT,
            # All attempts of the same turn as `last`, including it: a repeated attempt must have the same
            # outcome.
            "tried": Slot(kind=SlotKind.LIST, default=[], element=_ATTEMPT, max_items=ATTEMPTS_MAX),
        },
    )
}


def make_attempt(
    turn: int, skill: str, value: int, step: DifficultyStep, stakes: str, chance: Chance
) -> OddsAttempt:
    """Draw, unless the difficulty blocks the attempt."""
    if step.difficulty is None:
        return OddsAttempt(turn, skill, step.name, value, 0, None, OddsOutcome.BLOCKED, stakes)
    likely = chance_of(value, step.difficulty)
    drawn = chance.draw(WHOLE, f"{skill} against {step.name}") - 1
    outcome = OddsOutcome.SUCCESS if drawn < likely else OddsOutcome.FAIL
    return OddsAttempt(turn, skill, step.name, value, to_number(likely), to_number(drawn), outcome, stakes)


def record_attempt(attempt: OddsAttempt, document: Mapping[str, Json]) -> tuple[Update, ...]:
    """The updates that store an attempt."""
    tried = attempts_of(document, attempt.turn)
    kept = attempt.to_json()
    among = Update(Op.PUSH, f"{ROOT}.tried", kept) if tried else Update(Op.SET, f"{ROOT}.tried", [kept])
    return among, Update(Op.SET, f"{ROOT}.last", kept)


def attempts_of(document: Mapping[str, Json], turn: int) -> tuple[OddsAttempt, ...]:
    """The attempts made so far in a turn."""
    tried = find(document, (ROOT, "tried"))
    assert isinstance(tried, Sequence)
    attempts = (read_attempt(row) for row in tried)
    return tuple(attempt for attempt in attempts if attempt.turn == turn)


def last_attempt(document: Mapping[str, Json]) -> OddsAttempt | None:
    """The last attempt; None before the first."""
    last = find(document, (ROOT, "last"))
    assert isinstance(last, Mapping)
    attempt = read_attempt(last)
    return None if attempt.outcome is OddsOutcome.NONE else attempt


def read_attempt(row: Json) -> OddsAttempt:
    """Read an attempt from the state."""
    members = dict(cast(Mapping[str, Json], row))
    return OddsAttempt(**{**members, "outcome": OddsOutcome(str(members["outcome"]))})  # type: ignore[arg-type]  # its slots say so


CORRECTED = "mechanics_corrected"
"""The type of the event that reports a correction."""


def told_wrong(said: Mapping[str, Json], attempt: OddsAttempt, words: OddsPhrases) -> str:
    """What was reported wrongly, in words; empty if everything is right or nothing was reported."""
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


def mechanics_of(attempt: OddsAttempt, difficulty: int | float | None) -> dict[str, Json]:
    """An attempt with the member names of a patch bundle."""
    return {
        "skill_used": attempt.skill,
        "skill_value": attempt.value,
        "difficulty": difficulty,
        "rand": attempt.rand,
        "p": attempt.p,
        "outcome": attempt.outcome.value,
    }
