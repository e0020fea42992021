"""Key bindings: the keys of every screen and what they do, in English and Chinese.

The Textual bindings, the key bar, the command palette and the help page are all generated from these rows.
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
    """One key, its action and its descriptions."""

    keys: str
    """Textual key names, separated by commas; the first one is shown."""

    action: str
    """Empty if a widget handles the key; it is then only listed in the help."""

    english: str
    chinese: str
    bar: str = ""
    """A short English name for the key bar; empty keeps it off the bar."""

    bar_chinese: str = ""
    shown: str = ""
    """How to display the key, if not by its name."""

    priority: bool = False
    also: str = ""
    """More search words for the palette, in any language, separated by spaces."""

    def does(self, language: str) -> str:
        """What it does."""
        return pick_words(language, {ENGLISH_CODE: self.english, CHINESE_CODE: self.chinese})

    def short(self, language: str) -> str:
        """Its short name for the key bar."""
        return pick_words(language, {ENGLISH_CODE: self.bar, CHINESE_CODE: self.bar_chinese})

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


HELP = KeyBinding(
    "f1,question_mark",
    "app.help",
    "show the help screen",
    "显示帮助",
    "help",
    "帮助",
    also="help keys 帮助 按键",
)
PALETTE = KeyBinding(
    "ctrl+p", "app.command_palette", "find a command by name", "按名字找命令", "menu", "菜单"
)
QUIT = KeyBinding(
    "ctrl+q",
    "app.quit",
    "quit; everything is saved",
    "退出，一切都已保存",
    "quit",
    "退出",
    priority=True,
    also="quit exit leave close 离开 关闭",
)

EVERYWHERE_KEYS: tuple[KeyBinding, ...] = (
    HELP,
    PALETTE,
    QUIT,
    KeyBinding("escape", "", "back", "返回", shown="Esc"),
    KeyBinding("tab", "", "go to the next part of the screen", "到屏幕的下一部分", shown="Tab"),
)
"""On every screen."""

UNDO = KeyBinding(
    "ctrl+z", "undo", "undo the last turn", "撤销上一回合", "undo", "撤销", also="undo back 收回 后退"
)
RETRY = KeyBinding(
    "ctrl+r",
    "retry",
    "play the last turn again, or say what is in the input line instead",
    "重玩上一回合；输入行里有话，就换成那句话",
    "retry",
    "重来",
    also="retry redo reroll again 重试",
)
CARDS = KeyBinding("f2,ctrl+o", "cards", "show or hide the cards", "显示或收起卡片", "cards", "卡片")
DESCRIBE = KeyBinding(
    "f6",
    "describe",
    "show or hide the card descriptions",
    "显示或收起卡片的说明",
    also="describe explain description meaning 说明 含义",
)
TREE = KeyBinding(
    "f3,ctrl+t",
    "tree",
    "open the story tree: undo, branch, compare",
    "打开故事树：回退、分支、比较",
    "tree",
    "故事树",
    also="branch branches history 分支 历史",
)
STOP = KeyBinding(
    "escape",
    "stop",
    "stop the current turn, or clear the input line",
    "停止当前回合，或清空输入行",
    shown="Esc",
)

SKIP = KeyBinding(
    "f8,ctrl+n",
    "skip",
    "use a written scene instead of waiting for the model",
    "不等模型，改用写好的场景",
    "skip model",
    "不等模型",
    also="skip model wait slow 跳过 等待",
)

TABLE_KEYS: tuple[KeyBinding, ...] = (
    UNDO,
    RETRY,
    CARDS,
    DESCRIBE,
    TREE,
    KeyBinding("ctrl+g", "go_on", "continue without typing anything", "不输入，让故事继续"),
    KeyBinding("ctrl+s", "mark", "save this place under a name", "给此处起名保存", also="bookmark 保存 存档"),
    KeyBinding("ctrl+l", "load", "return to a saved place", "回到保存的位置", also="load restore 读档"),
    KeyBinding("f4", "inspect", "inspect the last turn (for authors)", "检视上一回合（给作者）"),
    KeyBinding(
        "f9",
        "lobby",
        "back to the lobby: export, model, other campaigns",
        "回到大厅：导出、模型、其他存档",
        also="menu delete import 删除 导入",
    ),
    SKIP,
    STOP,
    KeyBinding("pageup", "scroll_story(-1)", "scroll up", "向上翻", shown="PgUp"),
    KeyBinding("pagedown", "scroll_story(1)", "scroll down", "向下翻", shown="PgDn"),
)
"""At the table, wherever the focus is."""

TYPING_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding(
        "1", "", "take that choice (if the line is empty)", "输入行空着时，直接选那一项", shown="1 ... 9"
    ),
    KeyBinding(
        "enter",
        "",
        "send what you typed, or scroll down if the line is empty",
        "发送输入的内容；输入行空着时，向下翻",
        shown="Enter",
    ),
    KeyBinding("up", "", "recall what you said before", "调出之前说过的话", shown="↑ ↓"),
    KeyBinding(
        "slash",
        "",
        "find a command by name (if the line is empty)",
        "输入行空着时，按名字找命令",
        shown="/",
    ),
)
"""At the table, in the input line."""

CARD_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("enter", "", "open its history: every change, and why", "打开它的历史：怎么变的，为什么"),
    KeyBinding("space", "", "fold or unfold it; this is saved", "收起或展开，会保存"),
)
"""On a focused card."""


def bind(keys: Iterable[KeyBinding]) -> list[BindingType]:
    """Turn rows into Textual bindings."""
    return [
        Binding(key.keys, key.action, key.english, show=bool(key.bar), priority=key.priority)
        for key in keys
        if key.action
    ]


LOBBY_ENTER = KeyBinding(
    "enter", "enter", "continue the campaign, or start the game", "继续存档，或者开始游戏", "Play", "游玩"
)
LOBBY_NEW = KeyBinding("n", "new", "start a new campaign", "新开存档", "New", "新开")
LOBBY_MODEL = KeyBinding(
    "m",
    "do('model')",
    "choose the storyteller of a campaign",
    "选择存档的讲述者",
    "Model",
    "模型",
    also="model storyteller 模型",
)
LOBBY_EXPORT = KeyBinding(
    "e",
    "do('export')",
    "export a campaign to a file",
    "把存档导出到文件",
    "Export",
    "导出",
    also="export save 导出",
)
LOBBY_DELETE = KeyBinding(
    "d,delete",
    "do('delete')",
    "move a campaign to the bin",
    "把存档移到回收站",
    "Delete",
    "删除",
    also="delete remove 删除",
)
LOBBY_IMPORT = KeyBinding(
    "i", "import", "import a save game", "导入存档文件", "Import", "导入", also="import load"
)
LOBBY_SET_UP = KeyBinding("s", "set_up", "set up a model", "设置模型", "Set up a model", "设置模型")
LOBBY_RELOAD = KeyBinding("r,f5", "reload", "refresh the lists", "刷新列表")
LOBBY_STOP = KeyBinding("escape", "stop", "cancel while a campaign is opening", "停止打开存档", shown="Esc")
LOBBY_HELP = KeyBinding("f1", "app.help", "", "", "Help", "帮助")
LOBBY_QUIT = KeyBinding("ctrl+q", "app.quit", "", "", "Quit", "退出", shown="^q")

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

HISTORY_BACK = KeyBinding("escape", "back", "back", "返回", "Back", "返回")

TREE_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding(
        "enter", "menu", "show what you can do with this turn", "显示对这一回合可做的操作", "Menu", "菜单"
    ),
    KeyBinding(
        "u", "do('undo')", "go back to this turn", "退回这一回合", "Go back", "退回", also="undo 撤销"
    ),
    KeyBinding("b", "do('fork')", "start a branch at this turn", "从这一回合新建分支", "Branch", "分支"),
    KeyBinding("s", "do('switch')", "switch to this branch", "切换到这个分支", "Switch", "切换"),
    KeyBinding("space", "do('pick')", "pick this turn for comparison", "选这一回合来比较", "Pick", "选择"),
    KeyBinding(
        "c",
        "do('compare')",
        "compare with the picked turn, or the current one",
        "与所选的回合比较，或与当前回合比较",
        "Compare",
        "比较",
    ),
    KeyBinding(
        "i", "do('inspect')", "inspect this turn (for authors)", "检视这一回合（给作者）", "Inspect", "检视"
    ),
    KeyBinding(
        "a",
        "every",
        "show all turns, or only the branch points",
        "显示全部回合，或只显示分支点",
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
    KeyBinding("h", "here", "go to the current turn", "到当前回合"),
    HISTORY_BACK,
)
"""In the tree."""

CARD_HISTORY_KEYS: tuple[KeyBinding, ...] = (HISTORY_BACK,)
"""In the history of a card."""

COMPARE_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding(
        "tab", "app.focus_next", "switch to the other side", "到另一边", "Other side", "另一边", shown="Tab"
    ),
    HISTORY_BACK,
)
"""On the comparison screen."""

INSPECTOR_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("right,l", "part(1)", "next part", "下一部分", "Next part", "下一部分", shown="→"),
    KeyBinding("left,h", "part(-1)", "previous part", "上一部分", "Prev part", "上一部分", shown="←"),
    KeyBinding("slash,ctrl+f", "search", "search this part", "在这一部分里查找", "Find", "查找"),
    KeyBinding("n", "again(1)", "next match", "下一处", "Next", "下一处"),
    KeyBinding("N,p", "again(-1)", "previous match", "上一处"),
    KeyBinding("r", "raw", "show the raw record", "显示原始记录", "Raw", "原文"),
    HISTORY_BACK,
)
"""In the inspector."""

SETUP_BACK = KeyBinding("escape", "back", "go back one step", "返回上一步", "Back", "返回")
SETUP_CHOOSE = KeyBinding("enter", "enter", "choose the selected item", "选定当前项", "Choose", "选定")
SETUP_NEXT = KeyBinding("enter", "enter", "continue", "继续", "Next", "下一步")
SETUP_LOOK = KeyBinding(
    "r,f5", "look", "search this machine again", "重新搜索本机", "Search again", "重新搜索"
)
FIRST_RUN_SET_UP = KeyBinding("s", "set_up", "set up a model", "设置模型", "Set up a model", "设置模型")
SETUP_HELP = KeyBinding("f1", "app.help", "", "", "Help", "帮助")

MODEL_CHOICE_KEYS: tuple[KeyBinding, ...] = (SETUP_CHOOSE, FIRST_RUN_SET_UP, SETUP_BACK)
"""On the model choice screen."""

SETUP_KEYS: tuple[KeyBinding, ...] = (SETUP_NEXT, SETUP_LOOK, SETUP_BACK)
"""In the setup wizard."""

FIRST_RUN_KEYS: tuple[KeyBinding, ...] = (
    KeyBinding("enter", "enter", "start the selected game", "开始所选的游戏", "Play", "游玩"),
    FIRST_RUN_SET_UP,
    KeyBinding("escape", "back", "skip to the lobby", "跳到大厅", "Skip", "跳过"),
)
"""On the first run screen."""
