"""Stakes: what the cards mean, by keys; and warnings, which always stand where they are seen."""

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from talewright.faces.tui.launch_preferences import Preferences
from talewright.faces.tui.table.card_drawing import draw_card
from talewright.faces.tui.table.cards_panel import CardBox, CardsPanel
from talewright.faces.tui.table.status_bar import arrange
from talewright.faces.tui.words.table_words import table_words
from talewright.play.campaign_view import StatusView, TurnView
from tests.faces.tui.fakes import FakeSession
from tests.faces.tui.samples import VIEW, after
from tests.faces.tui.stage import Asked, TableStage, plain_lines, read_screen, settle
from tests.faces.tui.table.playing import play, press

ENGLISH = table_words("en")
CHINESE = table_words("zh-CN")

MEANING = "How many eyes."
QUIET = Preferences(language="en", animations=False, descriptions=False)
SUSPICION = replace(VIEW.cards[0], lines=("93/100",), value=93, critical=True)
WARNING = StatusView("Suspicion", "93/100", "+8", True, 93, 0, 100)


def test_a_card_says_what_it_means() -> None:
    assert plain_lines(draw_card(VIEW.cards[0], 28, folded=False, described=True))[-1] == f"  {MEANING}"
    assert len(draw_card(VIEW.cards[0], 28, folded=True, described=True)) == 1


def test_a_critical_card_has_a_sign() -> None:
    assert plain_lines(draw_card(SUSPICION, 28, folded=False))[0] == "▾ Suspicion !     93/100 ▲10"
    assert plain_lines(draw_card(SUSPICION, 28, folded=True))[0] == "▸ Suspicion !     93/100 ▲10"


def test_the_sidebar_says_what_the_cards_mean() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert MEANING in read_screen(app)
        await press("f6")(app, pilot)
        assert MEANING not in read_screen(app)
        await press("f6")(app, pilot)
        assert MEANING in read_screen(app)

    app = play(FakeSession(), scene)
    assert [asked.about.descriptions for asked in app.asked if isinstance(asked.about, Preferences)] == [
        False,
        True,
    ]


def test_a_card_one_comes_to_by_keys_says_what_it_means() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert MEANING not in read_screen(app)
        app.screen.query(CardBox).first().focus()
        await settle(pilot)
        assert MEANING in read_screen(app)
        await press("escape")(app, pilot)
        assert MEANING not in read_screen(app)

    play(FakeSession(), scene, preferences=QUIET)


def test_the_key_brings_the_cards_of_a_narrow_terminal() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert MEANING not in read_screen(app)
        await press("f6")(app, pilot)
        assert MEANING in read_screen(app)

    play(FakeSession(), scene, size=(60, 20))
    play(FakeSession(), scene, size=(60, 20), preferences=QUIET)


def test_the_history_of_a_card_is_asked_for_with_its_meaning() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        app.screen.query(CardBox).first().focus()
        await press("enter")(app, pilot)

    assert Asked("card", f"suspicion: {MEANING}") in play(FakeSession(), scene).asked


def test_a_warning_says_what_it_is_about_even_where_meanings_are_hidden() -> None:
    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        assert MEANING in read_screen(app)

    view = replace(VIEW, cards=(SUSPICION, *VIEW.cards[1:]))
    play(FakeSession(views=[view]), scene, preferences=QUIET)


@pytest.mark.parametrize("size", [(100, 30), (60, 20)])
@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_what_has_just_become_critical_is_said_where_one_types(size: tuple[int, int], language: str) -> None:
    words = ENGLISH if language == "en" else CHINESE
    later = replace(after(VIEW, "You are seen."), status=(*VIEW.status, WARNING))
    session = FakeSession(views=[VIEW, later, after(later, "Again.")])

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("1")(app, pilot)
        seen = read_screen(app)
        assert f"! {words.critical.format(items='Suspicion 93/100')}" in seen
        assert "93/100 !" in "".join(seen.splitlines()[:4])
        await press("1")(app, pilot)
        assert words.critical.format(items="") not in read_screen(app)

    play(session, scene, size=size, preferences=replace(QUIET, language=language))


def test_an_event_that_is_told_below_what_is_in_sight_is_said_there_too() -> None:
    long = "\n\n".join(f"Paragraph {at}." for at in range(40))
    turn = TurnView("c4", 4, "", long, events=("Somebody follows you.",))
    later = replace(VIEW, head="c4", version=4, turn=turn)

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        await press("1")(app, pilot)
        seen = read_screen(app)
        assert ENGLISH.unseen in seen
        assert "! Somebody follows you." in seen

    play(FakeSession(views=[VIEW, later]), scene)


def test_a_warning_is_never_what_has_no_room_in_the_bar() -> None:
    many = tuple(StatusView(f"Something long {at}", "80/100", "-5", False, 80, 0, 100) for at in range(12))
    drawn = "".join(plain_lines(arrange((*many, WARNING), 56)))
    assert "Susp" in drawn


def test_the_newest_warning_is_scrolled_to_before_all_other_changes() -> None:
    many = tuple(replace(VIEW.cards[0], variable=f"v{at}", label=f"V{at}") for at in range(20))
    view = replace(VIEW, cards=(*many, SUSPICION))

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        panel = app.screen.query_one(CardsPanel)
        box = next(box for box in panel.query(CardBox) if box.card.critical)
        assert panel.region.contains_region(box.region)

    play(FakeSession(views=[view]), scene)
