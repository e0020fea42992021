"""Documents: JSON values as the kernel holds them, what stands at a path in one, and their normal form.

A document is never changed in place; `document_draft` copies what it touches.
"""

import math
from enum import Enum
from typing import Final

from talewright.common.json_values import Json
from talewright.kernel.state.state_paths import Path, index_of

INTEGER_MAX = 2**53 - 1
"""The largest integer that every JSON reader in every language keeps exact."""

DECIMALS_MAX = 9
"""Decimal places that a number of a state has at most: what is shown is then what is compared."""


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


def normal_number(value: int | float) -> int | float | None:
    """The one spelling of a number (`3.0` is `3`, `-0.0` is `0`), or None where it has none."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        if not value.is_integer():
            return value
        value = int(value)
    return value if -INTEGER_MAX <= value <= INTEGER_MAX else None


def rounded_number(value: int | float) -> int | float | None:
    """A number rounded half to even to the places it may have; None where it has no spelling."""
    return normal_number(round(value, DECIMALS_MAX) if isinstance(value, float) else value)


def is_text(value: str) -> bool:
    """Whether a string can be written as UTF-8: lone surrogates cannot."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
