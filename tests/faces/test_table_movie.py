"""The moving picture of the README: how screens become one animation; the file is whole and small."""

import re
from types import ModuleType
from xml.etree import ElementTree

import pytest

from tests.faces.recordings import FOLDER, load_script

FILE_BYTES_MAX = 2_000_000


@pytest.fixture(name="movies")
def load_movies(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load_script(monkeypatch, "table_movie")


def make_movie(movies: ModuleType, *screens: str) -> str:
    movie = movies.Movie()
    for captured in screens:
        movie.show(movies.Screen(8, 2, captured, "talewright"), 1.0)
    drawn: str = movie.draw()
    return drawn


def test_line_that_stays_is_drawn_once(movies: ModuleType) -> None:
    drawn = make_movie(movies, "same\nfirst", "same\nsecond")
    assert [drawn.count(f">{word}<") for word in ("same", "first", "second")] == [1, 1, 1]
    # One second of five, and then the four of the last screen.
    assert "@keyframes k1{0.000%{visibility:visible}20.000%{visibility:hidden}to{visibility:hidden}}" in drawn
    assert "@keyframes k2{0%{visibility:hidden}20.000%{visibility:visible}to{visibility:visible}}" in drawn


def test_screen_that_does_not_change_is_shown_for_a_limited_time(movies: ModuleType) -> None:
    movie = movies.Movie()
    for _ in range(10):
        movie.show(movies.Screen(8, 1, "same", ""), 1.0)
    assert movie.seconds == [movies.PAUSE_SECONDS_MAX]


def test_without_motion_the_last_screen_stays(movies: ModuleType) -> None:
    drawn = make_movie(movies, "first\n", "last\n")
    assert "prefers-reduced-motion" in drawn
    assert re.search(r'class="k\d last" data-row="0"><text[^>]*>last<', drawn)


def test_picture_is_whole_and_small() -> None:
    file = FOLDER / "table-movie.svg"
    assert file.stat().st_size < FILE_BYTES_MAX
    root = ElementTree.fromstring(file.read_text("utf-8"))
    assert root.tag.endswith("svg")
    assert "http" not in re.sub(r'xmlns="[^"]*"', "", file.read_text("utf-8"))
