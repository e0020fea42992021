"""Documents: JSON values of the kernel, lookup by path, and normal form.

A document is never changed in place; `document_draft` copies what it writes.
"""

import math
from enum import Enum
from typing import Final

from talewright.common.json_values import Json
from talewright.kernel.state.state_paths import Path, index_of

INTEGER_MAX = 2**53 - 1
"""The largest integer that every JSON reader in every language represents exactly."""

DECIMALS_MAX = 9
"""Maximum decimal places of a number in a state, so that the number shown is the number compared."""


class Absent(Enum):
    """The type of `ABSENT`, an enum so that `is ABSENT` narrows a union."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
"""There is no value; `None` is JSON's null, which is a value."""


def find(document: Json, path: Path) -> Json | Absent:
    """The value at a path, through object members and list indexes."""
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
    """The normal form of a number (`3.0` is `3`, `-0.0` is `0`), or None if it has none."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        if not value.is_integer():
            return value
        value = int(value)
    return value if -INTEGER_MAX <= value <= INTEGER_MAX else None


def rounded_number(value: int | float) -> int | float | None:
    """A number rounded half to even to the allowed decimal places; None if it has no normal form."""
    return normal_number(round(value, DECIMALS_MAX) if isinstance(value, float) else value)


def is_text(value: str) -> bool:
    """Whether a string can be encoded as UTF-8: lone surrogates cannot."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
