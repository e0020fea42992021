"""The door of the terminal face: likings kept and read, wishes understood, rooms that really play."""

import asyncio
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.bootstrap import open_game_library, open_lobby, open_provider_factory
from talewright.bootstrap.splash import PlayCommandOptions
from talewright.bootstrap.terminal_launcher import (
    TerminalAssembly,
    TerminalOpeners,
    is_empty,
    make_door,
    open_terminal,
)
from talewright.errors import TalewrightError
from talewright.faces.tui import app as face
from talewright.faces.tui.launch_preferences import Preferences, TerminalLaunch
from talewright.pack.game_folders import write_starter
from talewright.pack.user_folders import UserFolders, find_user_folders
from tests.opened import opened

OPENERS = TerminalOpeners(open_game_library, open_lobby, open_provider_factory)
ROOT = Path(__file__).parents[2]


@pytest.fixture(name="environment")
def make_environment(tmp_path: Path) -> dict[str, str]:
    return {"TALEWRIGHT_HOME": str(tmp_path / "home"), "LANG": "en_GB.UTF-8"}


@pytest.fixture(name="places")
def make_places(environment: dict[str, str], tmp_path: Path) -> UserFolders:
    return find_user_folders(environment, tmp_path, tmp_path)


def ask(places: UserFolders, **wishes: object) -> PlayCommandOptions:
    return replace(PlayCommandOptions(saves=places.saves, git=False), **wishes)  # type: ignore[arg-type]  # of its fields


def test_likings_are_kept_from_one_visit_to_the_next(
    places: UserFolders, environment: dict[str, str]
) -> None:
    house = TerminalAssembly(ask(places), places, environment, OPENERS)
    assert (house.preferences, house.language) == (Preferences(), "")
    house.keep(Preferences())
    assert not house.file.exists()
    house.keep(Preferences(theme="textual-light", animations=False, language="zh-CN"))
    assert house.language == "zh-CN"
    assert house.file.read_text("utf-8") == (
        '[terminal]\ntheme = "textual-light"\nlanguage = "zh-CN"\nanimations = false\n'
    )
    again = TerminalAssembly(ask(places), places, environment, OPENERS)
    assert again.preferences == house.preferences
    again.keep(Preferences(theme="textual-light"))
    assert TerminalAssembly(ask(places), places, environment, OPENERS).preferences == Preferences(
        theme="textual-light"
    )


@pytest.mark.parametrize(
    "text", ["[terminal", "terminal = 1", "[terminal]\ntheme = 3\nanimations = 'no'\nx = 1\n"]
)
def test_bad_likings_stop_nobody(text: str, places: UserFolders, environment: dict[str, str]) -> None:
    Path(environment["TALEWRIGHT_HOME"]).mkdir()
    (Path(environment["TALEWRIGHT_HOME"]) / "settings.toml").write_text(text, "utf-8")
    door = make_door(ask(places), places, environment, OPENERS)
    assert door.preferences == Preferences()
    assert not door.first_run


def test_the_first_visit_is_known(places: UserFolders, environment: dict[str, str]) -> None:
    assert make_door(ask(places), places, environment, OPENERS).first_run
    (places.saves / "one").mkdir(parents=True)
    assert not make_door(ask(places), places, environment, OPENERS).first_run
    (places.saves / "one").rename(places.saves / ".bin")
    assert is_empty(places.saves)


def test_wishes_are_handed_on(places: UserFolders, environment: dict[str, str]) -> None:
    asked = ask(places, game="mist_harbor", campaign="mine", language="en", new=True)
    wishes = make_door(asked, places, environment, OPENERS).wishes
    assert (wishes.game, wishes.campaign, wishes.language) == ("mist_harbor", "mine", "en")
    assert (wishes.locale, wishes.new, wishes.place) == ("en-GB", True, str(places.saves))


def test_a_language_chosen_in_the_face_is_a_wish_for_new_stories_too(
    places: UserFolders, environment: dict[str, str]
) -> None:
    Path(environment["TALEWRIGHT_HOME"]).mkdir()
    settings = Path(environment["TALEWRIGHT_HOME"]) / "settings.toml"
    settings.write_text('[terminal]\nlanguage = "zh-CN"\n', "utf-8")
    assert make_door(ask(places), places, environment, OPENERS).wishes.locale == "zh-CN"


def test_a_game_is_named_by_its_id_its_folder_or_a_campaign(
    places: UserFolders, environment: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "elsewhere" / "road"
    folder.parent.mkdir()
    write_starter(folder, "salt_road", "Salt Road")
    for _ in range(2):
        door = make_door(ask(places, game=str(folder)), places, environment, OPENERS)
        assert door.wishes.game == "salt_road"
        # Whoever enters has opened it, and then it has a cover.
        rooms = door.enter()
        assert "salt_road" in {info.id for info in asyncio.run(rooms.lobby.games())}
    own = places.games[1]
    own.mkdir(parents=True, exist_ok=True)
    folder.rename(own / "folder_name")
    for name in ("salt_road", "folder_name"):
        assert make_door(ask(places, game=name), places, environment, OPENERS).wishes.game == "salt_road"
    (own / "folder_name" / "game.yaml").write_text("nothing: at all\n", "utf-8")
    assert (
        make_door(ask(places, game="folder_name"), places, environment, OPENERS).wishes.game == "folder_name"
    )
    (places.saves / "my_evening").mkdir(parents=True)
    wishes = make_door(ask(places, game="my_evening"), places, environment, OPENERS).wishes
    assert (wishes.game, wishes.campaign) == ("", "my_evening")
    with pytest.raises(TalewrightError, match="there is no game 'mist_harbour'") as caught:
        make_door(ask(places, game="mist_harbour"), places, environment, OPENERS)
    assert caught.value.hint == "Did you mean mist_harbor?"


def test_the_rooms_behind_the_door_play(
    places: UserFolders, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        rooms = make_door(ask(places), places, environment, OPENERS).enter()
        titles = {info.title: info for info in await rooms.lobby.games()}
        assert titles["Mist Harbor Echoes"].turns == 30
        session = await opened(rooms.lobby.begin("mist_harbor", "en"))
        view = await session.view()
        await session.close()
        assert (await rooms.lobby.details(view.campaign)).turn == 1
        assert await rooms.models.chosen() == "none"
        assert [one.name for one in await rooms.lobby.campaigns()] == ["mist_harbor-1"]
        place = await rooms.lobby.remove("mist_harbor-1")
        assert Path(place).parent == places.saves / ".bin"
        await rooms.close()

    monkeypatch.delenv("LANG", raising=False)
    asyncio.run(main())


def test_the_face_is_run_with_the_door(
    places: UserFolders, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[TerminalLaunch] = []

    def run(door: TerminalLaunch) -> int:
        seen.append(door)
        return 7

    monkeypatch.setattr(face, "run_terminal", run)
    assert open_terminal(ask(places), places, environment, OPENERS) == 7
    assert len(seen) == 1


DYING = """
import asyncio, os, signal, sys
from pathlib import Path
from talewright.bootstrap import open_lobby
from talewright.chronicle.records import Accepted
from talewright.play.session import wait_for_opening

async def main():
    lobby = open_lobby(Path(sys.argv[1]), git=False)
    session = await lobby.begin("lantern_road", "en")
    await wait_for_opening(session)
    head = (await session.view()).head
    await session.seat.road.book.accept(Accepted("op", "main", head, {"kind": "say", "text": "I run"}, "now"))
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_program_that_was_killed_in_mid_turn_left_its_input(
    places: UserFolders, environment: dict[str, str]
) -> None:
    words = [sys.executable, "-c", DYING, str(places.saves)]
    done = subprocess.run(words, cwd=ROOT, env={**os.environ, **environment}, check=False)
    assert done.returncode < 0

    async def main() -> None:
        rooms = make_door(ask(places), places, environment, OPENERS).enter()
        details = await rooms.lobby.details("lantern_road-1")
        assert (details.turn, bool(details.last)) == (1, True)
        session = await opened(rooms.lobby.open("lantern_road-1"))
        view = await session.view()
        assert (view.version, view.unfinished) == (1, "I run")
        await session.close()

    asyncio.run(main())


@pytest.mark.process
def test_nothing_dear_is_loaded_before_the_first_paint() -> None:
    code = (
        "import sys, talewright.bootstrap.terminal_launcher\n"
        "dear = [name for name in sys.modules if name.startswith(('httpx', 'openai', 'pydantic',"
        " 'talewright.turn', 'talewright.stores', 'talewright.providers', 'talewright.play.sessions'))]\n"
        "print(dear)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
