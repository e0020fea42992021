"""Runs: the stretches of hidden texts that must not be repeated, made comparable to what a model writes.

Capitals, blanks, accents, marks of emphasis and invisible characters make no difference: whoever quotes a
text may set it otherwise. Nothing is cut or judged here.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from talewright.contract.text.plain_text import strip_controls
from talewright.kernel.story.game_texts import find_stretches, weigh

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
class Layer:
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


class Runs:
    """Every run of some texts, in layers: what stays the same from turn to turn is not gone through again."""

    def __init__(self, texts: Iterable[str], layers: Iterable[Layer] = ()) -> None:
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
def keep_layer(texts: tuple[str, ...]) -> Layer:
    """The runs of texts that stay the same from turn to turn, made once."""
    return _make_layer({run for text in texts for run in _cut_runs(text)})


def _make_layer(runs: set[str]) -> Layer:
    return Layer(tuple(sorted(runs)), tuple(sorted(set(map(len, runs)))))


def _measure(layer: Layer) -> int:
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
