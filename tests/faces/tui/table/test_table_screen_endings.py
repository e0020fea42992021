"""Endings at the table: Enter reads to the end and begins nothing new."""

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from talewright.faces.tui.table.decision_card import AnswerList
from talewright.faces.tui.words.table_words import table_words
from talewright.play.campaign_view import EndView
from tests.faces.tui.fakes import FakePast, FakeSession
from tests.faces.tui.samples import TURN, TURNS, VIEW
from tests.faces.tui.stage import Asked, TableStage, read_screen
from tests.faces.tui.table.playing import play, press

ENGLISH = table_words("en")

LONG = "\n\n".join(f"Paragraph {number} of the last night." for number in range(60))


def ended(narration: str, **view: object) -> FakeSession:
    """A campaign that has just ended, with these words."""
    turn = replace(TURN, narration=narration)
    shown = replace(VIEW, turn=turn, **(view or {"end": EndView("escape", "win")}))  # type: ignore[arg-type]
    return FakeSession(views=[shown, VIEW], past=FakePast((*TURNS[:-1], turn)))


def test_enter_only_reads_at_an_ending() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        story = app.table.board.story
        assert ENGLISH.unseen in read_screen(app)
        for key in ("1", "4"):
            await press(key)(app, pilot)
            assert ENGLISH.read_first in read_screen(app)
        while story.unseen:
            at = story.scroll_y
            await press("enter")(app, pilot)
            assert story.scroll_y > at
        assert "Paragraph 59" in read_screen(app)
        await press("enter", "enter")(app, pilot)
        assert app.asked == []
        await press("1")(app, pilot)

    assert play(ended(LONG), scene).asked == [Asked("again", "mist")]


@pytest.mark.parametrize("narration", ["The end of the night.", LONG])
def test_enter_on_the_card_begins_no_new_game_either(narration: str) -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        answers = app.table.board.query_one(AnswerList)
        answers.focus()
        assert answers.highlighted == 0
        for _ in range(30):
            await press("enter")(app, pilot)
        assert not app.table.board.story.unseen
        assert ENGLISH.press_number.format(number=1) in read_screen(app)
        assert app.asked == []
        await press("down", "enter")(app, pilot)

    assert play(ended(narration), scene).asked == [Asked("tree", "untaken")]


def test_read_only_campaign_is_read_by_enter() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        at = app.table.board.story.scroll_y
        await press("enter")(app, pilot)
        assert app.table.board.story.scroll_y > at

    play(ended(LONG, read_only=True), scene)
