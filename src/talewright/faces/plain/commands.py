"""Commands: what a typed line means.

A number is an offer, a slash begins a command, and all else is what the player says.
"""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches

from talewright.faces.plain.deeds import (
    Cards,
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
from talewright.faces.plain.languages import SPOKEN
from talewright.faces.plain.words import Words

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
    **{alias: name for words in SPOKEN for alias, name in words.commands},
}
_PLAIN: Mapping[str, Callable[[str], Deed]] = {
    "cards": lambda _: Cards(),
    "go": lambda _: GoOn(),
    "help": lambda _: Help(),
    "language": Language,
    "load": Load,
    "look": lambda _: Look(),
    "quit": lambda _: Quit(),
    "retry": Retry,
    "save": lambda name: Save(name or QUICK),
    "why": Why,
}
_COUNTED: Mapping[str, tuple[Callable[[int], Deed], int]] = {
    "undo": (Undo, 1),
    "history": (History, HISTORY_TURNS),
}


def read_line(line: str, offers: Sequence[Offer], words: Words) -> Deed:
    """What a line means where these offers are on the table."""
    text = line.strip()
    if text.startswith(SLASHES):
        return _read_command(text[1:], words)
    number = read_number(text)
    if number is None or not offers:
        return Say(text)
    if 1 <= number <= len(offers):
        return offers[number - 1].deed
    return Tell(words.no_such_number.format(number=text, last=len(offers)))


def read_number(text: str) -> int | None:
    """A whole number in digits of any script, with or without a full stop after it."""
    digits = text.rstrip(".。、)）")
    return int(digits) if digits.isdecimal() and len(digits) <= len(str(COUNT_MAX)) else None


def _read_command(text: str, words: Words) -> Deed:
    typed, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    name = _ALIASES.get(typed.lower(), typed.lower())
    if name in _PLAIN:
        return _PLAIN[name](rest)
    if name in _COUNTED:
        make, usual = _COUNTED[name]
        number = read_number(rest) if rest else usual
        if number is None or not 1 <= number <= COUNT_MAX:
            return Tell(words.number_wanted.format(name=name))
        return make(number)
    message = words.unknown_command.format(name=typed)
    near = get_close_matches(name, _NAMES, 1)
    return Tell(f"{message} {words.did_you_mean.format(name=near[0])}" if near else f"{message} /help")
