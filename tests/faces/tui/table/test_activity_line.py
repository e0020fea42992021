"""Waiting at the table: a word after 2 seconds, the key that skips the model, and who told the turn."""

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from talewright.faces.tui.key_bindings import SKIP
from talewright.faces.tui.launch_preferences import Preferences
from talewright.faces.tui.story.story_entries import NoticeEntry, read_turn
from talewright.faces.tui.table.activity_line import REMARK_SECONDS
from talewright.faces.tui.words.table_words import table_words
from talewright.play.news import ActivityNews, News
from talewright.play.presentation.wait_progress import PROGRESS_AFTER_SECONDS
from talewright.play.session import InputResult, ResultKind
from tests.faces.tui.fakes import FakeSession
from tests.faces.tui.samples import VIEW
from tests.faces.tui.stage import TableStage, read_screen, settle
from tests.faces.tui.table.playing import play, see

ENGLISH = table_words("en")
CHINESE = table_words("zh-CN")

READING = ActivityNews("reading", "Reading (40% read)", 0.4, 35.4, can_skip=True)
WRITING = ActivityNews("telling", "Writing the story", None, 35.4, can_skip=True)
AGAIN = ActivityNews("mending", "Asking again: the reply was not in the right form", None, 80.0)
KEY = f"F8 {SKIP.short('en')}"


class Hands:
    """The hands of the activity line's clock, moved by a test."""

    def __init__(self, app: TableStage) -> None:
        self.now = 0.0
        self.line = app.table.board.activity
        self.line.clock = lambda: self.now

    async def move(self, pilot: Pilot[None], seconds: float) -> str:
        """What stands on the screen so much later."""
        self.now += seconds
        self.line.look()
        await pilot.pause()
        return read_screen(pilot.app)


def send(app: TableStage, event: ActivityNews) -> None:
    assert app.table.turns is not None
    app.table.turns.hearing.take(News(1, event))


def hanging(**parts: object) -> FakeSession:
    return FakeSession(hangs=True, **parts)  # type: ignore[arg-type]


@pytest.mark.parametrize("animations", [True, False])
def test_after_two_seconds_the_line_says_for_how_long(animations: bool) -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        hands = Hands(app)
        await pilot.press("1")
        await pilot.pause()
        send(app, READING)
        screen = await hands.move(pilot, PROGRESS_AFTER_SECONDS - 0.1)
        assert "Reading (40% read)" in screen
        assert " s of about" not in screen
        assert KEY not in screen
        screen = await hands.move(pilot, 0.1)
        assert "2 s of about 35 s" in screen
        assert KEY in screen
        send(app, WRITING)
        screen = await hands.move(pilot, 10.0)
        assert "Writing the story" in screen
        assert "12 s of about 35 s" in screen
        assert "36 s, usually 35 s" in await hands.move(pilot, 24.0)
        # Where no scene can tell it, the key goes.
        send(app, AGAIN)
        screen = await hands.move(pilot, 1.0)
        assert "Asking again: the reply" in screen
        assert "37 s of about 80 s" in screen
        assert KEY not in screen
        send(app, ActivityNews("telling", "Writing the story"))
        screen = await hands.move(pilot, 1.0)
        assert "38 s" in screen
        assert "of about" not in screen
        await app.table.session.cancel()
        await settle(pilot)

    play(hanging(), scene, preferences=Preferences(animations=animations))


def test_in_chinese_on_a_narrow_terminal_the_seconds_stay_in_sight() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        hands = Hands(app)
        await pilot.press("1")
        await pilot.pause()
        send(app, ActivityNews("mending", "重新询问：" + "回答的格式不对" * 9, None, 35.0, can_skip=True))
        screen = await hands.move(pilot, 12.0)
        assert "12 秒，通常约 35 秒" in screen
        assert f"F8 {SKIP.short('zh-CN')}" in screen
        await app.table.session.cancel()
        await settle(pilot)

    play(hanging(), scene, size=(60, 20), preferences=Preferences(language="zh-CN"))


@pytest.mark.parametrize("key", ["f8", "ctrl+n"])
def test_a_key_goes_on_without_the_model(key: str) -> None:
    session = hanging()

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        hands = Hands(app)
        await pilot.press("1")
        await pilot.pause()
        send(app, READING)
        await hands.move(pilot, 3.0)
        await pilot.press(key)
        await settle(pilot)
        assert ("skip",) in session.calls
        assert KEY not in read_screen(app)

    play(session, scene)


def test_the_key_says_why_it_does_nothing() -> None:
    session = hanging()

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        hands = Hands(app)
        await pilot.press("f8")
        await see(app, pilot, ENGLISH.skip_nothing)
        await pilot.press("1")
        await pilot.pause()
        send(app, AGAIN)
        await hands.move(pilot, 3.0)
        await pilot.press("f8")
        await pilot.pause()
        assert ENGLISH.skip_not in read_screen(app)
        # A remark does not stand in the way for long: the turn still runs.
        assert ENGLISH.skip_not in await hands.move(pilot, REMARK_SECONDS - 0.1)
        screen = await hands.move(pilot, 0.1)
        assert "7 s of about 80 s" in screen
        await app.table.session.cancel()
        await settle(pilot)
        assert ("skip",) not in session.calls

    play(session, scene)


def test_what_no_scene_can_tell_is_said_as_a_notice() -> None:
    result = InputResult(ResultKind.FAILED, "skipped", "Only the storyteller can narrate this turn.")
    session = FakeSession(results=[result])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("1")
        await settle(pilot)
        newest = app.table.board.story.column.items[-1].entries[-1]
        assert newest == NoticeEntry("Only the storyteller can narrate this turn.")

    play(session, scene)


def test_a_turn_that_a_scene_told_says_so_at_its_end() -> None:
    assert VIEW.turn is not None
    told = read_turn(replace(VIEW.turn, stand_in="A written scene was used for this turn.\x1b"))
    assert told[:-1] == read_turn(VIEW.turn)
    assert isinstance(told[-1], NoticeEntry)
    assert told[-1].text.startswith("A written scene was used for this turn.")
    assert "\x1b" not in told[-1].text
    assert CHINESE.waited != ENGLISH.waited
