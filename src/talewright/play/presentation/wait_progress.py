"""Wait progress: from when on an interface shows what a turn is doing, and what it says about the time.

The same in every interface, each in its own words. `turn/steps/model_waits` finds out what a model is doing.
"""

from typing import Final

from talewright.common.frozen_values import frozen

PROGRESS_AFTER_SECONDS: Final = 2.0
"""After this many seconds of waiting, an interface shows progress, such as that the model is thinking.

The page of a table hands it to its script.
"""


def needs_progress(elapsed: float) -> bool:
    """Whether the player has waited long enough to be shown progress."""
    return elapsed >= PROGRESS_AFTER_SECONDS


@frozen
class WaitPatterns:
    """The words of an interface for a wait, with places for `{seconds}` and `{usual}`."""

    elapsed: str
    """How long it has lasted."""

    usual: str
    """How long it has lasted, and how long it usually takes."""

    longer: str
    """That it takes longer than usual."""

    def choose(self, elapsed: float, usual: float | None) -> str:
        """The words for a wait so far, if it usually takes `usual` seconds; None if that is unknown."""
        # An estimate of a second or two would only be wrong.
        if usual is None or usual < PROGRESS_AFTER_SECONDS:
            return self.elapsed
        return self.usual if elapsed <= usual else self.longer
