"""The pictures of the solo game: the script that records them runs in its short form.

What stands in the repository is whole and small, stands on the page, and asks nothing of the web.
"""

import asyncio
import importlib
import re
import shutil
import unicodedata
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from talewright.systems.spiral.oracle import DEFAULT
from talewright.systems.spiral.words.english import ENGLISH as WORDS

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
PAGE = (ROOT / "docs" / "play" / "solo.md").read_text("utf-8")
BYTES_MAX = 40_000
"""Bytes of a picture, for each screen in it."""

RUN_SECONDS_MAX = 900
"""How long the short form may take on a machine that has much else to do."""

NAMESPACE = "http://www.w3.org/2000/svg"


@pytest.fixture(name="recorder")
def load_recorder(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("solo")


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed; the terminal runs in it")
@pytest.mark.timeout(RUN_SECONDS_MAX)
def test_setup_and_a_contested_check_in_both_faces(recorder: ModuleType, tmp_path: Path) -> None:
    album = recorder.Album()
    asyncio.run(recorder.record(tmp_path, album, short=True))
    seen = {name: [screen.text for screen in screens] for name, screens in album.screens.items()}
    assert list(seen) == ["plain-setup", "plain-check", "dice", "card"]
    told = {name: " ".join(text.split()) for name, (text,) in seen.items()}
    # The sheet was agreed on, and play has begun by itself.
    assert "Is that her? Change what you like." in told["plain-setup"]
    assert "Edwin stays." in told["plain-setup"]
    # The reason has brought a die, and only then did the dice fall: those of the secret that was handed in.
    assert "For you: strong back, reads turned earth (3 action)" in told["plain-check"]
    assert "She has not slept. And Wick has the lantern." in told["plain-check"]
    assert "two nights without sleep (4 action)" in told["plain-check"]
    assert (
        "Yes, and... 31 %; Yes, but... 44 %; No, but... 14 %; No... 8 %; No, and... 3 %"
        in told["plain-check"]
    )
    assert "2d6 (2, 5) = 5. Yes, but..." in told["plain-check"]
    assert "New glitch: her chair is sinking" in told["plain-check"]
    # The terminal goes on where the plain face stopped, and the glitch counts in the next card.
    assert "her chair is sinking" in told["dice"]
    assert "Carry the coffin past the window while he writes" in told["card"]
    assert "Day 1 · Afternoon" in told["card"]
    assert "(2 danger)" in told["card"]
    for screens in album.screens.values():
        for screen in screens:
            assert not [sign for sign in screen.text if unicodedata.category(sign) == "Cc" and sign != "\n"]
            ElementTree.fromstring(recorder.draw_picture([screen], "a & b"))


def test_without_tmux_it_says_so(
    recorder: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("sys.argv", ["solo.py"])
    assert recorder.main() == 2
    assert capsys.readouterr().err == f"{recorder.NO_TMUX}\n"


def test_every_picture_is_there_and_on_the_page(recorder: ModuleType) -> None:
    assert {path.stem for path in FOLDER.glob("solo-*.svg")} == {f"solo-{name}" for name in recorder.LABELS}
    shown = re.findall(r"!\[([^]]+)\]\(\.\./pictures/solo-([\w-]+)\.svg\)", PAGE)
    assert {name: label for label, name in shown} == recorder.LABELS
    assert PAGE.count("](../pictures/") == len(shown)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("solo-*.svg")), ids=lambda path: path.stem)
def test_picture_is_whole_and_asks_nothing_of_the_web(path: Path) -> None:
    drawn = path.read_text("utf-8")
    root = ElementTree.fromstring(drawn)
    assert root.tag == f"{{{NAMESPACE}}}svg"
    assert root.get("role") == "img"
    screens = len(re.findall('class="frame"', drawn))
    assert len(drawn.encode()) < BYTES_MAX * screens
    assert "://" not in drawn.replace(NAMESPACE, "")
    assert not re.search(r"url\(|@import|@font-face|href|<script|<image", drawn)


def test_the_page_tells_the_table_and_the_card_as_they_are() -> None:
    for face, answer in DEFAULT.answers.items():
        assert re.search(rf"^\| [\d, ]*{face}\b.*\| {answer.word.lower()} \|", PAGE, re.MULTILINE), face
    for label in (WORDS.roll, WORDS.roll_resist, WORDS.contest, WORDS.withdraw):
        assert f"- **{re.split(' if |: ', label)[0]}" in PAGE, label
