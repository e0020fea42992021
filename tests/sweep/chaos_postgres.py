"""5,000 turns while PostgreSQL is restarted or killed every 5 to 40 seconds.

An example is a turn. 200 players take turns on two API nodes and two workers, all real processes.
"""

from tests.hosting.chaos.chaos_runs import ChaosPlan
from tests.sweep.chaos_parts import PLAYERS, sweep_chaos
from tests.sweep.parts import Order, Outcome

TURNS = 5_000
PLAN = ChaosPlan("chaos_postgres", turns=1_250, players=PLAYERS, seed=0, spread_seconds=60)


def sweep(order: Order) -> Outcome:
    """Take all turns, in chunks of one run."""
    return sweep_chaos(PLAN, TURNS, order)
