"""10,000 turns while a worker is killed -9 every 2 to 10 seconds.

An example is a turn. 200 players take turns on two API nodes and two workers, all real processes.
"""

from tests.hosting.chaos.chaos_runs import ChaosPlan
from tests.sweep.chaos_parts import PLAYERS, sweep_chaos
from tests.sweep.parts import Order, Outcome

TURNS = 10_000
PLAN = ChaosPlan("chaos_workers", turns=1_000, players=PLAYERS, seed=0)


def sweep(order: Order) -> Outcome:
    """Take all turns, in chunks of one run."""
    return sweep_chaos(PLAN, TURNS, order)
