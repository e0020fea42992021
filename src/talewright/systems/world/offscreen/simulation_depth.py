"""Simulation depth: after how many ticks life off-screen is skipped, summarized or narrated in dialogue.

The numbers are the author's, by default those of the original design. No model is asked here.
"""

from talewright.systems.world.authored.authored_world import SimulationDepth, SimulationRules

TICKS_PER_EXCHANGE = 2
"""How long one exchange in a conversation takes."""

_ORDER = tuple(SimulationDepth)
"""From the depth that narrates least to the one that narrates most."""


def depth_of(rules: SimulationRules, ticks: int, *, unresolved: bool) -> SimulationDepth:
    """How deeply this many ticks are narrated.

    If something is unresolved, it is narrated in full, and earlier. The author's greatest depth always
    applies.
    """
    if ticks >= rules.full_ticks or (unresolved and ticks >= rules.thread_ticks):
        wanted = SimulationDepth.FULL
    elif ticks >= rules.summary_ticks:
        wanted = SimulationDepth.SUMMARY
    else:
        wanted = SimulationDepth.SKIP
    return shallower(wanted, rules.depth)


def shallower(one: SimulationDepth, other: SimulationDepth) -> SimulationDepth:
    """The shallower of two depths."""
    return min(one, other, key=_ORDER.index)


def least_ticks(rules: SimulationRules) -> int:
    """Below how many ticks everything is skipped."""
    return min(rules.thread_ticks, rules.summary_ticks, rules.full_ticks)


def exchanges_in(rules: SimulationRules, ticks: int) -> int:
    """How many exchanges a conversation over this many ticks has."""
    return max(1, min(ticks // TICKS_PER_EXCHANGE, rules.exchanges))
