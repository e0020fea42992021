"""The parser of regular expressions in lore keys: a pattern into a tree.

It has its own grammar, so that a key means the same on every machine and always matches in linear time. It
supports letters, `.`, classes such as `[a-z]` and `\\d \\w \\s`, `\\b`, `^` and `$` (of a line), groups, `|`,
and the counts `* + ? {2} {2,} {2,5}`. Backreferences, lookaround and flags are refused.
"""

import string
import sys
from typing import TypeAlias

from talewright.common.frozen_values import frozen

PATTERN_LENGTH_MAX = 200
"""Characters of one pattern."""

REPEAT_MAX = 50
"""The largest number in a count."""

Span: TypeAlias = tuple[str, str]
"""The first and last character of a range."""


class PatternError(ValueError):
    """The text is not a valid pattern."""


@frozen
class RegexChars:
    """One character out of a set."""

    spans: tuple[Span, ...] = ()
    kinds: tuple[str, ...] = ()
    """Letters of the named sets: `d`, `w`, `s`; a capital letter negates the set."""

    negated: bool = False


@frozen
class RegexAnchor:
    """A position between two characters: `^`, `$`, `b` or `B`."""

    sign: str


@frozen
class RegexSequence:
    """Parts in sequence."""

    parts: tuple["Node", ...]


@frozen
class RegexAlternatives:
    """One of several alternatives."""

    ways: tuple["Node", ...]


@frozen
class RegexRepeat:
    """A repeated part."""

    part: "Node"
    least: int
    most: int | None
    """None: unlimited."""


Node: TypeAlias = RegexChars | RegexAnchor | RegexSequence | RegexAlternatives | RegexRepeat

ANY = RegexChars((("\n", "\n"),), negated=True)
"""The meaning of `.`."""

_KINDS = frozenset("dDwWsS")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "0": "\0"}
_DIGITS = frozenset(string.hexdigits)
_CODES = {"x": 2, "u": 4, "U": 8}
_COUNTS = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def parse(pattern: str) -> Node:
    """Parse a pattern; raises PatternError with what is wrong."""
    if len(pattern) > PATTERN_LENGTH_MAX:
        raise PatternError(f"a pattern has at most {PATTERN_LENGTH_MAX} characters, not {len(pattern)}")
    reading = _Reading(pattern)
    node = reading.read_choice()
    if reading.rest:
        raise PatternError(f"there is a {reading.rest[0]!r} too many")
    return node


class _Reading:
    """A pattern and the current position."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    @property
    def rest(self) -> str:
        """The part not parsed yet."""
        return self._pattern[self._at :]

    def read_choice(self) -> Node:
        ways = [self._read_row()]
        while self._take("|"):
            ways.append(self._read_row())
        return ways[0] if len(ways) == 1 else RegexAlternatives(tuple(ways))

    def _read_row(self) -> Node:
        parts: list[Node] = []
        while self.rest and self.rest[0] not in "|)":
            parts.append(self._read_counted())
        return parts[0] if len(parts) == 1 else RegexSequence(tuple(parts))

    def _read_counted(self) -> Node:
        part = self._read_part()
        count = self._read_count()
        if count is None:
            return part
        if isinstance(part, RegexAnchor):
            raise PatternError("a position such as ^ or \\b cannot be repeated")
        # Greediness decides where a match ends, not whether there is one.
        self._take("?")
        if self._read_count() is not None:
            raise PatternError("a count follows another count")
        return RegexRepeat(part, *count)

    def _read_count(self) -> tuple[int, int | None] | None:
        sign = self.rest[:1]
        if sign in _COUNTS:
            self._at += 1
            return _COUNTS[sign]
        if sign != "{":
            return None
        inner, closed, _ = self.rest[1:].partition("}")
        low, comma, high = inner.partition(",")
        if not closed or not low.isdecimal() or not (high.isdecimal() or not high):
            raise PatternError("a count is written {2}, {2,} or {2,5}; a brace itself is written \\{")
        least, most = int(low), int(high) if high else None if comma else int(low)
        if max(least, most or 0) > REPEAT_MAX or (most is not None and most < least):
            raise PatternError(f"a count is at most {REPEAT_MAX}, with the smaller number first")
        self._at += len(inner) + 2
        return least, most

    def _read_part(self) -> Node:
        sign = self._next()
        match sign:
            case "(":
                return self._read_group()
            case "[":
                return self._read_class()
            case "\\":
                return self._read_escape()
            case ".":
                return ANY
            case "^" | "$":
                return RegexAnchor(sign)
            case "*" | "+" | "?" | "{":
                raise PatternError(f"there is nothing before {sign!r} to repeat")
            case _:
                return RegexChars(((sign, sign),))

    def _read_group(self) -> Node:
        if self._take("?"):
            if self._take("P<"):
                name, closed, _ = self.rest.partition(">")
                if not closed or not name.isidentifier():
                    raise PatternError("the name of a group is not closed")
                self._at += len(name) + 1
            elif not self._take(":"):
                raise PatternError("backreferences, lookahead, lookbehind and flags are not supported")
        node = self.read_choice()
        if not self._take(")"):
            raise PatternError("a group is not closed")
        return node

    def _read_escape(self) -> Node:
        sign = self._next()
        if sign in _KINDS:
            return RegexChars(kinds=(sign,))
        if sign in "bB":
            return RegexAnchor(sign)
        letter = self._read_code(sign)
        return RegexChars(((letter, letter),))

    def _read_code(self, sign: str) -> str:
        """The character that an escape represents."""
        if sign in _ESCAPES:
            return _ESCAPES[sign]
        if sign in _CODES:
            digits = self.rest[: _CODES[sign]]
            self._at += len(digits)
            if len(digits) < _CODES[sign] or not set(digits) <= _DIGITS or int(digits, 16) > sys.maxunicode:
                raise PatternError(f"\\{sign} takes {_CODES[sign]} hexadecimal digits of a character")
            return chr(int(digits, 16))
        if sign.isalnum():
            raise PatternError(f"\\{sign} is not supported")
        return sign

    def _read_class(self) -> RegexChars:
        negated = self._take("^")
        spans: list[Span] = []
        kinds: list[str] = []
        while not (self.rest.startswith("]") and (spans or kinds)):
            first = self._read_member()
            if first.startswith("\\"):
                kinds.append(first[1])
                continue
            last = first
            if self.rest.startswith("-") and not self.rest.startswith("-]"):
                self._at += 1
                last = self._read_member()
            if len(last) > 1 or last < first:
                raise PatternError(f"{first}-{last} is not a range")
            spans.append((first, last))
        self._at += 1
        return RegexChars(tuple(spans), tuple(kinds), negated)

    def _read_member(self) -> str:
        """One character of a class, or a backslash and the letter of a named set."""
        sign = self._next("a class is not closed")
        if sign != "\\":
            return sign
        sign = self._next("a class is not closed")
        return f"\\{sign}" if sign in _KINDS else self._read_code(sign)

    def _next(self, missing: str = "there is nothing behind the last backslash") -> str:
        if not self.rest:
            raise PatternError(missing)
        self._at += 1
        return self._pattern[self._at - 1]

    def _take(self, text: str) -> bool:
        if not self.rest.startswith(text):
            return False
        self._at += len(text)
        return True
