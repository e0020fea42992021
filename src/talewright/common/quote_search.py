"""The quote search: detects whether a text repeats a hidden text, however it is formatted or split.

A run of 20 letters (8 Chinese characters) is a quotation; so is half of a sentence in pieces of 12 (5), in
any order. Letters that also occur in known words do not count. The hidden texts are indexed by their folded
letters; who may read what is decided elsewhere.

A text is read in up to three ways at once: as written, as rendered, and unmasked. Each is read once, so the
work grows with the length of the text.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import itemgetter
from types import MappingProxyType
from typing import TypeAlias

from talewright.common.letter_folding import (
    RenderedLetters,
    cut_stretches,
    find_end,
    fold,
    fold_signs,
    has_markup,
    is_masked,
    list_alphabet,
    weigh_letters,
)

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

LETTERS_KEPT = 200
"""Settled letters that are discarded in one go."""

LOOKED_BACK = 16
"""Preceding characters that may form markup together with new ones."""


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

    @cached_property
    def alphabet(self) -> frozenset[str]:
        """The letters in these texts that are neither Latin nor Chinese."""
        return frozenset().union(*(list_alphabet(text.letters) for one in self.layers for text in one.texts))

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


def fold_all(texts: Iterable[str]) -> str:
    """The folded letters of several texts, joined by a separator that none of them contains."""
    return "\n".join(map(fold, texts))


@dataclass(slots=True)
class QuoteTally:
    """What has been quoted of each text so far."""

    told: dict[str, frozenset[int]] = field(default_factory=dict)
    """For each text, the letters that were quoted in pieces."""

    def copy(self) -> "QuoteTally":
        """An independent copy, to continue counting from."""
        return QuoteTally(dict(self.told))

    def add(self, text: QuotedText, letters: Sequence[int], earlier: frozenset[int] = frozenset()) -> bool:
        """Count letters of a text as quoted; return whether half of a sentence is reached.

        `earlier` letters were quoted before this tally began.
        """
        told = self.told.get(text.letters, frozenset()).union(letters)
        self.told[text.letters] = told
        told |= earlier
        first, last = (bisect_right(text.ends, letters[at]) for at in (0, -1))
        return any(_has_half(text, sentence, told) for sentence in range(first, last + 1))

    def find_halved(self, texts: Mapping[str, QuotedText]) -> QuotedText | None:
        """The first text of which half a sentence was quoted in pieces, from texts by their letters."""
        for letters, told in self.told.items():
            text = texts[letters]
            if any(_has_half(text, sentence, told) for sentence in range(len(text.ends))):
                return text
        return None


def _has_half(text: QuotedText, sentence: int, told: frozenset[int]) -> bool:
    span = range(text.ends[sentence - 1] if sentence else 0, text.ends[sentence])
    whole = weigh_letters(text.letters[span.start : span.stop])
    heard = weigh_letters("".join(text.letters[at] for at in span if at in told))
    return heard >= max(RUN_WEIGHT, whole / 2)


@dataclass(slots=True)
class _Letters:
    """The letters of one reading of a text, and where they came from."""

    letters: str = ""
    places: list[int] = field(default_factory=list)
    start: int = 0
    """Letters before this can no longer become a quotation."""

    matched: int = 0
    """Matches have been counted up to here."""

    held: int = 0
    """Letters from here on may still become a match."""

    def trim(self) -> None:
        """Discard settled letters, once there are many."""
        gone = self.start
        if gone >= LETTERS_KEPT:
            self.letters = self.letters[gone:]
            del self.places[:gone]
            self.start, self.matched, self.held = 0, self.matched - gone, self.held - gone

    def cut(self, at: "_Letters") -> None:
        """Discard what was added since."""
        self.start, self.matched, self.held = at.start, at.matched, at.held
        self.letters = self.letters[: len(at.letters)]
        del self.places[len(at.letters) :]


class _Rendering:
    """One reading of a text as it looks once it is rendered."""

    def __init__(self, reader: RenderedLetters) -> None:
        self.letters = _Letters()
        self._reader = reader
        self._opened = 0
        """Where the markup being read started."""

        self._before_word = _Letters()
        """The letters as they were when the last word started."""

    @property
    def open_from(self) -> int | None:
        """Where markup started that may still turn out to be letters; None if there is none."""
        return self._opened if self._reader.is_open else None

    def read(self, text: str, begin: int) -> None:
        """Read a text from here on."""
        one = self.letters
        for at in range(begin, len(text)):
            was_open = self._reader.is_open
            step = self._reader.read(text[at])
            if not was_open:
                self._opened = at
            if step.begins_word:
                one.trim()
                self._before_word = _Letters(one.letters, [], one.start, one.matched, one.held)
            if step.drops_word:
                one.cut(self._before_word)
            _add(one, step.letters, self._opened)

    def finish(self) -> None:
        """Read what was held back."""
        _add(self.letters, self._reader.finish().letters, self._opened)


NOTHING_TOLD: Mapping[str, frozenset[int]] = MappingProxyType({})
"""Of no text, no letters."""


@dataclass(frozen=True, slots=True)
class ToldEarlier:
    """What was narrated before the text that is searched."""

    text: str = ""
    """How it ended: a quotation may begin there."""

    read_pieces: Callable[[], Mapping[str, frozenset[int]]] = lambda: NOTHING_TOLD
    """Returns the letters of each hidden text that were quoted; only called when something looks quoted."""


class QuoteSearch:
    """Searches for quotations in a text that arrives in pieces."""

    def __init__(
        self,
        index: QuoteIndex,
        known: Callable[[], str] = str,
        tally: QuoteTally | None = None,
        *,
        finds_all: bool = False,
        unmasks: bool = True,
        earlier: ToldEarlier | None = None,
    ) -> None:
        """`known` returns the letters that do not count; it is only called when something looks quoted."""
        self._index = index
        self._known = known
        self._tally = QuoteTally() if tally is None else tally
        self._text = ""
        self._plain = _Letters()
        self._rendered: _Rendering | None = None
        """The text as rendered; None while it is the same as written."""

        self._unmasked: _Rendering | None = None
        """The same, unmasked; None while nothing is masked."""

        self._unmasks = unmasks
        self._earlier = earlier or ToldEarlier()
        self._finds_all = finds_all
        self.quotes: list[tuple[int, int]] = []
        """Places of quotations, or of the pieces that reached half a sentence; only the first unless all are
        wanted.
        """

        self._begin = len(self._earlier.text)
        """Where the text itself begins."""

        if self._begin:
            self.feed(self._earlier.text)

    @property
    def quoted(self) -> tuple[int, int] | None:
        """The place of the first quotation; reading stops there unless all are wanted."""
        return self.quotes[0] if self.quotes else None

    @property
    def _is_done(self) -> bool:
        return bool(self.quotes) and not self._finds_all

    @property
    def _renderings(self) -> list[_Rendering]:
        return [one for one in (self._rendered, self._unmasked) if one is not None]

    @property
    def settled(self) -> int:
        """The position before which no letter can still become part of a quotation."""
        settled = self._find_settled(self._plain)
        for one in self._renderings:
            settled = min(settled, self._find_settled(one.letters))
            if one.open_from is not None:
                settled = min(settled, one.open_from)
        return max(settled - self._begin, 0)

    def feed(self, text: str) -> None:
        """Read more of the text."""
        begin = len(self._text)
        self._text += text
        if self._is_done or not self._index.layers:
            return
        signs = fold_signs(text)
        self._plain.trim()
        self._plain.letters += "".join(signs)
        self._plain.places += [at for at, letters in enumerate(signs, begin) for _ in letters]
        self._match(self._plain)
        for one in self._renderings:
            one.read(self._text, begin)
            self._match(one.letters)
        near = self._text[max(0, begin - LOOKED_BACK) :]
        if self._rendered is None and has_markup(near):
            self._rendered = self._render(RenderedLetters())
        if self._unmasks and self._unmasked is None and is_masked(near, self._index.alphabet):
            self._unmasked = self._render(RenderedLetters(self._index.alphabet))

    def finish(self) -> None:
        """Mark the end of the text; a match in progress counts as a piece."""
        self._match(self._plain, is_final=True)
        for one in self._renderings:
            one.finish()
            self._match(one.letters, is_final=True)

    def _render(self, reader: RenderedLetters) -> _Rendering:
        """Begin another reading of the whole text."""
        one = _Rendering(reader)
        one.read(self._text, 0)
        self._match(one.letters)
        return one

    def _match(self, one: _Letters, *, is_final: bool = False) -> None:
        """Search for matches from every position where the outcome can already be known."""
        letters, length, begin, pieces = one.letters, len(one.letters), one.start, self._index.pieces
        for start, end in () if self._is_done else cut_stretches(letters[begin:], PIECE_WEIGHT):
            one.start, end = begin + start, begin + end
            if letters[one.start : end] in pieces:
                full = min(find_end(letters, one.start, RUN_WEIGHT), length)
                while end < full and self._index.begins_like(letters[one.start : end + 1]):
                    end += 1
                is_open = end == length and weigh_letters(letters[one.start : end]) < RUN_WEIGHT
                if is_open and not is_final:
                    break
                if end > one.matched:
                    one.matched = end
                    self._count(letters[one.start : end], one.places[one.start], one.places[end - 1] + 1)
                    if self._is_done:
                        one.start += 1
                        break
            one.start += 1
        if is_final:
            one.start = length

    def _find_settled(self, one: _Letters) -> int:
        length, one.held = len(one.letters), max(one.held, one.start)
        while one.held < length and not self._index.begins_like(one.letters[one.held :]):
            one.held += 1
        return one.places[one.held] if one.held < length else len(self._text)

    def _count(self, letters: str, first: int, last: int) -> None:
        """Count a match as a piece; it may be a quotation, alone or with earlier pieces."""
        if last <= self._begin:
            # It was told earlier, and is counted there.
            return
        told = self._find_unknown(letters)
        if not told:
            return
        unknown = weigh_letters("".join(letters[at] for at in told))
        quoted = unknown >= PIECE_WEIGHT and weigh_letters(letters) >= RUN_WEIGHT
        pieces = self._earlier.read_pieces()
        for text, start in self._index.find(letters):
            earlier = pieces.get(text.letters, frozenset())
            quoted |= self._tally.add(text, [start + at for at in told], earlier)
        if quoted:
            self.quotes.append((max(first - self._begin, 0), last - self._begin))

    def _find_unknown(self, letters: str) -> list[int]:
        """The letters that do not occur in known words."""
        known = self._known()
        if letters in known:
            return []
        seen: set[int] = set()
        for start, end in cut_stretches(letters, PIECE_WEIGHT):
            if letters[start:end] in known:
                seen.update(range(start, end))
        return [at for at in range(len(letters)) if at not in seen]


def _add(one: _Letters, letters: str, at: int) -> None:
    if letters:
        one.letters += letters
        one.places.extend([at] * len(letters))


def take_out(text: str, search: Callable[[], QuoteSearch]) -> str:
    """A text without the sentences that contain a quotation; `search` creates a search that finds all."""
    sentences = SENTENCE.findall(text)
    while quoting := _find_quoting(sentences, search()):
        sentences = [sentence for at, sentence in enumerate(sentences) if at not in quoting]
    return "".join(sentences).strip()


def _find_quoting(sentences: Sequence[str], search: QuoteSearch) -> set[int]:
    search.feed("".join(sentences))
    search.finish()
    ends = list(accumulate(map(len, sentences)))
    return {
        at
        for first, last in search.quotes
        for at in range(bisect_right(ends, first), bisect_right(ends, last - 1) + 1)
    }
