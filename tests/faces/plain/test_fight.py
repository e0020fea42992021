"""A whole fight in plain text: what a player reads of it, line for line, in both languages.

`python -m tests.faces.plain.test_fight` rewrites the transcripts.
"""

import asyncio
import io
from pathlib import Path
from typing import Final

import pytest

from talewright.faces.plain.command_loop import PlainFace
from talewright.faces.plain.console import Keyboard, PlainConsole
from talewright.faces.plain.plain_output import PlainOutput
from talewright.faces.plain.plain_words import words_for
from tests.faces.games import THREE_GOBLINS
from tests.faces.tui.scenery import make_lobby, open_small_shelf
from tests.opened import opened

LANGUAGES: Final = ("en", "zh-CN")
TYPED: Final = ("2", "1", "1", "/cards", "1", "1", "1", "1", "1", "1", "1")
"""A check, the fight by always taking the first choice, the sheet in between, and over the bridge."""


def file_of(language: str, *, terminal: bool) -> Path:
    kind = "terminal" if terminal else "pipe"
    return Path(__file__).parent / "transcripts" / f"fight_{kind}.{language}.txt"


def play(language: str, *, terminal: bool) -> str:
    """Play the fight; what was written. In a terminal the dice are written as they fall."""

    async def run() -> str:
        game = open_small_shelf(language).admit(str(THREE_GOBLINS)).game.id
        session = await opened(make_lobby(language).begin(game, language, "bridge"))
        out = io.StringIO()
        lines = io.StringIO("".join(f"{line}\n" for line in TYPED))
        sheet = PlainOutput(out, 80 if terminal else None)
        await PlainFace(session, PlainConsole(sheet, Keyboard(lines), words_for(language))).play()
        await session.close()
        return out.getvalue()

    return asyncio.run(run())


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fight_reads_as_it_did(language: str, terminal: bool) -> None:
    kept = file_of(language, terminal=terminal).read_text(encoding="utf-8")
    assert play(language, terminal=terminal) == kept


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_dice_stand_before_what_came_of_them(language: str, terminal: bool) -> None:
    told = play(language, terminal=terminal)
    dice, hit = {"en": ("Dice: ", "you lose "), "zh-CN": ("掷骰：", "点生命值。")}[language]
    # Every turn ends with its choices.
    turns = [turn for turn in told.split("\n1. ") if hit in turn]
    assert len(turns) >= 5
    assert all(0 <= turn.find(dice) < turn.index(hit) for turn in turns)


if __name__ == "__main__":
    for spoken in LANGUAGES:
        for at_terminal in (False, True):
            path = file_of(spoken, terminal=at_terminal)
            path.parent.mkdir(exist_ok=True)
            path.write_text(play(spoken, terminal=at_terminal), encoding="utf-8")
