"""The rows of keys, and what is made of them: bindings, help and palette."""

from typing import cast

import pytest
from rich.cells import cell_len
from textual.binding import Binding
from textual.fuzzy import Matcher
from textual.screen import Screen

from talewright.faces.tui.command_palette import list_commands
from talewright.faces.tui.help_screen import HelpChapter, draw_chapters
from talewright.faces.tui.key_bindings import (
    CARD_KEYS,
    EVERYWHERE_KEYS,
    LOBBY_KEYS,
    QUIT,
    TABLE_KEYS,
    TYPING_KEYS,
    UNDO,
    KeyBinding,
    bind,
    write_key,
)
from talewright.faces.tui.launch_preferences import Preferences
from talewright.faces.tui.screen_factory import ScreenFactory
from talewright.faces.tui.table.cards_panel import FoldableBox
from talewright.faces.tui.table.table_screen import BAR, TableScreen
from talewright.faces.tui.words.shared_words import shared_words
from tests.faces.tui.fakes import FakeSession
from tests.faces.tui.stage import plain_lines

ENGLISH = shared_words("en")
CHINESE = shared_words("zh-CN")

ALL = (*EVERYWHERE_KEYS, *TABLE_KEYS, *TYPING_KEYS, *CARD_KEYS)


@pytest.mark.parametrize("key", ALL, ids=lambda key: f"{key.keys}")
def test_every_key_has_words_in_both_languages(key: KeyBinding) -> None:
    assert key.does("en").isascii()
    assert not key.does("zh-CN").isascii()
    assert bool(key.short("en")) == bool(key.short("zh-CN"))


def test_no_key_of_the_table_is_bound_twice() -> None:
    names = [name for key in (*EVERYWHERE_KEYS, *TABLE_KEYS) if key.action for name in key.keys.split(",")]
    assert len(names) == len(set(names))


def test_table_has_an_action_for_every_key() -> None:
    for key in TABLE_KEYS:
        assert hasattr(TableScreen, f"action_{key.action.partition('(')[0]}"), key.action


def test_single_letters_are_never_bound_at_the_table() -> None:
    assert all(
        len(name) > 1 for key in (*TABLE_KEYS, *EVERYWHERE_KEYS) if key.action for name in key.keys.split(",")
    )


def test_bindings() -> None:
    undo, leave, *rest = bind([UNDO, QUIT, KeyBinding("tab", "", "next_part")])
    assert rest == []
    assert isinstance(undo, Binding)
    assert isinstance(leave, Binding)
    assert (undo.key, undo.action, undo.priority) == ("ctrl+z", "undo", False)
    assert (leave.key, leave.action, leave.priority) == ("ctrl+q", "app.quit", True)


@pytest.mark.parametrize(
    ("key", "written"),
    [("f1", "F1"), ("f12", "F12"), ("ctrl+p", "ctrl+p"), ("question_mark", "?"), ("f", "f")],
)
def test_written(key: str, written: str) -> None:
    assert write_key(key) == written


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_bar_of_the_table_fits_eighty_columns(language: str) -> None:
    assert cell_len("  ".join(f"{key.written.split(',')[0]} {key.short(language)}" for key in BAR)) <= 76


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("width", [30, 54, 66])
def test_help_shows_every_key_and_fits(language: str, width: int) -> None:
    drawn = draw_chapters(
        [HelpChapter("Here", TABLE_KEYS), HelpChapter("Everywhere", EVERYWHERE_KEYS)], language, width
    )
    assert all(line.cell_length <= width for line in drawn)
    text = "".join("".join(plain_lines(drawn)).split())
    for key in (*TABLE_KEYS, *EVERYWHERE_KEYS):
        assert "".join(key.written.split()) in text
        assert "".join(key.does(language).split()) in text


def test_help_has_the_keys_of_a_card_as_they_are_bound() -> None:
    bound = {binding.key for binding in FoldableBox.BINDINGS if isinstance(binding, Binding)}
    assert {key.keys for key in CARD_KEYS} == bound
    assert not any(key.action for key in CARD_KEYS)
    chapters = ScreenFactory().list_keys(cast(Screen[object], TableScreen(FakeSession())), "en")
    assert (ENGLISH.help_card, CARD_KEYS) in chapters


def test_palette_lists_one_language_and_finds_both() -> None:
    commands = list(list_commands(TABLE_KEYS, Preferences(language="zh-CN"), "zh-CN"))
    listed = [command.title for command in commands if command.listed]
    found = [command.title for command in commands if not command.listed]
    assert listed[0] == "撤销上一回合"
    assert "Undo the last turn" in found
    assert CHINESE.languages.format(name="English") in listed
    assert CHINESE.languages.format(name="中文") not in listed
    assert not any("dark" in title for title in (*listed, *found))
    assert CHINESE.animations_off in listed
    assert CHINESE.inspector_on in listed


def test_palette_offers_the_other_way_round() -> None:
    preferences = Preferences(theme="talewright-light", animations=False, inspector=True)
    commands = {command.title: command.action for command in list_commands((), preferences, "en")}
    assert commands[ENGLISH.animations_on] == "app.toggle_animations"
    assert commands[ENGLISH.inspector_off] == "app.toggle_inspector"
    assert commands["Colours: dark"] == "app.prefer_theme('talewright-dark')"
    assert commands["Language: 中文"] == "app.prefer_language('zh-CN')"


@pytest.mark.parametrize(
    ("word", "screen", "action"),
    [
        ("help", TABLE_KEYS, "app.help"),
        ("theme", TABLE_KEYS, "app.prefer_theme('talewright-light')"),
        ("主题", TABLE_KEYS, "app.prefer_theme('talewright-light')"),
        ("quit", TABLE_KEYS, "app.quit"),
        ("exit", LOBBY_KEYS, "app.quit"),
        ("退出", TABLE_KEYS, "app.quit"),
        ("undo", TABLE_KEYS, "undo"),
        ("branch", TABLE_KEYS, "tree"),
        ("history", TABLE_KEYS, "tree"),
        ("export", TABLE_KEYS, "lobby"),
        ("model", TABLE_KEYS, "lobby"),
        ("export", LOBBY_KEYS, "do('export')"),
        ("model", LOBBY_KEYS, "do('model')"),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_commands_are_found_by_the_words_players_type(
    word: str, screen: tuple[KeyBinding, ...], action: str, language: str
) -> None:
    """As the palette scores them: by the title first, else by the other words."""
    matcher = Matcher(word)
    commands = list_commands((*screen, *EVERYWHERE_KEYS), Preferences(), language)
    named = [command for command in commands if command.action == action]
    assert any(matcher.match(text) > 0 for command in named for text in (command.title, *command.also))
