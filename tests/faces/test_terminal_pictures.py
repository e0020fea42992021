"""The pictures of the terminal face: the script that records them runs in its short form.

What stands in the repository is whole and small, stands on the page, and asks nothing of the web.
"""

import re
import shutil
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from tests.faces.recordings import (
    FOLDER,
    NAMESPACE,
    ROOT,
    RUN_SECONDS_MAX,
    check_page,
    check_picture,
    check_without_tmux,
    load_script,
    record_shortly,
)

PAGE = (ROOT / "docs" / "play" / "terminal.md").read_text("utf-8")


@pytest.fixture(name="recorder")
def load_recorder(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load_script(monkeypatch, "terminal")


@pytest.fixture(name="drawing")
def load_drawing(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load_script(monkeypatch, "terminal_drawing")


@pytest.mark.process
@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed; the terminal runs in it")
@pytest.mark.timeout(RUN_SECONDS_MAX)
def test_three_turns_in_a_real_terminal(recorder: ModuleType, tmp_path: Path) -> None:
    seen = record_shortly(recorder, tmp_path)
    assert list(seen) == ["first-run", "streaming", "dice", "medium", "narrow", "crash", "lobby"]
    assert "Play now, no model needed" in seen["first-run"][0]
    # In the middle of a turn the story grows, the choices are away, and one can type ahead.
    assert "turn 1" in seen["streaming"][0]
    assert "Writing the story" in seen["streaming"][0]
    assert "They are throwing" not in seen["streaming"][0]
    assert "You can type ahead" in seen["streaming"][0]
    # The dice are those of the secret that was handed in.
    assert "2d6 (3, 4) = 7, 7 or more needed: success" in seen["dice"][0]
    assert "⚂ ⚃" in seen["dice"][0]
    assert "Coins 17 ▲5" in seen["dice"][0]
    story, cards = seen["narrow"]
    assert [len(line) for line in story.split("\n")] == [60] * 20
    assert "What do you do?" in story
    assert "▾ Suspicion" in cards
    assert "What do you do?" not in cards
    assert "Your last turn was not finished" in seen["crash"][0]
    assert "I hold my breath and knock three times on the wall." in seen["crash"][0]
    # The turn that was broken off was taken in the end, once.
    assert re.search(r"turn 5 · storyteller · (\$0\.\d\d|under \$0\.01) so far", seen["lobby"][0])


def test_without_tmux_it_says_so(
    recorder: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check_without_tmux(recorder, monkeypatch, capsys)


def test_every_picture_is_there_and_on_the_page(recorder: ModuleType) -> None:
    check_page(recorder, PAGE)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("terminal-*.svg")), ids=lambda path: path.stem)
def test_picture_is_whole_and_asks_nothing_of_the_web(path: Path) -> None:
    check_picture(path)


def make_screen(drawing: ModuleType, captured: str, columns: int = 12) -> ElementTree.Element:
    screen = drawing.Screen(columns, 1, captured, "talewright")
    return ElementTree.fromstring(drawing.draw_picture([screen], "a <b> & c"))


def list_words(root: ElementTree.Element) -> list[tuple[str | None, float, str]]:
    found = [text for text in root.iter(f"{{{NAMESPACE}}}text") if "title" not in text.get("class", "")]
    return [(text.text, float(text.get("x", "")), text.get("class", "").partition(" ")[2]) for text in found]


def test_words_stand_in_their_columns_with_their_looks(drawing: ModuleType) -> None:
    root = make_screen(drawing, "\x1b[1mab\x1b[0m <c>   d\x1b[0m")
    assert list_words(root) == [("ab", 0, "b"), ("<c>", 25.2, ""), ("d", 75.6, "")]
    assert root.findtext(f"{{{NAMESPACE}}}title") == "a <b> & c"


def test_wide_signs_keep_their_two_columns(drawing: ModuleType) -> None:
    root = make_screen(drawing, "雾港 a港▲b")
    assert list_words(root) == [
        ("雾港", 0, "w"),
        ("a", 42, ""),
        ("港", 50.4, "w"),
        ("▲", 67.2, ""),
        ("b", 75.6, ""),
    ]


def test_colours_are_those_of_the_terminal(drawing: ModuleType) -> None:
    drawn = drawing.draw_picture([drawing.Screen(2, 1, "\x1b[38;2;1;2;3;48;2;4;5;6ma\x1b[7mb", "")], "")
    assert re.search(r"\.c\d\{fill:#010203\}", drawn)
    assert re.search(r"\.c\d\{fill:#040506\}", drawn)
    screen = drawing.Screen(2, 1, "\x1b[38;2;1;2;3;48;2;4;5;6ma\x1b[7mb", "")
    assert [(cell.ink, cell.paper) for cell in screen.read()[0]] == [
        ("#010203", "#040506"),
        ("#040506", "#010203"),
    ]


def test_lines_and_blocks_are_shapes(drawing: ModuleType) -> None:
    root = make_screen(drawing, "╭──╮━╸│▄▌┼")
    assert list_words(root) == []
    shapes = [rect for rect in root.iter(f"{{{NAMESPACE}}}rect") if rect.get("class", "").startswith("c")]
    # The ground; two for a corner, one for a run across, a half and a block; two up and down, four for all.
    assert len(shapes) == 1 + 2 + 1 + 2 + 1 + 1 + 2 + 1 + 1 + 4
    widths = [float(shape.get("width", "")) for shape in shapes]
    assert drawing.CELL_WIDTH * 2 in widths


def test_screens_stand_beside_each_other(drawing: ModuleType) -> None:
    one = drawing.Screen(10, 2, "a", "")
    root = ElementTree.fromstring(drawing.draw_picture([one, one, one], "", across=2))
    assert root.get("width") == f"{2 * one.width + drawing.GAP:g}"
    assert root.get("viewBox") == f"0 0 {2 * one.width + drawing.GAP:g} {2 * one.height + drawing.GAP:g}"
