"""The table at every size, in both languages and with the mouse."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from talewright.faces.tui.launch_preferences import Preferences
from talewright.faces.tui.story.story_widget import StoryWidget
from talewright.faces.tui.table.cards_panel import CardBox, CardsPanel, PanelBox
from talewright.faces.tui.table.choice_list import ChoiceList
from talewright.faces.tui.themes import THEMES
from talewright.faces.tui.words.table_words import table_words
from talewright.play.campaign_view import CardView, ChoiceView, TurnView
from talewright.play.news import BackgroundNews, CommittedNews, News
from tests.faces.tui.fakes import FakePast, FakeSession
from tests.faces.tui.samples import DECISION, VIEW, after
from tests.faces.tui.stage import SIZE, Asked, TableStage, read_screen, settle

ENGLISH = table_words("en")
CHINESE = table_words("zh-CN")

Scene = Callable[[TableStage, Pilot[None]], Awaitable[None]]


def show(
    scene: Scene,
    size: tuple[int, int] = SIZE,
    session: FakeSession | None = None,
    preferences: Preferences | None = None,
) -> TableStage:
    async def run() -> TableStage:
        app = TableStage(session or FakeSession(), preferences)
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await scene(app, pilot)
        return app

    return asyncio.run(run())


@pytest.mark.parametrize("size", [(100, 30), (80, 24), (60, 20), (140, 45)])
def test_everything_is_usable_at_every_size(size: tuple[int, int]) -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        seen = read_screen(app)
        for words in ("Mist Harbor", "80/100", "1  Go in", "2  Wait", "3  Jump", "F1 help", "F2 cards"):
            assert words in seen
        assert seen.splitlines()[-1].endswith("^q quit")
        assert app.table.board.line.size.height == 1
        assert app.screen.query_one(StoryWidget).size.height >= 4
        assert ("▾ Suspicion" in seen) == (size[0] >= 90)
        await pilot.press("f2")
        await settle(pilot)
        assert ("▾ Suspicion" in read_screen(app)) == (size[0] < 90)

    show(scene, size)


@pytest.mark.parametrize(
    ("size", "rows"), [((80, 20), 6), ((80, 26), 9), ((80, 28), 9), ((80, 30), 10), ((80, 40), 13)]
)
def test_choices_take_a_third_of_a_tall_terminal(size: tuple[int, int], rows: int) -> None:
    choices = tuple(ChoiceView(str(at), "Begin", f"{at}: " + "to be read in full " * 6) for at in range(9))

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert app.screen.query_one(ChoiceList).outer_size.height == rows

    show(scene, size, FakeSession(views=[replace(VIEW, choices=choices)]))


def test_cards_are_a_tab_on_a_narrow_terminal() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert ENGLISH.cards in read_screen(app).splitlines()[0]
        await pilot.press("f2")
        await settle(pilot)
        assert "1  Go in" not in read_screen(app)
        await pilot.press("escape")
        await settle(pilot)
        assert "1  Go in" in read_screen(app)
        assert app.table.board.line.has_focus

    assert show(scene, (60, 20)).asked == []


def test_cards_stay_hidden_where_they_are_not_wanted() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert "Suspicion  " not in read_screen(app)
        await pilot.press("ctrl+o")
        await settle(pilot)
        assert "▾ Suspicion" in read_screen(app)

    app = show(scene, preferences=Preferences(language="en", animations=False, cards_open=False))
    assert app.asked == [Asked("keep", Preferences(language="en", animations=False))]


@pytest.mark.slow
def test_resize_while_playing() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("h", "i")
        for size in ((60, 20), (132, 40), (80, 24), (100, 30)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            seen = read_screen(app)
            assert "1  Go in" in seen
            assert "› hi" in seen
            assert ("▾ Suspicion" in seen) == (size[0] >= 90)

    show(scene)


def test_face_speaks_chinese_and_keeps_its_widths() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        seen = read_screen(app)
        assert "第 3 回合" in seen
        assert CHINESE.line_free in seen
        assert CHINESE.risks["high"] in seen
        app.preferences = replace(app.preferences, language="en")
        app.table.follow_preferences()
        await settle(pilot)
        assert "turn 3" in read_screen(app)
        assert ENGLISH.line_free in read_screen(app)

    show(scene, (80, 24), preferences=Preferences(language="zh-CN", animations=False))


def test_face_follows_the_story_where_no_language_is_preferred() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert app.table.language == "zh-CN"
        assert "第 3 回合" in read_screen(app)

    session = FakeSession(views=[replace(VIEW, language="zh-CN")])
    show(scene, session=session, preferences=Preferences(animations=False))


@pytest.mark.parametrize("theme", [theme.name for theme in THEMES])
def test_every_theme_draws(theme: str) -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        app.theme = theme
        await settle(pilot)
        assert "1  Go in" in read_screen(app)

    show(scene)


def test_mouse_takes_a_choice() -> None:
    session = FakeSession()

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.click(ChoiceList, offset=(6, 2))
        await settle(pilot)

    show(scene, session=session)
    assert session.calls == [("choose", "wait")]


def test_mouse_answers_a_decision() -> None:
    session = FakeSession(views=[replace(VIEW, decisions=(DECISION,)), VIEW])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.click("#options", offset=(4, 1))
        await settle(pilot)

    show(scene, session=session)
    assert session.calls == [("answer", "check", "no", "")]


def test_mouse_on_the_bar_does_what_the_key_does() -> None:
    session = FakeSession()

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        column = read_screen(app).splitlines()[-1].index("undo")
        await pilot.click("KeyBar", offset=(column, 0))
        await settle(pilot)

    show(scene, session=session)
    assert session.calls == [("undo", 1)]


def test_mouse_on_a_tab_opens_it() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        column = read_screen(app).splitlines()[0].index("Cards")
        await pilot.click("TableHead", offset=(column, 0))
        await settle(pilot)
        assert "▾ Suspicion" in read_screen(app)

    show(scene, (80, 24))


def test_card_folds_and_is_asked_about() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        card = app.screen.query(CardBox).first()
        await pilot.click(card, offset=(2, 0))
        await settle(pilot)
        assert "▸ Suspicion" in read_screen(app)
        assert app.screen.query_one(CardsPanel).collapsed == {"card:suspicion"}
        card.focus()
        await pilot.press("space", "enter")
        await settle(pilot)
        assert "▾ Suspicion" in read_screen(app)
        panel = app.screen.query(PanelBox).first()
        panel.focus()
        await pilot.press("enter")
        await settle(pilot)
        assert "▸ Spiral" in read_screen(app)

    asked = show(scene).asked
    assert [one for one in asked if one.what != "keep"] == [Asked("card", "suspicion: How many eyes.")]
    # What is folded stays so the next time.
    kept = [one.about for one in asked if isinstance(one.about, Preferences)]
    assert [preferences.folded for preferences in kept] == ["card:suspicion", "", "panel:spiral"]


def test_cards_come_and_go_in_the_order_of_the_game() -> None:
    new = CardView("hunger", "Hunger", "plain", ("3",))
    first, *rest = VIEW.cards
    session = FakeSession(
        views=[VIEW, replace(after(VIEW, "Later."), cards=(new, *rest[::-1], first), panels=())]
    )

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("1")
        await settle(pilot)
        keys = [box.key for box in app.screen.query(CardBox)]
        assert keys == ["card:hunger", "card:time", "card:known", "card:bag", "card:trust", "card:suspicion"]
        assert not app.screen.query(PanelBox)

    show(scene, session=session)


def test_where_there_are_no_cards_it_says_so() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert ENGLISH.no_cards in read_screen(app)

    show(scene, session=FakeSession(views=[replace(VIEW, cards=(), panels=())]))


def test_long_turn_is_read_from_its_beginning_and_enter_reads_on() -> None:
    long = "\n\n".join(f"Paragraph {at}." for at in range(40))
    told = (TurnView("c1", 1, "", "Before."), TurnView("c2", 2, "Look", long))
    view = replace(VIEW, head="c2", turn=told[-1])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        seen = read_screen(app)
        assert "› Look" in seen
        assert "Paragraph 0." in seen
        assert ENGLISH.unseen in seen
        for _ in range(8):
            await pilot.press("enter")
            await settle(pilot)
        assert "Paragraph 39." in read_screen(app)
        assert ENGLISH.unseen not in read_screen(app)
        await pilot.press("pageup")
        await settle(pilot)
        assert "Paragraph 39." not in read_screen(app)

    show(scene, session=FakeSession(views=[view], past=FakePast(told=told)))


def test_story_that_went_on_elsewhere_is_shown() -> None:
    later = after(VIEW, "Meanwhile, elsewhere.")
    session = FakeSession()

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert later.turn is not None
        session.views = [later]
        session.past.told = (*session.past.told, later.turn)
        session._heard.put_nowait(News(1, CommittedNews(4, later.head)))
        await settle(pilot, 8)
        assert "Meanwhile, elsewhere." in read_screen(app)
        assert ENGLISH.moved in read_screen(app)

    show(scene, session=session)


def test_time_passes_in_the_background() -> None:
    session = FakeSession()

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        session._heard.put_nowait(News(1, BackgroundNews("Time passes elsewhere too.")))
        await settle(pilot)
        assert "✓ Time passes elsewhere too." in read_screen(app)

    show(scene, session=session)


def test_slash_opens_the_palette_in_an_empty_line_only() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await pilot.press("a", "slash")
        assert app.table.board.line.value == "a/"
        app.table.board.line.clear()
        await pilot.press("slash")
        await settle(pilot)
        assert type(app.screen).__name__ == "CommandPalette"

    show(scene)


def test_choice_under_the_cursor_is_shown_in_full_where_lines_are_spared() -> None:
    hint = "It is dark in there, and somebody has been moving the furniture about since noon."
    view = replace(VIEW, choices=tuple(replace(choice, hint=hint) for choice in VIEW.choices))

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert "since noon" not in read_screen(app)
        app.screen.query_one(ChoiceList).focus()
        await settle(pilot)
        assert "since noon" in read_screen(app)
        await pilot.press("down")
        await settle(pilot)
        assert read_screen(app).count("since noon") == 1

    show(scene, (60, 20), FakeSession(views=[view]))
