"""Every screen looks as it did: the pictures are made anew and compared byte for byte."""

import re
from pathlib import Path

import pytest

from talewright.faces.tui.themes import THEMES
from tests.faces.tui.snapshots import FOLDER, LANGUAGES, TOURS, take_tour
from tests.faces.tui.svg import read_words, shrink, tell_difference

HOW_TO_REWRITE = "python -m tests.faces.tui.snapshots"
SIZE_MAX_BYTES = 4_000_000
"""What all pictures together may take."""

SCREENS = (
    *("title", "first_run", "lobby_empty", "lobby", "begin", "import", "export", "delete", "models"),
    *("setup_where", "setup_key", "setup_model", "setup_trial", "setup_failed", "setup_kept"),
    *("table", "decision", "caution", "dice", "streaming", "told", "degraded", "unfinished", "ended"),
    *("help", "palette", "history", "tree", "compare", "inspector"),
    *("fight_check", "fight_begun", "fight_round", "fight_over"),
    *("fight_120x40", "fight_80x24", "fight_cards_80x24"),
    *("table_80x24", "table_60x20", "cards_80x24", "cards_60x20"),
    *(f"dice_{theme.name.removeprefix('talewright-')}" for theme in THEMES[1:]),
)
"""What must be among the pictures."""


def kept() -> dict[str, Path]:
    return {file.stem: file for file in FOLDER.glob("*.svg")}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("tour", TOURS)
def test_screens_look_as_they_did(tour: str, language: str) -> None:
    pictures = kept()
    told = []
    for name, svg in take_tour(tour, language).items():
        before = pictures[name].read_text(encoding="utf-8") if name in pictures else ""
        if svg != before:
            told.append(f"{name}: {tell_difference(before, svg)}")
    assert not told, "\n".join([*told, f"If that is meant, look at them after: {HOW_TO_REWRITE} {tour!r}"])


def test_every_screen_is_there_in_every_language() -> None:
    assert {f"{name}.{language}" for name in SCREENS for language in LANGUAGES} - set(kept()) == set()


def test_pictures_hold_nothing_from_elsewhere() -> None:
    total = 0
    for file in kept().values():
        svg = file.read_text(encoding="utf-8")
        total += len(svg.encode())
        assert set(re.findall(r"https?://[^\"' ]+", svg)) == {"http://www.w3.org/2000/svg"}, file.name
        assert "@font-face" not in svg, file.name
        assert not re.search(r"terminal-\d", svg), file.name
    assert total < SIZE_MAX_BYTES


def test_a_difference_is_told_by_its_row() -> None:
    row = '<text class="r1" x="0" y="{y}" textLength="24">{text}</text>\n'
    before = row.format(y=20, text="one") + row.format(y=44, text="two")
    after = row.format(y=20, text="one") + row.format(y=44, text="three")
    assert tell_difference(before, after) == "row 2\n  was two\n  is  three"
    assert tell_difference(before, before.replace("r1", "r2")).startswith("line of the file 1\n")
    assert tell_difference(before, before) == "nowhere"
    assert read_words(before) == ["one", "two"]


def test_shrinking_keeps_what_is_seen() -> None:
    text = (
        '<text class="terminal-12-r1" x="0" y="20" textLength="61" clip-path="url(#terminal-12-line-0)">'
        "&#160;a&#160;b&#160;</text>"
    )
    rect = '<rect fill="#{fill}" x="{x}" y="1.5" width="12.2" height="24.65" shape-rendering="crispEdges"/>'
    rects = "".join(rect.format(fill=fill, x=at * 12.2) for at, fill in enumerate(("111", "111", "222")))
    assert shrink(rects + text) == (
        '<rect fill="#111" x="0" y="1.5" width="24.4" height="24.65"/>\n'
        '<rect fill="#222" x="24.4" y="1.5" width="12.2" height="24.65"/>\n'
        '<text class="r1" x="12.2" y="20" textLength="36.6">a\u00a0b</text>\n'
    )
