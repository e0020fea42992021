"""Cards at the table: a question is answered with a number, and with words where they belong to it."""

from dataclasses import replace

from textual.pilot import Pilot

from talewright.faces.tui.table.input_area import PlayerLine
from talewright.faces.tui.words.table_words import table_words
from tests.faces.tui.fakes import FakeSession
from tests.faces.tui.samples import DECISION, VIEW, after
from tests.faces.tui.stage import TableStage, read_screen
from tests.faces.tui.table.playing import play, press

ENGLISH = table_words("en")

LATER = after(VIEW, "The night goes on.", said="Go in")


def test_decision_is_answered_with_a_number_and_nothing_else() -> None:
    session = FakeSession(views=[replace(VIEW, decisions=(DECISION,)), VIEW])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert "Climb the wall?" in read_screen(app)
        assert "1  Go in" not in read_screen(app)
        await press("h", "i", "enter")(app, pilot)
        assert ENGLISH.answer_first in read_screen(app)
        app.table.board.line.clear()
        await press("1")(app, pilot)
        assert "Climb the wall?" not in read_screen(app)

    play(session, scene)
    assert session.calls == [("answer", "check", "yes", "")]


def test_note_goes_with_the_answer() -> None:
    session = FakeSession(views=[replace(VIEW, decisions=(replace(DECISION, takes_note=True),)), VIEW])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        app.screen.query_one("#note").focus()
        await press("s", "o", "1", "enter", "down", "enter")(app, pilot)

    play(session, scene)
    assert session.calls == [("answer", "check", "no", "so1")]


def test_words_are_asked_for_where_they_are_the_answer() -> None:
    card = replace(DECISION, takes_note=True, note_with="no")
    session = FakeSession(views=[replace(VIEW, decisions=(card,)), LATER])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert not app.screen.query_one("#note").display
        await press("2")(app, pilot)
        assert ENGLISH.note_why in read_screen(app)
        assert session.calls == []
        await press("s", "o", "1", "enter")(app, pilot)
        # Whoever acts next finds the line.
        assert app.screen.focused is app.screen.query_one(PlayerLine)

    play(session, scene)
    assert session.calls == [("answer", "check", "no", "so1")]


def test_other_answers_take_no_words_along() -> None:
    card = replace(DECISION, takes_note=True, note_with="no")
    session = FakeSession(views=[replace(VIEW, decisions=(card,)), LATER])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("2", "s", "o", "escape", "1")(app, pilot)

    play(session, scene)
    assert session.calls == [("answer", "check", "yes", "")]


def test_an_answer_goes_on_below_itself_and_keeps_together_what_belongs_together() -> None:
    label = "Roll, and spend a point of resist where the answer would cost a glitch otherwise (2\u00a0left)"
    card = replace(DECISION, options=(("yes", label), ("no", "Withdraw")))
    session = FakeSession(views=[replace(VIEW, decisions=(card,))])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        rows = [row[: row.find("│", 10)].strip(" │") for row in read_screen(app).split("\n")]
        at = next(number for number, row in enumerate(rows) if row.startswith("1  Roll"))
        assert rows[at + 1].endswith("(2\u00a0left)")
        assert rows[at + 2] == "2  Withdraw"

    play(session, scene)
