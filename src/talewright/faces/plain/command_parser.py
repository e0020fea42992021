"""Command parser: what a typed line means (a number, a slash command, free text), as values.

A number is an offer, a slash starts a command, and everything else is said by the player. `command_loop`
carries them out.
"""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.common.word_catalogues import interface_languages
from talewright.faces.plain.plain_words import PlainWords, words_for
from talewright.play.session_inputs import GoOn, Load, PlayerInput, Retry, Say, Undo


@frozen
class SaveCommand:
    """Save this place under a name."""

    name: str


@frozen
class HistoryCommand:
    """Show past turns."""

    turns: int


@frozen
class WhyCommand:
    """Show what set a variable."""

    variable: str = ""


@frozen
class LanguageCommand:
    """Set the language of the interface."""

    code: str = ""


@frozen
class LookCommand:
    """Show the current turn again."""


@frozen
class CardsCommand:
    """Show all cards."""


@frozen
class HelpCommand:
    """List the commands."""


@frozen
class QuitCommand:
    """Quit."""


@frozen
class TellCommand:
    """Show what is wrong with the line."""

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
    """A numbered line, and the command it stands for."""

    text: str
    command: PlainCommand
    takes_note: bool = False
    """Whether it asks the player for a note."""


QUICK = "quick"
"""The default name of a saved place."""

HISTORY_TURNS = 5
"""How many turns /history shows by default."""

COUNT_MAX = 10_000
"""The largest number of turns a command accepts."""

SLASHES = ("/", "／")
"""Characters that start a command; the second is what Chinese keyboards produce."""

_NAMES = frozenset("cards go help history language load look quit retry save undo why".split())
_ALIASES: Mapping[str, str] = {
    "exit": "quit",
    "q": "quit",
    "h": "help",
    "?": "help",
    "？": "help",
    "card": "cards",
    "l": "look",
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
    """Return the meaning of a line, given the current offers."""
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
    """Read an integer in digits of any script, with or without a full stop."""
    digits = text.rstrip(".。、)）")
    return int(digits) if digits.isdecimal() and len(digits) <= len(str(COUNT_MAX)) else None


@cache
def _translated_names() -> Mapping[str, str]:
    """The commands by their names in every language, whichever the player reads."""
    spoken = map(words_for, interface_languages())
    return {alias.lower(): name for words in spoken for name, alias in words.commands.items()}


def _read_command(text: str, words: PlainWords) -> PlainCommand:
    typed, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    name = typed.lower()
    name = _ALIASES.get(name) or _translated_names().get(name, name)
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
