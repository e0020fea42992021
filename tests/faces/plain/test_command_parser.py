"""Commands: what a typed line means."""

import pytest

from talewright.faces.plain.command_parser import (
    COUNT_MAX,
    CardsCommand,
    HelpCommand,
    HistoryCommand,
    LanguageCommand,
    LookCommand,
    NumberedOffer,
    PlainCommand,
    QuitCommand,
    SaveCommand,
    TellCommand,
    WhyCommand,
    read_line,
    read_number,
)
from talewright.faces.plain.plain_words import words_for
from talewright.play.session_inputs import Choose, GoOn, Load, Retry, Say, Undo

ENGLISH = words_for("en")

OFFERS = (NumberedOffer("Go in", Choose("in")), NumberedOffer("Leave", QuitCommand()))

LINES: list[tuple[str, PlainCommand]] = [
    ("1", Choose("in")),
    (" 1. ", Choose("in")),
    ("１", Choose("in")),
    ("2", QuitCommand()),
    ("0", TellCommand("There is no choice 0; the last one is 2.")),
    ("3", TellCommand("There is no choice 3; the last one is 2.")),
    ("1 coin", Say("1 coin")),
    ("-1", Say("-1")),
    ("look at the 2 clocks", Say("look at the 2 clocks")),
    ("/cards", CardsCommand()),
    ("／cards", CardsCommand()),
    ("/CARDS", CardsCommand()),
    ("/卡片", CardsCommand()),
    ("/undo", Undo(1)),
    ("/undo 3", Undo(3)),
    ("/undo 0", TellCommand("/undo takes a number, such as /undo 2.")),
    ("/undo x", TellCommand("/undo takes a number, such as /undo 2.")),
    (f"/undo {COUNT_MAX}", Undo(COUNT_MAX)),
    (f"/undo {COUNT_MAX + 1}", TellCommand("/undo takes a number, such as /undo 2.")),
    ("/history", HistoryCommand(5)),
    ("/history 2", HistoryCommand(2)),
    ("/retry", Retry()),
    ("/retry  be kind ", Retry("be kind")),
    ("/save", SaveCommand("quick")),
    ("/save at the pier", SaveCommand("at the pier")),
    ("/load", Load("")),
    ("/load quick", Load("quick")),
    ("/why", WhyCommand()),
    ("/why 精力", WhyCommand("精力")),
    ("/go", GoOn()),
    ("/look", LookCommand()),
    ("/language", LanguageCommand()),
    ("/language en", LanguageCommand("en")),
    ("/help", HelpCommand()),
    ("/?", HelpCommand()),
    ("/quit", QuitCommand()),
    ("/q", QuitCommand()),
    ("/exit", QuitCommand()),
    ("/crads", TellCommand("There is no /crads. Did you mean /cards?")),
    ("/xyzzy", TellCommand("There is no /xyzzy. /help")),
    ("/", TellCommand("There is no /. /help")),
]


@pytest.mark.parametrize(("line", "deed"), LINES, ids=[line for line, _ in LINES])
def test_a_line_is_understood(line: str, deed: PlainCommand) -> None:
    assert read_line(line, OFFERS, ENGLISH) == deed


def test_where_nothing_is_offered_a_number_is_said() -> None:
    assert read_line("7", (), ENGLISH) == Say("7")


@pytest.mark.parametrize(
    ("text", "number"), [("12", 12), ("12)", 12), ("２", 2), ("", None), ("1 2", None), ("9" * 5000, None)]
)
def test_numbers(text: str, number: int | None) -> None:
    assert read_number(text) == number
