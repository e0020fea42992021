"""The leak guard: keeps hidden texts out of what a player reads, including a narration as it arrives.

It knows no reply format: it filters the output of a reader, and stops it for good at a leak.
`common/quote_search.py` defines what counts as a quotation, for the engine and the systems alike.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property

from talewright.common.json_values import Json
from talewright.common.quote_search import (
    NOTHING_TOLD,
    QuoteIndex,
    QuoteSearch,
    QuoteTally,
    ToldEarlier,
    fold_all,
    keep_layer,
    take_out,
)
from talewright.common.work_meter import count_work
from talewright.kernel.game import Game
from talewright.kernel.judging.rulings import Flaw
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import Slot, member
from talewright.kernel.state.state import Position
from talewright.kernel.story.game_texts import weigh

VALUE_LENGTH_MIN = 40
"""Weight from which a value in a hidden slot is guarded as a text; shorter ones are names and tags, which any
story may use. For Chinese this is 20 characters.
"""

INDEX_STEPS = 4
"""Steps of work for each character of a hidden text."""

SEARCH_STEPS = 2
"""Steps of work for each character that is searched for hidden texts."""


def is_text(value: str) -> bool:
    """Whether a value in a hidden slot is long enough to be guarded."""
    return weigh(value[:VALUE_LENGTH_MIN]) >= VALUE_LENGTH_MIN


LEAK = Flaw(
    "the answer quotes 20 letters or more in a row, 8 of Chinese, or half of a sentence in pieces, "
    "of a text the player must not see; tell it again in words of your own"
)
"""The flaw of an answer that leaked hidden text."""

NAMED = Flaw(
    "a label, hint, reason, event or tag is the name of a text of the game; write what the player should read"
)
"""The flaw of naming a text where words are shown: the text itself would appear there."""


class HiddenTexts:
    """What must not be revealed: the words of hidden texts, except those that the player can read anyway."""

    def __init__(
        self,
        passing: Iterable[str] = (),
        standing: tuple[str, ...] = (),
        known: Callable[[], Iterable[str]] = tuple,
        names: Container[str] = frozenset(),
        folded: Callable[[], Iterable[str]] = tuple,
        earlier: ToldEarlier | None = None,
        *,
        unmasks: bool = True,
    ) -> None:
        """`standing` texts are the same in every turn. `known` returns texts and `folded` their letters; both
        are called only if something looks hidden. `earlier` is what the last turns told.
        """
        passing = tuple(passing)
        count_work(INDEX_STEPS * (sum(map(len, passing)) + sum(map(len, standing))))
        self.index = QuoteIndex(passing, [keep_layer(standing)])
        self._names = names
        self._earlier = earlier or ToldEarlier()
        self._unmasks = unmasks
        self._told: tuple[str, ...] = ()
        """Texts that have become known since creation."""

        # Shared by all copies made by `spread`, so that the initially known texts are folded once.
        self._read_known = cache(lambda: "\n".join((fold_all(known()), *folded())))

    @cached_property
    def _known(self) -> str:
        return "\n".join((self._read_known(), fold_all(self._told)))

    def search(self, tally: QuoteTally | None = None, *, continues: bool = False) -> QuoteSearch:
        """A search that continues a tally and, if `continues`, the narration of the last turn."""
        earlier = self._earlier if continues else replace(self._earlier, text="")
        return QuoteSearch(self.index, lambda: self._known, tally, unmasks=self._unmasks, earlier=earlier)

    def covers(
        self, texts: Iterable[str], tally: QuoteTally | None = None, *, continues: bool = False
    ) -> bool:
        """Whether these texts, in sequence, reveal something hidden; the arguments are those of `search`."""
        search = self.search(tally, continues=continues)
        for text in texts:
            count_work(SEARCH_STEPS * len(text))
            search.feed(f"{text}\n")
        search.finish()
        return search.quoted is not None

    def take_out(self, text: str) -> str:
        """A text without the sentences that reveal something hidden."""

        def search() -> QuoteSearch:
            return QuoteSearch(self.index, lambda: self._known, finds_all=True, unmasks=self._unmasks)

        return take_out(text, search)

    def names(self, words: Iterable[str]) -> bool:
        """Whether any of these words is the key of a text, and would be shown as that text."""
        return any(word.strip() in self._names for word in words)

    def spread(self, hidden: Iterable[str] = (), told: Iterable[str] = ()) -> "HiddenTexts":
        """A copy that also hides further texts, except for words revealed since."""
        more, words = tuple(filter(is_text, hidden)), tuple(filter(None, told))
        if not more and not words:
            return self
        wider = HiddenTexts(names=self._names, earlier=self._earlier, unmasks=self._unmasks)
        wider.index = QuoteIndex(more, self.index.layers)
        wider._told = (*self._told, *words)
        wider._read_known = self._read_known
        return wider


class LeakGuard:
    """Passes one narration through up to the first quotation of a hidden text."""

    def __init__(self, veil: HiddenTexts, told: QuoteTally | None = None) -> None:
        """`told` counts what this turn has told before."""
        self._search = veil.search(told and told.copy(), continues=True)
        self._told = ""
        self._shown = 0

    @property
    def leaked(self) -> bool:
        """Whether a hidden text has appeared; nothing is passed through from there on."""
        return self._search.quoted is not None

    def feed(self, text: str) -> str:
        """Take more of the narration; return what may be shown now."""
        if self.leaked:
            return ""
        self._told += text
        self._search.feed(text)
        return self._show(self._search.settled)

    def finish(self) -> str:
        """The text that was held back and proved harmless, at the end."""
        self._search.finish()
        return self._show(len(self._told))

    def _show(self, upto: int) -> str:
        if self._search.quoted is not None:
            upto = self._search.quoted[0]
        shown = self._told[self._shown : upto]
        self._shown = max(self._shown, upto)
        return shown


def recall_told(
    text: str,
    rows: Callable[[], Iterable[Iterable[str]]],
    hidden: Iterable[str],
    known: Callable[[], Iterable[str]],
) -> ToldEarlier:
    """What the last turns told: how their narration ended, and which pieces of hidden texts it had.

    Every row is read as one text. `known` returns the letters that do not count. The rows are read once, and
    only if something looks hidden.
    """

    @cache
    def read_pieces() -> Mapping[str, frozenset[int]]:
        index, tally, letters = QuoteIndex(hidden), QuoteTally(), "\n".join(known())
        for row in rows() if index.layers else ():
            search = QuoteSearch(index, lambda: letters, tally, finds_all=True)
            search.feed("\n".join(row))
            search.finish()
        return tally.told or NOTHING_TOLD

    return ToldEarlier(text, read_pieces)


NOTHING_HIDDEN = HiddenTexts()
"""For games in which nothing is hidden."""


def list_hidden_texts(game: Game, position: Position, more: Iterable[str] = ()) -> tuple[str, ...]:
    """The texts of a position that must not be quoted: those in hidden and secret slots, and `more`."""
    found: list[str] = []
    for name, slot in game.layout.roots.items():
        # The engine's own memory, facts and summaries, consists of texts the player has read.
        if name != ENGINE_ROOT:
            found.extend(text for text, closed in list_words(slot, position.state.document[name]) if closed)
    return tuple(dict.fromkeys((*more, *filter(is_text, found))))


def list_words(slot: Slot, value: Json) -> Iterator[tuple[str, bool]]:
    """Every text in a value, and whether it is hidden from players."""
    closed = slot.hidden or slot.secret
    if isinstance(value, str):
        yield value, closed
    elif isinstance(value, Mapping | Sequence):
        items = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, inner in items:
            below = member(slot, str(key))
            assert below is not None
            if isinstance(key, str):
                # Players must not see the name of a hidden member either.
                yield key, closed or below.hidden or below.secret
            yield from list_words(below, inner)
