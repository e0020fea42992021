"""Input results: what makes an input safe to send twice, and what it came to, in words for the player.

Values only; they are the same for a player's inputs and for the turns of a game master.
"""

from enum import StrEnum

from talewright.common.frozen_values import frozen


@frozen
class Stamp:
    """What makes an input safe to send twice."""

    operation_id: str
    base: str = ""
    """The head the player saw; empty takes the head as it is."""


class ResultKind(StrEnum):
    """What an input came to."""

    COMMITTED = "committed"
    UNSPENT = "unspent"
    DEGRADED = "degraded"
    FAILED = "failed"


@frozen
class InputResult:
    """What an input came to, in words for the player."""

    kind: ResultKind
    reason: str = ""
    """A code out of `play.error_codes`; empty where the turn is committed."""

    message: str = ""
    """In the player's language."""

    commit: str = ""
    repeated: bool = False
    text: str = ""
    """The player's own words, where they are given back to be put another way."""

    operation_id: str = ""
    """Of the turn whose end the news tell; empty where they tell none, as of what was never accepted."""
