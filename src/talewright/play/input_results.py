"""Input results: the stamp that makes inputs idempotent, and the result of an input.

Values only; they are the same for players and for game masters.
"""

from enum import StrEnum

from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError


@frozen
class Stamp:
    """Makes an input safe to send twice."""

    operation_id: str
    base: str = ""
    """The head that the player saw; empty for the current head."""

    patience_seconds: float | None = None
    """How long to wait for another turn that is running; None for as long as it takes."""


class TurnRunningError(TalewrightError):
    """Another turn of the session is running, and the input was not saved."""

    def __init__(self) -> None:
        super().__init__(
            "another turn is running, so this input was not saved", "Send it again when that turn has ended."
        )


class ResultKind(StrEnum):
    """The kind of an input's result."""

    COMMITTED = "committed"
    UNSPENT = "unspent"
    DEGRADED = "degraded"
    FAILED = "failed"


@frozen
class InputResult:
    """The result of an input, in words for the player."""

    kind: ResultKind
    reason: str = ""
    """A code from `play.error_codes`; empty if the turn was committed."""

    message: str = ""
    """In the player's language."""

    commit: str = ""
    repeated: bool = False
    text: str = ""
    """The player's own words, if they are returned for rephrasing."""

    operation_id: str = ""
    """The operation whose end is reported as an event; empty if there is none, as for an input that was never
    accepted.
    """


class OperationState(StrEnum):
    """How far the turn of an operation has come."""

    RUNNING = "running"
    """This server is taking the turn; its input is saved."""

    WAITING = "waiting"
    """Its input is saved. Another process may be taking the turn; if not, sending the input again continues
    it.
    """

    ENDED = "ended"


@frozen
class OperationView:
    """What is known about an operation."""

    operation_id: str
    state: OperationState
    result: InputResult | None = None
    """Its result, if it has ended."""
