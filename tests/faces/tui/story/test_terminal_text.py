"""Hostile strings through all that the terminal face draws: a hundredth of the sweep."""

from tests.sweep.terminal_text import FULL_COUNT, run

SEED = 5


def test_no_string_steers_the_terminal() -> None:
    print(f"seed {SEED}")
    assert run(FULL_COUNT // 100, SEED) == FULL_COUNT // 100
