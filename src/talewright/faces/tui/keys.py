"""Keys: what can be pressed, what it does, and how that is called in each language.

Bindings, the bar at the bottom and the help page are all made from these rows; nothing is carried out here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from textual.binding import Binding, BindingType

from talewright.faces.tui.words.shared import CHINESE_CODE, spoken


@dataclass(frozen=True, slots=True)
class Key:
    """One thing that can be pressed."""

    keys: str
    """As Textual names them, with commas between; the first is the one that is shown."""

    action: str
    """Empty where a widget takes care of it, and it only stands in the help."""

    english: str
    chinese: str
    bar: str = ""
    """A short name in English for the bar at the bottom; empty keeps it off the bar."""

    bar_chinese: str = ""
    shown: str = ""
    """How the key is written, where that is not what its name says."""

    priority: bool = False

    def does(self, language: str) -> str:
        """What it does, in words."""
        return self.chinese if spoken(language) == CHINESE_CODE else self.english

    def short(self, language: str) -> str:
        """The same for the bar."""
        return self.bar_chinese if spoken(language) == CHINESE_CODE else self.bar

    @property
    def written(self) -> str:
        """How the key is written."""
        return self.shown or ", ".join(write_key(key) for key in self.keys.split(","))


HELP = Key("f1,question_mark", "app.help", "this page", "本页", "help", "帮助")
PALETTE = Key("ctrl+p", "app.command_palette", "find a command by name", "按名字找命令", "menu", "菜单")
QUIT = Key(
    "ctrl+q", "app.quit", "leave; everything is kept", "离开，一切都会保存", "leave", "离开", priority=True
)

EVERYWHERE: tuple[Key, ...] = (
    HELP,
    PALETTE,
    QUIT,
    Key("escape", "", "back", "返回", shown="Esc"),
    Key("tab", "", "to the next part of the screen", "到屏幕的下一处", shown="Tab"),
)
"""On every screen."""

UNDO = Key("ctrl+z", "undo", "take back the last turn", "收回上一回合", "back", "收回")
RETRY = Key("ctrl+r", "retry", "the last turn once more", "上一回合重来", "again", "重来")
CARDS = Key("f2,ctrl+o", "cards", "show or hide the cards", "显示或收起卡片", "cards", "卡片")
TREE = Key(
    "f3,ctrl+t",
    "tree",
    "the tree of the story: undo, fork, compare",
    "故事树：回退、分叉、比较",
    "tree",
    "故事树",
)
STOP = Key("escape", "stop", "stop the turn that runs", "停下正在走的回合", shown="Esc")

TABLE: tuple[Key, ...] = (
    UNDO,
    RETRY,
    CARDS,
    TREE,
    Key("ctrl+g", "go_on", "let the story go on without you", "不开口，让故事往下走"),
    Key("ctrl+s", "mark", "save this place under a name", "给此处起个名字"),
    Key("ctrl+l", "load", "go to a saved place", "回到记下的地方"),
    Key("f4", "inspect", "look into the last turn (for authors)", "检视上一回合（给作者）"),
    Key("f9", "lobby", "back to the lobby", "回到大厅"),
    STOP,
    Key("pageup", "scroll_story(-1)", "read back", "往回看", shown="PgUp"),
    Key("pagedown", "scroll_story(1)", "read on", "往下看", shown="PgDn"),
)
"""At the table, whatever has the focus."""

TYPING: tuple[Key, ...] = (
    Key("1", "", "take that choice, while the line is empty", "输入行空着时，直接选那一项", shown="1 ... 9"),
    Key("enter", "", "say it, or do it, in your own words", "照你写的去说、去做", shown="Enter"),
    Key("enter", "", "read on, while the line is empty", "输入行空着时，往下看", shown="Enter"),
    Key("up", "", "what you said before", "之前说过的话", shown="↑ ↓"),
    Key(
        "slash",
        "",
        "find a command by name, while the line is empty",
        "输入行空着时，按名字找命令",
        shown="/",
    ),
)
"""At the table, in the input line."""

CARD: tuple[Key, ...] = (
    Key("enter", "", "its history: how it went, and why", "它的来历：怎么变的，为什么"),
    Key("space", "", "fold it or open it; it stays that way", "收起或展开，之后一直如此"),
)
"""On a card, once Tab has led there."""

NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "enter": "Enter",
        "escape": "Esc",
        "space": "Space",
        "delete": "Del",
        "slash": "/",
        "question_mark": "?",
    }
)
"""How keys are written whose names are not what stands on them."""


def write_key(key: str) -> str:
    """A key as it is written on a keyboard, short."""
    if key in NAMES:
        return NAMES[key]
    return key.upper() if key[0] == "f" and key[1:].isdecimal() else key


def bind(keys: Iterable[Key]) -> list[BindingType]:
    """Rows as bindings of a screen or the app."""
    return [
        Binding(key.keys, key.action, key.english, show=bool(key.bar), priority=key.priority)
        for key in keys
        if key.action
    ]
