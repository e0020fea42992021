"""Two ways a story went."""

import asyncio
from collections.abc import Sequence
from itertools import pairwise

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from talewright.errors import TalewrightError
from talewright.faces.tui.history.compare_screen import TURNS_AT_ONCE, ComparedSide, CompareScreen
from talewright.faces.tui.story.story_widget import StoryWidget
from talewright.play.campaign_past import ComparisonView
from talewright.play.campaign_view import TurnView
from tests.faces.tui.fakes import FakePast
from tests.faces.tui.lobby.stage import LANGUAGES, SIZES, HallStage, keys, settle, visit

WAITS_MAX = 100
"""Rounds that both ways are waited for."""

SIDES = (ComparedSide("c3", "main · turn 3"), ComparedSide("d3", "[b]branch-1"))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_both_sides_and_what_differs(size: tuple[int, int], language: str) -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        parted = "Both are the same up to turn 2." if language == "en" else "到第 2 回合"
        for words in (parted, "main · turn 3", "[b]branch-1", "Pay her", "You run.", "Suspicion 30 → 20"):
            assert words in app.seen
        one, other = app.screen.query_one("#one"), app.screen.query_one("#other")
        assert (one.region.y == other.region.y) == (size[0] >= 90)

    visit(lambda: CompareScreen(FakePast(), SIDES, language), scene, size=size, language=language)


def test_one_side_has_nothing_of_its_own() -> None:
    class Same(FakePast):
        async def compare(self, one: str, other: str) -> ComparisonView:
            return ComparisonView(3, (), (TurnView("d", 4, "", "On."), TurnView("e", 5, "", "And on.")), ())

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        for words in ("No turns since then.", "2 turns since then", "Both end in the same state.", "And on."):
            assert words in app.seen

    visit(lambda: CompareScreen(Same(), SIDES, "en"), scene)


def test_long_way_is_read_from_where_they_part() -> None:
    class Long(FakePast):
        async def compare(self, one: str, other: str) -> ComparisonView:
            turns = tuple(TurnView(f"c{at}", at, "", f"Line {at}.") for at in range(1, 300))
            return ComparisonView(0, turns, (), ("\x1b[2JX",))

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await settle(pilot)
        assert "Line 1." in app.seen
        assert "[2JX" in app.seen
        assert "\x1b" not in app.seen

    visit(lambda: CompareScreen(Long(), SIDES, "en"), scene)


@pytest.mark.slow
def test_keys_are_heard_while_a_long_way_is_put_in(monkeypatch: pytest.MonkeyPatch) -> None:
    way = tuple(TurnView(f"c{at}", at, "", f"Line {at}.") for at in range(1, 301))
    beats = 0
    filled: list[tuple[int, int]] = []
    grow = StoryWidget.grow

    class Long(FakePast):
        async def compare(self, one: str, other: str) -> ComparisonView:
            return ComparisonView(0, way, way, ())

    def watch(story: StoryWidget, turns: Sequence[TurnView]) -> None:
        filled.append((beats, len(turns)))
        grow(story, turns)

    async def beat() -> None:
        nonlocal beats
        while True:
            beats += 1
            await asyncio.sleep(0)

    monkeypatch.setattr(StoryWidget, "grow", watch)

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        heart = asyncio.create_task(beat())
        await app.push_screen(CompareScreen(Long(), SIDES, "en"))
        for _ in range(WAITS_MAX):
            await settle(pilot)
            if [len(story.column.items) for story in app.screen.query(StoryWidget)] == [300, 300]:
                break
        heart.cancel()
        assert [story.scroll_y for story in app.screen.query(StoryWidget)] == [0, 0]
        assert [story.unseen for story in app.screen.query(StoryWidget)] == [False, False]

    visit(Screen, scene)
    assert sum(count for _, count in filled) == 2 * (300 - TURNS_AT_ONCE)
    assert max(count for _, count in filled) == TURNS_AT_ONCE
    # Between any two of them something else had its turn.
    assert all(one < other for (one, _), (other, _) in pairwise(filled))


def test_past_that_cannot_be_read() -> None:
    class Broken(FakePast):
        async def compare(self, one: str, other: str) -> ComparisonView:
            raise TalewrightError("the record is damaged", "Recover it.")

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "! the record is damaged" in app.seen

    visit(lambda: CompareScreen(Broken(), SIDES, "en"), scene)


def test_escape_closes() -> None:
    assert visit(lambda: CompareScreen(FakePast(), SIDES, "en"), keys("escape")).answers == [None]
