"""Turns while each process is stopped with SIGSTOP for 2 to 40 seconds: nodes, workers, PostgreSQL and Redis.

An example is a turn. 200 players take turns on two API nodes and two workers, all real processes.
"""

from tests.hosting.chaos.chaos_runs import ChaosPlan
from tests.sweep.chaos_parts import PLAYERS, sweep_chaos
from tests.sweep.parts import Order, Outcome

TURNS = 2_000
PLAN = ChaosPlan("chaos_freezes", turns=500, players=PLAYERS, seed=0, spread_seconds=240)


def sweep(order: Order) -> Outcome:
    """Take all turns, in chunks of one run."""
    return sweep_chaos(PLAN, TURNS, order)
