"""The real program in a real terminal: without colours, made larger and smaller, narrow, and again."""

import tomllib
from pathlib import Path

import pytest

from tests.faces.tui.stalling import stall, write_settings
from tests.faces.tui.watched import Watched, make_environment

pytestmark = pytest.mark.process

PLAY = ("play", "mist_harbor", "--language", "en", "--no-git", "--no-model")
BEGUN = "Mist Harbor, ten past eight in the evening."
ESCAPE, UP, F2 = "\x1b", "\x1b[A", "\x1bOQ"
TOLD = "The lamp gutters. Somebody at the far table hums along, a third below, and then thinks better of it."


def test_no_color_means_no_colour(tmp_path: Path) -> None:
    environment = make_environment(tmp_path, NO_COLOR="1")
    with Watched(PLAY, environment) as program:
        program.see(BEGUN, "turn 1")
        program.write("1")
        program.see("turn 2")
        program.click("F3 tree")
        program.see("Story tree", "[main]")
        assert program.leave() == 0
        assert program.screen.colours == set()


def test_colours_are_there_otherwise(tmp_path: Path) -> None:
    with Watched(PLAY, make_environment(tmp_path)) as program:
        program.see(BEGUN, "turn 1")
        assert any(b"38;2;" in each for each in program.screen.colours)


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (140, 50)])
def test_resized_while_a_model_tells(size: tuple[int, int], tmp_path: Path) -> None:
    with stall(TOLD) as oracle:
        write_settings(tmp_path, oracle)
        with Watched([word for word in PLAY if word != "--no-model"], make_environment(tmp_path)) as program:
            program.see(BEGUN, "turn 1")
            program.write("I hum an old tune\r")
            program.see("The lamp gutters.")
            program.resize(*size)
            program.see("The lamp gutters.", "turn 1")
            program.resize(100, 30)
            program.see("The lamp gutters.", "turn 1")
            oracle.let_on.set()
            program.see("better of it.", "turn 2", "Do 0")
            assert program.leave() == 0


def test_sixty_by_twenty_is_enough(tmp_path: Path) -> None:
    with Watched(PLAY, make_environment(tmp_path), columns=60, rows=20) as program:
        program.see("turn 1", "1  Pay five")
        program.write(F2)
        program.see("Suspicion", "10/100")
        program.write(F2)
        program.see("1  Pay five")
        program.write("1")
        program.see("turn 2", "1  ")
        program.write("\x1bOR")
        program.see("Story tree", "[main]")
        program.write(ESCAPE)
        program.see("turn 2", "1  ")
        assert program.leave() == 0


def choose(program: Watched, typed: str, command: str) -> None:
    """Find a command in the palette by a part of its name, and take it."""
    program.write("\x10")
    program.see("What would you like to do?")
    program.write(typed)
    # The best match is taken; the others have gone by then.
    program.until(lambda: command in program.screen.text and "ctrl+z" not in program.screen.text)
    program.write("\r")
    program.until(lambda: command not in program.screen.text)


def test_settings_stay(tmp_path: Path) -> None:
    environment = make_environment(tmp_path)
    with Watched(PLAY, environment) as program:
        program.see(BEGUN, "turn 1", "▾ Suspicion")
        program.click("▾ Suspicion")
        program.see("▸ Suspicion")
        program.write(F2)
        program.until(lambda: "Suspicion" not in program.screen.text)
        choose(program, "high contrast", "Colours: high contrast")
        choose(program, "animations off", "Turn animations off")
        choose(program, "Language: 中文", "Language: 中文")
        program.see("第 1 回合")
        assert program.leave() == 0
    kept = tomllib.loads((tmp_path / "settings.toml").read_text(encoding="utf-8"))
    assert kept["terminal"] == {
        "theme": "talewright-contrast",
        "language": "zh-CN",
        "animations": False,
        "cards_open": False,
        "folded": "card:suspicion",
    }
    with Watched(PLAY, environment) as program:
        program.see("第 1 回合", BEGUN)
        assert "Suspicion" not in program.screen.text
        assert any(b"48;2;0;0;0" in each for each in program.screen.colours)
        program.write(F2)
        program.see("▸ Suspicion", "▾ Clues")
        assert program.leave() == 0


def test_the_mouse_alone_in_a_terminal(tmp_path: Path) -> None:
    with Watched(PLAY, make_environment(tmp_path)) as program:
        program.click("Pay five")
        program.see("turn 2")
        program.click("F3 tree")
        program.see("Story tree", "[main]")
        program.click("Esc Back")
        program.see("turn 2", "F3 tree")
        program.click("▾ Suspicion", left=-4)
        program.see("What changed it, newest first")
        program.click("Esc Back")
        program.until(lambda: "What changed it" not in program.screen.text)
        program.click("^z undo")
        program.see("turn 1")
        program.click("^q quit")
        assert program.wait_for_end() == 0
