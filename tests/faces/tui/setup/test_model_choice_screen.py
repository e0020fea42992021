"""The model of a campaign, chosen from a list."""

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from talewright.errors import TalewrightError
from talewright.faces.tui.setup.model_choice_screen import ModelScreen, draw_choice
from talewright.faces.tui.setup.setup_wizard import SetupScreen
from talewright.faces.tui.words.setup_words import setup_words
from talewright.play.model_choices import NO_MODEL, ModelChoice
from tests.faces.tui.fakes import FakeDesk, FakeHouse
from tests.faces.tui.lobby.stage import LANGUAGES, SIZES, HallStage, keys, press, visit

ENGLISH = setup_words("en")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_choices_are_seen(size: tuple[int, int], language: str) -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        scenes = {"en": "Scripted scenes only", "zh-CN": "只用剧本"}[language]
        for words in (
            "mist-1",
            "llama3.2",
            "big-model",
            "about $0.002 a turn",
            "! its key is missing",
            scenes,
        ):
            assert words in app.seen

    visit(lambda: ModelScreen("mist-1", "mist"), scene, size=size, language=language)


def test_cursor_begins_on_the_one_that_tells() -> None:
    house = FakeHouse(desk=FakeDesk(usual="local"))
    app = visit(lambda: ModelScreen("mist-1", "mist"), keys("enter"), house=house)
    assert app.answers == ["local"]
    assert ("chosen", "mist-1", "mist") in house.desk.calls


def test_scenes_alone() -> None:
    assert visit(ModelScreen, keys("end", "enter")).answers == [NO_MODEL]


def test_one_that_cannot_tell_is_chosen_the_second_time() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "home", "down", "enter")
        assert app.answers == []
        assert "Press Enter again" in app.seen
        await press(pilot, "enter")
        assert app.answers == ["cloud"]

    visit(lambda: ModelScreen("mist-1"), scene)


def test_escape_chooses_nothing() -> None:
    assert visit(ModelScreen, keys("escape")).answers == [None]


def test_nothing_is_set_up_yet() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "No model is set up yet." in app.seen
        await press(pilot, "s")
        assert isinstance(app.screen, SetupScreen)
        app.house.desk.known = (ModelChoice("new", "new-model", "here"),)
        await press(pilot, *["enter"] * 4)
        assert "new-model" in app.seen

    visit(ModelScreen, scene, house=FakeHouse(desk=FakeDesk(known=())))


def test_list_that_cannot_be_read_leaves_the_scenes() -> None:
    class Broken(FakeDesk):
        async def choices(self) -> tuple[ModelChoice, ...]:
            raise TalewrightError("the settings cannot be read", "Line 3.")

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "! the settings cannot be read" in app.seen
        await press(pilot, "enter")
        assert app.answers == [NO_MODEL]

    visit(ModelScreen, scene, house=FakeHouse(desk=Broken()))


def test_choice_is_drawn_safely() -> None:
    hostile = "[red]a\x1b[2J\nb"
    choice = ModelChoice("n", hostile, hostile, hostile, hostile, hostile)
    drawn = draw_choice(choice, True, ENGLISH).plain
    assert drawn.count("\n") == 3
    assert "\x1b" not in drawn
    assert "[red]a" in drawn
    assert draw_choice(replace(choice, trouble=""), False, ENGLISH).plain.count("\n") == 1
