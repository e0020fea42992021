"""The guard: keeps hidden texts out of a narration while it is being told.

It knows no reply format: it stands behind a reader and lets its words through, or stops for good.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property

from talewright.contract.text.runs import RUN_LENGTH, Runs, fold, fold_text, holds_run, keep_layer
from talewright.kernel.game import Game
from talewright.kernel.judging.moves_and_rulings import Flaw
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import Slot, member
from talewright.kernel.state.documents import Json
from talewright.kernel.state.state import Position
from talewright.kernel.story.game_texts import WIDE_WEIGHT

LEAK = Flaw(
    f"the answer repeats {RUN_LENGTH} characters or more, {RUN_LENGTH // WIDE_WEIGHT} of Chinese, "
    "of a text the player must not see; tell it again without quoting hidden texts"
)
"""What is said to a model whose narration leaked."""

NAMED = Flaw(
    "a label, hint, reason, event or tag is the name of a text of the game; write what the player should read"
)
"""What is said to a model that names a text where words are shown: the text would stand in its place."""


class Veil:
    """What must not be told: the runs of hidden texts, but for those that the player can read anyway."""

    def __init__(
        self,
        passing: Iterable[str] = (),
        standing: tuple[str, ...] = (),
        known: Callable[[], Iterable[str]] = tuple,
        names: Container[str] = frozenset(),
    ) -> None:
        """`standing` texts are the same in every turn; `known` is asked only where something looks hidden."""
        self.runs = Runs(passing, [keep_layer(standing)])
        self._names = names
        self._told: tuple[str, ...] = ()
        """What is known since it was made."""

        # However far it is spread, what was known at first is gone through once.
        self._read_known = cache(lambda: _fold_all(known()))

    @cached_property
    def _known(self) -> str:
        return "\0".join((self._read_known(), _fold_all(self._told)))

    def is_leak(self, letters: str) -> bool:
        """Whether folded letters end with a run that the player cannot know."""
        return any(run not in self._known for run in self.runs.end(letters))

    def covers(self, texts: Iterable[str]) -> bool:
        """Whether any of these texts tells word for word what the player may not know."""
        return any(self._covers(text) for text in texts)

    def names(self, words: Iterable[str]) -> bool:
        """Whether any of these words is the name of a text, and would be shown as that text."""
        return any(word.strip() in self._names for word in words)

    def spread(self, hidden: Iterable[str] = (), told: Iterable[str] = ()) -> "Veil":
        """The same over more texts that are hidden now, but for the words that were told since."""
        more, words = tuple(filter(holds_run, hidden)), tuple(filter(None, told))
        if not more and not words:
            return self
        wider = Veil(names=self._names)
        wider.runs = Runs(more, self.runs.layers)
        wider._told = (*self._told, *words)
        wider._read_known = self._read_known
        return wider

    def _covers(self, text: str) -> bool:
        guard = Guard(self)
        guard.feed(text)
        return guard.leaked


def _fold_all(texts: Iterable[str]) -> str:
    """Texts in one, with between them what none of them has."""
    return "\0".join(map(fold_text, texts))


OPEN = Veil()
"""Where nothing is hidden."""


class Guard:
    """Lets one narration through up to the first run it shares with a hidden text."""

    def __init__(self, veil: Veil) -> None:
        self._veil = veil
        self._held = ""
        """The longest end of what was told that may still grow into a leak."""

        self._letters = ""
        """What counts of it."""

        self._places: list[int] = []
        """Where in it each of these letters comes from."""

        self.leaked = False
        """Whether a hidden text has shown itself; nothing is let through from there on."""

    def feed(self, text: str) -> str:
        """Take more of the narration; give what may be shown now."""
        if self.leaked:
            return ""
        runs = self._veil.runs
        if not runs.shortest:
            return text
        pending = self._held + text
        letters, places = self._letters, [*self._places]
        for at in range(len(self._held), len(pending)):
            more = fold(pending[at])
            letters += more
            places += [at] * len(more)
        start = 0
        for end in range(len(self._letters) + 1, len(letters) + 1):
            while not runs.begin_like(letters[start:end]):
                start += 1
            if end - start >= runs.shortest and self._veil.is_leak(letters[start:end]):
                self.leaked = True
                self._held = ""
                return pending[: places[start]]
        shown = places[start] if start < len(letters) else len(pending)
        self._held = pending[shown:]
        self._letters = letters[start:]
        self._places = [place - shown for place in places[start:]]
        return pending[:shown]

    def finish(self) -> str:
        """What was held back and has turned out to be harmless, once nothing more follows."""
        rest, self._held, self._letters, self._places = self._held, "", "", []
        return rest


def hidden_texts(game: Game, position: Position, more: Iterable[str] = ()) -> tuple[str, ...]:
    """The texts of a position that must not be quoted: what stands in hidden and secret slots, and `more`."""
    found = [*more]
    for name, slot in game.layout.roots.items():
        # What the engine remembers in words, facts and summaries, is what the player was told.
        if name != ENGINE_ROOT:
            found.extend(text for text, closed in list_words(slot, position.state.document[name]) if closed)
    return tuple(dict.fromkeys(text for text in found if holds_run(text)))


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
