"""Progress of a wait: none at first, an estimate only where it helps, and a word if it takes longer."""

import pytest

from talewright.play.presentation.wait_progress import (
    PROGRESS_AFTER_SECONDS,
    WaitPatterns,
    needs_progress,
)


def test_progress_is_shown_from_two_seconds_on() -> None:
    assert PROGRESS_AFTER_SECONDS == 2.0, "docs/play/playing.md says two seconds"
    assert not needs_progress(1.99)
    assert needs_progress(2.0)


@pytest.mark.parametrize(
    ("elapsed", "usual", "sentence"),
    [
        (3.0, None, "seconds"),
        (3.0, 1.9, "seconds"),
        (3.0, 2.0, "longer"),
        (3.0, 3.0, "usual"),
        (3.1, 3.0, "longer"),
    ],
)
def test_sentence_fits_the_wait(elapsed: float, usual: float | None, sentence: str) -> None:
    assert WaitPatterns("seconds", "usual", "longer").choose(elapsed, usual) == sentence
