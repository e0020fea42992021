"""The pictures of the browser in the documents: all are there, all are shown, and none is large."""

import importlib
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "docs" / "pictures"
PAGES = tuple(
    ROOT / page
    for page in ("README.md", "docs/play/browser.md", "docs/play/looking_back.md", "docs/author/checking.md")
)


@pytest.fixture(name="camera", scope="module")
def load_camera() -> ModuleType:
    sys.path.insert(0, str(FOLDER))
    try:
        spec = importlib.util.spec_from_file_location("browser", FOLDER / "browser.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        # Its values are dataclasses, which look up their module.
        sys.modules["browser"] = module
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(FOLDER))
        sys.modules.pop("browser", None)


def test_the_chosen_pictures_are_there_and_small(camera: ModuleType) -> None:
    names = {camera.name_of(*one) for one in camera.CHOSEN}
    assert {path.name for path in FOLDER.glob("browser-*.webp")} == names, "docs/pictures/browser.py --chosen"
    for name in names:
        data = (FOLDER / name).read_bytes()
        assert (data[:4], data[8:12]) == (b"RIFF", b"WEBP")
        assert len(data) <= camera.BYTES_MAX


def test_every_chosen_picture_is_shown(camera: ModuleType) -> None:
    shown = set(
        re.findall(r"pictures/(browser-[\w-]+\.webp)\)", "".join(page.read_text("utf-8") for page in PAGES))
    )
    assert shown == {camera.name_of(*one) for one in camera.CHOSEN}


def test_the_readme_shows_the_browser_first_and_then_the_terminal() -> None:
    first, second, *_ = re.findall(r"!\[[^]]+\]\(docs/pictures/([\w.-]+)\)", PAGES[0].read_text("utf-8"))
    assert first.startswith("browser-table")
    assert second == "table-movie.svg"


def test_both_languages_are_played_alike() -> None:
    sys.path.insert(0, str(FOLDER))
    try:
        stage = importlib.import_module("browser_stage")
    finally:
        sys.path.remove(str(FOLDER))
    english, chinese = ([one.take for one in stage.read_told(language)] for language in stage.LANGUAGES)
    assert len(english) == len(chinese)
    for one, other in zip(english, chinese, strict=True):
        # A choice has one id, and words differ.
        assert (one == other) is (" " not in one)
