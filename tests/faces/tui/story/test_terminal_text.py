"""Hostile strings through all that the terminal face draws: a hundredth of the sweep."""

import pytest

from tests.sweep.terminal_text import FULL_COUNT, run

pytestmark = pytest.mark.slow

SEED = 5


# Only work, no waiting: it takes 15 s alone, and longer beside other tests.
@pytest.mark.timeout(360)
def test_no_string_steers_the_terminal() -> None:
    print(f"seed {SEED}")
    assert run(FULL_COUNT // 200, SEED) == FULL_COUNT // 200
