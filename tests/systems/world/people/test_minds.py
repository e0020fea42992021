"""Minds: a part of the sweep over generated worlds, and that the canary is heard where it may be."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sweep.minds import check_world, run

SEED = 19


@pytest.mark.slow
def test_nobody_reads_what_they_cannot_know() -> None:
    assert run(40, SEED) == 40


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_nobody_reads_what_they_cannot_know_in_any_world(seed: int) -> None:
    check_world(random.Random(seed))


def test_those_who_know_a_fact_read_it() -> None:
    assert sum(check_world(random.Random(f"{SEED} {number}")) for number in range(20)) > 20
