"""Limits of a turn: requests, repairs, rounds, seconds, lengths and work.

The code that uses a limit defines what happens when it is reached.
"""

from talewright.common.frozen_values import frozen
from talewright.common.work_meter import WORK_MAX
from talewright.turn.game_master.open_turn_lease import LEASE_SECONDS_MAX


@frozen
class TurnLimits:
    """The limits of one turn."""

    asks_max: int = 8
    """Requests to models in one turn, repairs and errands included."""

    repairs_max: int = 2
    """How often a flawed answer is requested again."""

    rounds_max: int = 5
    """Rounds of tool calls; the request after the last one has no tools."""

    errands_max: int = 4
    """Errands within one turn, and as many after it."""

    turn_seconds_max: float = 120.0
    """Time from the first request of a turn to the last."""

    input_length_max: int = 4_000
    """Maximum length of a player's input, in characters."""

    reply_length_max: int = 400_000
    """Maximum length of one reply, in characters; a longer stream is closed."""

    failed_answer_length_max: int = 4_000
    """Characters of a failed answer that are shown to the model again: about 1,000 tokens."""

    work_max: int = WORK_MAX
    """Steps of work that judging a turn may take; `common.work_meter` counts them. 0: any number."""

    lease_seconds_max: float = LEASE_SECONDS_MAX
    """How long a turn narrated from outside may stay open."""

    outside_rounds_max: int = 32
    """Rounds of calls an outside game master may submit before the narration."""

    outside_length_max: int = 131_072
    """Characters of the calls, answers and facts of all these rounds together: every call reads and judges
    them again."""

    asides_commits: int = 8
    """How many commits back finished asides are searched for."""
