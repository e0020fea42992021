"""JSON values: their type, equality, quoting in messages, and numbers formatted for people.

Nothing here knows what a value means.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
"""Read-only for the type checker; plain dicts and lists at run time, so that any JSON library accepts them.
"""


def equal(left: Json, right: Json) -> bool:
    """Whether two values are the same JSON: `1` equals `1.0`, `true` is not `1`, key order is ignored."""
    # Python's comparison runs in C and is wrong in one way only: it takes `True` for `1`. So only values it
    # considers equal need a second look.
    return left == right and _same_booleans(left, right)


def _same_booleans(left: Json, right: Json) -> bool:
    """Whether two values that Python considers equal have booleans in the same places."""
    if isinstance(left, dict) and isinstance(right, dict):
        return all(_same_booleans(value, right[key]) for key, value in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return all(map(_same_booleans, left, right))
    return isinstance(left, bool) is isinstance(right, bool)


QUOTED_VALUE_LENGTH_MAX = 60
"""Characters of a value quoted in a message."""


def quote_value(value: Json) -> str:
    """A value shortened for a message, spelled as in JSON (`true`, `null`)."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "an object"
    text = repr(value) if isinstance(value, str | int | float) else "a list"
    return text if len(text) <= QUOTED_VALUE_LENGTH_MAX else text[: QUOTED_VALUE_LENGTH_MAX - 3] + "..."


NUMBER_DECIMALS_MAX = 9
"""Decimal places of a number shown to people; numbers in a state never have more."""


def write_number(value: int | float) -> str:
    """A number as people write it: no needless digits, no exponent, no `-0`."""
    if isinstance(value, int):
        return str(value)
    text = f"{value:.{NUMBER_DECIMALS_MAX}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
