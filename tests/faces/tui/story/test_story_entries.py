"""Entries: a turn in the order in which it is read, safe for a terminal."""

from dataclasses import replace

from talewright.faces.tui.story.story_entries import (
    ChangesEntry,
    EventEntry,
    NarrationEntry,
    NoticeEntry,
    RefusalEntry,
    RollEntry,
    SaidEntry,
    read_note,
    read_turn,
)
from talewright.play.campaign_view import ChangeView, RollView, TurnView
from tests.faces.tui.story.making import ROLL, make_full_turn


def test_turn_is_read_in_order() -> None:
    assert read_turn(make_full_turn()) == (
        SaidEntry("I *look* around"),
        RollEntry((ROLL,)),
        NarrationEntry("The **fog** comes in."),
        EventEntry("The lights go out."),
        RefusalEntry("You cannot carry that."),
        ChangesEntry("Suspicion 20 → 30 · Coins 12 → 7"),
    )


def test_dice_that_fell_after_the_telling_stand_after_it() -> None:
    late = RollView("d6 (1) = 1", late=True)
    assert read_turn(TurnView("c", 1, "", "Told.", (ROLL, late))) == (
        RollEntry((ROLL,)),
        NarrationEntry("Told."),
        RollEntry((late,)),
    )


def test_events_stand_where_they_happened() -> None:
    turn = TurnView("c", 1, "", "You climb.\n\nA tower.", (), (), ("A bell rings.",), events_at=10)
    assert read_turn(turn) == (
        NarrationEntry("You climb."),
        EventEntry("A bell rings."),
        NarrationEntry("A tower."),
    )
    assert read_turn(replace(turn, narration="A tower.", events_at=0)) == (
        EventEntry("A bell rings."),
        NarrationEntry("A tower."),
    )


def test_nothing_said_or_told_is_no_entry() -> None:
    assert read_turn(TurnView("c", 1, " \n", "")) == ()


def test_every_word_is_made_safe() -> None:
    bad = "a\x1b[1mb\nc"
    turn = TurnView(
        "c",
        1,
        bad,
        bad,
        (RollView(bad, 1, bad, (1,), bad),),
        (ChangeView("v", bad),),
        (bad,),
        (bad,),
    )
    assert read_turn(turn) == (
        SaidEntry("a[1mb\nc"),
        RollEntry((RollView("a[1mb c", 1, "a[1mb c", (1,), "a[1mb c"),)),
        NarrationEntry("a[1mb\nc"),
        EventEntry("a[1mb c"),
        RefusalEntry("a[1mb c"),
        ChangesEntry("a[1mb c"),
    )


def test_notes_have_kinds() -> None:
    assert read_note("a\x07", "event") == EventEntry("a")
    assert read_note("a\x07", "notice") == NoticeEntry("a")
    assert read_note("a\x07", "trouble") == NoticeEntry("a", trouble=True)
