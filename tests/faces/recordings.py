"""Recordings: what is asked of every script that records pictures, and of what it has drawn.

The scripts lie with the pictures, outside the package; which screens they keep is asked elsewhere.
"""

import asyncio
import importlib
import re
import unicodedata
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
BYTES_MAX = 40_000
"""Bytes of a picture, for each screen in it."""

RUN_SECONDS_MAX = 900
"""How long the short form may take on a machine that has much else to do."""

NAMESPACE = "http://www.w3.org/2000/svg"


def load_script(monkeypatch: pytest.MonkeyPatch, name: str) -> ModuleType:
    """A script beside the pictures, or a module that it uses."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module(name)


def record_shortly(recorder: ModuleType, home: Path) -> dict[str, list[str]]:
    """Run the short form; the text of every screen it has kept, which must be one that can be drawn."""
    album = recorder.make_album()
    asyncio.run(recorder.record(home, album, True))
    drawing = importlib.import_module("terminal_drawing")
    for screens in album.screens.values():
        for screen in screens:
            assert not [sign for sign in screen.text if unicodedata.category(sign) == "Cc" and sign != "\n"]
            ElementTree.fromstring(drawing.draw_picture([screen], "a & b"))
    return {name: [screen.text for screen in screens] for name, screens in album.screens.items()}


def check_without_tmux(
    recorder: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where there is no tmux it says so."""
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("sys.argv", [f"{recorder.__name__}.py"])
    assert recorder.main() == 2
    assert capsys.readouterr().err == f"{importlib.import_module('terminal_stage').NO_TMUX}\n"


def check_page(recorder: ModuleType, page: str) -> None:
    """Every picture is there, and stands on its page with its label, and no other does."""
    name = recorder.__name__
    assert {path.stem for path in FOLDER.glob(f"{name}-*.svg")} == {
        f"{name}-{label}" for label in recorder.LABELS
    }
    shown = re.findall(rf"!\[([^]]+)\]\(\.\./pictures/{name}-([\w-]+)\.svg\)", page)
    assert {picture: label for label, picture in shown} == recorder.LABELS
    assert page.count("](../pictures/") == len(shown)


def check_picture(path: Path) -> None:
    """A picture is whole and small, and asks nothing of the web."""
    drawn = path.read_text("utf-8")
    root = ElementTree.fromstring(drawn)
    assert root.tag == f"{{{NAMESPACE}}}svg"
    assert root.get("role") == "img"
    screens = len(re.findall('class="frame"', drawn))
    assert len(drawn.encode()) < BYTES_MAX * screens
    assert "://" not in drawn.replace(NAMESPACE, "")
    assert not re.search(r"url\(|@import|@font-face|href|<script|<image", drawn)
