"""Faults as values: the grid, what of it cannot occur, and which fault is due when."""

from itertools import product

import pytest

from talewright_testkit.fake_provider.fault_plan import (
    CONTRACT,
    IMPOSSIBLE,
    OUTAGES,
    STATUSES,
    FaultPlace,
    FaultPlan,
    PlacedFault,
    ProviderFault,
    check_possible,
    list_cells,
)
from talewright_testkit.fake_provider.wires.wire_form import Wire

LISTED = """401, 402, 404, 408, 409, 429, 429 with Retry-After, 500, 503, 529, connection refused, reset,
connect hang, stall before the first token, slow drip, stall in mid-stream, truncated JSON,
truncated tool call, duplicated chunk, reordered chunk, invalid UTF-8, a 10 MB line, wrong content type,
empty 200, refusal, length stop, a tool that does not exist, an endless tool loop, wrong usage"""


def test_every_fault_of_the_list_is_there() -> None:
    assert [fault.value for fault in ProviderFault] == [name.strip() for name in LISTED.split(",")]


def test_possible_and_impossible_cells_make_the_grid() -> None:
    possible = set(list_cells())
    assert possible | set(IMPOSSIBLE) == set(product(ProviderFault, FaultPlace, Wire))
    assert not possible & set(IMPOSSIBLE)
    assert (len(possible), len(IMPOSSIBLE)) == (166, 95)
    assert all(len(reason) > 20 for reason in IMPOSSIBLE.values())


def test_every_fault_can_occur_on_every_wire() -> None:
    assert {(fault, wire) for fault, _, wire in list_cells()} == set(product(ProviderFault, Wire))


def test_kinds_do_not_overlap() -> None:
    assert not set(STATUSES) & CONTRACT
    assert not OUTAGES & CONTRACT
    assert not OUTAGES & set(STATUSES)


def test_an_impossible_fault_is_refused_with_its_reason() -> None:
    check_possible(PlacedFault(ProviderFault.KEY), Wire.OPENAI)
    with pytest.raises(
        ValueError, match="401 in mid-text cannot occur on the wire of google: it is decided before"
    ):
        check_possible(PlacedFault(ProviderFault.KEY, FaultPlace.TEXT), Wire.GEMINI)


def test_a_fault_waits_for_its_request_and_strikes_as_often_as_told() -> None:
    once, twice, always = (
        PlacedFault(ProviderFault.RESET, at=2),
        PlacedFault(ProviderFault.BUSY, times=2),
        PlacedFault(ProviderFault.DRIP, times=None),
    )
    plan = FaultPlan([once, twice, always])
    assert plan.due(1) == (twice, always)
    assert plan.due(2) == (once, twice, always)
    for struck in (once, twice, twice, always):
        plan.strike(struck)
    assert plan.due(3) == (always,)
    assert plan.struck == (once, twice, twice, always)


def test_a_loop_never_ends_and_equal_faults_are_two() -> None:
    loop, one, other = (
        PlacedFault(ProviderFault.TOOL_LOOP, FaultPlace.TOOL),
        PlacedFault(ProviderFault.EMPTY),
        PlacedFault(ProviderFault.EMPTY),
    )
    plan = FaultPlan([loop, one, other])
    for struck in (loop, loop, one):
        plan.strike(struck)
    assert plan.due(1) == (loop, other)


def test_outages_are_found_by_the_request_they_come_before() -> None:
    outage = PlacedFault(ProviderFault.REFUSED, at=3)
    plan = FaultPlan([PlacedFault(ProviderFault.RESET, at=3), outage])
    assert plan.find_outage(3) is outage
    assert plan.find_outage(2) is None
    plan.strike(outage)
    assert plan.find_outage(3) is None
