"""Watching: everything that reaches a player, and a plain search for what should not have.

The search is made without the engine's own guard: every run of forty characters of a hidden text, or of
twenty where they are wide, but for those in what the player may read, looked for in every text that was
received.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from unicodedata import east_asian_width

from talewright.common.json_values import Json
from talewright.common.letter_folding import fold
from talewright.play.news import DeltaNews, News, ResetNews
from talewright.play.wire.view_codec import Sendable, to_wire

RUN_LENGTH = 40
"""Characters of a hidden text, or letters once both are folded, that may not be found in one run; wide ones
count twice."""

CANARIES = ("QXZ", "73519204861", "73,519,204,861", "73 519 204 861")
"""What stands in every secret slot."""


@dataclass
class Received:
    """Every text that left the engine for a player."""

    texts: dict[str, None] = field(default_factory=dict)
    _told: str = ""
    """The narration that is being told, as the player sees it grow."""

    def add(self, *values: Sendable | str) -> None:
        """Take something in its wire form."""
        for value in values:
            if isinstance(value, News):
                self._follow(value)
            for text in [value] if isinstance(value, str) else _walk(to_wire(value)):
                self.texts[text] = None

    def _follow(self, news: News) -> None:
        match news.event:
            case DeltaNews(text):
                self._told += text
            case ResetNews(text):
                self._told = text
            case _:
                pass
        self.texts[self._told] = None


@dataclass(frozen=True)
class Hidden:
    """What must not be received."""

    runs: frozenset[str]
    folded: frozenset[str]

    def find(self, received: Iterable[str]) -> list[str]:
        """Every hidden run, and every canary, in what was received."""
        found = []
        for text in received:
            found += [run for run in _cut(text) if run in self.runs]
            found += [run for run in _cut(fold(text)) if run in self.folded]
            found += [canary for canary in CANARIES if canary in text]
        return found


def hide(hidden: Iterable[str], public: Iterable[str]) -> Hidden:
    """The runs of hidden texts, but for those that stand in public ones."""
    # In a prompt a blank line follows what the player may read, and no secret lies in that.
    secrets, known = list(hidden), [f"{text}\n\n" for text in public]
    return Hidden(
        _cut_all(secrets) - _cut_all(known),
        _cut_all(map(fold, secrets)) - _cut_all(map(fold, known)),
    )


def _cut_all(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(run for text in texts for run in _cut(text))


def _cut(text: str) -> Iterator[str]:
    """Every run of a text: from each place on as far as it needs."""
    widths = [2 if east_asian_width(sign) in ("W", "F") else 1 for sign in text]
    end = width = 0
    for start, first in enumerate(widths):
        while width < RUN_LENGTH and end < len(text):
            width += widths[end]
            end += 1
        if width < RUN_LENGTH:
            return
        yield text[start:end]
        width -= first


def _walk(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield key
            yield from _walk(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _walk(inner)
