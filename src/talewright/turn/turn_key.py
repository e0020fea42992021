"""Turn keys: the address of one try at a turn, under which a runner keeps its steps.

Any process that knows the key finds the recorded steps. Nothing is run here.
"""

from talewright.common.frozen_values import frozen

BEGIN = "begin"
"""The step that takes everything a turn needs from outside, at once."""

COMMIT = "commit"
"""The step that makes a turn part of the story."""


ASK = "ask"
"""How the asks of a turn are called; errands and summaries after it have names of their own."""


def name_ask(number: int, work: str = ASK) -> str:
    """The step of one ask, counted from 1 within its work."""
    return f"{work} {number}"


@frozen
class TurnKey:
    """One try at one turn."""

    campaign: str
    operation: str
    """The operation id of the input, or the name of work that follows a commit."""

    try_number: int = 0
    """How many tries of the operation were settled before this one. A try that failed keeps its steps, so
    the next one needs an address of its own: it would find the failure again."""

    def name_step(self, step: str) -> str:
        """One text that names a step of this try and no other."""
        return f"{self.campaign}/{self.operation}/{self.try_number}/{step}"


def key_after(campaign: str, commit: str) -> TurnKey:
    """The key of the work that follows a commit."""
    return TurnKey(campaign, f"after {commit}")
