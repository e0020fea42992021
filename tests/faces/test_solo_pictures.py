"""The pictures of the solo game: the script that records them runs in its short form.

What stands in the repository is whole and small, stands on the page, and asks nothing of the web.
"""

import re
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from talewright.systems.spiral.oracle import DEFAULT_ORACLE
from talewright.systems.spiral.words.english import ENGLISH as WORDS
from tests.faces.recordings import (
    FOLDER,
    ROOT,
    RUN_SECONDS_MAX,
    check_page,
    check_picture,
    check_without_tmux,
    load_script,
    record_shortly,
)

PAGE = (ROOT / "docs" / "play" / "solo.md").read_text("utf-8")


@pytest.fixture(name="recorder")
def load_recorder(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load_script(monkeypatch, "solo")


@pytest.mark.process
@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed; the terminal runs in it")
@pytest.mark.timeout(RUN_SECONDS_MAX)
def test_setup_and_a_contested_check_in_both_faces(recorder: ModuleType, tmp_path: Path) -> None:
    seen = record_shortly(recorder, tmp_path)
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


def test_without_tmux_it_says_so(
    recorder: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check_without_tmux(recorder, monkeypatch, capsys)


def test_every_picture_is_there_and_on_the_page(recorder: ModuleType) -> None:
    check_page(recorder, PAGE)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("solo-*.svg")), ids=lambda path: path.stem)
def test_picture_is_whole_and_asks_nothing_of_the_web(path: Path) -> None:
    check_picture(path)


def test_the_page_tells_the_table_and_the_card_as_they_are() -> None:
    for face, answer in DEFAULT_ORACLE.answers.items():
        assert re.search(rf"^\| [\d, ]*{face}\b.*\| {answer.word.lower()} \|", PAGE, re.MULTILINE), face
    for label in (WORDS.roll, WORDS.roll_resist, WORDS.contest, WORDS.withdraw):
        assert f"- **{re.split(' if |: ', label)[0]}" in PAGE, label
