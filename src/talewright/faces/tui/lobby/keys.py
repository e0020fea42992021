"""The keys of the lobby.

Rows only, as in `faces/tui/keys.py`; the bar and the help page are made from them.
"""

from talewright.faces.tui.keys import Key

ENTER = Key("enter", "enter", "go on with it, or begin it", "接着玩，或者开始", "Play", "开玩")
NEW = Key("n", "new", "begin a campaign of a game", "用一个游戏新开存档", "New", "新开")
MODEL = Key("m", "do('model')", "choose who tells a campaign", "选由谁讲述这个存档", "Model", "模型")
EXPORT = Key("e", "do('export')", "write a campaign to a file", "把存档写成文件", "Export", "导出")
DELETE = Key("d,delete", "do('delete')", "put a campaign into the bin", "把存档放进回收处", "Delete", "删除")
IMPORT = Key("i", "import", "begin a campaign from a save game", "从存档文件导入", "Import", "导入")
SET_UP = Key("s", "set_up", "set up a model that tells", "设置一个讲述的模型", "Set up a model", "设置模型")
RELOAD = Key("r,f5", "reload", "look again what there is", "重新看看有什么")
STOP = Key("escape", "stop", "stop what is being opened", "停下正在打开的", shown="Esc")
HELP = Key("f1", "app.help", "", "", "Help", "帮助")
QUIT = Key("ctrl+q", "app.quit", "", "", "Leave", "离开", shown="^q")

LOBBY: tuple[Key, ...] = (ENTER, NEW, MODEL, EXPORT, DELETE, IMPORT, SET_UP, RELOAD, STOP)
"""In the lobby."""

BAR: tuple[Key, ...] = (ENTER, NEW, MODEL, EXPORT, DELETE, IMPORT, SET_UP, HELP, QUIT)
"""At the lower edge, with those of the app."""
