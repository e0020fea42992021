"""Commands: what a typed line means."""

import pytest

from talewright.faces.plain.plain_words import ENGLISH
from talewright.faces.plain.typed_commands import (
    COUNT_MAX,
    CardsCommand,
    ChooseCommand,
    GoOnCommand,
    HelpCommand,
    HistoryCommand,
    LanguageCommand,
    LoadCommand,
    LookCommand,
    NumberedOffer,
    PlainCommand,
    QuitCommand,
    RetryCommand,
    SaveCommand,
    SayCommand,
    TellCommand,
    UndoCommand,
    WhyCommand,
    read_line,
    read_number,
)

OFFERS = (NumberedOffer("Go in", ChooseCommand("in")), NumberedOffer("Leave", QuitCommand()))

LINES: list[tuple[str, PlainCommand]] = [
    ("1", ChooseCommand("in")),
    (" 1. ", ChooseCommand("in")),
    ("１", ChooseCommand("in")),
    ("2", QuitCommand()),
    ("0", TellCommand("There is no choice 0; the last one is 2.")),
    ("3", TellCommand("There is no choice 3; the last one is 2.")),
    ("1 coin", SayCommand("1 coin")),
    ("-1", SayCommand("-1")),
    ("look at the 2 clocks", SayCommand("look at the 2 clocks")),
    ("/cards", CardsCommand()),
    ("／cards", CardsCommand()),
    ("/CARDS", CardsCommand()),
    ("/卡片", CardsCommand()),
    ("/undo", UndoCommand(1)),
    ("/undo 3", UndoCommand(3)),
    ("/undo 0", TellCommand("/undo takes a number, such as /undo 2.")),
    ("/undo x", TellCommand("/undo takes a number, such as /undo 2.")),
    (f"/undo {COUNT_MAX}", UndoCommand(COUNT_MAX)),
    (f"/undo {COUNT_MAX + 1}", TellCommand("/undo takes a number, such as /undo 2.")),
    ("/history", HistoryCommand(5)),
    ("/history 2", HistoryCommand(2)),
    ("/retry", RetryCommand()),
    ("/retry  be kind ", RetryCommand("be kind")),
    ("/save", SaveCommand("quick")),
    ("/save at the pier", SaveCommand("at the pier")),
    ("/load", LoadCommand()),
    ("/load quick", LoadCommand("quick")),
    ("/why", WhyCommand()),
    ("/why 精力", WhyCommand("精力")),
    ("/go", GoOnCommand()),
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
    assert read_line("7", (), ENGLISH) == SayCommand("7")


@pytest.mark.parametrize(
    ("text", "number"), [("12", 12), ("12)", 12), ("２", 2), ("", None), ("1 2", None), ("9" * 5000, None)]
)
def test_numbers(text: str, number: int | None) -> None:
    assert read_number(text) == number
