"""The turn observer: what a worker tells about its turns while it works; by default nobody listens.

An observer learns results, names of steps and durations. It is never given a text of a story.
"""

from talewright.turn.turn_context import Runner
from talewright.turn.turn_outcomes import Outcome


class TurnObserver:
    """Listens to one process. This one hears everything and does nothing.

    Every method is called while a turn runs: it must return at once and raise nothing.
    """

    def measure(self, runner: Runner) -> Runner:
        """A runner that reports how long its steps take."""
        return runner

    def turn_ended(self, outcome: Outcome) -> None:
        """A turn has ended here. One that a dead worker had committed counts again when it is recovered."""

    def background_ended(self) -> None:
        """The work after a turn has ended."""

    def turns_recovered(self, count: int) -> None:
        """Turns of dead workers go on."""

    def redis_lost(self) -> None:
        """Redis does not answer, or has forgotten what it knew."""

    def stream_opened(self) -> None:
        """Somebody listens to news."""

    def stream_closed(self) -> None:
        """Somebody has stopped listening."""


SILENT = TurnObserver()
"""The observer where nobody wants to know: in tests, and wherever a part is used alone."""
