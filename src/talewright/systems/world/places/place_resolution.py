"""Place resolution: finds the place that is meant by name, alias, likeness, a model's opinion or a new name.

A model is asked only if the words fit no place well. It creates no place; the move does.
"""

import re
from collections.abc import Mapping, Sequence

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.judging.rulings import Errand
from talewright.systems.world.authored.authored_world import AuthoredPlace
from talewright.systems.world.slots import NAME_LENGTH_MAX
from talewright.systems.world.text_likeness import name_likeness, normalize
from talewright.systems.world.words.phrases import WorldPhrases

LIKENESS_MIN = 86
"""How alike words and name must be, out of 100."""

LEAD_MIN = 4
"""How far the best place must be ahead of the next one."""

CONFIDENCE_MIN = 0.6
"""How sure a model must be."""

ASKED_MAX = 40
"""Places that a model is asked to choose from; the most alike come first."""

WORDS_MAX = 4
"""Words of a new place's name."""

ERRAND = "resolveLocation"

ANSWER_SCHEMA: Json = {
    "type": "object",
    "properties": {
        "matchedClusterId": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "canonicalName": {"type": "string", "maxLength": NAME_LENGTH_MAX},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["matchedClusterId", "canonicalName", "confidence"],
}
"""The member names come from the original design."""

_LEADING = re.compile(
    r"^(?:(?:back|over|up|down|out|off)\s+)?(?:(?:to|into|towards?|inside|at|in|on|for)\s+)?"
    r"(?:(?:the|a|an|our|my|your|his|her|their|that|this)\s+)?",
    re.IGNORECASE,
)


@frozen
class ResolvedPlace:
    """The intended place."""

    id: str = ""
    """Empty if it is a new one."""

    name: str = ""
    """The name of a new one."""


def find_place(said: str, places: Mapping[str, AuthoredPlace]) -> AuthoredPlace | None:
    """The place that the words mean by name, alias or likeness; None if that is unclear."""
    plain = _plain(said)
    for names in (lambda one: (one.id, one.name), lambda one: one.also):
        found = [one for one in places.values() if plain in map(_plain, names(one))]
        if found:
            return found[0] if len(found) == 1 else None
    ranked = rank_places(said, places)
    best = ranked[0] if ranked else (0.0, "")
    ahead = len(ranked) < 2 or best[0] - ranked[1][0] >= LEAD_MIN
    return places[best[1]] if best[0] >= LIKENESS_MIN and ahead else None


def rank_places(said: str, places: Mapping[str, AuthoredPlace]) -> list[tuple[float, str]]:
    """How alike each place is, the most alike first."""
    plain = _plain(said)
    ranked = [
        (max(name_likeness(plain, _plain(name)) for name in (place.name, *place.also)), place.id)
        for place in places.values()
    ]
    return sorted(ranked, key=lambda one: (-one[0], one[1]))


def ask_place(said: str, places: Mapping[str, AuthoredPlace], words: WorldPhrases) -> Errand:
    """The question to a model; its answer may be missing."""
    ranked = rank_places(said, places)[:ASKED_MAX]
    rows = [f'{number}. "{places[name].name}" (id: {name})' for number, (_, name) in enumerate(ranked, 1)]
    question = words.which_place.format(said=said, places="\n".join(rows))
    return Errand(ERRAND, question, ANSWER_SCHEMA, answer_tokens=200, optional=True)


def take_answer(said: str, answer: Json, places: Mapping[str, AuthoredPlace]) -> ResolvedPlace:
    """The place that a model chose or named; a name made from the words if there is no usable answer."""
    if isinstance(answer, Mapping):
        chosen, sure = answer.get("matchedClusterId"), answer.get("confidence")
        is_sure = isinstance(sure, int | float) and sure >= CONFIDENCE_MIN
        if is_sure and isinstance(chosen, str) and chosen in places:
            return ResolvedPlace(chosen)
        named = answer.get("canonicalName")
        if isinstance(named, str) and normalize(named):
            return _named(normalize(named)[:NAME_LENGTH_MAX], places)
    return _named(canonical_name(said), places)


def _named(name: str, places: Mapping[str, AuthoredPlace]) -> ResolvedPlace:
    """A place by its new name, which may turn out to be the name of a known one."""
    plain = _plain(name)
    known = next((place.id for place in places.values() if _plain(place.name) == plain), "")
    return ResolvedPlace(known, "" if known else name)


def canonical_name(said: str) -> str:
    """A name for a place, made from the caller's words: no article or preposition, at most four words."""
    words = _LEADING.sub("", normalize(said)).split()[:WORDS_MAX]
    return " ".join(word[:1].upper() + word[1:] for word in words)[:NAME_LENGTH_MAX]


def list_names(places: Sequence[AuthoredPlace]) -> list[str]:
    """The names of places."""
    return [place.name for place in places]


def _plain(name: str) -> str:
    return _LEADING.sub("", normalize(name)).casefold()
