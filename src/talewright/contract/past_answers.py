"""Past answers: how a model is shown its own earlier replies, without the choices they offered.

The choice that was taken follows as the player's input, and the others no longer matter. Everything else in
an answer stays byte for byte as it came. A reply that cannot be read is left as it is.
"""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType

from talewright.contract.tools.engine_tools import OFFER_CHOICES

_DECODER = json.JSONDecoder(strict=False)

_LISTS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        name: re.compile(rf'"{member}"\s*+:\s*+(?=\[)')
        for name, member in (("cards", "choices"), ("patch", "next_actions"), (OFFER_CHOICES, "choices"))
    }
)
"""Where the choices begin, by the name of the dialect or of the tool. Within a JSON string the quotes would
be escaped, so that narration is never taken for a member.
"""


def drop_choices(dialect: str, answer: str) -> str:
    """An answer in a dialect, with an empty list for its choices."""
    return _empty_list(_LISTS[dialect], answer) if dialect in _LISTS else answer


def drop_offered(tool: str, arguments: str) -> str:
    """The arguments of a tool call; a call that offers choices gets an empty list of them."""
    return _empty_list(_LISTS[tool], arguments) if tool == OFFER_CHOICES else arguments


def _empty_list(pattern: re.Pattern[str], text: str) -> str:
    # The bundle of a patch answer comes last, whatever the narration before it.
    starts = [found.end() for found in pattern.finditer(text)]
    if not starts:
        return text
    try:
        _, end = _DECODER.raw_decode(text, starts[-1])
    except (ValueError, RecursionError):
        return text
    return f"{text[: starts[-1]]}[]{text[end:]}"
