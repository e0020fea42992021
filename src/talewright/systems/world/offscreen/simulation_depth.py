"""Simulation depth: after how many ticks life off-screen is skipped, summed up or told as a conversation.

The numbers are the author's, by default those of the original design. Nothing is asked here.
"""

from talewright.systems.world.authored.authored_world import SimulationDepth, SimulationRules

TICKS_PER_EXCHANGE = 2
"""How long an exchange of a conversation takes."""

_ORDER = tuple(SimulationDepth)
"""From the one that tells least to the one that tells most."""


def depth_of(rules: SimulationRules, ticks: int, *, unresolved: bool) -> SimulationDepth:
    """How deeply so many ticks are told.

    Where something is unresolved, it is told in full, and earlier. The author's greatest depth holds always.
    """
    if ticks >= rules.full_ticks or (unresolved and ticks >= rules.thread_ticks):
        wanted = SimulationDepth.FULL
    elif ticks >= rules.summary_ticks:
        wanted = SimulationDepth.SUMMARY
    else:
        wanted = SimulationDepth.SKIP
    return shallower(wanted, rules.depth)


def shallower(one: SimulationDepth, other: SimulationDepth) -> SimulationDepth:
    """The one of two depths that tells less."""
    return min(one, other, key=_ORDER.index)


def least_ticks(rules: SimulationRules) -> int:
    """Below how many ticks everything is skipped."""
    return min(rules.thread_ticks, rules.summary_ticks, rules.full_ticks)


def exchanges_in(rules: SimulationRules, ticks: int) -> int:
    """How many exchanges a conversation over so many ticks has."""
    return max(1, min(ticks // TICKS_PER_EXCHANGE, rules.exchanges))
