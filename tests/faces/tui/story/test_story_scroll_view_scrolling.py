"""Scrolling: widths, themes, selections and the pace of things."""

import asyncio

from textual.geometry import Offset
from textual.pilot import Pilot
from textual.selection import SELECT_ALL, Selection

from talewright.faces.tui.story.story_scroll_view import StoryScrollView
from talewright.faces.tui.story.story_widget import FLOW_SECONDS, StoryWidget
from tests.faces.tui.story.making import Shelf, StoryApp, make_turn
from tests.faces.tui.story.test_story_widget import perform, settle


def test_another_width_keeps_what_is_looked_at() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(60)
        app.story.open(shelf.last(60), shelf.more)
        await settle(app, pilot)
        app.story.focus()
        for _ in range(6):
            await pilot.press("pageup")
        await settle(app, pilot)
        place = app.story.column.locate(app.story.scroll_offset.y)
        assert place is not None
        for width in (20, 70, 40):
            await pilot.resize_terminal(width, 12)
            await settle(app, pilot)
            assert app.story.column.width == app.story.scrollable_content_region.width
            now = app.story.column.locate(app.story.scroll_offset.y)
            assert now is not None
            assert now.item is place.item
        assert app.story.virtual_size.height == app.story.column.height

    perform(script)


def test_end_stays_in_sight_when_the_size_changes() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(60)
        app.story.open(shelf.last(60), shelf.more)
        await settle(app, pilot)
        for size in ((20, 12), (90, 30), (40, 6)):
            await pilot.resize_terminal(*size)
            await settle(app, pilot)
            assert app.story.at_end
            assert app.screen_text()[-1].endswith("ends.")

    perform(script)


def test_live_turn_out_of_sight_is_folded_anew_too() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(60)
        app.story.open(shelf.last(60), shelf.more)
        app.story.begin("look")
        app.story.stream("one two three four five six seven eight nine ten " * 3)
        await settle(app, pilot)
        app.story.scroll_to(y=100, animate=False)
        await settle(app, pilot)
        await pilot.resize_terminal(24, 12)
        await settle(app, pilot)
        live = app.story.column.items[-1]
        assert live.width == app.story.column.width
        assert live.live is not None
        assert live.height == len(live.live.lines) > 9

    perform(script)


def test_theme_paints_anew() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        app.story.finish(make_turn(1))
        await settle(app, pilot)
        item = app.story.column.items[0]
        app.screen_text()
        before = app.story.column.lay(item).strips[1]
        app.theme = "textual-light"
        await settle(app, pilot)
        app.screen_text()
        after = app.story.column.lay(item).strips[1]
        assert before.text == after.text
        assert list(before) != list(after)

    perform(script)


def test_selected_text_is_copied_whole() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        app.story.finish(make_turn(1))
        await settle(app, pilot)
        told = "\n› step 1\n\nTurn 1 begins.\n\nIt goes on for a while, and then it ends."
        assert app.story.get_selection(SELECT_ALL) == (told, "\n")
        assert app.story.get_selection(Selection(Offset(0, 3), Offset(6, 3))) == ("Turn 1", "\n")
        await pilot.mouse_down(app.story, offset=(1, 3))
        await pilot.hover(app.story, offset=(5, 3))
        await pilot.mouse_up(app.story, offset=(6, 3))
        await settle(app, pilot)
        assert app.screen.get_selected_text() == "Turn 1"
        segments = [segment for segment in app.story.render_line(3) if segment.text.strip()]
        assert len(segments) > 1

    perform(script)


def test_selection_stays_on_its_words_when_rows_come_above() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        for number in range(5):
            app.story.finish(make_turn(number))
        await settle(app, pilot)
        column = app.story.column
        row = column.top(column.items[4]) + 1
        app.screen.selections = {app.story: Selection(Offset(2, row), Offset(8, row))}
        assert app.screen.get_selected_text() == "step 4"
        with app.story.changing():
            column.set_height(column.items[0], 30)
        assert app.story.text_selection == Selection(
            Offset(2, column.top(column.items[4]) + 1), Offset(8, column.top(column.items[4]) + 1)
        )

    perform(script)


def test_nothing_older_is_fetched_beneath_a_selection() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(200)
        app.story.open(shelf.last(3), shelf.more)
        app.screen.selections = {app.story: SELECT_ALL}
        await settle(app, pilot)
        assert not app.story.wants_older
        app.screen.clear_selection()
        assert app.story.wants_older

    perform(script)


def test_chunks_are_laid_out_together() -> None:
    async def run() -> None:
        now = 100.0
        app = StoryApp(StoryWidget(clock=lambda: now))
        async with app.run_test(size=(40, 12)) as pilot:
            app.story.begin("look")
            await pilot.pause()
            for _ in range(100):
                app.story.stream("word ")
            timer = app.story._flowing
            assert timer is not None
            await settle(app, pilot)
            assert app.story._flowing is None
            assert app.story._pause_until == 100.0 + FLOW_SECONDS
            live = app.story.column.items[-1].live
            assert live is not None
            assert not live.draft.waiting

    asyncio.run(run())


def test_nothing_runs_when_nothing_happens() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(30)
        app.story.open(shelf.last(30), shelf.more)
        await settle(app, pilot)
        assert not app.story._tending
        assert not app.story._timers
        assert not [worker for worker in app.workers if worker.is_running]

    perform(script)


def test_wheel_scrolls_and_finds_the_end_again() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(30)
        app.story.open(shelf.last(30), shelf.more)
        await settle(app, pilot)
        app.story._scroll_up_for_pointer()
        await settle(app, pilot)
        assert not app.story.at_end
        app.story._scroll_down_for_pointer()
        await settle(app, pilot)
        assert app.story.at_end

    perform(script)


def test_bare_scrolling_has_nothing_older() -> None:
    bare = StoryScrollView(unseen="new")
    bare.older = True
    assert asyncio.run(bare.fetch()) == ()
    assert not bare.older
