"""Documents: JSON values as the kernel holds them, their normal form, and how a message quotes them.

A document is never changed in place; `document_draft` copies what it touches.
"""

import math
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, TypeAlias

from talewright.kernel.state.state_paths import Path, index_of

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
"""Read-only in its type; at run time plain dicts and lists, so that any JSON library takes them."""

INTEGER_MAX = 2**53 - 1
"""The largest integer that every JSON reader in every language keeps exact."""


class Absent(Enum):
    """The type of `ABSENT`, an enum so that `is ABSENT` narrows a union."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
"""Nothing stands there; `None` is JSON's null and something."""


def find(document: Json, path: Path) -> Json | Absent:
    """What stands at a path, through members of objects and indices of lists."""
    node: Json | Absent = document
    for key in path:
        if isinstance(node, dict):
            node = node.get(key, ABSENT)
        elif isinstance(node, list):
            index = index_of(key, len(node))
            if index is None:
                return ABSENT
            node = node[index]
        else:
            return ABSENT
    return node


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


def normal_number(value: int | float) -> int | float | None:
    """The one spelling of a number (`3.0` is `3`, `-0.0` is `0`), or None where it has none."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        if not value.is_integer():
            return value
        value = int(value)
    return value if -INTEGER_MAX <= value <= INTEGER_MAX else None


def is_text(value: str) -> bool:
    """Whether a string can be written as UTF-8: lone surrogates cannot."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


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
