"""A sample of the fault grid; `tests/sweep/fault_grid.py` plays all of it."""

from itertools import product

import pytest

from talewright.turn.turn_outcomes import Committed
from talewright_testkit.fake_provider.fault_plan import IMPOSSIBLE, FaultPlace, ProviderFault
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.provider_faults.cells import Cell, check_cell, list_grid, pick_sample
from tests.provider_faults.stage import LIMITS, TIMES
from tests.provider_faults.tales import TOOLS


@pytest.mark.parametrize("cell", pick_sample(), ids=str)
def test_cell(cell: Cell) -> None:
    check_cell(cell)


@pytest.mark.parametrize("wire", Wire)
def test_a_model_that_hung_is_asked_again_within_the_turn(wire: Wire) -> None:
    ending = check_cell(Cell(ProviderFault.STALL_FIRST, FaultPlace.START, wire, TOOLS, at=2))
    assert isinstance(ending.outcome, Committed)
    assert TIMES.first_token_seconds <= ending.seconds <= LIMITS.turn_seconds_max
    # The ask that hung, and the one after it.
    assert ending.billed == 3


def test_every_cell_is_played_or_cannot_occur() -> None:
    played = {(cell.fault, cell.place, cell.wire) for cell in list_grid()}
    assert played.isdisjoint(IMPOSSIBLE)
    assert played | set(IMPOSSIBLE) == set(product(ProviderFault, FaultPlace, Wire))
    assert all(IMPOSSIBLE.values())


def test_the_sample_holds_every_fault_and_wire_and_place() -> None:
    sample = pick_sample()
    assert {cell.fault for cell in sample} == set(ProviderFault)
    assert {cell.wire for cell in sample} == set(Wire)
    assert {cell.place for cell in sample} == set(FaultPlace)
