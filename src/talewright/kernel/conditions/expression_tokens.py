"""Expression tokens: splits an expression into words, signs, numbers and texts.

A token knows its position, but not its meaning in context.
"""

import re
import string
import unicodedata
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from talewright.kernel.conditions.expression_tree import ExpressionError
from talewright.kernel.state.documents import INTEGER_MAX, normal_number
from talewright.kernel.state.state_paths import PATH_DEPTH_MAX, Path

QUOTED_LENGTH_MAX = 40
"""Characters of the author's text quoted in a message."""

SIGNS = ("==", "!=", ">=", "<=", ">", "<", "+", "-", "*", "/", "(", ")", ",")

FOREIGN_SIGNS = {
    "===": "Write `==`.",
    "!==": "Write `!=`.",
    "=>": "Write `>=`.",
    "=<": "Write `<=`.",
    "<>": "Write `!=`.",
    ":=": "Write `==` to compare; a condition cannot assign.",
    "=": "Write `==` to compare.",
    "&&": "Write `and`.",
    "&": "Write `and`.",
    "||": "Write `or`.",
    "|": "Write `or`.",
    "!": "Write `not`.",
    "~": "Write `not`.",
    "**": "There is no exponentiation; multiply with `*`.",
    "^": "There is no exponentiation; multiply with `*`.",
    "//": "Write `/`; there is no integer division.",
    "%": "There is no remainder operator.",
    "?": "There is no conditional expression; write two conditions.",
    "[": "There are no list literals and no index brackets: write `bag.0` for the first element.",
    "]": "There are no list literals and no index brackets: write `bag.0` for the first element.",
    "{": "Write parentheses, `(` and `)`.",
    "}": "Write parentheses, `(` and `)`.",
    "`": "Put texts in single or double quotes; write paths without quotes.",
    "#": "A condition cannot contain comments.",
    ";": "Write one condition; join several with `and`.",
    "$": "Write paths without a prefix.",
    "@": "Write paths without a prefix.",
    "\uff1d": "Write `==`.",
    "\u2260": "Write `!=`.",
    "\u2265": "Write `>=`.",
    "\u2264": "Write `<=`.",
    "\uff1e": "Write `>`.",
    "\uff1c": "Write `<`.",
    "\uff01": "Write `not`.",
    "\uff0b": "Write `+`.",
    "\uff0d": "Write `-`.",
    "\u2212": "Write `-`.",
    "\u2013": "Write `-`.",
    "\u00d7": "Write `*`.",
    "\u00f7": "Write `/`.",
    "\uff08": "Write `(`.",
    "\uff09": "Write `)`.",
    "\uff0c": "Write `,`.",
    "\uff0e": "Write `.`.",
    "\u3002": "Write `.`.",
    "\u201c": "Write straight quotes, `\"` or `'`.",
    "\u201d": "Write straight quotes, `\"` or `'`.",
    "\u2018": "Write straight quotes, `\"` or `'`.",
    "\u2019": "Write straight quotes, `\"` or `'`.",
    "\u00a0": "Write an ordinary space.",
    "\u3000": "Write an ordinary space.",
    "\ufeff": "Remove the invisible character.",
    "\u200b": "Remove the invisible character.",
}
"""Signs from other languages and keyboards, and what to write here instead."""

# Sorted so that a longer sign comes before its own prefix.
_SIGN = re.compile("|".join(map(re.escape, sorted((*SIGNS, *FOREIGN_SIGNS), reverse=True))))
_NUMBER = re.compile(r"(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_BLANKS = " \t\r\n"
_DIGITS = "0123456789"
_PLAIN_LETTERS = frozenset(string.ascii_letters + string.digits + "_")
_ESCAPES = {"\\": "\\", '"': '"', "'": "'", "n": "\n", "t": "\t"}
_UNPRINTED = frozenset({"Cc", "Cs"})


class TokenKind(Enum):
    """The lexical kind of a token."""

    NUMBER = auto()
    TEXT = auto()
    NAME = auto()
    SIGN = auto()
    END = auto()


class Token(NamedTuple):
    """One piece of an expression."""

    kind: TokenKind
    written: str
    """Exactly as written in the text; empty at the end."""

    column: int
    value: int | float | str = ""
    """The value of a number or a text."""

    path: Path = ()
    """The keys of a name; words such as `and` are names with one key."""


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text and an end token; raises ExpressionError at the first invalid one."""
    start = _skip_blanks(text, 0)
    while start < len(text):
        char = text[start]
        if char in "\"'":
            value, end = _read_text(text, start)
            yield Token(TokenKind.TEXT, text[start:end], start + 1, value=value)
        elif char in _DIGITS:
            number, end = _read_number(text, start)
            yield Token(TokenKind.NUMBER, text[start:end], start + 1, value=number)
        elif char.isidentifier():
            path, end = _read_path(text, start)
            yield Token(TokenKind.NAME, text[start:end], start + 1, path=path)
        else:
            end = _read_sign(text, start)
            yield Token(TokenKind.SIGN, text[start:end], start + 1)
        start = _skip_blanks(text, end)
    yield Token(TokenKind.END, "", start + 1)


def quote(written: str) -> str:
    """The author's text quoted for a message: short, on one line, with nothing invisible."""
    if not written.isprintable():
        written = written.encode("unicode_escape").decode()
    if len(written) > QUOTED_LENGTH_MAX:
        written = written[:QUOTED_LENGTH_MAX] + "..."
    return f"`{written}`"


def _skip_blanks(text: str, start: int) -> int:
    while start < len(text) and text[start] in _BLANKS:
        start += 1
    return start


def _read_text(text: str, start: int) -> tuple[str, int]:
    """The value of a quoted text, and where it ends."""
    quoted: list[str] = []
    position = start + 1
    while position < len(text):
        char = text[position]
        if char == text[start]:
            return "".join(quoted), position + 1
        if unicodedata.category(char) in _UNPRINTED:
            hint = "Write a line break as `\\n` and a tab as `\\t`."
            raise ExpressionError(f"{quote(char)} is not allowed in a text", position + 1, hint)
        if char == "\\":
            char = text[position + 1 : position + 2]
            if char not in _ESCAPES:
                hint = "The escapes are `\\\\`, `\\\"`, `\\'`, `\\n` and `\\t`."
                raise ExpressionError(f"`\\` followed by {quote(char)} is not an escape", position + 1, hint)
            char = _ESCAPES[char]
            position += 1
        quoted.append(char)
        position += 1
    raise ExpressionError("this text is not closed", start + 1, f"End it with {quote(text[start])}.")


def _read_number(text: str, start: int) -> tuple[int | float, int]:
    """A number and where it ends, including anything that could be mistaken for a part of it."""
    end = _word_end(text, start)
    while text[end : end + 1] == ".":
        end = _word_end(text, end + 1)
    written = text[start:end]
    if not _NUMBER.fullmatch(written):
        hint = "Write numbers as `12` or `0.5`: no exponent, no separators, no leading zeros."
        raise ExpressionError(f"{quote(written)} is not a number", start + 1, hint)
    number = normal_number(float(written) if "." in written else int(written))
    if number is None:
        hint = f"The largest number is {INTEGER_MAX}."
        raise ExpressionError(f"{quote(written)} is too large", start + 1, hint)
    return number, end


def _read_path(text: str, start: int) -> tuple[Path, int]:
    """The keys of a dotted path, and where it ends."""
    end = _word_end(text, start)
    keys = [text[start:end]]
    while text[end : end + 1] == ".":
        key_start = end + 1
        end = _word_end(text, key_start)
        if end == key_start:
            hint = "Keys are letters, digits and `_`; list elements count from 0: `bag.0`."
            raise ExpressionError("a key must follow this dot", key_start, hint)
        keys.append(text[key_start:end])
    if len(keys) > PATH_DEPTH_MAX:
        raise ExpressionError(f"this path has {len(keys)} keys; the limit is {PATH_DEPTH_MAX}", start + 1)
    return tuple(keys), end


def _word_end(text: str, start: int) -> int:
    # Unicode's definition of what may continue a name: letters, digits, marks and `_` of any script.
    while start < len(text) and (text[start] in _PLAIN_LETTERS or f"_{text[start]}".isidentifier()):
        start += 1
    return start


def _read_sign(text: str, start: int) -> int:
    """Where an operator or punctuation sign ends."""
    match = _SIGN.match(text, start)
    written = match[0] if match else text[start]
    if written not in SIGNS:
        raise ExpressionError(
            f"{quote(written)} is not part of the language", start + 1, FOREIGN_SIGNS.get(written, "")
        )
    return start + len(written)
