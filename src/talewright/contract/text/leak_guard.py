"""The leak guard: keeps stretches of hidden texts out of a narration while it is being told.

It knows no reply format: it stands behind a reader and lets its words through, or stops for good. Capitals,
blanks, accents, marks of emphasis and invisible characters make no difference: whoever quotes a text may
set it otherwise.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import accumulate

from talewright.common.json_values import Json
from talewright.contract.text.answer_json import strip_controls
from talewright.kernel.game import Game
from talewright.kernel.judging.moves_and_rulings import Flaw
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import Slot, member
from talewright.kernel.state.state import Position
from talewright.kernel.story.game_texts import WIDE_WEIGHT, find_stretches, weigh

RUN_LENGTH = 40
"""Characters of a hidden text that must not be repeated in one run. They are weighed: of Chinese it is 20."""

RUN_LETTERS_MIN = 8
"""Characters that must be left of a run once it is folded: forty blanks tell nothing. They are counted, not
weighed: four characters of Chinese are a phrase that anybody may use, eight are half a sentence."""

LONG_LENGTH = 500
"""Characters of a text whose runs make a layer of their own."""

LAYER_RUNS_MIN = 400
"""Runs of a layer; one that has fewer takes in those of the short texts that come next."""

LAYERS_KEPT_MAX = 32
"""Layers that are kept ready: those of the editions that are being played, and of their long hidden texts."""

SIGNS_KEPT_MAX = 20_000
"""Characters of which is kept what they are folded to."""

_ALIKE = {**dict.fromkeys("‘’‚‛ʼ`´", "'"), **dict.fromkeys("“”„‟«»", '"'), **dict.fromkeys("‐‑‒–—−", "-")}
"""Signs that are set one way by one writer and another by the next."""

_EMPHASIS = frozenset("*_~")
_PASSED_OVER = frozenset({"Cc", "Cf", "Cs", "Mn", "Me"})
"""Categories of characters that are not seen, or only on another one."""


@lru_cache(SIGNS_KEPT_MAX)
def fold(sign: str) -> str:
    """What counts of one character; often nothing, sometimes several.

    Character by character: pieces folded one by one are the whole folded at once.
    """
    spelled = unicodedata.normalize("NFKD", _ALIKE.get(sign, sign)).casefold()
    return "".join(letter for letter in spelled if _counts(letter))


def fold_text(text: str) -> str:
    """What counts of a text."""
    return "".join(map(fold, text))


def _counts(letter: str) -> bool:
    if letter.isspace() or letter in _EMPHASIS:
        return False
    return unicodedata.category(letter) not in _PASSED_OVER


def holds_run(text: str) -> bool:
    """Whether a text is long enough for a run."""
    return weigh(text[:RUN_LENGTH]) >= RUN_LENGTH


@dataclass(frozen=True, slots=True, eq=False)
class RunLayer:
    """The runs of some texts, folded."""

    ordered: tuple[str, ...]
    """In order, so that whether a text begins one of them is a binary search."""

    lengths: tuple[int, ...]
    """How many letters they have, each number once, the smallest first."""

    def end(self, letters: str) -> Iterator[str]:
        """The runs that these letters end with."""
        for length in self.lengths:
            end = letters[-length:]
            at = bisect_left(self.ordered, end)
            if at < len(self.ordered) and self.ordered[at] == end:
                yield end


class HiddenRuns:
    """Every run of some texts, in layers: what stays the same from turn to turn is not gone through again."""

    def __init__(self, texts: Iterable[str], layers: Iterable[RunLayer] = ()) -> None:
        """`layers` hold runs that count as well."""
        found = [layer for layer in layers if layer.ordered]
        runs: set[str] = set()
        for text in texts:
            if len(text) < LONG_LENGTH:
                runs.update(_cut_runs(text))
            elif (layer := keep_layer((text,))).ordered and layer not in found:
                found.append(layer)
        found.sort(key=_measure, reverse=True)
        if runs:
            # Many small texts that come one by one are not to be as many layers.
            if found and _measure(found[-1]) < LAYER_RUNS_MIN:
                runs.update(found.pop().ordered)
            found.append(_make_layer(runs))
        self.layers = tuple(found)
        self.shortest = min((layer.lengths[0] for layer in found), default=0)
        """Letters of the shortest run; 0 where there is none."""

    def begin_like(self, letters: str) -> bool:
        """Whether some run begins with these letters."""
        for layer in self.layers:
            at = bisect_left(layer.ordered, letters)
            if at < len(layer.ordered) and layer.ordered[at].startswith(letters):
                return True
        return False

    def end(self, letters: str) -> set[str]:
        """The runs that these letters end with."""
        return {run for layer in self.layers for run in layer.end(letters)}


@lru_cache(LAYERS_KEPT_MAX)
def keep_layer(texts: tuple[str, ...]) -> RunLayer:
    """The runs of texts that stay the same from turn to turn, made once."""
    return _make_layer({run for text in texts for run in _cut_runs(text)})


def _make_layer(runs: set[str]) -> RunLayer:
    return RunLayer(tuple(sorted(runs)), tuple(sorted(set(map(len, runs)))))


def _measure(layer: RunLayer) -> int:
    return len(layer.ordered)


def _cut_runs(text: str) -> Iterator[str]:
    """From every place the shortest stretch that weighs enough; folded, the fewer the more of it is blank."""
    text = strip_controls(text)
    parts = [fold(sign) for sign in text]
    starts = [0, *accumulate(map(len, parts))]
    letters = "".join(parts)
    for start, end in find_stretches(text, RUN_LENGTH):
        run = letters[starts[start] : starts[end]]
        if len(run) >= RUN_LETTERS_MIN:
            yield run


LEAK = Flaw(
    f"the answer repeats {RUN_LENGTH} characters or more, {RUN_LENGTH // WIDE_WEIGHT} of Chinese, "
    "of a text the player must not see; tell it again without quoting hidden texts"
)
"""What is said to a model whose narration leaked."""

NAMED = Flaw(
    "a label, hint, reason, event or tag is the name of a text of the game; write what the player should read"
)
"""What is said to a model that names a text where words are shown: the text would stand in its place."""


class HiddenTexts:
    """What must not be told: the runs of hidden texts, but for those that the player can read anyway."""

    def __init__(
        self,
        passing: Iterable[str] = (),
        standing: tuple[str, ...] = (),
        known: Callable[[], Iterable[str]] = tuple,
        names: Container[str] = frozenset(),
    ) -> None:
        """`standing` texts are the same in every turn; `known` is asked only where something looks hidden."""
        self.runs = HiddenRuns(passing, [keep_layer(standing)])
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

    def spread(self, hidden: Iterable[str] = (), told: Iterable[str] = ()) -> "HiddenTexts":
        """The same over more texts that are hidden now, but for the words that were told since."""
        more, words = tuple(filter(holds_run, hidden)), tuple(filter(None, told))
        if not more and not words:
            return self
        wider = HiddenTexts(names=self._names)
        wider.runs = HiddenRuns(more, self.runs.layers)
        wider._told = (*self._told, *words)
        wider._read_known = self._read_known
        return wider

    def _covers(self, text: str) -> bool:
        guard = LeakGuard(self)
        guard.feed(text)
        return guard.leaked


def _fold_all(texts: Iterable[str]) -> str:
    """Texts in one, with between them what none of them has."""
    return "\0".join(map(fold_text, texts))


class LeakGuard:
    """Lets one narration through up to the first run it shares with a hidden text."""

    def __init__(self, veil: HiddenTexts) -> None:
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


NOTHING_HIDDEN = HiddenTexts()
"""Where nothing is hidden."""


def list_hidden_texts(game: Game, position: Position, more: Iterable[str] = ()) -> tuple[str, ...]:
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
