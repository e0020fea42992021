"""The first visit."""

import pytest
from textual.pilot import Pilot

from talewright.errors import TalewrightError
from talewright.faces.tui.setup.first_run_screen import FirstRunScreen
from talewright.faces.tui.setup.setup_wizard import SetupScreen
from tests.faces.tui.fakes import FakeHouse, FakeLobby
from tests.faces.tui.lobby.stage import LANGUAGES, SIZES, HallStage, keys, press, settle, visit


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_game_is_offered_at_once(size: tuple[int, int], language: str) -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        words = {
            "en": ("Play now, no model needed", "Set up a model"),
            "zh-CN": ("现在就玩，不需要模型", "设置模型"),
        }
        for each in ("Mist Harbor", *words[language]):
            assert each in app.seen
        assert "Lantern" not in app.seen, "it needs a model"

    visit(FirstRunScreen, scene, size=size, language=language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_enter_begins_in_the_language_of_the_face(language: str) -> None:
    app = visit(FirstRunScreen, keys("enter"), language=language)
    assert app.house.lobby.calls == [("begin", "mist", language, "")]
    assert len(app.tables) == 1


def test_whoever_comes_back_from_the_table_finds_the_lobby() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "enter")
        await app.push_screen(FirstRunScreen())
        await settle(pilot)
        await press(pilot, "escape")
        assert app.answers == [None]

    visit(FirstRunScreen, scene)


def test_guided_way_and_back_to_the_lobby() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "s", "escape")
        assert app.answers == []
        await pilot.click("#set-up")
        await settle(pilot)
        assert isinstance(app.screen, SetupScreen)
        await press(pilot, *["enter"] * 4)
        assert app.answers == [None]

    visit(FirstRunScreen, scene)


def test_look_around_first() -> None:
    assert visit(FirstRunScreen, keys("escape")).answers == [None]


def test_no_game_without_a_model() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "No such games found." in app.seen
        await press(pilot, "enter")
        assert app.house.lobby.calls == []

    visit(FirstRunScreen, scene, house=FakeHouse(FakeLobby(infos=())))


def test_game_that_does_not_begin_says_why_and_stays() -> None:
    house = FakeHouse(FakeLobby(trouble=TalewrightError("the disk is full", "Make room.")))

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "enter")
        assert "! the disk is full" in app.seen
        await press(pilot, "s", "escape")
        assert app.answers == []

    visit(FirstRunScreen, scene, house=house)
