"""The matcher of regular expressions: an automaton, in time linear in the text, whatever the pattern.

All ways through a pattern are followed at once, and what was worked out for one place serves for the next
like it. Nothing is captured: a key either occurs or does not.
"""

from collections.abc import Callable, Iterable
from enum import IntEnum
from functools import lru_cache
from typing import TypeAlias, assert_never

from talewright.prompt.lore.regex_parser import (
    Node,
    PatternError,
    RegexAlternatives,
    RegexAnchor,
    RegexChars,
    RegexRepeat,
    RegexSequence,
    parse,
)

PROGRAM_MAX = 3_000
"""Parts of one pattern, its counts written out."""

REMEMBERED_MAX = 20_000
"""Places worked out that are remembered, of one pattern in one text."""

SHARED_MAX = 512
"""Patterns that are kept ready."""


class _Kind(IntEnum):
    """What stands beside a place."""

    EDGE = 0
    WORD = 1
    OTHER = 2


_Test: TypeAlias = Callable[[str], bool]
_Step: TypeAlias = tuple[_Test, int] | tuple[str, int] | tuple[int, int] | None
"""A character that must come, a place that must hold, two ways to go, or the end."""

_SETS: dict[str, _Test] = {
    "d": str.isdecimal,
    "s": str.isspace,
    "w": lambda sign: sign.isalnum() or sign == "_",
}


class Automaton:
    """One pattern, ready to be looked for."""

    def __init__(self, pattern: str, *, case_sensitive: bool) -> None:
        self._steps: list[_Step] = []
        self._written = 0
        self._case_sensitive = case_sensitive
        self._write(parse(pattern))
        self._steps.append(None)

    def find(self, text: str) -> bool:
        """Whether the pattern occurs anywhere in a text."""
        closed: dict[tuple[frozenset[int], _Kind, _Kind], tuple[frozenset[int], bool]] = {}
        moved: dict[tuple[frozenset[int], str], frozenset[int]] = {}
        kinds = [_Kind.EDGE, *map(_kind_of, text), _Kind.EDGE]
        begun: frozenset[int] = frozenset()
        for at in range(len(text) + 1):
            place = (begun, kinds[at], kinds[at + 1])
            if place not in closed:
                closed[place] = self._close(begun | {0}, *place[1:])
            here, found = closed[place]
            if found:
                return True
            if at < len(text):
                move = (here, text[at])
                if move not in moved:
                    moved[move] = self._move(here, text[at])
                begun = moved[move]
            if len(closed) + len(moved) > REMEMBERED_MAX:
                closed.clear()
                moved.clear()
        return False

    def _close(self, begun: Iterable[int], before: _Kind, after: _Kind) -> tuple[frozenset[int], bool]:
        """Every step that can be reached without a further character, and whether the end is among them."""
        seen: set[int] = set()
        left = list(begun)
        while left:
            at = left.pop()
            if at in seen:
                continue
            seen.add(at)
            match self._steps[at]:
                case (int() as one, other):
                    left += [one, other]
                case (str() as sign, then) if _holds(sign, before, after):
                    left.append(then)
                case _:
                    pass
        return frozenset(seen), len(self._steps) - 1 in seen

    def _move(self, here: frozenset[int], sign: str) -> frozenset[int]:
        steps = (self._steps[at] for at in here)
        return frozenset(step[1] for step in steps if step and callable(step[0]) and step[0](sign))

    def _write(self, node: Node) -> None:
        """Add the steps of a node; they end where the next step will stand."""
        self._written += 1
        if self._written > PROGRAM_MAX:
            raise PatternError("its counts make the pattern too long")
        match node:
            case RegexChars():
                self._steps.append((_make_test(node, self._case_sensitive), len(self._steps) + 1))
            case RegexAnchor(sign):
                self._steps.append((sign, len(self._steps) + 1))
            case RegexSequence(parts):
                for part in parts:
                    self._write(part)
            case RegexAlternatives(ways):
                self._write_either(ways)
            case RegexRepeat(part, least, most):
                self._write_repeat(part, least, most)
            case _:
                assert_never(node)

    def _write_either(self, ways: tuple[Node, ...]) -> None:
        ends = []
        for way in ways[:-1]:
            fork = len(self._steps)
            self._steps.append(None)
            self._write(way)
            ends.append(len(self._steps))
            self._steps.append(None)
            self._steps[fork] = (fork + 1, len(self._steps))
        self._write(ways[-1])
        for end in ends:
            self._steps[end] = (len(self._steps), len(self._steps))

    def _write_repeat(self, part: Node, least: int, most: int | None) -> None:
        for _ in range(least):
            self._write(part)
        forks = []
        for _ in range(1 if most is None else most - least):
            forks.append(len(self._steps))
            self._steps.append(None)
            self._write(part)
            if most is None:
                self._steps.append((forks[0], forks[0]))
        for fork in forks:
            self._steps[fork] = (fork + 1, len(self._steps))


@lru_cache(SHARED_MAX)
def make_automaton(pattern: str, *, case_sensitive: bool) -> Automaton:
    """A pattern ready to be looked for; a PatternError where it is none."""
    return Automaton(pattern, case_sensitive=case_sensitive)


def find_mistake(pattern: str) -> str:
    """Why a text is no pattern that lore may use; empty where it is one."""
    try:
        make_automaton(pattern, case_sensitive=True)
    except PatternError as error:
        return str(error)
    return ""


def _make_test(chars: RegexChars, case_sensitive: bool) -> _Test:
    def is_member(sign: str) -> bool:
        return any(first <= sign <= last for first, last in chars.spans) or any(
            _SETS[kind.lower()](sign) is kind.islower() for kind in chars.kinds
        )

    def fits(sign: str) -> bool:
        spellings = {sign} if case_sensitive else {sign, sign.lower(), sign.upper()}
        return any(map(is_member, spellings)) is not chars.negated

    return fits


def _kind_of(sign: str) -> _Kind:
    if sign == "\n":
        return _Kind.EDGE
    return _Kind.WORD if _SETS["w"](sign) else _Kind.OTHER


def _holds(sign: str, before: _Kind, after: _Kind) -> bool:
    match sign:
        case "^":
            return before is _Kind.EDGE
        case "$":
            return after is _Kind.EDGE
        case _:
            at_bound = (before is _Kind.WORD) is not (after is _Kind.WORD)
            return at_bound is (sign == "b")
