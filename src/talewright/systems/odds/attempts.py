"""Attempts: what was tried, against what, and how it came out; and the slots that keep it.

An attempt that is made is never made again in the same turn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import cast

from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves_and_rulings import Op, Update
from talewright.kernel.slots.slot_types import Slot, SlotKind
from talewright.kernel.state.documents import Json, find
from talewright.systems.odds.chances import WHOLE, chance_of, to_number
from talewright.systems.odds.steps import Step

ROOT = "odds"

ATTEMPTS_MAX = 20
"""Attempts in one turn."""

STAKES_LENGTH_MAX = 300
"""Characters of what is at stake."""

_NAME_LENGTH_MAX = 100


class Verdict(StrEnum):
    """How an attempt came out."""

    NONE = "none"
    """Nothing has been tried yet."""

    SUCCESS = "success"
    FAIL = "fail"
    BLOCKED = "blocked"
    """It could not be tried at all; nothing was drawn."""


VERDICTS = tuple(verdict.value for verdict in Verdict)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt; as JSON it has the same members."""

    turn: int
    skill: str
    difficulty: str
    """The name of a step."""

    value: int
    """The skill as it was."""

    p: int | float
    rand: int | float | None
    """None where nothing was drawn."""

    outcome: Verdict
    stakes: str = ""

    def to_json(self) -> dict[str, Json]:
        """The attempt as it stands in the state."""
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
        "outcome": Slot(kind=SlotKind.ENUM, default=Verdict.NONE.value, enum_values=VERDICTS),
        "stakes": Slot(kind=SlotKind.STRING, default="", max_length=STAKES_LENGTH_MAX),
    },
)

SLOTS: Mapping[str, Slot] = {
    ROOT: Slot(
        kind=SlotKind.OBJECT,
        readonly=True,
        fields={
            "last": _ATTEMPT,
            # The attempts of the turn of `last`, it included: what is tried again must come out the same.
            "tried": Slot(kind=SlotKind.LIST, default=[], element=_ATTEMPT, max_items=ATTEMPTS_MAX),
        },
    )
}


def make_attempt(turn: int, skill: str, value: int, step: Step, stakes: str, chance: Chance) -> Attempt:
    """Draw, unless the step blocks what is tried."""
    if step.difficulty is None:
        return Attempt(turn, skill, step.name, value, 0, None, Verdict.BLOCKED, stakes)
    likely = chance_of(value, step.difficulty)
    drawn = chance.draw(WHOLE, f"{skill} against {step.name}") - 1
    outcome = Verdict.SUCCESS if drawn < likely else Verdict.FAIL
    return Attempt(turn, skill, step.name, value, to_number(likely), to_number(drawn), outcome, stakes)


def record(attempt: Attempt, document: Mapping[str, Json]) -> tuple[Update, ...]:
    """The updates that keep an attempt."""
    tried = attempts_of(document, attempt.turn)
    kept = attempt.to_json()
    among = Update(Op.PUSH, f"{ROOT}.tried", kept) if tried else Update(Op.SET, f"{ROOT}.tried", [kept])
    return among, Update(Op.SET, f"{ROOT}.last", kept)


def attempts_of(document: Mapping[str, Json], turn: int) -> tuple[Attempt, ...]:
    """What was tried in a turn so far."""
    tried = find(document, (ROOT, "tried"))
    assert isinstance(tried, Sequence)
    attempts = (from_json(row) for row in tried)
    return tuple(attempt for attempt in attempts if attempt.turn == turn)


def last_attempt(document: Mapping[str, Json]) -> Attempt | None:
    """The attempt made last; None before the first."""
    last = find(document, (ROOT, "last"))
    assert isinstance(last, Mapping)
    attempt = from_json(last)
    return None if attempt.outcome is Verdict.NONE else attempt


def from_json(row: Json) -> Attempt:
    """An attempt as the state keeps it."""
    members = dict(cast(Mapping[str, Json], row))
    return Attempt(**{**members, "outcome": Verdict(str(members["outcome"]))})  # type: ignore[arg-type]  # its slots say so
