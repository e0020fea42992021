"""Turns: what is seen while one is told, and what is said of it when it has ended."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from talewright.faces.tui.story.story_entries import NoticeEntry
from talewright.faces.tui.table.table_layout import TableLayout
from talewright.faces.tui.words.table_words import table_words
from talewright.play.campaign_view import ChangeView, RollView, TurnView
from talewright.play.news import LIVE, BackgroundNews, ChangeNews, DiceNews, News
from talewright.play.session import InputResult, ResultKind
from tests.faces.tui.fakes import FakePast, FakeSession, delta
from tests.faces.tui.samples import VIEW, after
from tests.faces.tui.stage import TableStage, read_screen, settle
from tests.faces.tui.table.playing import play, press, see

ENGLISH = table_words("en")

ELSEWHERE = News(9, BackgroundNews("Time passes elsewhere too."))
STOPPED = "Stopped. Nothing has changed."


def notice_of(app: TableStage) -> object:
    """The last thing that stands in the story."""
    return app.table.board.story.column.items[-1].entries[-1]


def test_player_who_is_quicker_than_the_first_paint_stays_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held: list[Callable[[], None]] = []
    later = TableLayout.call_after_refresh

    def hold_back(board: TableLayout, call: Callable[..., None], *given: object, **named: object) -> bool:
        """A refresh that comes late, as it does where a long story has to be laid out first."""
        if getattr(call, "__name__", "") != "show_newest":
            return later(board, call, *given, **named)
        held.append(call)
        return True

    monkeypatch.setattr(TableLayout, "call_after_refresh", hold_back)
    long = "\n\n".join(f"Paragraph {at}." for at in range(40))
    told = (TurnView("c1", 1, "", "Before."), TurnView("c2", 2, "Look", long))
    session = FakeSession(
        views=[replace(VIEW, head="c2", turn=told[-1])],
        past=FakePast(told=told),
        hangs=True,
        news=[delta("She looks up.")],
    )

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("1")
        await see(app, pilot, "She looks up.")
        (show_newest,) = held
        show_newest()
        await pilot.pause()
        assert "She looks up." in read_screen(app)
        assert app.table.board.story.at_end
        assert ENGLISH.unseen not in read_screen(app)

    play(session, scene)


def test_stop_by_the_player_is_no_trouble() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("1")
        await pilot.pause()
        await press("escape")(app, pilot)
        assert notice_of(app) == NoticeEntry(STOPPED)

    play(FakeSession(hangs=True), scene)


def test_turn_that_fails_by_itself_is_trouble() -> None:
    session = FakeSession(results=[InputResult(ResultKind.FAILED, "error", "The disk is full.")])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("1")(app, pilot)
        assert notice_of(app) == NoticeEntry("The disk is full.", trouble=True)

    play(session, scene)


@pytest.mark.parametrize("during", [True, False])
def test_turn_ends_on_saved_whatever_happens_elsewhere(during: bool) -> None:
    session = FakeSession(views=[VIEW, after(VIEW, "The night goes on.")], news=[ELSEWHERE] if during else [])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("1")(app, pilot)
        if not during:
            session._heard.put_nowait(ELSEWHERE)
            await settle(pilot)
        assert app.table.board.activity.text == ENGLISH.done

    play(session, scene)


def test_change_is_told_with_the_arrow_of_the_story() -> None:
    change = News(4, ChangeNews(ChangeView("suspicion", "Suspicion 20 -> 30")))

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("1")
        await see(app, pilot, "Suspicion 20 → 30")

    # The story has one of its own, so it is looked for where none is.
    play(FakeSession(hangs=True, news=[change], past=FakePast(told=())), scene)


def test_dice_are_seen_while_the_turn_is_told_before_its_words() -> None:
    roll = RollView("Stealth: d20 (14) = 14: success", 14, "d20", (14,), "success")
    news = [News(LIVE + 1, DiceNews(roll)), delta("You slip"), delta(" past.")]

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("1")
        await see(app, pilot, "You slip past.")
        seen = read_screen(app)
        assert seen.index("Stealth: d20 (14) = 14: success") < seen.index("You slip past.")

    play(FakeSession(hangs=True, news=news, past=FakePast(told=())), scene)


def test_what_happens_elsewhere_is_told_while_nothing_else_is() -> None:
    session = FakeSession(hangs=True, news=[ELSEWHERE])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("1")
        await see(app, pilot, "Time passes elsewhere too.")
        assert not app.table.board.activity.done

    play(session, scene)
