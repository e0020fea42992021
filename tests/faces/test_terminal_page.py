"""The page about the terminal face: every key stands in it as it is bound; nothing that stays is left out."""

import re
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import pytest

from talewright.faces.tui.key_bindings import (
    CARD_HISTORY_KEYS,
    COMPARE_KEYS,
    EVERYWHERE_KEYS,
    FIRST_RUN_KEYS,
    INSPECTOR_KEYS,
    LOBBY_KEYS,
    MODEL_CHOICE_KEYS,
    SETUP_KEYS,
    TABLE_KEYS,
    TREE_KEYS,
    TYPING_KEYS,
    KeyBinding,
)
from talewright.faces.tui.launch_preferences import Preferences
from talewright.faces.tui.screen_factory import SCREEN_KEYS
from talewright.faces.tui.table.cards_panel import FoldableBox
from talewright.faces.tui.table.table_layout import WIDE_COLUMNS
from talewright.faces.tui.themes import THEMES
from talewright.faces.tui.words.shared_words import shared_words
from talewright.faces.tui.words.table_words import table_words

TABLE_WORDS = table_words("en")
ENGLISH = shared_words("en")

PAGE = (Path(__file__).parents[2] / "docs" / "play" / "terminal.md").read_text("utf-8")

CHAPTERS: dict[str, Sequence[KeyBinding]] = {
    "In the input line": TYPING_KEYS,
    "At the table": TABLE_KEYS,
    "In the lobby": LOBBY_KEYS,
    "On the first run": FIRST_RUN_KEYS,
    "Choosing a model": MODEL_CHOICE_KEYS,
    "Setting up a model": SETUP_KEYS,
    "In the history of a card": CARD_HISTORY_KEYS,
    "In the tree": TREE_KEYS,
    "Comparing": COMPARE_KEYS,
    "In the inspector": INSPECTOR_KEYS,
    "Everywhere": EVERYWHERE_KEYS,
}
"""The tables of keys, by their headings."""


def make_table(keys: Sequence[KeyBinding]) -> str:
    """Keys as the page shows them."""
    rows = [f"| `{key.written}` | {key.does('en')} |" for key in keys]
    return "\n".join(["| key | what it does |", "|---|---|", *rows])


def find_table(heading: str) -> str:
    """The table under a heading of the page."""
    found = re.search(rf"^### {heading}\n\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    return found[1].rstrip("\n") if found else ""


@pytest.mark.parametrize("heading", CHAPTERS)
def test_keys_are_those_that_are_bound(heading: str) -> None:
    assert find_table(heading) == make_table(CHAPTERS[heading])


def test_every_screen_has_its_keys_on_the_page() -> None:
    told = {id(keys) for keys in CHAPTERS.values()}
    assert [screen for screen, keys in SCREEN_KEYS.items() if id(keys) not in told] == []


def test_keys_of_a_card_are_told() -> None:
    bound = {binding.key for binding in FoldableBox.BINDINGS if not isinstance(binding, tuple)}
    assert bound == {"enter", "space"}
    assert "Space folds one, and Enter (or a click) opens its history" in PAGE.replace("\n", " ")


def test_everything_that_stays_is_named() -> None:
    table = PAGE.partition("[terminal]\n")[2].partition("```")[0]
    assert re.findall(r"^(\w+) =", table, re.MULTILINE) == [field.name for field in fields(Preferences)]


def test_every_theme_is_named() -> None:
    told = PAGE.replace("\n", " ")
    assert [theme.name for theme in THEMES if theme.name not in told] == []
    assert f"The four themes: {', '.join(ENGLISH.themes.values())}" in told


def test_what_is_quoted_is_said() -> None:
    for words in (TABLE_WORDS.unseen, TABLE_WORDS.unfinished_yes, TABLE_WORDS.unfinished_no):
        assert words in PAGE
    assert all(words in PAGE for words in TABLE_WORDS.risks.values())
    assert ENGLISH.animations_off in PAGE
    assert f"In a terminal of {WIDE_COLUMNS} columns or more" in PAGE
