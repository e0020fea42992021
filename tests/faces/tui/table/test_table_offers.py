"""What is on the table, from a view."""

from dataclasses import replace

import pytest

from talewright.faces.tui.table.table_offers import (
    CAUTION,
    ENDING,
    UNFINISHED,
    FaceCardOption,
    make_table_offers,
)
from talewright.faces.tui.words.table_words import table_words
from talewright.play.campaign_view import DecisionView, EndView
from talewright.play.presentation import choice_wording
from tests.faces.tui.samples import DECISION, VIEW

ENGLISH = table_words("en")
CHINESE = table_words("zh-CN")


def test_choices() -> None:
    offers = make_table_offers(VIEW, ENGLISH, degraded=False, left="")
    assert (offers.card, offers.choices, offers.numbers) == (None, VIEW.choices, 3)
    assert (offers.line, offers.accepts, offers.speaks) == (ENGLISH.line_free, True, True)


def test_numbers_are_not_spoken_of_where_there_are_no_choices() -> None:
    offers = make_table_offers(replace(VIEW, choices=()), CHINESE, degraded=False, left="")
    assert (offers.line, offers.numbers, offers.speaks) == (CHINESE.line_words, 0, True)


def test_without_a_storyteller_the_line_says_so() -> None:
    assert (
        make_table_offers(replace(VIEW, free_text=False), CHINESE, degraded=False, left="").line
        == CHINESE.line_fixed
    )


def test_nothing_to_choose() -> None:
    offers = make_table_offers(replace(VIEW, free_text=False, choices=()), ENGLISH, degraded=False, left="")
    assert offers.line == ENGLISH.nothing_to_choose
    assert offers.numbers == 0


def test_decision_comes_before_choices_and_takes_numbers_only() -> None:
    offers = make_table_offers(replace(VIEW, decisions=(DECISION,)), ENGLISH, degraded=False, left="")
    assert (offers.card, offers.choices, offers.numbers) == (DECISION, (), 2)
    assert (offers.line, offers.speaks) == (ENGLISH.line_decision, False)


def test_words_that_were_held_back_can_be_said_anew() -> None:
    assert CAUTION == choice_wording.CAUTION
    card = DecisionView(CAUTION, "Sure?", (), (("go_on", "Go on"),))
    offers = make_table_offers(replace(VIEW, decisions=(card,)), ENGLISH, degraded=False, left="")
    assert (offers.card, offers.speaks, offers.line) == (card, True, ENGLISH.line_free)


def test_unfinished_turn_is_offered_until_it_is_left() -> None:
    view = replace(VIEW, unfinished="I run", decisions=(DECISION,))
    card = make_table_offers(view, ENGLISH, degraded=False, left="").card
    assert card is not None
    assert (card.id, card.lines) == (UNFINISHED, ("I run",))
    assert [option for option, _ in card.options] == [FaceCardOption.GO_ON, FaceCardOption.LEAVE]
    assert make_table_offers(view, ENGLISH, degraded=False, left=view.head).card == DECISION


def test_after_a_turn_that_nobody_could_tell_the_choices_are_the_fixed_ones() -> None:
    view = replace(VIEW, unfinished="I run", decisions=(DECISION,), end=EndView("x", "win"))
    offers = make_table_offers(view, ENGLISH, degraded=True, left="")
    assert (offers.card, offers.choices) == (None, VIEW.choices)


@pytest.mark.parametrize(("outcome", "told"), [("win", "won"), ("lose", "lost"), ("other", "ended")])
def test_ending(outcome: str, told: str) -> None:
    offers = make_table_offers(replace(VIEW, end=EndView("x", outcome)), ENGLISH, degraded=False, left="")
    assert offers.card is not None
    assert (offers.card.id, offers.card.question) == (ENDING, getattr(ENGLISH, told))
    assert [option for option, _ in offers.card.options] == ["again", "tree", "undo", "lobby"]
    assert (offers.accepts, offers.speaks) == (False, False)


def test_read_only_campaign_offers_nothing() -> None:
    view = replace(VIEW, read_only=True, unfinished="I run", decisions=(DECISION,), end=EndView("x", "win"))
    offers = make_table_offers(view, ENGLISH, degraded=False, left="")
    assert (offers.card, offers.choices, offers.line) == (None, (), ENGLISH.line_read_only)
    assert (offers.accepts, offers.speaks) == (False, False)


def test_no_game_can_name_the_cards_of_the_face() -> None:
    assert all("\n" in name for name in (UNFINISHED, ENDING))
