"""The leak guard: keeps hidden texts out of what a player will read, and of a narration while it is told.

It knows no reply format: it stands behind a reader and lets its words through, or stops for good. What counts
as a quotation is said in `common/quote_search.py`, for the engine and the systems alike.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property

from talewright.common.json_values import Json
from talewright.common.quote_index import QuoteIndex, keep_layer
from talewright.common.quote_search import QuoteSearch, QuoteTally, fold_all, take_out
from talewright.kernel.game import Game
from talewright.kernel.judging.moves_and_rulings import Flaw
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import Slot, member
from talewright.kernel.state.state import Position
from talewright.kernel.story.game_texts import weigh

VALUE_LENGTH_MIN = 40
"""Characters of a value in a hidden slot from which on it is a text; shorter ones are names and tags, which
any story may use. They are weighed: of Chinese it is 20."""


def is_text(value: str) -> bool:
    """Whether a value in a hidden slot is long enough to be guarded."""
    return weigh(value[:VALUE_LENGTH_MIN]) >= VALUE_LENGTH_MIN


LEAK = Flaw(
    "the answer quotes 20 letters or more in a row, 8 of Chinese, or half of a sentence in pieces, "
    "of a text the player must not see; tell it again in words of your own"
)
"""What is said to a model whose answer leaked."""

NAMED = Flaw(
    "a label, hint, reason, event or tag is the name of a text of the game; write what the player should read"
)
"""What is said to a model that names a text where words are shown: the text would stand in its place."""


class HiddenTexts:
    """What must not be told: the words of hidden texts, but for those that the player can read anyway."""

    def __init__(
        self,
        passing: Iterable[str] = (),
        standing: tuple[str, ...] = (),
        known: Callable[[], Iterable[str]] = tuple,
        names: Container[str] = frozenset(),
    ) -> None:
        """`standing` texts are the same in every turn; `known` is asked only where something looks hidden."""
        self.index = QuoteIndex(passing, [keep_layer(standing)])
        self._names = names
        self._told: tuple[str, ...] = ()
        """What is known since it was made."""

        # However far it is spread, what was known at first is gone through once.
        self._read_known = cache(lambda: fold_all(known()))

    @cached_property
    def _known(self) -> str:
        return "\n".join((self._read_known(), fold_all(self._told)))

    def search(self, tally: QuoteTally | None = None) -> QuoteSearch:
        """A search for quotations, counted on from a tally."""
        return QuoteSearch(self.index, lambda: self._known, tally)

    def covers(self, texts: Iterable[str], tally: QuoteTally | None = None) -> bool:
        """Whether these texts, one after the other, tell what players may not know; a tally counts along."""
        search = self.search(tally)
        for text in texts:
            search.feed(f"{text}\n")
        search.finish()
        return search.quoted is not None

    def take_out(self, text: str) -> str:
        """A text without the sentences that tell what the player may not know."""
        return take_out(text, lambda: QuoteSearch(self.index, lambda: self._known, finds_all=True))

    def names(self, words: Iterable[str]) -> bool:
        """Whether any of these words is the name of a text, and would be shown as that text."""
        return any(word.strip() in self._names for word in words)

    def spread(self, hidden: Iterable[str] = (), told: Iterable[str] = ()) -> "HiddenTexts":
        """The same over more texts that are hidden now, but for the words that were told since."""
        more, words = tuple(filter(is_text, hidden)), tuple(filter(None, told))
        if not more and not words:
            return self
        wider = HiddenTexts(names=self._names)
        wider.index = QuoteIndex(more, self.index.layers)
        wider._told = (*self._told, *words)
        wider._read_known = self._read_known
        return wider


class LeakGuard:
    """Lets one narration through up to the first quotation of a hidden text."""

    def __init__(self, veil: HiddenTexts) -> None:
        self._search = veil.search()
        self._told = ""
        self._shown = 0

    @property
    def leaked(self) -> bool:
        """Whether a hidden text has shown itself; nothing is let through from there on."""
        return self._search.quoted is not None

    def feed(self, text: str) -> str:
        """Take more of the narration; give what may be shown now."""
        if self.leaked:
            return ""
        self._told += text
        self._search.feed(text)
        return self._show(self._search.settled)

    def finish(self) -> str:
        """What was held back and has turned out to be harmless, once nothing more follows."""
        self._search.finish()
        return self._show(len(self._told))

    def _show(self, upto: int) -> str:
        if self._search.quoted is not None:
            upto = self._search.quoted[0]
        shown = self._told[self._shown : upto]
        self._shown = max(self._shown, upto)
        return shown


NOTHING_HIDDEN = HiddenTexts()
"""Where nothing is hidden."""


def list_hidden_texts(game: Game, position: Position, more: Iterable[str] = ()) -> tuple[str, ...]:
    """The texts of a position that must not be quoted: what stands in hidden and secret slots, and `more`."""
    found: list[str] = []
    for name, slot in game.layout.roots.items():
        # What the engine remembers in words, facts and summaries, is what the player was told.
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
                # A member that players do not see has no name for them either.
                yield key, closed or below.hidden or below.secret
            yield from list_words(below, inner)
