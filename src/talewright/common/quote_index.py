"""The quote index: hidden texts, indexed so that quotations from them can be found letter by letter.

It works on folded letters only and does not know who may read what.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import TypeAlias

from talewright.common.letter_folding import cut_stretches, fold, weigh_letters

RUN_WEIGHT = 40
"""Weight of a continuous stretch that counts as a quotation: 20 letters, or 8 Chinese characters."""

PIECE_WEIGHT = 24
"""Weight of a piece: 12 letters, or 5 Chinese characters. Pieces that add up to half of a sentence also count
as a quotation.
"""

LONG_LENGTH = 500
"""Characters from which a text gets its own layer."""

LAYER_STRETCHES_MIN = 400
"""Stretches in a layer; a smaller layer also takes in the short texts that follow."""

LAYERS_KEPT_MAX = 32
"""Cached layers: those of the editions being played and of their long hidden texts."""

MERGED_KEPT_MAX = 64
"""Cached merges of layers: what is hidden seldom changes from one turn to the next."""

SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?。！？\n][\"'”’)\]]*)+|[^.!?。！？\n]+")
"""One sentence of a text with its closing punctuation; joined, all matches give the whole text."""

PLACES_MAX = 64
"""The most places where one piece is searched for."""


@dataclass(frozen=True, slots=True, eq=False)
class QuotedText:
    """The folded letters of a text, and where its sentences end."""

    letters: str
    ends: tuple[int, ...]


QuotePlace: TypeAlias = tuple[QuotedText, int]
"""A text and the index of one of its letters."""


@dataclass(frozen=True, slots=True, eq=False)
class QuoteLayer:
    """The stretches of some texts, each long enough for a run or reaching the end of its text."""

    ordered: tuple[str, ...]
    """Sorted, so that a prefix can be found by binary search."""

    places: tuple[QuotePlace, ...]
    """The place of each of them."""

    pieces: frozenset[str]
    """The beginnings of stretches: a quick test of whether letters can match at all."""

    texts: tuple[QuotedText, ...]


class QuoteIndex:
    """All stretches of some texts, in layers, so that unchanged texts are not indexed again each turn."""

    def __init__(self, texts: Iterable[str], layers: Iterable[QuoteLayer] = ()) -> None:
        """`layers` hold additional stretches."""
        found = [layer for layer in layers if layer.ordered]
        short: list[str] = []
        for text in texts:
            if len(text) < LONG_LENGTH:
                short.append(text)
            elif (layer := keep_layer((text,))).ordered and layer not in found:
                found.append(layer)
        found.sort(key=_measure, reverse=True)
        # Merge, so that many small texts arriving one by one do not become as many layers.
        small = found[-1] if found and _measure(found[-1]) < LAYER_STRETCHES_MIN else None
        merged = _merge_layer(tuple(short), small)
        if merged is not None:
            found[len(found) - (small is not None) :] = [merged]
        self.layers = tuple(found)
        self.pieces = _unite_pieces(self.layers)
        """The beginnings of all stretches."""

    def begins_like(self, letters: str) -> bool:
        """Whether some stretch begins with these letters."""
        for layer in self.layers:
            ordered = layer.ordered
            at = bisect_left(ordered, letters)
            if at < len(ordered) and ordered[at].startswith(letters):
                return True
        return False

    def find(self, letters: str) -> Iterator[QuotePlace]:
        """The places where these letters occur."""
        for layer in self.layers:
            ordered = layer.ordered
            first = bisect_left(ordered, letters)
            for at in range(first, min(first + PLACES_MAX, len(ordered))):
                if not ordered[at].startswith(letters):
                    break
                yield layer.places[at]


@lru_cache(LAYERS_KEPT_MAX)
def keep_layer(texts: tuple[str, ...]) -> QuoteLayer:
    """The stretches of texts that do not change from turn to turn, computed once."""
    return _make_layer(_read_texts(texts))


@lru_cache(MERGED_KEPT_MAX)
def _merge_layer(texts: tuple[str, ...], small: QuoteLayer | None) -> QuoteLayer | None:
    """The stretches of short texts, with those of a small layer; None if no text is long enough."""
    added = list(_read_texts(texts))
    if not added:
        return None
    return _make_layer(added if small is None else [*added, *small.texts])


@lru_cache(MERGED_KEPT_MAX)
def _unite_pieces(layers: tuple[QuoteLayer, ...]) -> frozenset[str]:
    """The beginnings of the stretches of all layers."""
    pieces = [layer.pieces for layer in layers]
    return pieces[0] if len(pieces) == 1 else frozenset().union(*pieces)


def _read_texts(texts: Iterable[str]) -> Iterator[QuotedText]:
    """Every text long enough for a run; a sentence that is too short is joined to the one before it."""
    for text in dict.fromkeys(texts):
        letters, ends = "", [0]
        for sentence in SENTENCE.findall(text):
            letters += fold(sentence)
            if weigh_letters(letters[ends[-1] :]) >= RUN_WEIGHT:
                ends.append(len(letters))
        if len(ends) > 1:
            yield QuotedText(letters, (*ends[1:-1], len(letters)))


def _make_layer(texts: Iterable[QuotedText]) -> QuoteLayer:
    different = {text.letters: text for text in texts}
    found: list[tuple[str, QuotePlace]] = []
    pieces: set[str] = set()
    for letters, text in different.items():
        ends = dict(cut_stretches(letters, RUN_WEIGHT))
        for start, end in cut_stretches(letters, PIECE_WEIGHT):
            pieces.add(letters[start:end])
            found.append((letters[start : ends.get(start)], (text, start)))
    found.sort(key=itemgetter(0))
    return QuoteLayer(
        tuple(one for one, _ in found),
        tuple(place for _, place in found),
        frozenset(pieces),
        tuple(different.values()),
    )


def _measure(layer: QuoteLayer) -> int:
    return len(layer.ordered)
