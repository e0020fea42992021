"""Servers of a game master that are killed in the middle of a turn: a fiftieth of the sweep."""

import pytest

from tests.sweep import master_kills

pytestmark = pytest.mark.process

SEED = 36


def test_killed_servers_block_no_turn() -> None:
    count = master_kills.FULL_COUNT // 50
    tally = master_kills.kill_masters(count, SEED)
    assert tally["kills"] == count
    assert sum(tally.values()) == 2 * count, tally
