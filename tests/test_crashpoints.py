"""Crash points: nothing in play; for a test, each place on the road by its name."""

from collections.abc import Iterator

import pytest

from talewright.crashpoints import POINTS, around, crash_point, set_hook


@pytest.fixture(name="heard")
def listen() -> Iterator[list[str]]:
    """What was passed, with a hook set and taken away again."""
    heard: list[str] = []
    set_hook(heard.append)
    yield heard
    set_hook(None)


class End(Exception):
    """The end of the world."""


def end(point: str) -> None:
    """A hook at which everything ends."""
    raise End(point)


def test_in_play_nothing_happens() -> None:
    crash_point("before write")
    with around("write"):
        pass


def test_points_have_names_of_their_own() -> None:
    assert len(set(POINTS)) == len(POINTS) == 27
    assert (POINTS[0], POINTS[-1]) == ("receive", "write aside")


def test_the_hook_hears_the_name(heard: list[str]) -> None:
    crash_point("before sync")
    assert heard == ["before sync"]


def test_before_and_after(heard: list[str]) -> None:
    with around("write"):
        heard.append("the work")
    assert heard == ["before write", "the work", "after write"]


def test_no_after_where_the_work_failed(heard: list[str]) -> None:
    with pytest.raises(OSError, match="full"), around("write"):
        raise OSError("full")
    assert heard == ["before write"]


@pytest.mark.parametrize("point", ["before write", "after write"])
def test_the_hook_may_end_it(heard: list[str], point: str) -> None:
    set_hook(lambda name: end(name) if name == point else heard.append(name))
    with pytest.raises(End, match=point), around("write"):
        heard.append("the work")
    assert heard == ([] if point == "before write" else ["before write", "the work"])


def test_the_hook_is_taken_away(heard: list[str]) -> None:
    set_hook(None)
    crash_point("before write")
    assert heard == []
