"""The table played with keys, against a session that only remembers."""

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from talewright.faces.tui.app_port import TreeDeparture
from talewright.faces.tui.launch_preferences import Preferences
from talewright.faces.tui.widgets.dialogs import Menu, Question
from talewright.faces.tui.words.table_words import table_words
from talewright.play.campaign_view import ChoiceView, EndView, TurnView
from talewright.play.session import InputResult, ResultKind
from talewright.play.session_inputs import Choose, Fork, Switch, Undo
from tests.faces.tui.fakes import FakeSession, delta, doing, reset
from tests.faces.tui.samples import DECISION, TURN, TURNS, VIEW, after
from tests.faces.tui.stage import Asked, TableStage, read_screen, settle
from tests.faces.tui.table.playing import play, press, see

ENGLISH = table_words("en")

LATER = after(VIEW, "The night goes on.", said="Go in")


def test_first_sight() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        seen = read_screen(app)
        for words in ("Mist Harbor", "turn 3", "80/100", "Suspicion", "1  Go in", "high risk", "Spiral"):
            assert words in seen
        assert app.table.board.line.has_focus

    play(FakeSession(), scene)


def test_number_in_the_empty_line_takes_a_choice() -> None:
    session = FakeSession(views=[VIEW, LATER])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("2")(app, pilot)
        assert "The night goes on." in read_screen(app)
        assert ENGLISH.done in read_screen(app)

    play(session, scene)
    assert session.calls == [("choose", "wait")]


def test_number_that_means_nothing_is_typed() -> None:
    session = FakeSession()

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("9")(app, pilot)
        assert app.table.board.line.value == "9"
        await press("enter")(app, pilot)
        assert ENGLISH.no_such_number.format(number=9, last=3) in read_screen(app)

    play(session, scene)
    assert session.calls == []


def test_number_with_enter_is_a_choice_too() -> None:
    session = FakeSession()
    play(session, press("space", "3", "full_stop", "enter"))
    assert session.calls == [("choose", "jump")]


def test_words_of_ones_own_and_the_ones_before() -> None:
    session = FakeSession()

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        line = app.table.board.line
        await press("h", "i", "enter")(app, pilot)
        assert line.value == ""
        await press("h", "o", "enter", "d", "up", "up")(app, pilot)
        assert line.value == "hi"
        await press("up", "down")(app, pilot)
        assert line.value == "ho"
        await press("down")(app, pilot)
        assert line.value == "d"

    play(session, scene)
    assert session.calls == [("say", "hi"), ("say", "ho")]


def test_two_keys_at_once_never_send_two_turns() -> None:
    session = FakeSession(hangs=True)

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        board, parts = app.table.board, app.table.parts
        assert parts is not None
        parts.workers.take(Choose("in"), "Go in")
        parts.workers.take(Choose("wait"), "Wait")
        app.table.action_go_on()
        app.table.action_undo()
        await pilot.pause()
        assert session.calls == [("choose", "in")]
        await pilot.press("h", "i", "enter")
        await pilot.pause()
        assert board.line.value == "hi"
        assert ENGLISH.busy in read_screen(app)
        await press("escape")(app, pilot)
        assert board.line.value == "hi"

    play(session, scene)
    assert session.calls == [("choose", "in"), ("cancel",)]


def test_story_is_heard_while_it_is_told() -> None:
    session = FakeSession(hangs=True, news=[doing("Writing the story"), delta("She looks "), delta("up.")])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("1")
        await see(app, pilot, "She looks up.")
        seen = read_screen(app)
        assert "Writing the story" in seen
        assert "1  Go in" not in seen
        session._heard.put_nowait(reset("She looks away."))
        await see(app, pilot, "She looks away.")
        await press("escape")(app, pilot)
        seen = read_screen(app)
        assert "She looks away." not in seen
        assert "Stopped. Nothing has changed." in seen
        assert "1  Go in" in seen

    play(session, scene)


def test_turn_that_nobody_could_tell() -> None:
    fixed = (ChoiceView("retry", "Retry"), ChoiceView("rollback", "Undo"), ChoiceView("quit", "Leave"))
    session = FakeSession(
        views=[replace(VIEW, decisions=()), replace(VIEW, choices=fixed, decisions=(DECISION,))],
        results=[
            InputResult(ResultKind.DEGRADED, "untold", "Nobody could tell it."),
            InputResult(ResultKind.UNSPENT, "quit", "All is saved."),
        ],
    )

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("h", "i", "enter")(app, pilot)
        seen = read_screen(app)
        assert "Nobody could tell it." in seen
        assert "1  Retry" in seen
        assert app.table.board.line.value == ""
        await press("3")(app, pilot)

    app = play(session, scene)
    assert session.calls == [("say", "hi"), ("choose", "quit")]
    assert app.asked == [Asked("leave")]


def test_words_that_did_not_fit_come_back() -> None:
    session = FakeSession(results=[InputResult(ResultKind.UNSPENT, "unmatched", "None of the choices fits.")])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("h", "i", "enter")(app, pilot)
        assert "None of the choices fits." in read_screen(app)
        assert app.table.board.line.value == "hi"

    play(session, scene)


@pytest.mark.parametrize(
    ("typed", "told"), [("error", "the disk is full"), ("bug", "ZeroDivisionError: by a dragon")]
)
def test_what_breaks_is_told_and_the_table_stands(typed: str, told: str) -> None:
    session = FakeSession()

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press(*typed, "enter")(app, pilot)
        assert told in read_screen(app)
        assert app.table.board.line.value == typed
        app.table.board.line.clear()
        await press("1")(app, pilot)

    play(session, scene)
    assert session.calls == [("choose", "in")]


def test_a_turn_that_led_into_another_is_told_with_it() -> None:
    latest = after(after(VIEW, "It is settled."), "The story begins.")
    session = FakeSession(
        views=[VIEW, latest], results=[InputResult(ResultKind.COMMITTED, commit=latest.head)]
    )
    assert latest.turn is not None
    session.past.told = (*TURNS, TurnView("c4", 4, "yes", "It is settled."), latest.turn)

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("1")(app, pilot)
        shown = read_screen(app)
        assert "It is settled." in shown
        assert "The story begins." in shown

    play(session, scene)


def test_unfinished_turn_is_gone_on_with() -> None:
    session = FakeSession(views=[replace(VIEW, unfinished="I run away"), LATER])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert "I run away" in read_screen(app)
        await press("1")(app, pilot)
        assert "The night goes on." in read_screen(app)

    play(session, scene)
    assert session.calls == [("go_on",)]


def test_unfinished_turn_is_left_alone() -> None:
    session = FakeSession(views=[replace(VIEW, unfinished="I run away")])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("2")(app, pilot)
        assert "I run away" not in read_screen(app)
        await press("1")(app, pilot)

    play(session, scene)
    assert session.calls == [("choose", "in")]


@pytest.mark.parametrize(
    ("key", "asked", "calls"),
    [
        ("1", [Asked("again", "mist")], []),
        ("2", [Asked("tree", "untaken")], []),
        ("3", [], [("undo", 1)]),
        ("4", [Asked("leave")], []),
    ],
)
def test_closing_card(key: str, asked: list[Asked], calls: list[tuple[object, ...]]) -> None:
    session = FakeSession(views=[replace(VIEW, end=EndView("escape", "win")), VIEW])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert ENGLISH.won in read_screen(app)
        await press(key)(app, pilot)

    assert play(session, scene).asked == asked
    assert session.calls == calls


def test_read_only_campaign_is_read() -> None:
    session = FakeSession(views=[replace(VIEW, read_only=True, notices=("A page is torn.",))])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        seen = read_screen(app)
        assert ENGLISH.line_read_only in seen
        assert "A page is torn." in seen
        assert "1  Go in" not in seen
        await press("1", "ctrl+r")(app, pilot)

    play(session, scene)
    assert session.calls == []


def test_undo() -> None:
    back = after(VIEW, "Earlier.")
    session = FakeSession(views=[VIEW, replace(back, version=2), replace(back, version=2)])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("ctrl+z")(app, pilot)
        assert ENGLISH.back_at.format(version=2) in read_screen(app)
        await press("ctrl+z")(app, pilot)
        assert ENGLISH.at_start in read_screen(app)

    play(session, scene)
    assert session.calls == [("undo", 1), ("undo", 1)]


def test_retry_with_other_words_or_the_same() -> None:
    session = FakeSession()

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+r")
        await pilot.pause()
        assert isinstance(app.screen, Question)
        await pilot.press("n", "o", "enter")
        await settle(pilot)
        await pilot.press("ctrl+r")
        await pilot.pause()
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("ctrl+r")
        await pilot.pause()
        await pilot.press("escape")
        await settle(pilot)

    play(session, scene)
    assert session.calls == [("retry", "no"), ("retry", "")]


def test_retry_takes_the_words_in_the_line() -> None:
    session = FakeSession()

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("b", "e", "g", "ctrl+r")
        await settle(pilot)
        assert app.table.board.line.value == ""

    play(session, scene)
    assert session.calls == [("retry", "beg")]


def test_retry_that_comes_to_nothing_gives_the_words_back() -> None:
    session = FakeSession(results=[InputResult(ResultKind.UNSPENT, "unmatched", "None of the choices fits.")])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("b", "e", "g", "ctrl+r")
        await settle(pilot)
        assert app.table.board.line.value == "beg"

    play(session, scene)


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_retry_makes_no_twin_and_says_why(language: str) -> None:
    session = FakeSession(views=[replace(VIEW, free_text=False, may_differ=False)])
    words = table_words(language)

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("ctrl+r")(app, pilot)
        assert words.retry_same in read_screen(app)
        app.table.board.line.value = " pay HER"
        await press("ctrl+r")(app, pilot)
        assert session.calls == []
        app.table.board.line.value = "wait"
        await press("ctrl+r")(app, pilot)

    play(session, scene, size=(60, 20), preferences=Preferences(language=language, animations=False))
    assert session.calls == [("retry", "wait")]


def test_retry_asks_nothing_where_words_mean_nothing() -> None:
    session = FakeSession(views=[replace(VIEW, free_text=False)])
    play(session, press("ctrl+r"))
    assert session.calls == [("retry", "")]


def test_saving_and_loading_a_place() -> None:
    session = FakeSession()

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+s")
        await pilot.pause()
        await pilot.press("a", "b", "enter")
        await settle(pilot)
        assert ENGLISH.saved.format(name="ab") in read_screen(app)
        await pilot.press("ctrl+l")
        await pilot.pause()
        assert isinstance(app.screen, Menu)
        await pilot.press("enter")
        await settle(pilot)

    play(session, scene)
    assert session.calls == [("mark", "ab"), ("load", "pier")]


def test_there_is_no_place_to_load() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("ctrl+l")(app, pilot)
        assert ENGLISH.no_marks in read_screen(app)

    play(FakeSession(views=[replace(VIEW, marks=())]), scene)


@pytest.mark.parametrize(
    ("wish", "call"),
    [
        (Undo(2), ("undo", 2)),
        (Fork("c1", "way"), ("fork", "c1", "way")),
        (Switch("branch-1"), ("switch", "branch-1")),
        (None, None),
    ],
)
def test_tree_leads_elsewhere(wish: TreeDeparture | None, call: tuple[object, ...] | None) -> None:
    session = FakeSession(views=[VIEW, LATER])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        app.wish = wish
        await press("f3")(app, pilot)

    assert play(session, scene).asked == [Asked("tree")]
    assert session.calls == ([] if call is None else [call])


def test_inspector_is_for_those_who_want_it() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("f4")(app, pilot)
        assert ENGLISH.inspector_hidden in read_screen(app)
        app.preferences = replace(app.preferences, inspector=True)
        await press("f4")(app, pilot)

    assert play(FakeSession(), scene).asked == [Asked("inspector", TURN.commit)]


def test_lobby() -> None:
    assert play(FakeSession(), press("f9")).asked == [Asked("leave")]
