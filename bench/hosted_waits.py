"""How long players on one worker wait for a turn, against the time that the model takes.

Forty players take turns at the same time, over HTTP, on one node and one worker, all real processes. The
model is a server on this machine that takes twelve seconds for each answer, however many it is asked for.
Whatever a turn takes beyond that is waiting for other players, and our own work.
"""

import os
import statistics
import tempfile
from pathlib import Path

from bench.figures import at_most, report
from tests.hosting.chaos.waiting_players import measure_waits

PLAYERS = 40
ROUNDS = 3
MODEL_SECONDS = 12.0
SEED = 20_260_101
MEDIAN_RATIO_MAX = 1.2


def main() -> int:
    """Measure and print."""
    print(f"  load of the machine: {os.getloadavg()[0]:.1f}; {PLAYERS} players, {ROUNDS} turns each")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        seconds = measure_waits(Path(folder), PLAYERS, ROUNDS, MODEL_SECONDS, SEED)
    assert len(seconds) == PLAYERS * ROUNDS
    median = statistics.median(seconds)
    slow = seconds[int(len(seconds) * 0.95)]
    print(f"  a turn: median {median:.2f} s, 95% within {slow:.2f} s, the slowest {seconds[-1]:.2f} s")
    return report([at_most("hosted_turn_vs_model", median / MODEL_SECONDS, MEDIAN_RATIO_MAX)])


if __name__ == "__main__":
    raise SystemExit(main())
