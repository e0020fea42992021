"""Outcomes of a turn: the result of a submitted input, and the reasons why it led to no turn.

Every turn ends with exactly one of them; all but Committed leave state, version and dice unchanged.
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
    """Whether it was committed before, and this is the same outcome again."""


class OutcomeReason(StrEnum):
    """Why an input led to no turn; every interface has a message for each."""

    UNMATCHED = "unmatched"
    """No choice matches what the player said."""

    NO_SUCH_CHOICE = "no_such_choice"
    NO_SUCH_DECISION = "no_such_decision"
    DECISION_FIRST = "decision_first"
    """A decision must be answered before anything else."""

    PLAYER_DECIDES = "player_decides"
    """A game master has answered for the player, and the game does not allow it."""

    TOO_LONG = "too_long"
    EMPTY = "empty"
    OVER = "over"
    """The game has ended."""

    NOT_ALLOWED = "not_allowed"
    """The moderation refused the input."""

    RISKY = "risky"
    """The moderation cautions: rephrase it, withdraw it, or confirm it."""

    NO_TELLER = "no_teller"
    """Only a storyteller could continue here, and there is none."""

    TURN_OPEN = "turn_open"
    """An outside game master is narrating a turn of this branch."""

    MOVED = "moved"
    """Another turn came first."""

    UNTOLD = "untold"
    """Every request failed: the storyteller could not be reached or did not answer in the required form."""

    DECLINED = "declined"
    """The storyteller refused to narrate it."""

    BUDGET = "budget"
    """Another request might have exceeded the budget; it was not sent."""

    TIMED_OUT = "timed_out"
    SKIPPED = "skipped"
    """The player continued without the storyteller, and no scene can narrate it."""

    CANCELLED = "cancelled"
    READ_ONLY = "read_only"
    NEWER_FORMAT = "newer_format"
    """A later engine has continued the campaign, and this one cannot."""

    UNSAVED = "unsaved"
    CLOSED = "campaign_closed"
    """The campaign was closed on its host for good."""

    TOO_MUCH_WORK = "too_much_work"
    """The rules of the game take too many steps here."""

    CRASHED = "crashed"
    """Every worker of a host that took the turn crashed."""

    ERROR = "error"
    """An unexpected error; the attempt's record has the details."""


@frozen
class Unspent:
    """No turn was spent: the input does not fit, or is not allowed."""

    reason: OutcomeReason
    detail: str = ""


@frozen
class Degraded:
    """The turn could not be narrated. The player may retry, undo or quit."""

    reason: OutcomeReason
    detail: str = ""
    trouble: str = ""
    """The kind of provider trouble, by its name in `llm.errors.Trouble`."""


@frozen
class Failed:
    """The turn was aborted. An accepted input is kept."""

    reason: OutcomeReason
    detail: str = ""
    head: str = ""
    """The current head of the branch, if another turn came first."""


Outcome: TypeAlias = Committed | Unspent | Degraded | Failed
