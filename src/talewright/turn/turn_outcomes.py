"""Outcomes of a turn: what a submitted input came to, and the reasons why no turn came of it.

Exactly one of them ends every turn; all but Committed leave state, version and dice as they were.
"""

from enum import StrEnum
from typing import TypeAlias

from talewright.chronicle.records import Commit
from talewright.common.frozen_values import frozen


@frozen
class Committed:
    """The turn is part of the story."""

    commit: Commit
    repeated: bool = False
    """Whether it was already, and this is the same answer again."""


class OutcomeReason(StrEnum):
    """Why no turn came of an input; faces have words for each."""

    UNMATCHED = "unmatched"
    """No choice fits what the player said."""

    NO_SUCH_CHOICE = "no_such_choice"
    NO_SUCH_DECISION = "no_such_decision"
    DECISION_FIRST = "decision_first"
    """A decision waits to be answered before anything else."""

    TOO_LONG = "too_long"
    EMPTY = "empty"
    OVER = "over"
    """The game has ended."""

    NOT_ALLOWED = "not_allowed"
    """The moderation refused the input."""

    RISKY = "risky"
    """The moderation cautions: say it otherwise, leave it, or go on with it, being sure."""

    NO_TELLER = "no_teller"
    """Only a storyteller could go on here, and there is none."""

    TURN_OPEN = "turn_open"
    """A game master outside is telling a turn of this branch."""

    MOVED = "moved"
    """Another turn came first."""

    UNTOLD = "untold"
    """Every ask failed: the storyteller could not be reached or did not answer in its form."""

    DECLINED = "declined"
    """The storyteller refused to tell it."""

    BUDGET = "budget"
    """One more ask might cost more than may be spent; it was not made."""

    TIMED_OUT = "timed_out"
    SKIPPED = "skipped"
    """The player went on without the storyteller, and no scene can tell it."""

    CANCELLED = "cancelled"
    READ_ONLY = "read_only"
    UNSAVED = "unsaved"
    ERROR = "error"
    """Something that should not happen; the attempt's record says what."""


@frozen
class Unspent:
    """No turn was spent: the input does not fit, or is not allowed."""

    reason: OutcomeReason
    detail: str = ""


@frozen
class Degraded:
    """Nobody could tell the turn. The player may retry, roll back or quit."""

    reason: OutcomeReason
    detail: str = ""
    trouble: str = ""
    """What kind of trouble the storyteller's provider had, by its name in `llm.errors.Trouble`."""


@frozen
class Failed:
    """The turn broke off. The accepted input is kept where there was one."""

    reason: OutcomeReason
    detail: str = ""
    head: str = ""
    """Where the branch points now, if another turn came first."""


Outcome: TypeAlias = Committed | Unspent | Degraded | Failed
