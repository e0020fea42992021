"""Words of the table app, as its script reads them.

What happens in the game comes from the view; these are only the words around it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated

from talewright.common.json_values import Json
from talewright.common.word_catalogues import WordKeys, interface_languages, load_words


@dataclass(frozen=True, slots=True, kw_only=True)
class AppWords:
    """Words of the app; placeholders are the same in every language."""

    language: str
    turn: str
    you: str
    dice: str
    colon: str
    chance: str
    """The chance of a check, after its percentage."""

    at_stake: str
    critical: str
    choices: str
    risks: Annotated[Mapping[str, str], WordKeys("medium", "high")]
    """By risk; a low risk is not shown."""

    free: str
    fixed: str
    send: str
    note: str
    unfinished: str
    go_on: str
    wait: str
    told: str
    """Shown until a game master has answered the player."""

    the_end: str
    won: str
    lost: str
    failed: str
    map: str
    graph: str


def write_app_words() -> dict[str, Json]:
    """The words of every language."""
    spoken = (load_words(AppWords, "mcp_app", language) for language in interface_languages())
    return {
        words.language: {
            **{one.name: getattr(words, one.name) for one in fields(words)},
            "risks": {**words.risks},
        }
        for words in spoken
    }
