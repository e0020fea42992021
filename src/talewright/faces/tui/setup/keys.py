"""The keys of the screens of setup.

Rows only, as in `faces/tui/keys.py`; the bar and the help page are made from them.
"""

from talewright.faces.tui.keys import Key

BACK = Key("escape", "back", "one step back", "退一步", "Back", "返回")
CHOOSE = Key("enter", "enter", "take what is under the cursor", "选定光标所在的一项", "Choose", "选定")
NEXT = Key("enter", "enter", "go on", "往下走", "Next", "下一步")
LOOK = Key("r,f5", "look", "look again on this machine", "在本机上再找一遍", "Look again", "再找一遍")
SET_UP = Key("s", "set_up", "set up a model that tells", "设置一个讲述的模型", "Set up a model", "设置模型")
HELP = Key("f1", "app.help", "", "", "Help", "帮助")

MODELS: tuple[Key, ...] = (CHOOSE, SET_UP, BACK)
"""Where a model is chosen."""

SETUP: tuple[Key, ...] = (NEXT, LOOK, BACK)
"""Where one is set up."""

FIRST: tuple[Key, ...] = (
    Key("enter", "enter", "begin the game under the cursor", "开始光标所在的游戏", "Play", "开玩"),
    SET_UP,
    Key("escape", "back", "look around first", "先看看再说", "Look around", "先看看"),
)
"""On the first visit."""
