"""The quote search: detects whether a text repeats a hidden text, however it is formatted or split.

A run of 20 letters (8 Chinese characters) is a quotation; so is half of a sentence in pieces of 12 (5), in
any order. Letters that also occur in known words do not count.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from talewright.common.letter_folding import (
    RenderedLetters,
    cut_stretches,
    find_end,
    fold,
    fold_signs,
    has_markup,
    weigh_letters,
)
from talewright.common.quote_index import PIECE_WEIGHT, RUN_WEIGHT, SENTENCE, QuotedText, QuoteIndex

LETTERS_KEPT = 200
"""Settled letters that are discarded in one go."""

LOOKED_BACK = 16
"""Preceding characters that may form markup together with new ones."""


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

    def add(self, text: QuotedText, letters: Sequence[int]) -> bool:
        """Count letters of a text as quoted; return whether half of a sentence is reached."""
        told = self.told.get(text.letters, frozenset()).union(letters)
        self.told[text.letters] = told
        for sentence in range(bisect_right(text.ends, letters[0]), bisect_right(text.ends, letters[-1]) + 1):
            span = range(text.ends[sentence - 1] if sentence else 0, text.ends[sentence])
            whole = weigh_letters(text.letters[span.start : span.stop])
            heard = weigh_letters("".join(text.letters[at] for at in span if at in told))
            if heard >= max(RUN_WEIGHT, whole / 2):
                return True
        return False


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


class QuoteSearch:
    """Searches for quotations in a text that arrives in pieces, both as written and as rendered."""

    def __init__(
        self,
        index: QuoteIndex,
        known: Callable[[], str] = str,
        tally: QuoteTally | None = None,
        *,
        finds_all: bool = False,
    ) -> None:
        """`known` returns the letters that do not count; it is only called when something looks quoted."""
        self._index = index
        self._known = known
        self._tally = QuoteTally() if tally is None else tally
        self._text = ""
        self._plain = _Letters()
        self._rendered: _Letters | None = None
        """The text as rendered; None while it is the same as written."""

        self._reader = RenderedLetters()
        self._opened = 0
        """Where the markup being read started."""

        self._before_word = _Letters()
        """The rendered letters as they were when the last word started."""

        self._finds_all = finds_all
        self.quotes: list[tuple[int, int]] = []
        """Places of quotations, or of the pieces that reached half a sentence; only the first unless all are
        wanted.
        """

    @property
    def quoted(self) -> tuple[int, int] | None:
        """The place of the first quotation; reading stops there unless all are wanted."""
        return self.quotes[0] if self.quotes else None

    @property
    def _is_done(self) -> bool:
        return bool(self.quotes) and not self._finds_all

    @property
    def settled(self) -> int:
        """The position before which no letter can still become part of a quotation."""
        settled = self._find_settled(self._plain)
        if self._rendered is not None:
            settled = min(settled, self._find_settled(self._rendered))
            if self._reader.is_open:
                settled = min(settled, self._opened)
        return settled

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
        if self._rendered is None and has_markup(self._text[max(0, begin - LOOKED_BACK) :]):
            self._rendered, begin = _Letters(), 0
        if self._rendered is not None:
            for at in range(begin, len(self._text)):
                self._read_rendered(self._rendered, at)
            self._match(self._rendered)

    def finish(self) -> None:
        """Mark the end of the text; a match in progress counts as a piece."""
        self._match(self._plain, is_final=True)
        if self._rendered is not None:
            _add(self._rendered, self._reader.finish().letters, self._opened)
            self._match(self._rendered, is_final=True)

    def _read_rendered(self, one: _Letters, at: int) -> None:
        was_open = self._reader.is_open
        step = self._reader.read(self._text[at])
        if not was_open:
            self._opened = at
        if step.begins_word:
            one.trim()
            self._before_word = _Letters(one.letters, [], one.start, one.matched, one.held)
        if step.drops_word:
            one.cut(self._before_word)
        _add(one, step.letters, self._opened)

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
        told = self._find_unknown(letters)
        if not told:
            return
        unknown = weigh_letters("".join(letters[at] for at in told))
        quoted = unknown >= PIECE_WEIGHT and weigh_letters(letters) >= RUN_WEIGHT
        for text, start in self._index.find(letters):
            quoted |= self._tally.add(text, [start + at for at in told])
        if quoted:
            self.quotes.append((first, last))

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
