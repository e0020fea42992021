"""The pictures of a fight: the script that records them runs in its short form.

What stands in the repository is whole and small, stands on a page, and asks nothing of the web.
"""

import re
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from tests.faces.recordings import (
    FOLDER,
    ROOT,
    RUN_SECONDS_MAX,
    check_picture,
    check_without_tmux,
    load_script,
    record_shortly,
)

NAMES = ("author/rulebooks.md", "play/playing.md", "play/dice.md")
PAGES = [(ROOT / "docs" / name).read_text("utf-8") for name in NAMES]
PICTURES = sorted(FOLDER.glob("fight-*.svg"))


@pytest.fixture(name="recorder")
def load_recorder(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load_script(monkeypatch, "fight")


@pytest.mark.process
@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed; the terminal runs in it")
@pytest.mark.timeout(RUN_SECONDS_MAX)
def test_a_check_and_the_beginning_of_a_fight(recorder: ModuleType, tmp_path: Path) -> None:
    seen = record_shortly(recorder, tmp_path)
    assert list(seen) == ["check", "begun"]
    (check,), (begun,) = seen["check"], seen["begun"]
    # The dice of the secret that was handed in, and the chances beside them.
    assert "[12]  =  14   ▃▃▃▃▃▃▃▃▃╎▃▃◆▃▃▃▃▃▃▃▃ 55%" in check
    assert "Fight, round 1" in begun
    assert re.search(r"▸ Drover +━+ 24/24", begun)


def test_without_tmux_it_says_so(
    recorder: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check_without_tmux(recorder, monkeypatch, capsys)


def test_every_picture_stands_on_a_page_with_its_label(recorder: ModuleType) -> None:
    image = re.compile(r"!\[([^]]+)\]\(\.\./pictures/fight-(\w+)\.svg\)")
    shown = [pair for page in PAGES for pair in image.findall(page)]
    assert {name: label for label, name in shown} == recorder.LABELS
    assert {path.stem for path in PICTURES} == {f"fight-{name}" for name in recorder.LABELS}


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_picture_is_whole_and_small(path: Path) -> None:
    check_picture(path)
