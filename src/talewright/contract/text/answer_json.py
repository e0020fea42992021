"""JSON of an answer: parsed strictly, stripped of control characters, with its values extracted one by one.

A value that does not fit leaves a flaw and a harmless default. Texts are processed one character at a time,
so that a text split anywhere gives the same result.
"""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

from talewright.common.json_values import Json, quote_value
from talewright.common.safe_text import ANSWER_TEXT, make_safe
from talewright.kernel.judging.rulings import Flaw
from talewright.kernel.state.documents import is_text, normal_number


def strip_controls(text: str) -> str:
    """A text without control characters (newline and tab stay), bidi controls and lone surrogates."""
    return make_safe(text, ANSWER_TEXT)


def strip_document(value: Json) -> Json:
    """A document with stripped texts and member names; it must not be deeper than `read_json` allows."""
    if isinstance(value, str):
        return strip_controls(value)
    if isinstance(value, Mapping):
        return {strip_controls(name): strip_document(inner) for name, inner in value.items()}
    if isinstance(value, Sequence):
        return [strip_document(inner) for inner in value]
    return value


TEXT_LENGTH_MAX = 2_000_000
"""Characters of one text that are read."""

DEPTH_MAX = 32
"""Nesting depth of objects and lists."""

NUMBER_LENGTH_MAX = 100
"""Characters of one number; no valid number needs as many."""

FOUND_LENGTH_MAX = 20
"""Characters quoted of unexpected input."""

_BLANK = re.compile(r"[ \t\n\r]*+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_WORD = re.compile(r"true|false|null")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_ESCAPE = r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})'
# Atomic groups: the first releases of Python 3.11 match a repeated possessive group (`(...)*+`) wrongly.
_STRICT = re.compile(rf'(?>(?:[^"\\\x00-\x1f]++|{_ESCAPE})*)')
_WITH_BREAKS = re.compile(rf'(?>(?:[^"\\\x00-\x08\x0b\x0c\x0e-\x1f]++|{_ESCAPE})*)')


class JsonTextError(ValueError):
    """The text is not valid JSON."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        """What is wrong, worded so that its writer can act on it."""

        self.offset = offset
        """The character position of the error, from zero."""


def read_json(text: str, *, breaks: bool = False) -> Json:
    """Parse one JSON value; raises JsonTextError for anything else.

    Numbers are normalized. `breaks` allows raw line breaks and tabs in strings: many models forget to escape
    them, and the meaning is clear.
    """
    if len(text) > TEXT_LENGTH_MAX:
        raise JsonTextError(f"the text is longer than {TEXT_LENGTH_MAX} characters", TEXT_LENGTH_MAX)
    # The json module is faster. It gets only texts that it reads exactly as we do; all errors come from here.
    if not _READ_HERE.search(text) and text.count("{") + text.count("[") <= DEPTH_MAX:
        with suppress(ValueError):
            value: Json = _DECODERS[breaks].decode(text)
            return value
    return _Reading(text, _WITH_BREAKS if breaks else _STRICT).whole()


_READ_HERE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]|\\u")
"""Texts with these are not given to the json module, which accepts some that are refused here."""


def _take_members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _take_number(written: str) -> int | float:
    value = normal_number(float(written)) if len(written) <= NUMBER_LENGTH_MAX else None
    if value is None:
        raise ValueError("a number is too long or too large")
    return value


def _refuse_constant(written: str) -> Json:
    raise ValueError(f"{written} is no JSON")


_DECODERS = {
    breaks: json.JSONDecoder(
        object_pairs_hook=_take_members,
        parse_int=_take_number,
        parse_float=_take_number,
        parse_constant=_refuse_constant,
        strict=not breaks,
    )
    for breaks in (False, True)
}


class _Reading:
    """One text and the current position."""

    def __init__(self, text: str, string_body: re.Pattern[str]) -> None:
        self.text = text
        self.at = 0
        self.string_body = string_body

    def whole(self) -> Json:
        """The one value of the text."""
        value = self.value(0)
        if self.skip() != "":
            raise self.expected("the end of the text")
        return value

    def skip(self) -> str:
        """Skip blanks; return the next character, empty at the end."""
        blank = _BLANK.match(self.text, self.at)
        assert blank is not None
        self.at = blank.end()
        return self.text[self.at : self.at + 1]

    def expected(self, what: str) -> JsonTextError:
        found = self.text[self.at : self.at + FOUND_LENGTH_MAX]
        return JsonTextError(f"expected {what}, found {found!r}" if found else f"expected {what}", self.at)

    def value(self, depth: int) -> Json:
        match self.skip():
            case '"':
                return self.string()
            case "{" | "[" if depth == DEPTH_MAX:
                raise JsonTextError(f"objects and lists stand more than {DEPTH_MAX} deep", self.at)
            case "{":
                return self.members(depth + 1)
            case "[":
                return self.elements(depth + 1)
            case _:
                return self.scalar()

    def members(self, depth: int) -> dict[str, Json]:
        found: dict[str, Json] = {}
        self.at += 1
        if self.skip() == "}":
            self.at += 1
            return found
        while True:
            if self.skip() != '"':
                raise self.expected("a member's name in double quotes")
            start = self.at
            name = self.string()
            if name in found:
                raise JsonTextError(f"{_brief(name)} stands twice in one object", start)
            if self.skip() != ":":
                raise self.expected(f"':' after {_brief(name)}")
            self.at += 1
            found[name] = self.value(depth)
            if self.goes_on("}"):
                return found

    def elements(self, depth: int) -> list[Json]:
        found: list[Json] = []
        self.at += 1
        if self.skip() == "]":
            self.at += 1
            return found
        while True:
            found.append(self.value(depth))
            if self.goes_on("]"):
                return found

    def goes_on(self, closing: str) -> bool:
        """Skip what follows a member or element; return whether it was the last one."""
        sign = self.skip()
        if sign not in (",", closing):
            raise self.expected(f"',' or '{closing}'")
        self.at += 1
        return sign == closing

    def string(self) -> str:
        start = self.at
        body = self.string_body.match(self.text, start + 1)
        assert body is not None
        end = body.end()
        match self.text[end : end + 1]:
            case '"':
                pass
            case "":
                raise JsonTextError("a string is not closed", start)
            case "\\":
                raise JsonTextError(f"a string has no escape {self.text[end : end + 6]!r}", end)
            case control:
                raise JsonTextError(f"a string has {control!r} without an escape", end)
        self.at = end + 1
        value = body.group()
        if "\\" in value:
            # Everything that the library would refuse has been refused; it pairs surrogates and runs in C.
            value = json.loads(self.text[start : self.at], strict=False)
        if not is_text(value):
            raise JsonTextError("a string has half a surrogate pair, which is no character", start)
        return value

    def scalar(self) -> Json:
        number = _NUMBER.match(self.text, self.at)
        if number is not None:
            return self.number(number.group())
        word = _WORD.match(self.text, self.at)
        if word is None:
            raise self.expected("a value")
        self.at = word.end()
        return _WORDS[word.group()]

    def number(self, written: str) -> int | float:
        if len(written) > NUMBER_LENGTH_MAX:
            raise JsonTextError(f"a number has more than {NUMBER_LENGTH_MAX} characters", self.at)
        # Every whole number that can be stored is exact as a float, too.
        value = normal_number(float(written))
        if value is None:
            raise JsonTextError(f"the number {written} is too large to be kept exact", self.at)
        self.at += len(written)
        return value


def _brief(name: str) -> str:
    return repr(name if len(name) <= FOUND_LENGTH_MAX else name[:FOUND_LENGTH_MAX] + "...")


FLAWS_MAX = 20
"""Flaws reported for one answer; with more, the model has to start over anyway."""


class AnswerFindings:
    """The flaws found so far, and methods to extract values."""

    def __init__(self) -> None:
        self._flaws: list[Flaw] = []

    @property
    def flaws(self) -> tuple[Flaw, ...]:
        """The flaws, in the order of the answer."""
        return tuple(self._flaws)

    def add(self, message: str, *, soft: bool = False) -> None:
        """Add a flaw."""
        if len(self._flaws) < FLAWS_MAX:
            self._flaws.append(Flaw(message, soft))

    def take_text(self, value: Json, where: str, length_max: int, *, needed: bool = False) -> str:
        """A text without controls and outer blanks; null is the empty text."""
        if value is not None and not isinstance(value, str):
            self.add(f"`{where}` must be a text in quotes, not {quote_value(value)}")
            return ""
        text = strip_controls(value or "").strip()
        if needed and not text:
            self.add(f"`{where}` is missing or empty; it must be a text")
        if len(text) > length_max:
            self.add(f"`{where}` has {len(text)} characters; write at most {length_max}")
        return text[:length_max]

    def take_list(self, value: Json, where: str, count_max: int) -> Sequence[Json]:
        """A list; null is the empty list, and a list that is too long is cut."""
        if value is None:
            return ()
        if not isinstance(value, Sequence) or isinstance(value, str):
            self.add(f"`{where}` must be a list in brackets [], not {quote_value(value)}")
            return ()
        if len(value) > count_max:
            self.add(f"`{where}` has {len(value)} elements; give at most {count_max}")
        return value[:count_max]

    def take_object(self, value: Json, where: str, example: str) -> Mapping[str, Json] | None:
        """An object, or None if it is something else."""
        if isinstance(value, Mapping):
            return value
        self.add(f"`{where}` must be an object such as {example}, not {quote_value(value)}")
        return None
