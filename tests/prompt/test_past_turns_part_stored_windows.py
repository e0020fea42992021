"""Windows: as they are kept in a commit, and read by the turn after it."""

import pytest

from talewright.common.json_values import Json
from talewright.prompt.past_turns_part import TURNS_MAX, TranscriptWindow, read_window, write_window


@pytest.mark.parametrize(
    ("window", "raw"),
    [
        (TranscriptWindow(), None),
        (TranscriptWindow(frozen="abc"), {"frozen": "abc"}),
        (TranscriptWindow(4, 9), {"first": 4, "cut_at": 9}),
        (TranscriptWindow(1, 9), {"first": 1, "cut_at": 9}),
        (
            TranscriptWindow(4, 9, "abc", {"toll": 8}),
            {"first": 4, "cut_at": 9, "frozen": "abc", "lore": {"toll": 8}},
        ),
        (TranscriptWindow(4, 9, known=3), {"first": 4, "cut_at": 9, "known": 3}),
    ],
)
def test_a_window_is_read_as_it_was_kept(window: TranscriptWindow, raw: Json) -> None:
    assert write_window(window) == raw
    assert read_window(raw, 20) == window


def test_no_more_is_read_back_than_a_prompt_shows() -> None:
    assert read_window(None, TURNS_MAX + 1).first == 1
    assert read_window(None, 5_000).first == 5_000 - TURNS_MAX
    assert read_window({"first": 4, "cut_at": 9}, 5_000) == TranscriptWindow(5_000 - TURNS_MAX, 9)
