"""Key bindings: the keys of every screen and what they do.

The Textual bindings, the key bar, the command palette and the help page are all generated from these rows.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from textual.binding import Binding, BindingType

from talewright.common.frozen_values import frozen
from talewright.common.word_catalogues import interface_languages, read_word

DOMAIN: Final = "tui_keys"


@frozen
class KeyBinding:
    """One key, its action and its descriptions."""

    keys: str
    """Textual key names, separated by commas; the first one is shown."""

    action: str
    """Empty if a widget handles the key; it is then only listed in the help."""

    name: str
    """By which the catalogue `tui_keys` knows it."""

    in_help: bool = True
    """Whether it has a description; the key of another screen may be only on the bar."""

    on_bar: bool = False
    """Whether it is on the key bar, where it has a short name."""

    shown: str = ""
    """How to display the key, if not by its name."""

    priority: bool = False
    has_keywords: bool = False
    """Whether the palette also finds it by other words."""

    def does(self, language: str) -> str:
        """What it does."""
        return read_word(DOMAIN, f"{self.name}.does", language) if self.in_help else ""

    def short(self, language: str) -> str:
        """Its short name for the key bar; empty if it is not there."""
        return read_word(DOMAIN, f"{self.name}.bar", language) if self.on_bar else ""

    def keywords(self) -> tuple[str, ...]:
        """More words by which the palette finds it, in every language."""
        spoken = interface_languages() if self.has_keywords else ()
        return tuple(
            word
            for language in spoken
            for word in read_word(DOMAIN, f"{self.name}.keywords", language).split()
        )

    @property
    def written(self) -> str:
        """How the key is displayed."""
        return self.shown or ", ".join(write_key(key) for key in self.keys.split(","))


KEY_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "enter": "Enter",
        "escape": "Esc",
        "space": "Space",
        "delete": "Del",
        "slash": "/",
        "question_mark": "?",
    }
)
"""Display names of keys whose Textual names differ from their labels."""


def write_key(key: str) -> str:
    """The display name of a key."""
    if key in KEY_NAMES:
        return KEY_NAMES[key]
    return key.upper() if key[0] == "f" and key[1:].isdecimal() else key


HELP = KeyBinding("f1,question_mark", "app.help", "help", on_bar=True, has_keywords=True)
PALETTE = KeyBinding("ctrl+p", "app.command_palette", "palette", on_bar=True)
QUIT = KeyBinding("ctrl+q", "app.quit", "quit", on_bar=True, priority=True, has_keywords=True)

EVERYWHERE_KEYS: tuple[KeyBinding, ...] = (
    HELP,
    PALETTE,
    QUIT,
    KeyBinding("escape", "", "escape", shown="Esc"),
    KeyBinding("tab", "", "next_part", shown="Tab"),
)
"""On every screen."""

UNDO = KeyBinding("ctrl+z", "undo", "table_undo", on_bar=True, has_keywords=True)
RETRY = KeyBinding("ctrl+r", "retry", "table_retry", on_bar=True, has_keywords=True)
CARDS = KeyBinding("f2,ctrl+o", "cards", "table_cards", on_bar=True)
DESCRIBE = KeyBinding("f6", "describe", "table_describe", has_keywords=True)
TREE = KeyBinding("f3,ctrl+t", "tree", "table_tree", on_bar=True, has_keywords=True)
STOP = KeyBinding("escape", "stop", "table_stop", shown="Esc")

SKIP = KeyBinding("f8,ctrl+n", "skip", "table_skip", on_bar=True, has_keywords=True)

TABLE_KEYS: tuple[KeyBinding, ...] = (
    UNDO,
    RETRY,
    CARDS,
    DESCRIBE,
    TREE,
    KeyBinding("ctrl+g", "go_on", "table_go_on"),
    KeyBinding("ctrl+s", "mark", "table_mark", has_keywords=True),
    KeyBinding("ctrl+l", "load", "table_load", has_keywords=True),
    KeyBinding("f4", "inspect", "table_inspect"),
    KeyBinding("f9", "lobby", "table_lobby", has_keywords=True),
    SKIP,
    STOP,
    KeyBinding("pageup", "scroll_story(-1)", "scroll_up", shown="PgUp"),
    KeyBinding("pagedown", "scroll_story(1)", "scroll_down", shown="PgDn"),
)
"""At the table, wherever the focus is."""

TYPING_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("1", "", "typing_number", shown="1 ... 9"),
    KeyBinding("enter", "", "typing_send", shown="Enter"),
    KeyBinding("up", "", "typing_recall", shown="↑ ↓"),
    KeyBinding("slash", "", "typing_palette", shown="/"),
)
"""At the table, in the input line."""

CARD_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("enter", "", "card_history"),
    KeyBinding("space", "", "card_fold"),
)
"""On a focused card."""


def bind(keys: Iterable[KeyBinding]) -> list[BindingType]:
    """Turn rows into Textual bindings."""
    return [
        # The description is not shown: the bar and the help are drawn from the rows.
        Binding(key.keys, key.action, key.name, show=key.on_bar, priority=key.priority)
        for key in keys
        if key.action
    ]


LOBBY_ENTER = KeyBinding("enter", "enter", "lobby_enter", on_bar=True)
LOBBY_NEW = KeyBinding("n", "new", "lobby_new", on_bar=True)
LOBBY_MODEL = KeyBinding("m", "do('model')", "lobby_model", on_bar=True, has_keywords=True)
LOBBY_EXPORT = KeyBinding("e", "do('export')", "lobby_export", on_bar=True, has_keywords=True)
LOBBY_DELETE = KeyBinding("d,delete", "do('delete')", "lobby_delete", on_bar=True, has_keywords=True)
LOBBY_IMPORT = KeyBinding("i", "import", "lobby_import", on_bar=True, has_keywords=True)
LOBBY_SET_UP = KeyBinding("s", "set_up", "lobby_set_up", on_bar=True)
LOBBY_RELOAD = KeyBinding("r,f5", "reload", "lobby_reload")
LOBBY_STOP = KeyBinding("escape", "stop", "lobby_stop", shown="Esc")
LOBBY_HELP = KeyBinding("f1", "app.help", "lobby_help", in_help=False, on_bar=True)
LOBBY_QUIT = KeyBinding("ctrl+q", "app.quit", "lobby_quit", in_help=False, on_bar=True, shown="^q")

LOBBY_KEYS: tuple[KeyBinding, ...] = (
    LOBBY_ENTER,
    LOBBY_NEW,
    LOBBY_MODEL,
    LOBBY_EXPORT,
    LOBBY_DELETE,
    LOBBY_IMPORT,
    LOBBY_SET_UP,
    LOBBY_RELOAD,
    LOBBY_STOP,
)
"""In the lobby."""

LOBBY_BAR: tuple[KeyBinding, ...] = (
    LOBBY_ENTER,
    LOBBY_NEW,
    LOBBY_MODEL,
    LOBBY_EXPORT,
    LOBBY_DELETE,
    LOBBY_IMPORT,
    LOBBY_SET_UP,
    LOBBY_HELP,
    LOBBY_QUIT,
)
"""In the lobby's key bar, including keys of the app."""

HISTORY_BACK = KeyBinding("escape", "back", "history_back", on_bar=True)

TREE_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("enter", "menu", "tree_menu", on_bar=True),
    KeyBinding("u", "do('undo')", "tree_undo", on_bar=True, has_keywords=True),
    KeyBinding("b", "do('fork')", "tree_fork", on_bar=True),
    KeyBinding("s", "do('switch')", "tree_switch", on_bar=True),
    KeyBinding("space", "do('pick')", "tree_pick", on_bar=True),
    KeyBinding("c", "do('compare')", "tree_compare", on_bar=True),
    KeyBinding("i", "do('inspect')", "tree_inspect", on_bar=True),
    KeyBinding("a", "every", "tree_every", on_bar=True),
    KeyBinding("o", "untaken", "tree_untaken", on_bar=True),
    KeyBinding("h", "here", "tree_here"),
    HISTORY_BACK,
)
"""In the tree."""

CARD_HISTORY_KEYS: tuple[KeyBinding, ...] = (HISTORY_BACK,)
"""In the history of a card."""

COMPARE_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("tab", "app.focus_next", "compare_other", on_bar=True, shown="Tab"),
    HISTORY_BACK,
)
"""On the comparison screen."""

INSPECTOR_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("right,l", "part(1)", "inspector_next_part", on_bar=True, shown="→"),
    KeyBinding("left,h", "part(-1)", "inspector_previous_part", on_bar=True, shown="←"),
    KeyBinding("slash,ctrl+f", "search", "inspector_search", on_bar=True),
    KeyBinding("n", "again(1)", "inspector_next_match", on_bar=True),
    KeyBinding("N,p", "again(-1)", "inspector_previous_match"),
    KeyBinding("r", "raw", "inspector_raw", on_bar=True),
    HISTORY_BACK,
)
"""In the inspector."""

SETUP_BACK = KeyBinding("escape", "back", "setup_back", on_bar=True)
SETUP_CHOOSE = KeyBinding("enter", "enter", "setup_choose", on_bar=True)
SETUP_NEXT = KeyBinding("enter", "enter", "setup_next", on_bar=True)
SETUP_LOOK = KeyBinding("r,f5", "look", "setup_look", on_bar=True)
FIRST_RUN_SET_UP = KeyBinding("s", "set_up", "first_run_set_up", on_bar=True)
SETUP_HELP = KeyBinding("f1", "app.help", "setup_help", in_help=False, on_bar=True)

MODEL_CHOICE_KEYS: tuple[KeyBinding, ...] = (SETUP_CHOOSE, FIRST_RUN_SET_UP, SETUP_BACK)
"""On the model choice screen."""

SETUP_KEYS: tuple[KeyBinding, ...] = (SETUP_NEXT, SETUP_LOOK, SETUP_BACK)
"""In the setup wizard."""

FIRST_RUN_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("enter", "enter", "first_run_play", on_bar=True),
    FIRST_RUN_SET_UP,
    KeyBinding("escape", "back", "first_run_skip", on_bar=True),
)
"""On the first run screen."""
