"""Limits of a turn: how far one may go before it is stopped, asks, repairs, rounds, seconds, lengths.

Each has a name, and what happens at it is said where it is used.
"""

from talewright.common.frozen_values import frozen


@frozen
class TurnLimits:
    """The bounds of one turn."""

    asks_max: int = 8
    """Calls of a model in one turn, repairs and errands included."""

    repairs_max: int = 2
    """Times a flawed answer is asked for again."""

    rounds_max: int = 5
    """Rounds of tool calls; the last ask after them has no tools."""

    errands_max: int = 4
    """Errands carried out within one turn, and as many after it."""

    turn_seconds_max: float = 120.0
    """How long a turn may take from its first ask to its last."""

    input_length_max: int = 4_000
    """Characters a player may say at once."""

    reply_length_max: int = 400_000
    """Characters of one reply; a stream that goes on is closed."""

    failed_answer_length_max: int = 4_000
    """Characters of a failed answer that are shown to the model again: about 1,000 tokens."""

    lease_seconds_max: float = 1_800.0
    """How long a turn that is told from outside may stay open."""

    outside_rounds_max: int = 32
    """Rounds of calls that a game master outside may hand in before the turn is told."""

    asides_commits: int = 8
    """How many commits back finished asides are looked for."""
