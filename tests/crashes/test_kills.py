"""Processes that are killed, fill their disk or race another lose nothing: a hundredth of the sweep."""

import pytest

from tests.sweep import kills

pytestmark = pytest.mark.process

SEED = 16


def test_nothing_is_lost_by_killed_processes() -> None:
    print(f"seed {SEED}")
    count = kills.FULL_COUNT // 100
    tally = kills.kill_many(count, SEED)
    assert tally["kills"] == count
    met = ("torn", "waiting", "two writers", "turns that failed on a full disk", "turns verified")
    assert all(tally[name] for name in met), tally
