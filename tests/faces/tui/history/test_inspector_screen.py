"""The inspector: warned of once, read part by part, searched."""

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from talewright.errors import TalewrightError
from talewright.faces.tui.history.inspector_screen import InspectorScreen
from talewright.faces.tui.launch_preferences import Preferences
from talewright.play.campaign_past import InspectionPart, InspectionView
from tests.faces.tui.fakes import FakePast
from tests.faces.tui.lobby.stage import LANGUAGES, SIZES, HallStage, Scene, press, settle, visit


def inspect(scene: Scene, past: FakePast | None = None, **how: object) -> HallStage:
    language = str(how.get("language", "en"))
    return visit(lambda: InspectorScreen(past or FakePast(), "c3", language), scene, **how)  # type: ignore[arg-type]


def warned(scene: Scene) -> Scene:
    async def first(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "tab", "enter")
        await scene(app, pilot)

    return first


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_warns_before_it_asks_for_anything(size: tuple[int, int], language: str) -> None:
    past = FakePast()

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert ("This spoils the game" if language == "en" else "这会剧透") in app.seen
        assert past.calls == []
        await press(pilot, "tab", "enter")
        assert past.calls == [("inspect", "c3")]
        for words in ("world: 320 tokens", "Prompt" if language == "en" else "提示词"):
            assert words in app.seen

    app = inspect(scene, past, size=size, language=language)
    assert [each.inspector for each in app.kept] == [True]


def test_warning_can_be_heeded() -> None:
    past = FakePast()

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "enter")
        assert app.answers == [None]
        assert app.kept == []

    inspect(scene, past)
    assert past.calls == []


def test_it_warns_once() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        app.preferences = Preferences(inspector=True)
        await app.push_screen(InspectorScreen(FakePast(), "c3", "en"))
        await settle(pilot)
        assert "world: 320 tokens" in app.seen
        assert app.kept == []

    inspect(scene)


def test_parts_and_raw() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "right")
        assert '{"narrative": "She counts"}' in app.seen
        await press(pilot, "r")
        assert '  "narrative": "She counts"' in app.seen
        await press(pilot, "right")
        assert '"tokens": 1380' in app.seen
        await press(pilot, "left", "left", "r")
        assert "state: 90 tokens" in app.seen
        await press(pilot, "escape")
        assert app.answers == [None]

    inspect(warned(scene))


def test_search() -> None:
    class Long(FakePast):
        async def inspect(self, commit: str) -> InspectionView:
            lines = tuple(f"line {at}{' Mist' if at % 40 == 9 else ''}" for at in range(200))
            return InspectionView(3, commit, (InspectionPart("reply", lines),))

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, "slash", *"mist", "enter")
        assert "1 of 5" in app.seen
        await press(pilot, "n")
        assert "2 of 5" in app.seen
        assert app.screen.query_one("#lines", OptionList).highlighted == 49
        assert "line 49 Mist" in app.seen
        await press(pilot, "p", "p")
        assert "5 of 5" in app.seen
        await press(pilot, "slash", *"zzz", "enter")
        assert "Not found." in app.seen
        await press(pilot, "slash", "escape", "n")
        assert app.answers == []

    inspect(warned(scene), Long())


def test_nothing_hostile_is_drawn() -> None:
    hostile = "[@click=app.quit]x[/] \x1b]0;t\x07\u202e"

    class Hostile(FakePast):
        async def inspect(self, commit: str) -> InspectionView:
            return InspectionView(3, commit, (InspectionPart(hostile, (hostile,), hostile),))

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert app.seen.count("[@click=app.quit]x[/]") == 2
        assert not set(app.seen) & set("\x1b\x07\u202e")

    inspect(warned(scene), Hostile())


def test_turn_that_cannot_be_read() -> None:
    class Broken(FakePast):
        async def inspect(self, commit: str) -> InspectionView:
            raise TalewrightError("there is no such turn", "Look at the tree.")

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "! there is no such turn" in app.seen
        await press(pilot, "r", "n", "right", "slash", "x", "enter")

    inspect(warned(scene), Broken())
