"""Commands: what a typed line means."""

import pytest

from talewright.faces.plain.commands import COUNT_MAX, read_line, read_number
from talewright.faces.plain.deeds import (
    Cards,
    Choose,
    Deed,
    GoOn,
    Help,
    History,
    Language,
    Load,
    Look,
    Offer,
    Quit,
    Retry,
    Save,
    Say,
    Tell,
    Undo,
    Why,
)
from talewright.faces.plain.english import ENGLISH

OFFERS = (Offer("Go in", Choose("in")), Offer("Leave", Quit()))

LINES: list[tuple[str, Deed]] = [
    ("1", Choose("in")),
    (" 1. ", Choose("in")),
    ("１", Choose("in")),
    ("2", Quit()),
    ("0", Tell("There is no choice 0; the last one is 2.")),
    ("3", Tell("There is no choice 3; the last one is 2.")),
    ("1 coin", Say("1 coin")),
    ("-1", Say("-1")),
    ("look at the 2 clocks", Say("look at the 2 clocks")),
    ("/cards", Cards()),
    ("／cards", Cards()),
    ("/CARDS", Cards()),
    ("/卡片", Cards()),
    ("/undo", Undo(1)),
    ("/undo 3", Undo(3)),
    ("/undo 0", Tell("/undo takes a number, such as /undo 2.")),
    ("/undo x", Tell("/undo takes a number, such as /undo 2.")),
    (f"/undo {COUNT_MAX}", Undo(COUNT_MAX)),
    (f"/undo {COUNT_MAX + 1}", Tell("/undo takes a number, such as /undo 2.")),
    ("/history", History(5)),
    ("/history 2", History(2)),
    ("/retry", Retry()),
    ("/retry  be kind ", Retry("be kind")),
    ("/save", Save("quick")),
    ("/save at the pier", Save("at the pier")),
    ("/load", Load()),
    ("/load quick", Load("quick")),
    ("/why", Why()),
    ("/why 精力", Why("精力")),
    ("/go", GoOn()),
    ("/look", Look()),
    ("/language", Language()),
    ("/language en", Language("en")),
    ("/help", Help()),
    ("/?", Help()),
    ("/quit", Quit()),
    ("/q", Quit()),
    ("/exit", Quit()),
    ("/crads", Tell("There is no /crads. Did you mean /cards?")),
    ("/xyzzy", Tell("There is no /xyzzy. /help")),
    ("/", Tell("There is no /. /help")),
]


@pytest.mark.parametrize(("line", "deed"), LINES, ids=[line for line, _ in LINES])
def test_a_line_is_understood(line: str, deed: Deed) -> None:
    assert read_line(line, OFFERS, ENGLISH) == deed


def test_where_nothing_is_offered_a_number_is_said() -> None:
    assert read_line("7", (), ENGLISH) == Say("7")


@pytest.mark.parametrize(
    ("text", "number"), [("12", 12), ("12)", 12), ("２", 2), ("", None), ("1 2", None), ("9" * 5000, None)]
)
def test_numbers(text: str, number: int | None) -> None:
    assert read_number(text) == number
