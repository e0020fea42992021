"""Turns while Redis is killed, flushed and cut off for a minute, again and again.

An example is a turn. 200 players take turns on two API nodes and two workers, all real processes.
"""

from tests.hosting.chaos.chaos_runs import ChaosPlan
from tests.sweep.chaos_parts import PLAYERS, sweep_chaos
from tests.sweep.parts import Order, Outcome

TURNS = 2_000
PLAN = ChaosPlan("chaos_redis", turns=500, players=PLAYERS, seed=0, spread_seconds=180)


def sweep(order: Order) -> Outcome:
    """Take all turns, in chunks of one run."""
    return sweep_chaos(PLAN, TURNS, order)
