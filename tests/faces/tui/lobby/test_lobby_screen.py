"""The lobby played with keys and mouse, against fakes that only remember."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from talewright.errors import TalewrightError
from talewright.faces.tui.lobby.campaign_dialogs import NewDialog, pick_game_language
from talewright.faces.tui.lobby.lobby_lists import LobbyList
from talewright.faces.tui.lobby.lobby_screen import LobbyScreen
from talewright.faces.tui.setup.model_choice_screen import ModelScreen
from talewright.faces.tui.setup.setup_wizard import SetupScreen
from talewright.play.lobby import CampaignDetails, CampaignInfo, ExportForm, GameInfo
from tests.faces.tui.fakes import FakeHouse, FakeLobby, FakeSession
from tests.faces.tui.lobby.stage import LANGUAGES, SIZES, HallStage, Scene, keys, press, settle, visit

NOW = datetime(2031, 1, 3, 12, tzinfo=UTC)


def lobby(scene: Scene, house: FakeHouse | None = None, **how: object) -> HallStage:
    return visit(lambda: LobbyScreen(lambda: NOW), scene, house=house, **how)  # type: ignore[arg-type]


def calls(app: HallStage, name: str) -> list[tuple[object, ...]]:
    return [call for call in app.house.lobby.calls if call[0] == name]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_first_sight(size: tuple[int, int], language: str) -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        words = ["Mist Harbor", "mist-1", "雾港回声", "The door closes behind you.", "$0.01", "saves recover"]
        words += {"en": ["yesterday", "turn 3"], "zh-CN": ["昨天", "第 3 回合"]}[language]
        for each in words:
            assert each in app.seen
        assert app.screen.query_one("#campaigns").has_focus

    lobby(scene, size=size, language=language)


def test_enter_goes_on_with_the_last_campaign() -> None:
    app = lobby(keys("enter"))
    assert calls(app, "open") == [("open", "mist-1")]
    assert app.tables == [app.house.lobby.session]


def test_new_begins_in_the_language_of_the_face_under_a_name() -> None:
    app = lobby(keys("n", "shift+tab", "shift+tab", "a", "b", "enter"))
    assert calls(app, "begin") == [("begin", "mist", "en", "ab")]
    assert len(app.tables) == 1


def test_new_in_the_other_language() -> None:
    app = lobby(keys("n", *["shift+tab"] * 3, "enter", *["tab"] * 3, "enter"))
    assert calls(app, "begin") == [("begin", "mist", "zh-CN", "")]


def test_new_can_be_left() -> None:
    app = lobby(keys("n", "escape"))
    assert not calls(app, "begin")


def test_game_that_needs_a_model_says_so() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "tab", "down", "enter")
        assert isinstance(app.screen, NewDialog)
        assert "so it needs a model" in app.seen
        app.house.desk.usual = "local"
        await press(pilot, "escape", "enter")
        assert "Storyteller: local." in app.seen

    lobby(scene)


def test_details_come_one_by_one_and_nobody_waits() -> None:
    gate = asyncio.Event()

    class Slow(FakeLobby):
        async def details(self, campaign: str) -> CampaignDetails:
            self.calls.append(("details", campaign))
            if campaign == "mist-2":
                await gate.wait()
            return CampaignDetails(campaign, 7, f"Line of {campaign}.")

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert calls(app, "details") == [("details", "mist-1"), ("details", "mist-2")]
        assert "Line of mist-1." in app.seen
        await press(pilot, "down")
        assert app.screen.query_one("#campaigns", LobbyList).picked == "mist-2"
        gate.set()
        await settle(pilot)
        assert app.seen.count("turn 7") == 2

    lobby(scene, FakeHouse(Slow()))


def test_details_that_cannot_be_read_harm_nothing() -> None:
    class Broken(FakeLobby):
        async def details(self, campaign: str) -> CampaignDetails:
            raise TalewrightError("the game is gone")

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "details cannot be read · the game is gone" in app.seen

    lobby(scene, FakeHouse(Broken()))


def test_import(tmp_path: Path) -> None:
    file = tmp_path / "a b.json"
    file.write_bytes(b"saved")

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "i", "enter")
        assert "Enter a file name first." in app.seen
        app.screen.query_one("#path", Input).value = f"'{file}' "
        await press(pilot, "enter")
        assert calls(app, "bring_in") == [("bring_in", b"saved", "", "a b.json")]
        assert "Imported brought-1." in app.seen

    lobby(scene)


def test_import_that_fails_can_be_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = FakeHouse()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.json").write_bytes(b"saved")

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "i", "x", "enter")
        assert "! x cannot be read: No such file or directory" in app.seen
        assert "Use a file from" in app.seen
        assert not calls(app, "bring_in")
        await press(pilot, *".json")
        house.lobby.trouble = TalewrightError("the file is no save game", "Look at the path.")
        await press(pilot, "enter")
        assert "! the file is no save game" in app.seen
        assert "Look at the path." in app.seen
        house.lobby.trouble = None
        await press(pilot, "enter")
        assert calls(app, "bring_in")[-1] == ("bring_in", b"saved", "", "x.json")

    lobby(scene, house)


def test_export_follows_the_form(tmp_path: Path) -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "e")
        path = app.screen.query_one("#path", Input)
        assert path.value == "~/mist-1.md"
        await press(pilot, "shift+tab", "down", "down", "enter")
        assert path.value == "~/mist-1.epub"
        path.value = str(tmp_path / "b.epub")
        await press(pilot, "tab", "enter")
        assert calls(app, "write_out") == [("write_out", "mist-1", ExportForm.EPUB)]
        assert (tmp_path / "b.epub").read_bytes() == b"a campaign"
        assert "Exported mist-1 to" in app.seen
        await press(pilot, "e")
        app.screen.query_one("#path", Input).value = str(tmp_path / "b.epub")
        await press(pilot, "enter")
        assert "exists already" in app.seen

    lobby(scene)


def test_delete_asks_once_and_says_where_it_lies() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "d", "enter")
        assert not calls(app, "remove"), "the answer under the cursor changes nothing"
        await press(pilot, "d", "tab", "enter")
        assert calls(app, "remove") == [("remove", "mist-1")]
        assert "Moved mist-1 to the bin: the bin: mist-1" in app.seen
        assert app.screen.query_one("#campaigns", LobbyList).picked == "mist-2"

    lobby(scene)


def test_model_of_a_campaign() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "m")
        assert isinstance(app.screen, ModelScreen)
        await press(pilot, "home", "enter")
        assert ("choose", "local", "mist-1") in app.house.desk.calls
        assert "local will narrate mist-1" in app.seen
        await press(pilot, "m", "end", "enter")
        assert "mist-1 will use written scenes" in app.seen

    lobby(scene)


def test_set_up_leads_to_setup() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "s")
        assert isinstance(app.screen, SetupScreen)

    lobby(scene)


def test_empty_lobby_is_kind() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "You have not started a story yet." in app.seen
        assert app.screen.query_one("#games").has_focus
        for key in "med":
            await press(pilot, key)
            assert "Pick a campaign first." in app.seen

    lobby(scene, FakeHouse(FakeLobby(saved=())))


def test_lobby_without_games() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "No games found." in app.seen
        await press(pilot, "enter", "n")
        assert "Pick a game first." in app.seen

    lobby(scene, FakeHouse(FakeLobby(infos=(), saved=())))


def test_before_the_rooms_are_entered_it_waits() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        rooms, app.rooms = app.rooms, None
        screen = LobbyScreen(lambda: NOW)
        await app.push_screen(screen)
        await settle(pilot)
        assert "Opening the lobby…" in app.seen
        app.rooms = rooms
        screen.action_reload()
        await settle(pilot)
        assert "Start a story" in app.seen

    lobby(scene)


def test_campaign_that_does_not_open_says_why() -> None:
    house = FakeHouse()

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        house.lobby.trouble = TalewrightError("somebody else plays it", "Close the other window.")
        await press(pilot, "enter")
        assert "! somebody else plays it" in app.seen
        assert "Close the other window." in app.seen
        assert app.tables == []

    lobby(scene, house)


def test_first_turn_that_takes_long_can_be_stopped() -> None:
    class Endless(FakeLobby):
        async def begin(self, game: str, *rest: object) -> FakeSession:
            await asyncio.Event().wait()
            raise AssertionError

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "n", "enter")
        assert "Press Esc to stop." in app.seen
        await press(pilot, "enter")
        assert not calls(app, "open"), "one thing is opened at a time"
        await press(pilot, "escape")
        assert "Stopped." in app.seen
        await press(pilot, "enter")
        assert len(app.tables) == 1

    lobby(scene, FakeHouse(Endless()))


def test_language_changes_while_it_stands() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        app.language = "zh-CN"
        assert isinstance(app.screen, LobbyScreen)
        app.screen.follow_preferences()
        await settle(pilot)
        assert "你的存档" in app.seen
        assert "新开" in app.seen

    lobby(scene)


def test_mouse_alone() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await pilot.click("#campaigns", offset=(4, 6))
        await settle(pilot)
        assert app.screen.query_one("#campaigns", LobbyList).picked == "mist-2"
        assert app.tables == []
        await pilot.click("#campaigns", offset=(4, 2), times=2)
        await settle(pilot)
        assert calls(app, "open") == [("open", "mist-1")]
        row = app.seen.split("\n")[-1]
        await pilot.click("KeyBar", offset=(row.index("Delete") + 1, 0))
        await settle(pilot)
        await pilot.click("#yes")
        await settle(pilot)
        assert calls(app, "remove") == [("remove", "mist-1")]

    lobby(scene)


def test_nothing_hostile_is_drawn() -> None:
    hostile = "[bold]x[/] \x1b]52;c;aGk=\x07 \u202e [@click=app.quit]y[/]"
    house = FakeHouse(
        FakeLobby(
            infos=(GameInfo(hostile, hostile, (hostile, "en"), "", hostile),),
            saved=(CampaignInfo(hostile, hostile, hostile, "en", hostile, damaged=True),),
        )
    )

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        for key in ("", "n", "escape", "e", "escape", "m", "escape", "d", "escape"):
            if key:
                await press(pilot, key)
            assert not set(app.seen) & set("\x1b\x07\u202e")
        assert "[bold]x[/]" in app.seen

    lobby(scene, house)


@pytest.mark.parametrize(
    ("languages", "wished", "picked"),
    [
        (("zh-CN", "en"), "en", "en"),
        (("zh-TW", "en"), "zh-CN", "zh-TW"),
        (("en-GB",), "en", "en-GB"),
        (("zh-CN",), "en", "zh-CN"),
        ((), "en", ""),
    ],
)
def test_language_of_a_new_campaign(languages: tuple[str, ...], wished: str, picked: str) -> None:
    assert pick_game_language(languages, wished) == picked
