"""Core types: what an unquoted YAML scalar is, by the core schema of YAML 1.2.

`no`, `on`, `yes` and `22:30` are texts. Nothing else is ever made of a scalar: no dates, no binary.
"""

import re

from talewright.kernel.state.documents import normal_number
from talewright.pack.files.nodes import Plain

NUMBER_LENGTH_MAX = 400
"""Characters of a number. No number that JSON holds exactly needs more."""

_WORDS: dict[str, Plain] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NUMBER_STARTS = frozenset("+-.0123456789")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


class NumberError(ValueError):
    """The scalar is a number that a state cannot hold."""


def core_value(text: str) -> Plain:
    """The value of an unquoted scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if len(text) > NUMBER_LENGTH_MAX:
        if _FLOAT.fullmatch(text) or _OCTAL.fullmatch(text) or _HEXADECIMAL.fullmatch(text):
            raise NumberError
        return text
    number = _number(text)
    if number is None:
        if _NOT_FINITE.fullmatch(text):
            raise NumberError
        return text
    normal = normal_number(number)
    if normal is None:
        raise NumberError
    return normal


def _number(text: str) -> int | float | None:
    if _INTEGER.fullmatch(text):
        return int(text)
    if _OCTAL.fullmatch(text):
        return int(text[2:], 8)
    if _HEXADECIMAL.fullmatch(text):
        return int(text[2:], 16)
    if _FLOAT.fullmatch(text):
        return float(text)
    return None
