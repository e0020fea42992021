"""The fault grid in full: every cell ends committed and correct, or unchanged, in its time and cost."""

from collections.abc import Callable

from tests.provider_faults.cells import check_cell, list_grid

CELLS = list_grid()
FULL_COUNT = len(CELLS)
CHUNK = 40


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Play `count` cells in a row; seeds that follow one another play cells that do."""
    for number in range(count):
        cell = CELLS[(seed * CHUNK + number) % FULL_COUNT]
        try:
            check_cell(cell)
        except AssertionError as error:
            raise AssertionError(f"{cell}: {error}") from error
        if progress:
            progress(number + 1)
    return count
