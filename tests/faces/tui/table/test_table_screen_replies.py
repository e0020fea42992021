"""What is typed at the table where the focus is elsewhere, or words were refused before."""

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Button, Input

from talewright.faces.tui.launch_preferences import Preferences
from talewright.faces.tui.words.shared_words import shared_words
from talewright.faces.tui.words.table_words import table_words
from talewright.play.session import InputResult, ResultKind
from tests.faces.tui.fakes import FakeSession
from tests.faces.tui.samples import VIEW, after
from tests.faces.tui.stage import TableStage, read_screen, settle
from tests.faces.tui.table.playing import play, press, see

ENGLISH = table_words("en")


def test_typing_begins_a_line_wherever_the_focus_is() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        app.table.board.story.focus()
        await pilot.pause()
        await press("h", "i")(app, pilot)
        assert app.table.board.line.value == "hi"
        assert app.table.board.line.has_focus

    play(FakeSession(), scene)


def test_a_line_typed_fast_outside_the_line_is_sent_whole() -> None:
    session = FakeSession(views=[VIEW, after(VIEW, "The night goes on.", said="I go in")])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        app.screen.set_focus(app.table.board.story)
        for sign in "I go in":
            app.post_message(events.Key("space" if sign == " " else sign, sign))
        app.post_message(events.Key("enter", "\r"))
        await see(app, pilot, "The night goes on.")

    play(session, scene)
    assert session.calls == [("say", "I go in")]


def test_a_number_typed_just_before_the_line_gets_the_focus_is_a_choice() -> None:
    session = FakeSession(views=[VIEW, after(VIEW, "The night goes on.")])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        story, line = app.table.board.story, app.table.board.line
        app.screen.set_focus(story)
        await pilot.pause()
        # The story handles it when the line has the focus already.
        story.post_message(events.Key("2", "2"))
        app.screen.set_focus(line)
        await see(app, pilot, "The night goes on.")
        assert line.value == ""

    play(session, scene)
    assert session.calls == [("choose", "wait")]


UNMATCHED = "No choice matches that."


def test_rejected_words_are_not_in_the_way_of_the_next_key() -> None:
    session = FakeSession(results=[InputResult(ResultKind.UNSPENT, "unmatched", UNMATCHED)])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        line = app.table.board.line
        await press("f", "l", "y", "enter")(app, pilot)
        assert (line.value, UNMATCHED in read_screen(app)) == ("fly", True)
        await press("2")(app, pilot)
        assert line.value == ""
        await press("up")(app, pilot)
        assert line.value == "fly"

    play(session, scene)
    assert session.calls == [("say", "fly"), ("choose", "wait")]


@pytest.mark.parametrize(
    ("key", "left"), [("x", "x"), ("enter", ""), ("escape", ""), ("backspace", ""), ("end", "99")]
)
def test_what_the_next_key_makes_of_rejected_words(key: str, left: str) -> None:
    session = FakeSession()

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("9", "9", "enter")(app, pilot)
        assert ENGLISH.no_such_number.format(number=99, last=3) in read_screen(app)
        await press(key)(app, pilot)
        assert app.table.board.line.value == left

    play(session, scene)
    assert session.calls == []


def test_rejected_words_give_way_to_what_is_typed_elsewhere() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("9", "9", "enter")(app, pilot)
        app.table.board.story.focus()
        await press("h", "i")(app, pilot)
        assert app.table.board.line.value == "hi"

    play(FakeSession(), scene)


def test_escape_clears_the_line_and_an_arrow_brings_it_back() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        line = app.table.board.line
        await press("h", "i", "escape")(app, pilot)
        assert line.value == ""
        assert line.has_focus
        await press("up")(app, pilot)
        assert line.value == "hi"

    play(FakeSession(), scene)


@pytest.mark.parametrize(("key", "does"), [("ctrl+r", "retry_do"), ("ctrl+s", "mark_do")])
@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_buttons_say_what_they_do(key: str, does: str, language: str) -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await pilot.pause()
        labels = [str(button.label) for button in app.screen.query(Button)]
        assert labels == [shared_words(language).cancel, getattr(table_words(language), does)]
        await pilot.press("escape")

    play(FakeSession(), scene, preferences=Preferences(language=language, animations=False))


def test_other_words_may_be_as_long_as_any() -> None:
    words = "I walk to the end of the pier, " * 5
    session = FakeSession()

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+r")
        await pilot.pause()
        app.screen.query_one("#answer", Input).insert_text_at_cursor(words)
        await pilot.press("enter")
        await settle(pilot)

    play(session, scene)
    assert session.calls == [("retry", words.strip())]
