"""Campaigns for the commands that look back: a shipped game played for a few turns, in a folder."""

import asyncio
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from talewright.bootstrap import open_lobby
from talewright.cli import main
from tests.opened import opened

GAME = "mist_harbor"
NAME = "mist_harbor-1"
TURNS = 6
SECRET = bytes(range(32))


@dataclass(frozen=True)
class Answer:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@dataclass(frozen=True)
class Console:
    """Runs commands on one folder of campaigns."""

    saves: Path
    capsys: pytest.CaptureFixture[str]

    def run(self, *words: str) -> Answer:
        try:
            code = main([*words, "--saves", str(self.saves)])
        except SystemExit as stop:
            code = int(str(stop.code))
        told = self.capsys.readouterr()
        return Answer(code, told.out, told.err)


async def play(saves: Path, turns: int) -> None:
    """Take the first choice, turn after turn."""
    lobby = open_lobby(saves, git=False, language="en", secret=SECRET)
    session = await opened(lobby.begin(GAME))
    for _ in range(turns):
        view = await session.view()
        await session.choose(view.choices[0].id)
    await session.mark("camp")
    await session.close()


def make_saves(folder: Path) -> None:
    asyncio.run(play(folder, TURNS))


def copy_saves(made: Path, target: Path) -> Path:
    shutil.copytree(made, target)
    return target
