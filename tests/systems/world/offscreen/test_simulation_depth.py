"""Simulation depth: the ticks of the original design, and those of an author."""

import pytest

from talewright.systems.world.authored.authored_world import SimulationDepth, SimulationRules
from talewright.systems.world.authored.field_checks import DEPTHS
from talewright.systems.world.offscreen.simulation_depth import depth_of, exchanges_in, least_ticks
from tests.systems.world.making import RULES, compile_world, make_world
from tests.systems.world.making import Play as WorldPlay

PLAIN = SimulationRules()
SKIP, SUMMARY, FULL = SimulationDepth


@pytest.mark.parametrize(
    ("ticks", "calm", "unresolved"),
    [
        (0, SKIP, SKIP),
        (4, SKIP, SKIP),
        (5, SKIP, FULL),
        (10, SKIP, FULL),
        (11, SUMMARY, FULL),
        (20, SUMMARY, FULL),
        (21, FULL, FULL),
        (5_000, FULL, FULL),
    ],
)
def test_the_numbers_of_the_original_design(
    ticks: int, calm: SimulationDepth, unresolved: SimulationDepth
) -> None:
    assert depth_of(PLAIN, ticks, unresolved=False) is calm
    assert depth_of(PLAIN, ticks, unresolved=True) is unresolved
    assert (ticks >= least_ticks(PLAIN)) is (unresolved is not SKIP)


@pytest.mark.parametrize(("ticks", "count"), [(0, 1), (1, 1), (5, 2), (11, 5), (16, 8), (500, 8)])
def test_a_conversation_has_an_exchange_for_every_two_ticks(ticks: int, count: int) -> None:
    assert exchanges_in(PLAIN, ticks) == count


def test_an_author_sets_how_deep_and_how_often() -> None:
    said = "{depth: summary, summary_ticks: 3, full_ticks: 9, every_turns: 1, people: 2}"
    play = WorldPlay(make_world({"world/rules.yaml": f"{RULES}\noffscreen: {said}\n"}))
    own = play.state.world.rules.simulation
    assert own == SimulationRules(SUMMARY, 5, 3, 9, 8, 2, 1)
    assert [depth_of(own, ticks, unresolved=True) for ticks in (2, 3, 9)] == [SKIP, SUMMARY, SUMMARY]
    assert WorldPlay().state.world.rules.simulation == PLAIN
    assert tuple(SimulationDepth) == DEPTHS


@pytest.mark.parametrize("wrong", ["depth: deep", "people: 1", "every_turns: 0", "exchange: 3"])
def test_what_cannot_be_set_is_a_fault(wrong: str) -> None:
    (fault,) = compile_world({"world/rules.yaml": f"{RULES}\noffscreen: {{{wrong}}}\n"}).faults
    assert fault.place.file == "world/rules.yaml"
    assert fault.code in ("world-value", "world-field")
