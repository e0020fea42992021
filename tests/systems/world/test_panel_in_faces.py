"""The world's panel in the plain interface and in the terminal, which know nothing of worlds."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.bootstrap import open_game_library, open_lobby
from talewright.faces.plain import view_text
from talewright.faces.plain.plain_words import words_for
from talewright.faces.tui.table.card_drawing import draw_part
from talewright.play.campaign_view import PanelView, View
from tests.opened import opened
from tests.systems.world.making import FOLDER
from tests.warm_homes import warm

ENGLISH = words_for("en")

CHOICES = (
    "world.talk-grim",
    "world.go-square",
    "world.wait",
    "world.wait",
    "world.go-mill",
    "world.go-square",
)
SECRET = bytes(range(32))


def play(saves: Path) -> View:
    """Go to the mill and back to the square."""

    async def run() -> View:
        shelf = open_game_library()
        game = shelf.admit(str(FOLDER)).game.id
        lobby = open_lobby(saves, shelf=shelf, git=False, language="en", secret=SECRET)
        session = await opened(lobby.begin(game))
        for choice in CHOICES:
            await session.choose(choice)
        view = await session.view()
        await session.close()
        return view

    return asyncio.run(run())


@pytest.fixture(name="home", autouse=True)
def move_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path / "home")))


def panel_of(view: View) -> PanelView:
    return next(panel for panel in view.panels if panel.id == "world")


def test_the_plain_interface_writes_it(tmp_path: Path) -> None:
    view = play(tmp_path / "saves")
    (block,) = view_text.show_cards(replace(view, cards=(), panels=(panel_of(view),)), ENGLISH)
    text = "\n".join(block)
    print(text)
    assert text.startswith("The world\n")
    assert "> Market Square: The Dusty Tankard" in text
    assert "Last seen" in text
    assert "Grim: The Dusty Tankard, 4 hours ago" in text
    assert "A dragon was seen over the northern pass (heard from Grim)" in text
    assert "Ann" not in text
    assert "Cellar" not in text


def test_the_terminal_draws_it(tmp_path: Path) -> None:
    panel = panel_of(play(tmp_path / "saves"))
    for width in (28, 40):
        lines = [line.plain for part in panel.parts for line in draw_part(part, width)]
        print("\n".join(lines))
        assert all(len(line) <= width for line in lines)
        assert any("─" in line or "│" in line for line in lines), "ways between neighbours"
        assert "Last seen" in "\n".join(lines)
