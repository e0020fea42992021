"""Turn keys: the address of one attempt at a turn, under which a runner stores its steps.

Any process that knows the key finds the recorded steps. Nothing is run here.
"""

from talewright.common.frozen_values import frozen

BEGIN = "begin"
"""The step that takes everything a turn needs from outside, at once."""

COMMIT = "commit"
"""The step that commits a turn."""


ASK = "ask"
"""Prefix of the requests of a turn; later errands and summaries have other names."""


def name_ask(number: int, work: str = ASK) -> str:
    """Name the step of one request, counted from 1 within its work."""
    return f"{work} {number}"


@frozen
class TurnKey:
    """One attempt at one turn."""

    campaign: str
    operation: str
    """The operation id of the input, or the name of work that follows a commit."""

    try_number: int = 0
    """How many attempts of the operation ended before this one. A failed attempt keeps its steps, so the next
    one needs another address; otherwise it would find the failure again."""

    def name_step(self, step: str) -> str:
        """Return a unique name for a step of this attempt."""
        return f"{self.campaign}/{self.operation}/{self.try_number}/{step}"


def key_after(campaign: str, commit: str) -> TurnKey:
    """Return the key of the work that follows a commit."""
    return TurnKey(campaign, f"after {commit}")
