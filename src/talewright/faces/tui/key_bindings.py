"""Key bindings: what can be pressed on every screen, what it does, and its name in each language.

Bindings, the bar at the bottom, the palette and the help page are all made from these rows; nothing is
carried out here.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from textual.binding import Binding, BindingType

from talewright.common.frozen_values import frozen
from talewright.common.language_tags import pick_words
from talewright.faces.tui.words.shared_words import CHINESE_CODE, ENGLISH_CODE


@frozen
class KeyBinding:
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
    also: str = ""
    """Other words by which the palette finds it, in any language, with spaces between."""

    def does(self, language: str) -> str:
        """What it does, in words."""
        return pick_words(language, {ENGLISH_CODE: self.english, CHINESE_CODE: self.chinese})

    def short(self, language: str) -> str:
        """The same for the bar."""
        return pick_words(language, {ENGLISH_CODE: self.bar, CHINESE_CODE: self.bar_chinese})

    @property
    def written(self) -> str:
        """How the key is written."""
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
"""How keys are written whose names are not what stands on them."""


def write_key(key: str) -> str:
    """A key as it is written on a keyboard, short."""
    if key in KEY_NAMES:
        return KEY_NAMES[key]
    return key.upper() if key[0] == "f" and key[1:].isdecimal() else key


HELP = KeyBinding(
    "f1,question_mark", "app.help", "this page", "本页", "help", "帮助", also="help keys 帮助 按键"
)
PALETTE = KeyBinding(
    "ctrl+p", "app.command_palette", "find a command by name", "按名字找命令", "menu", "菜单"
)
QUIT = KeyBinding(
    "ctrl+q",
    "app.quit",
    "leave; everything is kept",
    "离开，一切都会保存",
    "leave",
    "离开",
    priority=True,
    also="quit exit close 退出 关闭",
)

EVERYWHERE_KEYS: tuple[KeyBinding, ...] = (
    HELP,
    PALETTE,
    QUIT,
    KeyBinding("escape", "", "back", "返回", shown="Esc"),
    KeyBinding("tab", "", "to the next part of the screen", "到屏幕的下一处", shown="Tab"),
)
"""On every screen."""

UNDO = KeyBinding(
    "ctrl+z", "undo", "take back the last turn", "收回上一回合", "undo", "收回", also="undo back 撤销 后退"
)
RETRY = KeyBinding(
    "ctrl+r",
    "retry",
    "the last turn once more, with the words in the line if there are any",
    "上一回合重来；输入行里有话，就换成那句话",
    "retry",
    "重来",
    also="retry redo reroll again 重试",
)
CARDS = KeyBinding("f2,ctrl+o", "cards", "show or hide the cards", "显示或收起卡片", "cards", "卡片")
DESCRIBE = KeyBinding(
    "f6",
    "describe",
    "show or hide what the cards mean",
    "显示或收起卡片的说明",
    also="describe explain description meaning 说明 含义",
)
TREE = KeyBinding(
    "f3,ctrl+t",
    "tree",
    "the tree of the story: undo, fork, compare",
    "故事树：回退、分叉、比较",
    "tree",
    "故事树",
    also="branch branches history 分支 历史",
)
STOP = KeyBinding(
    "escape",
    "stop",
    "stop the turn that runs, or clear the line",
    "停下正在走的回合，或清空输入行",
    shown="Esc",
)

TABLE_KEYS: tuple[KeyBinding, ...] = (
    UNDO,
    RETRY,
    CARDS,
    DESCRIBE,
    TREE,
    KeyBinding("ctrl+g", "go_on", "let the story go on without you", "不开口，让故事往下走"),
    KeyBinding("ctrl+s", "mark", "save this place under a name", "给此处起个名字", also="bookmark 保存 存档"),
    KeyBinding("ctrl+l", "load", "go to a saved place", "回到记下的地方", also="load restore 读档"),
    KeyBinding("f4", "inspect", "look into the last turn (for authors)", "检视上一回合（给作者）"),
    KeyBinding(
        "f9",
        "lobby",
        "back to the lobby: export, model, other campaigns",
        "回到大厅：导出、模型、别的存档",
        also="menu delete import 删除 导入",
    ),
    STOP,
    KeyBinding("pageup", "scroll_story(-1)", "read back", "往回看", shown="PgUp"),
    KeyBinding("pagedown", "scroll_story(1)", "read on", "往下看", shown="PgDn"),
)
"""At the table, whatever has the focus."""

TYPING_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding(
        "1", "", "take that choice, while the line is empty", "输入行空着时，直接选那一项", shown="1 ... 9"
    ),
    KeyBinding("enter", "", "say it, or do it, in your own words", "照你写的去说、去做", shown="Enter"),
    KeyBinding("enter", "", "read on, while the line is empty", "输入行空着时，往下看", shown="Enter"),
    KeyBinding("up", "", "what you said before", "之前说过的话", shown="↑ ↓"),
    KeyBinding(
        "slash",
        "",
        "find a command by name, while the line is empty",
        "输入行空着时，按名字找命令",
        shown="/",
    ),
)
"""At the table, in the input line."""

CARD_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("enter", "", "its history: how it went, and why", "它的来历：怎么变的，为什么"),
    KeyBinding("space", "", "fold it or open it; it stays that way", "收起或展开，之后一直如此"),
)
"""On a card, once Tab has led there."""


def bind(keys: Iterable[KeyBinding]) -> list[BindingType]:
    """Rows as bindings of a screen or the app."""
    return [
        Binding(key.keys, key.action, key.english, show=bool(key.bar), priority=key.priority)
        for key in keys
        if key.action
    ]


LOBBY_ENTER = KeyBinding("enter", "enter", "go on with it, or begin it", "接着玩，或者开始", "Play", "开玩")
LOBBY_NEW = KeyBinding("n", "new", "begin a campaign of a game", "用一个游戏新开存档", "New", "新开")
LOBBY_MODEL = KeyBinding(
    "m",
    "do('model')",
    "choose who tells a campaign",
    "选由谁讲述这个存档",
    "Model",
    "模型",
    also="model storyteller 模型",
)
LOBBY_EXPORT = KeyBinding(
    "e",
    "do('export')",
    "write a campaign to a file",
    "把存档写成文件",
    "Export",
    "导出",
    also="export save 导出",
)
LOBBY_DELETE = KeyBinding(
    "d,delete",
    "do('delete')",
    "put a campaign into the bin",
    "把存档放进回收处",
    "Delete",
    "删除",
    also="delete remove 删除",
)
LOBBY_IMPORT = KeyBinding(
    "i", "import", "begin a campaign from a save game", "从存档文件导入", "Import", "导入", also="import load"
)
LOBBY_SET_UP = KeyBinding(
    "s", "set_up", "set up a model that tells", "设置一个讲述的模型", "Set up a model", "设置模型"
)
LOBBY_RELOAD = KeyBinding("r,f5", "reload", "look again what there is", "重新看看有什么")
LOBBY_STOP = KeyBinding("escape", "stop", "stop what is being opened", "停下正在打开的", shown="Esc")
LOBBY_HELP = KeyBinding("f1", "app.help", "", "", "Help", "帮助")
LOBBY_QUIT = KeyBinding("ctrl+q", "app.quit", "", "", "Leave", "离开", shown="^q")

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
"""At the lower edge, with those of the app."""

HISTORY_BACK = KeyBinding("escape", "back", "back", "返回", "Back", "返回")

TREE_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("enter", "menu", "all that can be done with a turn", "对这一回合能做的事", "Menu", "菜单"),
    KeyBinding(
        "u", "do('undo')", "go back to this turn", "退回这一回合", "Go back", "退回", also="undo 撤销"
    ),
    KeyBinding("b", "do('fork')", "begin a branch at this turn", "从这一回合另开一支", "Branch", "分支"),
    KeyBinding("s", "do('switch')", "go on where this branch stands", "转到这个分支", "Switch", "转到"),
    KeyBinding(
        "space", "do('pick')", "pick a turn to compare it with another", "挑一个回合来比较", "Pick", "挑选"
    ),
    KeyBinding(
        "c",
        "do('compare')",
        "compare with the picked turn, or with here",
        "与挑出的回合比较，或与现在比较",
        "Compare",
        "比较",
    ),
    KeyBinding(
        "i", "do('inspect')", "look into this turn (for authors)", "检视这一回合（给作者）", "Inspect", "检视"
    ),
    KeyBinding(
        "a",
        "every",
        "show every turn, or only where ways part",
        "显示全部回合，或只显示岔路",
        "All/few",
        "全部/折叠",
    ),
    KeyBinding(
        "o",
        "untaken",
        "show or hide the choices you did not take",
        "显示或收起没有选的选项",
        "Not taken",
        "没选的",
    ),
    KeyBinding("h", "here", "to where you are", "到你所在的地方"),
    HISTORY_BACK,
)
"""In the tree."""

CARD_HISTORY_KEYS: tuple[KeyBinding, ...] = (HISTORY_BACK,)
"""In the history of a card."""

COMPARE_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("tab", "app.focus_next", "to the other side", "到另一边", "Other side", "另一边", shown="Tab"),
    HISTORY_BACK,
)
"""Where two ways stand side by side."""

INSPECTOR_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("right,l", "part(1)", "the next part", "下一部分", "Next part", "下一部分", shown="→"),
    KeyBinding("left,h", "part(-1)", "the part before", "上一部分", "Part before", "上一部分", shown="←"),
    KeyBinding("slash,ctrl+f", "search", "find words in this part", "在这一部分里查找", "Find", "查找"),
    KeyBinding("n", "again(1)", "the next place where they stand", "下一处", "Next", "下一处"),
    KeyBinding("N,p", "again(-1)", "the place before", "上一处"),
    KeyBinding("r", "raw", "as it is recorded", "原样的记录", "Raw", "原文"),
    HISTORY_BACK,
)
"""In the inspector."""

SETUP_BACK = KeyBinding("escape", "back", "one step back", "退一步", "Back", "返回")
SETUP_CHOOSE = KeyBinding(
    "enter", "enter", "take what is under the cursor", "选定光标所在的一项", "Choose", "选定"
)
SETUP_NEXT = KeyBinding("enter", "enter", "go on", "往下走", "Next", "下一步")
SETUP_LOOK = KeyBinding(
    "r,f5", "look", "look again on this machine", "在本机上再找一遍", "Look again", "再找一遍"
)
FIRST_RUN_SET_UP = KeyBinding(
    "s", "set_up", "set up a model that tells", "设置一个讲述的模型", "Set up a model", "设置模型"
)
SETUP_HELP = KeyBinding("f1", "app.help", "", "", "Help", "帮助")

MODEL_CHOICE_KEYS: tuple[KeyBinding, ...] = (SETUP_CHOOSE, FIRST_RUN_SET_UP, SETUP_BACK)
"""Where a model is chosen."""

SETUP_KEYS: tuple[KeyBinding, ...] = (SETUP_NEXT, SETUP_LOOK, SETUP_BACK)
"""Where one is set up."""

FIRST_RUN_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("enter", "enter", "begin the game under the cursor", "开始光标所在的游戏", "Play", "开玩"),
    FIRST_RUN_SET_UP,
    KeyBinding("escape", "back", "look around first", "先看看再说", "Look around", "先看看"),
)
"""On the first visit."""
