"""The story widget: what is seen of turns that come, grow, change and go."""

import asyncio
from collections.abc import Awaitable, Callable

from textual.pilot import Pilot

from talewright.errors import TalewrightError
from talewright.faces.tui.story.dice_animation import LAST_STEP
from talewright.faces.tui.story.story_widget import (
    PAGE_TURNS,
    StoryWidget,
    animate_dice,
    animate_live_dice,
    show_roll,
)
from talewright.play.campaign_view import TurnView
from tests.faces.tui.story.making import ROLL, Shelf, StoryApp, make_full_turn, make_turn

Script = Callable[[StoryApp, Pilot[None]], Awaitable[None]]


def perform(script: Script, *, size: tuple[int, int] = (40, 12), animations: bool = False) -> None:
    """Run a script on an app with nothing but a story."""

    async def run() -> None:
        app = StoryApp(StoryWidget(animations=animations))
        async with app.run_test(size=size) as pilot:
            await script(app, pilot)

    asyncio.run(run())


async def settle(app: StoryApp, pilot: Pilot[None]) -> None:
    """Let everything be measured, fetched and laid out."""
    await pilot.pause()
    while app.story._tending or app.story._flowing is not None:
        await pilot.pause()
        await asyncio.sleep(0)
    await pilot.pause()


def test_last_turn_is_seen_first() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(3)
        app.story.open(shelf.last(3), shelf.more)
        await settle(app, pilot)
        assert app.story.at_end
        assert (
            app.screen_text()
            == [
                "› step 1",
                "",
                "Turn 1 begins.",
                "",
                "It goes on for a while, and then it",
                "ends.",
                "",
                "› step 2",
                "",
                "Turn 2 begins.",
                "",
                "It goes on for a while, and then it",
                "ends.",
            ][-12:]
        )

    perform(script)


def test_older_turns_come_when_they_are_scrolled_to() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(1_000)
        app.story.open(shelf.last(50), shelf.more)
        await settle(app, pilot)
        assert shelf.asked == []
        app.story.focus()
        while not shelf.asked:
            await pilot.press("pageup")
        await settle(app, pilot)
        assert shelf.asked == [("c950", PAGE_TURNS)]
        assert len(app.story.column.items) == 100

    perform(script)


def test_what_is_looked_at_stays_when_turns_come_above() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(200)
        app.story.open(shelf.last(10), shelf.more)
        app.story.scroll_to(y=2, animate=False)
        await pilot.pause()
        before = app.screen_text()
        await settle(app, pilot)
        assert len(app.story.column.items) >= 60
        assert app.screen_text() == before
        assert not app.story.at_end

    perform(script)


def test_home_goes_to_the_very_beginning() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(300)
        app.story.open(shelf.last(20), shelf.more)
        await settle(app, pilot)
        app.story.focus()
        await pilot.press("home")
        await settle(app, pilot)
        assert len(app.story.column.items) == 300
        assert app.screen_text()[1:4] == ["› step 0", "", "Turn 0 begins."]
        await pilot.press("end")
        await settle(app, pilot)
        assert app.story.at_end
        assert app.screen_text()[-1] == "ends."

    perform(script)


def test_opening_costs_the_same_however_long_the_campaign() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(5_000)
        app.story.open(shelf.last(50), shelf.more)
        await settle(app, pilot)
        assert shelf.asked == []
        assert len(app.story.column.items) == 50

    perform(script)


def test_narration_grows_and_is_followed() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(5)
        app.story.open(shelf.last(5), shelf.more)
        await settle(app, pilot)
        app.story.begin("I look")
        for piece in ("The *f", "og* com", "es in.\n\n", "It ", "stays."):
            app.story.stream(piece)
        await settle(app, pilot)
        assert app.screen_text()[-5:] == ["› I look", "", "The fog comes in.", "", "It stays."]
        app.story.restart("Nothing happens.")
        await settle(app, pilot)
        assert app.screen_text()[-3:] == ["› I look", "", "Nothing happens."]
        app.story.finish(make_turn(5, "So it was."))
        await settle(app, pilot)
        assert app.screen_text()[-3:] == ["› step 5", "", "So it was."]
        assert len(app.story.column.items) == 6

    perform(script)


def test_live_turn_can_be_withdrawn() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        app.story.finish(make_turn(1))
        app.story.drop()
        app.story.restart("nobody listens")
        app.story.stream("words before any were said")
        await settle(app, pilot)
        assert "words before any were said" in app.screen_text()
        app.story.drop()
        await settle(app, pilot)
        assert len(app.story.column.items) == 1
        app.story.finish(make_turn(2))
        assert [item.commit for item in app.story.column.items] == ["c1", "c2"]

    perform(script)


def test_player_who_reads_back_is_left_in_peace() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(20)
        app.story.open(shelf.last(20), shelf.more)
        await settle(app, pilot)
        app.story.begin("I look")
        await settle(app, pilot)
        app.story.focus()
        await pilot.press("pageup", "up")
        await settle(app, pilot)
        before = app.screen_text()
        assert not app.story.at_end
        app.story.stream("A new line.\n\n" * 5)
        await settle(app, pilot)
        after = app.screen_text()
        assert after[:-1] == before[:-1]
        assert after[-1].endswith("↓ new")
        assert "↓ new" in app.screen._compositor.render_strips()[11].text
        await pilot.click(app.story, offset=(5, 11))
        await settle(app, pilot)
        assert not app.story.at_end
        await pilot.click(app.story, offset=(35, 11))
        await settle(app, pilot)
        assert app.story.at_end
        assert app.screen_text()[-1] == "A new line."

    perform(script)


def test_end_key_returns_and_takes_the_sign_away() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(20)
        app.story.open(shelf.last(20), shelf.more)
        await settle(app, pilot)
        app.story.focus()
        await pilot.press("pageup")
        app.story.note("The model does not answer.", "trouble")
        await settle(app, pilot)
        assert app.story.unseen
        await pilot.press("end")
        await settle(app, pilot)
        assert not app.story.unseen
        assert app.screen_text()[-1] == "! The model does not answer."

    perform(script)


def test_replaced_turns_are_seen_from_their_end() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        shelf = Shelf(40)
        app.story.open(shelf.last(20), shelf.more)
        app.story.begin("x")
        app.story.note("gone with the rest")
        await settle(app, pilot)
        app.story.replace(shelf.turns[5:15])
        await settle(app, pilot)
        assert "› step 14" in app.screen_text()
        assert len([item for item in app.story.column.items if item.live]) == 0
        app.story.replace(())
        await settle(app, pilot)
        assert app.screen_text() == [""] * 12

    perform(script)


def test_trouble_with_older_turns_is_told() -> None:
    async def more(before: str, count: int) -> tuple[TurnView, ...]:
        raise TalewrightError("the disk is gone")

    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        app.story.open((make_turn(7),), more)
        await settle(app, pilot)
        assert "the disk is gone" in app.screen_text()[1]
        assert not app.story.older

    perform(script)


def test_dice_tumble_only_where_they_may() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        app.story.begin("I throw")
        await settle(app, pilot)
        app.story.finish(make_turn(1, rolls=(ROLL,)))
        still = [line.text for line in app.story.column.lay(app.story.column.items[0]).lines]
        assert not any("Stealth holds" in row for row in still)
        animate_dice(app.story, app.story.column.items[0], [], 99)
        await pilot.pause()

    perform(script, size=(40, 20), animations=True)

    async def quiet(app: StoryApp, pilot: Pilot[None]) -> None:
        app.story.finish(make_turn(1, rolls=(ROLL,)))
        await settle(app, pilot)
        assert any("Stealth holds" in row for row in app.screen_text())

    perform(quiet, size=(40, 20))


def test_dice_fall_before_the_words_they_decide() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        story = app.story
        show_roll(story, ROLL)
        story.stream("You slip past.")
        await settle(app, pilot)
        seen = "\n".join(app.screen_text())
        assert 0 < seen.index("Stealth holds") < seen.index("You slip past.")
        story.restart("", voids_rolls=True)
        await settle(app, pilot)
        assert "Stealth" not in "".join(app.screen_text())
        show_roll(story, ROLL)
        story.finish(make_turn(1, rolls=(ROLL,)))
        await settle(app, pilot)
        assert "\n".join(app.screen_text()).count("Stealth holds") == 1

    perform(script, size=(40, 20))


def test_dice_that_fell_while_the_turn_was_told_do_not_fall_again() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        story = app.story
        story.begin("I sneak")
        show_roll(story, ROLL)
        live = story.live
        assert live is not None
        assert (live.step, live.rested) == (0, 0)
        show_roll(story, ROLL)
        for step in range(1, LAST_STEP + 1):
            animate_live_dice(story, live)
            assert live.step == step
        assert live.rested == 2
        animate_live_dice(story, live)
        story.finish(make_turn(1, rolls=(ROLL, ROLL)))
        still = [line.text for line in story.column.lay(story.column.items[0]).lines]
        assert sum("Stealth holds" in row for row in still) == 2
        animate_live_dice(story, live)
        story.finish(make_turn(2, rolls=(ROLL,)))
        show_roll(story, ROLL)
        story.finish(make_turn(3, rolls=(ROLL,)))
        moving = [line.text for line in story.column.lay(story.column.items[-1]).lines]
        assert not any("Stealth holds" in row for row in moving)

    perform(script, size=(40, 30), animations=True)


def test_everything_of_a_turn_is_seen() -> None:
    async def script(app: StoryApp, pilot: Pilot[None]) -> None:
        app.story.finish(make_full_turn())
        await settle(app, pilot)
        text = "\n".join(app.screen_text())
        for part in ("› I *look*", "The fog", "2d6+1", "· The lights", "✗ You cannot", "± Suspicion 20 → 30"):
            assert part in text

    perform(script, size=(60, 24))
