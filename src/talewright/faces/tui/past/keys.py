"""The keys of the screens that look back.

Rows only, as in `faces/tui/keys.py`; the bar and the help page are made from them.
"""

from talewright.faces.tui.keys import Key

BACK = Key("escape", "back", "back", "返回", "Back", "返回")

TREE: tuple[Key, ...] = (
    Key("enter", "menu", "all that can be done with a turn", "对这一回合能做的事", "Menu", "菜单"),
    Key("u", "do('undo')", "go back to this turn", "退回这一回合", "Go back", "退回"),
    Key("b", "do('fork')", "begin a branch at this turn", "从这一回合另开一支", "Branch", "分支"),
    Key("s", "do('switch')", "go on where this branch stands", "转到这个分支", "Switch", "转到"),
    Key("space", "do('pick')", "pick a turn to compare it with another", "挑一个回合来比较", "Pick", "挑选"),
    Key(
        "c",
        "do('compare')",
        "compare with the picked turn, or with here",
        "与挑出的回合比较，或与现在比较",
        "Compare",
        "比较",
    ),
    Key(
        "i", "do('inspect')", "look into this turn (for authors)", "检视这一回合（给作者）", "Inspect", "检视"
    ),
    Key(
        "a",
        "every",
        "show every turn, or only where ways part",
        "显示全部回合，或只显示岔路",
        "All/few",
        "全部/折叠",
    ),
    Key("h", "here", "to where you are", "到你所在的地方"),
    BACK,
)
"""In the tree."""

HISTORY: tuple[Key, ...] = (BACK,)
"""In the history of a card."""

COMPARE: tuple[Key, ...] = (
    Key("tab", "app.focus_next", "to the other side", "到另一边", "Other side", "另一边", shown="Tab"),
    BACK,
)
"""Where two ways stand side by side."""

INSPECTOR: tuple[Key, ...] = (
    Key("right,l", "part(1)", "the next part", "下一部分", "Next part", "下一部分", shown="→"),
    Key("left,h", "part(-1)", "the part before", "上一部分", "Part before", "上一部分", shown="←"),
    Key("slash,ctrl+f", "search", "find words in this part", "在这一部分里查找", "Find", "查找"),
    Key("n", "again(1)", "the next place where they stand", "下一处", "Next", "下一处"),
    Key("N,p", "again(-1)", "the place before", "上一处"),
    Key("r", "raw", "as it is recorded", "原样的记录", "Raw", "原文"),
    BACK,
)
"""In the inspector."""
