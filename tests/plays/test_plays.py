"""Every play ends in the same state: straight, reopened, on every store, crashed and recovered."""

import asyncio
from pathlib import Path

import pytest

from talewright.chronicle.store import Store
from talewright.stores.folder.store import FolderStore
from talewright.stores.memory import MemoryStore
from tests.plays.scripts import Play, read_plays
from tests.plays.stage import Crasher, Reopen, Stage

PLAYS = read_plays()
POINTS_MAX = 200
"""Crash points a turn may pass."""

every_play = pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.name)


def in_memory() -> Reopen:
    store = MemoryStore()

    async def reopen() -> Store:
        return store

    return reopen


def in_folder(root: Path) -> Reopen:
    async def reopen() -> Store:
        return FolderStore(root, git=False)

    return reopen


def perform(stage: Stage) -> str:
    return asyncio.run(stage.perform())


def test_there_are_plays_enough() -> None:
    assert len(PLAYS) >= 14


@every_play
def test_straight(play: Play) -> None:
    assert perform(Stage(play, in_memory())) == play.digest


@every_play
def test_reopened_in_a_folder(play: Play, tmp_path: Path) -> None:
    assert perform(Stage(play, in_folder(tmp_path), between=True)) == play.digest


@every_play
def test_straight_in_a_folder(play: Play, tmp_path: Path) -> None:
    assert perform(Stage(play, in_folder(tmp_path))) == play.digest


@every_play
def test_crashed_after_every_step(play: Play, tmp_path: Path) -> None:
    for number in range(1, POINTS_MAX):
        crasher = Crasher(number)
        root = tmp_path / str(number)
        assert perform(Stage(play, in_folder(root), between=True, crasher=crasher)) == play.digest, number
        if not crasher.ever:
            return
    raise AssertionError("no end to the crash points")
