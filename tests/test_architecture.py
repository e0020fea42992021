"""The page on the architecture: its paths, rooms, arrows and engine number are those of the code."""

import re
from pathlib import Path

import pytest

from talewright.turn.engine_number import ENGINE_NUMBER
from tests import house

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / house.PACKAGE
PAGE = ROOT / "docs" / "architecture.md"
WORDS_MAX = 1_500

QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w-]+(\.py|/([\w.-]+/?)*)")
"""A file or a folder: it ends with `.py` or has a slash."""

ROW = re.compile(r"^\| `(\w+)` \| .+ \| (.*?) ?\|$", re.MULTILINE)
UNLISTED = frozenset({"", "__main__"})
"""The package itself, and the command under another name."""


def find_paths(page: Path) -> list[str]:
    """The paths that a page names."""
    return sorted({word for word in QUOTED.findall(page.read_text("utf-8")) if PATH.fullmatch(word)})


@pytest.mark.parametrize("name", ["architecture.md", "dependencies.md"])
def test_paths_exist(name: str) -> None:
    paths = find_paths(ROOT / "docs" / name)
    assert len(paths) > 20
    # A file may stand next to the one named before it.
    near = {file.name for file in PACKAGE.rglob("*.py")}
    assert [
        path
        for path in paths
        if not (ROOT / path).exists() and not (PACKAGE / path).exists() and path not in near
    ] == []


def test_page_is_short() -> None:
    assert len(PAGE.read_text("utf-8").split()) <= WORDS_MAX


def test_rooms_and_arrows_are_those_that_the_house_allows() -> None:
    rows = dict(ROW.findall(PAGE.read_text("utf-8")))
    assert rows.pop("bootstrap") == "every room but `cli`"
    assert house.ARROWS["bootstrap"] == set(house.ARROWS) - {"", "bootstrap", "cli", "__main__"}
    listed = {room: frozenset(QUOTED.findall(targets)) for room, targets in rows.items()}
    assert listed == {
        room: targets
        for room, targets in house.ARROWS.items()
        if room not in UNLISTED and room != "bootstrap"
    }


def test_rooms_are_those_of_the_package() -> None:
    found = {
        entry.stem for entry in PACKAGE.iterdir() if entry.suffix in ("", ".py") and entry.stem[0] != "_"
    } - {"locales"}
    assert found == set(house.ARROWS) - UNLISTED


def test_engine_number_is_the_newest() -> None:
    text = " ".join(PAGE.read_text("utf-8").split())
    assert re.findall(r"engine number \(now `(\d+)`", text) == [str(ENGINE_NUMBER)]
