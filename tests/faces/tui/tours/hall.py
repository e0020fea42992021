"""A tour of what lies around the table: the title, the first visit, the lobby with its boxes, the setup."""

import threading
from dataclasses import replace

from talewright.faces.tui.launch_preferences import TerminalServices
from talewright.play.model_choices import ModelChoice, ModelSource, TrialView
from tests.faces.tui.camera import see
from tests.faces.tui.fakes import FakeDesk
from tests.faces.tui.scenery import House, hire, make_lobby, walk_to_the_end
from tests.faces.tui.tours.album import Album, press, visit
from tests.faces.tui.tours.telling import tell_story
from tests.opened import opened

KEY_LETTERS = "sk-not-a-key"


def make_desk(album: Album) -> FakeDesk:
    """A desk with something of everything, in the words of the real one."""
    return FakeDesk(
        known=(
            ModelChoice(
                "llama",
                "llama3.2",
                album.pick("on this machine (Ollama)", "在这台机器上（Ollama）"),
                album.pick("free", "免费"),
            ),
            ModelChoice(
                "deepseek",
                "deepseek-flash",
                album.pick("at DeepSeek", "在 DeepSeek"),
                album.pick("about $0.0021 a turn", "每回合约 $0.0021"),
                album.pick("its key DEEPSEEK_API_KEY is missing", "缺少密钥 DEEPSEEK_API_KEY"),
                album.pick(
                    "Set it up again and give its key, or put the key into the environment.",
                    "请重新设置并输入密钥，或者把密钥放进环境变量。",
                ),
            ),
        ),
        usual="llama",
        found=(ModelSource("ollama", "Ollama", True, ("llama3.2", "qwen3:8b")),),
        offered=(
            ModelSource("openai", "OpenAI", False, ("gpt-5-mini", "gpt-5"), "OPENAI_API_KEY", True),
            ModelSource("deepseek", "DeepSeek", False, ("deepseek-flash",), "DEEPSEEK_API_KEY"),
        ),
        trial=TrialView(
            True, album.pick("The harbor is quiet.", "港口很安静。"), "", 1.4, album.pick("free", "免费")
        ),
    )


async def tour_first_visit(album: Album) -> None:
    """From the first paint to the lobby, with nothing played yet, and how a game is begun."""
    gate = threading.Event()
    house = House(make_lobby(album.language), album.language, make_desk(album))
    door = house.door(first_run=True)

    def enter() -> TerminalServices:
        gate.wait(30)
        return door.enter()

    async with visit(replace(door, enter=enter)) as pilot:
        try:
            await album.add(pilot, "title", "T A L E W R I G H T")
        finally:
            gate.set()
        await album.add(pilot, "first_run", album.pick("Lantern Road", "灯路"))
        await press(pilot, "escape")
        await album.add(pilot, "lobby_empty", album.pick("Lantern Road", "灯路"))
        await press(pilot, "n")
        await album.add(pilot, "begin", "English", "中文")
        await press(pilot, "escape", "i")
        await album.add(pilot, "import")
        await press(pilot, *"nowhere.json", "enter")
        await album.add(pilot, "import_trouble", "! ")
        await press(pilot, "escape", "f1")
        await album.add(pilot, "lobby_help", "Esc")


async def tour_setup(album: Album) -> None:
    """The guided way to a model, with a key and one real question; and one that fails."""
    desk = make_desk(album)
    async with visit(House(make_lobby(album.language), album.language, desk).door()) as pilot:
        await see(pilot, album.pick("Lantern Road", "灯路"))
        await press(pilot, "s")
        await album.add(pilot, "setup_where", "Ollama", "DeepSeek")
        await press(pilot, "end", "up", "enter", *KEY_LETTERS)
        await album.add(pilot, "setup_key", "DeepSeek")
        await press(pilot, "enter")
        await album.add(pilot, "setup_model", "deepseek-flash")
        desk.trial = TrialView(
            False,
            album.pick("The key was refused (401).", "密钥被拒绝（401）。"),
            album.pick("Look whether it is copied whole.", "请看看是不是复制全了。"),
        )
        await press(pilot, "enter")
        await album.add(pilot, "setup_failed", "401")
        desk.trial = make_desk(album).trial
        await press(pilot, "enter")
        await album.add(pilot, "setup_trial", "1.4")
        await press(pilot, "enter")
        await album.add(pilot, "setup_kept", "tells from now on")


async def tour_lobby(album: Album) -> None:
    """The lobby with campaigns in it: told by scenes, told by a model, ended, and damaged."""
    lobby = make_lobby(album.language, hire(tell_story(album)))
    for name, game in (("damaged", "lantern_road"), ("chapel", "chapel_watch")):
        session = await opened(replace(lobby, teller=None).begin(game, album.language, name))
        if name == "chapel":
            await walk_to_the_end(session)
        await session.close()
    session = await opened(lobby.begin("mist_harbor", album.language, "night-shift"))
    await session.say(album.pick("I ask her who paid.", "我问她是谁付的钱。"))
    await session.close()
    async with visit(House(lobby, album.language, make_desk(album)).door()) as pilot:
        await album.add(pilot, "lobby", "chapel", "$")
        await press(pilot, "m")
        await album.add(pilot, "models", "deepseek-flash")
        await press(pilot, "escape", "e")
        await album.add(pilot, "export", "~/")
        await press(pilot, "escape", "d")
        await album.add(pilot, "delete")
        await press(pilot, "escape")
        await pilot.resize_terminal(80, 24)
        await album.add(pilot, "lobby_80x24", "chapel")
        await pilot.resize_terminal(60, 20)
        await album.add(pilot, "lobby_60x20", "chapel")
