"""Watching: everything that reaches a player, and a plain search for what should not have.

The search is made without the engine's own guard: every run of forty characters of a hidden text, but for
those in what the player may read, looked for in every text that was received.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from talewright.contract.text.runs import fold_text
from talewright.kernel.documents import Json
from talewright.play.news import News, NewsKind
from talewright.play.wire import Sendable, to_wire

RUN_LENGTH = 40
FOLDED_LENGTH = 40
"""Letters of a hidden text that may not be found in one run once both are folded."""

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
        text = news.data.get("text")
        if news.kind is NewsKind.NARRATION_DELTA:
            self._told += str(text)
        elif news.kind is NewsKind.NARRATION_RESET:
            self._told = str(text)
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
            found += [text[at : at + RUN_LENGTH] for at in _places(text, RUN_LENGTH, self.runs)]
            folded = fold_text(text)
            found += [folded[at : at + FOLDED_LENGTH] for at in _places(folded, FOLDED_LENGTH, self.folded)]
            found += [canary for canary in CANARIES if canary in text]
        return found


def hide(hidden: Iterable[str], public: Iterable[str]) -> Hidden:
    """The runs of hidden texts, but for those that stand in public ones."""
    secrets, known = list(hidden), list(public)
    return Hidden(
        _cut(secrets, RUN_LENGTH) - _cut(known, RUN_LENGTH),
        _cut(map(fold_text, secrets), FOLDED_LENGTH) - _cut(map(fold_text, known), FOLDED_LENGTH),
    )


def _cut(texts: Iterable[str], length: int) -> frozenset[str]:
    return frozenset(text[at : at + length] for text in texts for at in range(len(text) - length + 1))


def _places(text: str, length: int, runs: frozenset[str]) -> Iterator[int]:
    return (at for at in range(len(text) - length + 1) if text[at : at + length] in runs)


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
