"""JSON values: their type, whether two are the same, how a message quotes one, numbers for people.

Nothing here knows what a value stands for.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
"""Read-only in its type; at run time plain dicts and lists, so that any JSON library takes them."""


def equal(left: Json, right: Json) -> bool:
    """Whether two values are the same JSON: `1` is `1.0`, `true` is not `1`, the order of keys is nothing."""
    # Python's own comparison runs in C and errs in one way only: it takes `True` for `1`.
    # What it calls different is different; what it calls equal is looked at again for that.
    return left == right and _same_booleans(left, right)


def _same_booleans(left: Json, right: Json) -> bool:
    """For two values that Python calls equal: whether booleans stand at the same places in both."""
    if isinstance(left, dict) and isinstance(right, dict):
        return all(_same_booleans(value, right[key]) for key, value in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return all(map(_same_booleans, left, right))
    return isinstance(left, bool) is isinstance(right, bool)


QUOTED_VALUE_LENGTH_MAX = 60
"""Characters of a value quoted in a message."""


def quote_value(value: Json) -> str:
    """A value short enough for a message, spelled as JSON spells it where that is another word."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "an object"
    text = repr(value) if isinstance(value, str | int | float) else "a list"
    return text if len(text) <= QUOTED_VALUE_LENGTH_MAX else text[: QUOTED_VALUE_LENGTH_MAX - 3] + "..."


NUMBER_DECIMALS_MAX = 9
"""Decimal places of a number that is shown to people; a number of a state has no more."""


def write_number(value: int | float) -> str:
    """A number as people write it: no needless digits, no exponent, no `-0`."""
    if isinstance(value, int):
        return str(value)
    text = f"{value:.{NUMBER_DECIMALS_MAX}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
