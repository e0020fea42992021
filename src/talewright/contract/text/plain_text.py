"""Plain text: words of a model without the characters that steer a terminal or turn the reading order.

It looks at one character at a time, so that a text cut anywhere comes out the same.
"""

import re
from collections.abc import Mapping, Sequence

from talewright.kernel.state.documents import Json

# Control characters but newline and tab, the byte order mark, line and paragraph separators, everything that
# turns the reading direction, marks of annotations, and halves of surrogate pairs, which no UTF-8 can carry.
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def strip_controls(text: str) -> str:
    """A text without control characters (newline and tab stay), bidi controls and lone surrogates."""
    return _STEERING.sub("", text)


def strip_document(value: Json) -> Json:
    """A document whose texts and member names are stripped; it must not be deeper than `read_json` allows."""
    if isinstance(value, str):
        return strip_controls(value)
    if isinstance(value, Mapping):
        return {strip_controls(name): strip_document(inner) for name, inner in value.items()}
    if isinstance(value, Sequence):
        return [strip_document(inner) for inner in value]
    return value
