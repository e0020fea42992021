"""Command parser: what a typed line means (a number, a slash command, plain words), as values.

A number is an offer, a slash begins a command, and all else is what the player says. `command_loop` carries
them out; nothing is done here.
"""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.faces.plain.plain_words import SPOKEN, PlainWords
from talewright.play.session_inputs import GoOn, Load, PlayerInput, Retry, Say, Undo


@frozen
class SaveCommand:
    """Give this place a name."""

    name: str


@frozen
class HistoryCommand:
    """Read back."""

    turns: int


@frozen
class WhyCommand:
    """What set a variable."""

    variable: str = ""


@frozen
class LanguageCommand:
    """Which language the face speaks."""

    code: str = ""


@frozen
class LookCommand:
    """Show again where the story stands."""


@frozen
class CardsCommand:
    """Show all cards."""


@frozen
class HelpCommand:
    """Say what can be typed."""


@frozen
class QuitCommand:
    """Leave."""


@frozen
class TellCommand:
    """Nothing to do but to say what was wrong with the line."""

    message: str


PlainCommand: TypeAlias = (
    PlayerInput
    | Undo
    | Load
    | SaveCommand
    | HistoryCommand
    | WhyCommand
    | LanguageCommand
    | LookCommand
    | CardsCommand
    | HelpCommand
    | QuitCommand
    | TellCommand
)


@frozen
class NumberedOffer:
    """A numbered line, and what taking it means."""

    text: str
    command: PlainCommand
    takes_note: bool = False
    """Whether the player is asked for words that go with it."""


QUICK = "quick"
"""The name of a place that is saved without one."""

HISTORY_TURNS = 5
"""Turns that /history shows where no number is given."""

COUNT_MAX = 10_000
"""The largest number of turns a command takes."""

SLASHES = ("/", "／")
"""What begins a command; the second is what Chinese keyboards give."""

_NAMES = frozenset("cards go help history language load look quit retry save undo why".split())
_ALIASES: Mapping[str, str] = {
    "exit": "quit",
    "q": "quit",
    "h": "help",
    "?": "help",
    "？": "help",
    "card": "cards",
    "l": "look",
    **{alias: name for words in SPOKEN.values() for alias, name in words.commands},
}
_PLAIN: Mapping[str, Callable[[str], PlainCommand]] = {
    "cards": lambda _: CardsCommand(),
    "go": lambda _: GoOn(),
    "help": lambda _: HelpCommand(),
    "language": LanguageCommand,
    "load": Load,
    "look": lambda _: LookCommand(),
    "quit": lambda _: QuitCommand(),
    "retry": Retry,
    "save": lambda name: SaveCommand(name or QUICK),
    "why": WhyCommand,
}
_COUNTED: Mapping[str, tuple[Callable[[int], PlainCommand], int]] = {
    "undo": (Undo, 1),
    "history": (HistoryCommand, HISTORY_TURNS),
}


def read_line(line: str, offers: Sequence[NumberedOffer], words: PlainWords) -> PlainCommand:
    """What a line means where these offers are on the table."""
    text = line.strip()
    if text.startswith(SLASHES):
        return _read_command(text[1:], words)
    number = read_number(text)
    if number is None or not offers:
        return Say(text)
    if 1 <= number <= len(offers):
        return offers[number - 1].command
    return TellCommand(words.no_such_number.format(number=text, last=len(offers)))


def read_number(text: str) -> int | None:
    """A whole number in digits of any script, with or without a full stop after it."""
    digits = text.rstrip(".。、)）")
    return int(digits) if digits.isdecimal() and len(digits) <= len(str(COUNT_MAX)) else None


def _read_command(text: str, words: PlainWords) -> PlainCommand:
    typed, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    name = _ALIASES.get(typed.lower(), typed.lower())
    if name in _PLAIN:
        return _PLAIN[name](rest)
    if name in _COUNTED:
        make, usual = _COUNTED[name]
        number = read_number(rest) if rest else usual
        if number is None or not 1 <= number <= COUNT_MAX:
            return TellCommand(words.number_wanted.format(name=name))
        return make(number)
    message = words.unknown_command.format(name=typed)
    near = get_close_matches(name, _NAMES, 1)
    return TellCommand(f"{message} {words.did_you_mean.format(name=near[0])}" if near else f"{message} /help")
