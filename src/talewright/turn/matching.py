"""Matching: which choice the player means by words of their own.

Whole words and characters are compared; nobody is asked and nothing is guessed below the threshold.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

THRESHOLD = 0.6
"""How much of a choice's words, or of the player's, must agree."""

LEAD_MIN = 0.1
"""How far the best choice must be ahead of the next one."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A choice and everything it may be called by."""

    id: str
    phrases: tuple[str, ...]


def match_exactly(text: str, candidates: Sequence[Candidate]) -> str | None:
    """The one choice that is called exactly so, by label, other words or id."""
    said = _normal(text)
    found = [c.id for c in candidates if said == _normal(c.id) or any(said == _normal(p) for p in c.phrases)]
    return found[0] if len(found) == 1 else None


def match(text: str, candidates: Sequence[Candidate]) -> str | None:
    """The choice the words mean, if one fits well and clearly better than the others."""
    exact = match_exactly(text, candidates)
    if exact is not None:
        return exact
    said = _parts(text)
    ranked = sorted(((_fit(said, c), c.id) for c in candidates), reverse=True)
    if not said or not ranked or ranked[0][0] < THRESHOLD:
        return None
    if len(ranked) > 1 and ranked[0][0] - ranked[1][0] < LEAD_MIN:
        return None
    return ranked[0][1]


def _fit(said: frozenset[str], candidate: Candidate) -> float:
    return max((_likeness(said, _parts(phrase)) for phrase in candidate.phrases), default=0.0)


def _likeness(said: frozenset[str], phrase: frozenset[str]) -> float:
    """How much two sets of words share: a long sentence is not meant by one word of it."""
    shared = len(said & phrase)
    if not shared:
        return 0.0
    return (shared / len(said) + shared / len(phrase)) / 2


def _normal(text: str) -> str:
    """The words alone: no case, no width, no punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"\w+", folded))


_FUNCTION_WORDS = frozenset(
    "a an the to of in on at and or for with from into up out it is i my me you your go do"
    " 的 了 去 我 你 在 把 和 是".split()
)
"""Words that say nothing about which choice is meant."""


def _parts(text: str) -> frozenset[str]:
    """What is compared: words, and of Chinese text its pairs of characters."""
    parts: set[str] = set()
    for word in _normal(text).split():
        if any("\u3400" <= character <= "\u9fff" for character in word):
            parts |= {word[i : i + 2] for i in range(len(word) - 1)} or {word}
        else:
            parts.add(word)
    return frozenset(parts - _FUNCTION_WORDS)
