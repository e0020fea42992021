"""Every play ends in the same state: straight, reopened, on every store, crashed and recovered."""

import asyncio
import itertools
import shutil
from pathlib import Path

import pytest

from tests.plays.crashes import Crasher
from tests.plays.performances import in_folder, perform, perform_straight
from tests.plays.scripts import Play, read_plays
from tests.plays.stage import Stage
from tests.sweep import solo_crashes

PLAYS = read_plays()
POINTS_MAX = 200
"""Crash points a turn may pass."""

SEED = 6
"""Decides where long plays crash."""

every_play = pytest.mark.parametrize(
    "play",
    [pytest.param(play, marks=[pytest.mark.slow] if play.is_long else []) for play in PLAYS],
    ids=lambda play: play.name,
)
every_short_play = pytest.mark.parametrize(
    "play", [play for play in PLAYS if not play.is_long], ids=lambda play: play.name
)


def test_there_are_plays_enough() -> None:
    assert len(PLAYS) >= 14


@every_play
def test_straight(play: Play) -> None:
    assert perform_straight(play.name).digest == play.digest


@every_play
def test_reopened_in_a_folder(play: Play, tmp_path: Path) -> None:
    assert perform(Stage(play, in_folder(tmp_path), between=True)) == play.digest


# A long play is performed in a folder by the test before this one.
@every_short_play
def test_straight_in_a_folder(play: Play, tmp_path: Path) -> None:
    assert perform(Stage(play, in_folder(tmp_path))) == play.digest


@pytest.mark.slow
@every_short_play
def test_crashed_after_every_step(play: Play, tmp_path: Path) -> None:
    # What comes before the play is the same every time, and made once.
    ids = asyncio.run(Stage(play, in_folder(tmp_path / "prepared")).prepare())
    for number in range(1, POINTS_MAX):
        crasher = Crasher(itertools.repeat(number))
        root = tmp_path / str(number)
        shutil.copytree(tmp_path / "prepared", root)
        stage = Stage(play, in_folder(root), between=True, crasher=crasher, prepared=ids)
        assert perform(stage) == play.digest, number
        if not crasher.crashes:
            return
    raise AssertionError("no end to the crash points")


@pytest.mark.slow
def test_long_plays_crashed_in_most_turns() -> None:
    print(f"seed {SEED}")
    assert solo_crashes.run(solo_crashes.CHUNK, SEED) == solo_crashes.CHUNK
