"""The stage of the browser's pictures: campaigns played beforehand, and a real server with a scripted model.

Only the secret of the dice is handed in, so that they fall the same in every recording.
"""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml
from browser_models import ShownModels

from talewright.bootstrap import (
    installed_systems,
    new_id,
    open_game_library,
    open_lobby,
    user_places,
    utc_now,
)
from talewright.bootstrap.mcp_launcher import find_token, listen
from talewright.bootstrap.serving import server_launcher
from talewright.bootstrap.serving.folder_workbench import FolderWorkbench
from talewright.llm.profiles import Prices, Profile
from talewright.llm.reply_chunks import Chunk, Usage
from talewright.llm.requests import Request, ToolCall
from talewright.play.session import Session, wait_for_opening
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.providers.scripted import Scripted, ScriptedReply, by
from talewright.turn.turn_context import Teller

SECRET = bytes(range(32))
FIGHT_SECRET = bytes(range(32, 64))
TOKEN = "a-token-for-pictures-0123456789"
LANGUAGES = ("en", "zh-CN")
GAMES = Path(__file__).parents[2] / "games"
TALE_FILE = Path(__file__).with_name("browser_tale.yaml")
PIECE_CHARACTERS = 5
PAUSE_SECONDS = 0.12
"""How the model speaks in a picture of the middle of a turn."""

PROFILE = Profile("claude-sonnet-4-5", context_tokens=128_000, prices=Prices(3.0, 15.0, 0.3))
READ_TOKENS, CACHED_TOKENS = 5_200, 4_100
CHARACTERS_OF_A_TOKEN = 3
"""What a reply of the model is said to have cost."""

FORKED_AT = 3
"""The turn of Mist Harbor where its second branch begins."""

BRANCH = {"en": "stare", "zh-CN": "盯回去"}
OWN_GAMES = "games"
"""The folder of the author's own games, beside the saves."""

OWN_GAME = "lantern_road"
FAULT = ("when: time.hour >= 24", "when: time.hours >= 24")
"""What the author changes in `game.yaml` while the server runs: a mistake."""

STREAMED_AT = 1
"""The turn of the tale that is told before the camera: the one with the dice."""

TO_THE_FIGHT = {
    "en": ("A drover", "long crowbar", "Say nothing", "Lay a track", "Look at the sand", "Crack the whip"),
    "zh-CN": ("赶牲口的", "长撬棍", "好好看看他", "铺条道", "看沙", "甩一鞭子"),
}
TO_THE_TOWN = ("world.go-forge", "world.wait", "world.go-measure_house")
ATTACK = {"en": "Attack Road Goblin", "zh-CN": "攻击筑路地精"}


@dataclass(frozen=True, slots=True)
class ToldTurn:
    """One turn of Mist Harbor: what the player does, and what the model answers."""

    take: str
    """The id of a choice, or words."""

    answer: str


class PacedModel(Scripted):
    """A model that tells in small pieces, with pauses between them."""

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Yield the reply, piece by piece."""
        async for chunk in super().stream(request):
            await asyncio.sleep(PAUSE_SECONDS)
            yield chunk


def read_told(language: str, line: str = "mist_harbor") -> tuple[ToldTurn, ...]:
    """The turns of a line of Mist Harbor in a language."""
    found = yaml.safe_load(TALE_FILE.read_text("utf-8"))[line][language]
    return tuple(ToldTurn(entry["take"], _write_answer(entry)) for entry in found)


def _write_answer(entry: dict[str, Any]) -> str:
    choice, update = ("id", "label", "hint", "risk"), ("op", "path", "value", "reason")
    answer = {
        "narrative_markdown": entry["text"],
        "choices": [dict(zip(choice, one, strict=True), tags=[]) for one in entry.get("choices", ())],
        "state_updates": [dict(zip(update, one, strict=True)) for one in entry.get("updates", ())],
        "new_facts": [],
        "events": [],
        "end": {"is_game_over": False, "ending_id": "", "reason": ""},
    }
    return json.dumps(answer, ensure_ascii=False)


def make_lobby(
    saves: Path, language: str, model: Scripted | None = None, secret: bytes = SECRET
) -> StoreLobby:
    """A lobby on the saves; scenes tell its games unless there is a model."""
    lobby = open_lobby(saves, git=False, language=language, secret=secret)
    return lobby if model is None else replace(lobby, teller=Teller(model))


def script(replies: Sequence[str], calls: tuple[ToolCall, ...] = ()) -> Scripted:
    """A model that says these replies, and then the last one again; it calls tools in each."""
    left = [ScriptedReply(one, calls, _count(one)) for one in replies]
    return Scripted(lambda _: left.pop(0) if len(left) > 1 else left[0], profile=PROFILE)


def _count(reply: str) -> Usage:
    return Usage(READ_TOKENS + len(reply), len(reply) // CHARACTERS_OF_A_TOKEN, CACHED_TOKENS)


async def take(session: Session, wanted: str) -> None:
    """Choose by an id or by words of a label, or say the words."""
    view = await session.view()
    found = next((one.id for one in view.choices if wanted == one.id or wanted in one.label), "")
    result = await (session.choose(found) if found else session.say(wanted))
    if result.message:
        raise ValueError(f"{wanted}: {result.message}")


async def play(lobby: StoreLobby, game: str, language: str, name: str, taken: Sequence[str]) -> None:
    """Begin a campaign and take some turns."""
    session = await lobby.begin(game, language, name)
    await wait_for_opening(session)
    for wanted in taken:
        await take(session, wanted)
    await session.close()


async def play_out(lobby: StoreLobby, game: str, language: str, name: str) -> None:
    """Begin a campaign and take the last choice until it ends."""
    session = await lobby.begin(game, language, name)
    await wait_for_opening(session)
    while (view := await session.view()).end is None:
        await session.choose(view.choices[-1].id)
    await session.close()


async def prepare(saves: Path, language: str) -> None:
    """Play everything that the pictures show in one language."""
    told, scenes = read_told(language), make_lobby(saves, language)
    await play_out(scenes, "chapel_watch", language, "chapel_watch-1")
    await play(scenes, "chapel_watch", language, "chapel_watch-2", ("look",))
    await play(scenes, "dusty_tankard", language, "dusty_tankard-1", TO_THE_TOWN)
    fighting = make_lobby(saves, language, secret=FIGHT_SECRET)
    blows = (*TO_THE_FIGHT[language], ATTACK[language])
    await play(fighting, "goblin_road", language, "goblin_road-1", blows)
    await play_solo(saves, language, "solo-1")
    for name, count in (("mist_harbor-1", STREAMED_AT), ("mist_harbor-2", len(told))):
        # The opening is a scene, and asks no model.
        lobby = make_lobby(saves, language, script([one.answer for one in told]))
        await play(lobby, "mist_harbor", language, name, [one.take for one in told[:count]])
    await play_branch(saves, language, "mist_harbor-2")
    await play_own(saves, language, "lantern_road-1")


async def play_branch(saves: Path, language: str, name: str) -> None:
    """Another branch of a campaign, and back to the first."""
    told = read_told(language, "mist_harbor_branch")
    session = await make_lobby(saves, language, script([one.answer for one in told])).open(name)
    before = (await session.view()).branch
    commits = {one.version: one.commit for one in await session.past.turns(10)}
    await session.fork(commits[FORKED_AT], BRANCH[language])
    for one in told:
        await take(session, one.take)
    await session.switch(before)
    await session.close()


async def play_own(saves: Path, language: str, name: str) -> None:
    """A game of the author's own, while it still has no mistake."""
    own = saves.with_name(OWN_GAMES)
    shutil.copytree(GAMES / OWN_GAME, own / OWN_GAME)
    lobby = with_own_games(make_lobby(saves, language), saves, language)
    session = await lobby.begin(OWN_GAME, language, name)
    await wait_for_opening(session)
    for _ in range(2):
        await session.choose((await session.view()).choices[0].id)
    await session.close()


def with_own_games(lobby: StoreLobby, saves: Path, language: str) -> StoreLobby:
    """A lobby that finds the author's own games before the others."""
    places = user_places()
    folders = (saves.with_name(OWN_GAMES), *places.games)
    return replace(lobby, shelf=open_game_library(replace(places, games=folders), language))


async def open_workbench(saves: Path) -> FolderWorkbench:
    """A workbench that has seen the author's game without a mistake, and then with one."""
    # The pages show the path of the folder as it is given here.
    os.chdir(saves.parent)
    bench = FolderWorkbench([Path(OWN_GAMES)], installed_systems, utc_now)
    file = Path(OWN_GAMES, OWN_GAME, "game.yaml")
    before = file.read_text("utf-8")
    file.write_text(before.replace(*reversed(FAULT)), "utf-8")
    await bench.games(at_once=True)
    file.write_text(before.replace(*reversed(FAULT)).replace(*FAULT), "utf-8")
    await bench.games(at_once=True)
    return bench


async def play_solo(saves: Path, language: str, name: str) -> None:
    """A ready-made start of Solo, and a check that waits for the player."""
    told = yaml.safe_load(TALE_FILE.read_text("utf-8"))["solo"][language]
    wanted = {
        "action_dice": 1 + len(told["action_tags"]),
        "danger_dice": len(told["danger_tags"]),
        **{key: told[key] for key in ("context", "action_tags", "danger_tags")},
    }
    call = ToolCall("check-1", "roll_check", json.dumps(wanted, ensure_ascii=False))
    lobby = make_lobby(saves, language, script([told["text"]], (call,)))
    scenes = make_lobby(saves, language)
    session = await scenes.begin("solo", language, name)
    await wait_for_opening(session)
    await session.choose((await session.view()).choices[0].id)
    await session.close()
    session = await lobby.open(name)
    await take(session, told["take"])
    await session.close()


async def close_nothing() -> None:
    """There are no connections."""


async def serve(saves: Path, language: str) -> None:
    """Serve until killed; prints a login link."""
    streamed = read_told(language)[STREAMED_AT].answer
    model = PacedModel(lambda _: streamed, profile=PROFILE, cut=by(PIECE_CHARACTERS))
    lobby = with_own_games(make_lobby(saves, language, model), saves, language)
    # Before the workbench changes the folder, where a game with a mistake would hide the one of the lobby.
    places = user_places()
    bench = await open_workbench(saves)
    token = find_token({"TALEWRIGHT_TOKEN": TOKEN})
    find_games: Callable[[str], Any] = lambda wanted: open_game_library(places, wanted).games()  # noqa: E731
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        login = server_launcher._make_login(token, port)
        served = server_launcher.ServedLobby(
            lobby, new_id, ShownModels(), None, find_games, close_nothing, bench
        )
        app, requests = server_launcher.make_server_app(served, token, port, login)
        print(login.make_link(f"http://127.0.0.1:{port}"), flush=True)
        await server_launcher.make_server(app, requests).serve(sockets=[listening])


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), sys.argv[2]))
