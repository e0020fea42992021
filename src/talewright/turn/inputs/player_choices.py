"""Player choices: the choices offered after a turn, and matching typed text to one of them.

The scene, the finale, the system or the storyteller decides what a choice does. Whole words and characters
are compared; below the threshold nothing matches.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import islice

from talewright.common.frozen_values import frozen
from talewright.contract.dialect import SuggestedChoice
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import allowed_tools
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import Position
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scene_rules import current_scene, is_over, offered, open_finale
from talewright.kernel.story.scenes import SystemChoice
from talewright.turn.records.commit_body import MODEL, SCENES, OfferedChoice

THRESHOLD = 0.6
"""The minimum similarity of a choice and the player's words."""

LEAD_MIN = 0.1
"""How far the best choice must be ahead of the next one."""


@frozen
class ChoiceCandidate:
    """A choice and all its names."""

    id: str
    phrases: tuple[str, ...]


def match_exactly(text: str, candidates: Sequence[ChoiceCandidate]) -> str | None:
    """Find the one choice with exactly this label, alias or id."""
    said = _normal(text)
    found = [c.id for c in candidates if said == _normal(c.id) or any(said == _normal(p) for p in c.phrases)]
    return found[0] if len(found) == 1 else None


def match(text: str, candidates: Sequence[ChoiceCandidate]) -> str | None:
    """Find the choice that fits the words well and clearly better than the others."""
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


def _fit(said: frozenset[str], candidate: ChoiceCandidate) -> float:
    return max((_likeness(said, _parts(phrase)) for phrase in candidate.phrases), default=0.0)


def _likeness(said: frozenset[str], phrase: frozenset[str]) -> float:
    """Measure how much two sets of words share: one common word does not match a long sentence."""
    shared = len(said & phrase)
    if not shared:
        return 0.0
    return (shared / len(said) + shared / len(phrase)) / 2


def _normal(text: str) -> str:
    """Normalize a text to its words: no case, no width, no punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"\w+", folded))


_FUNCTION_WORDS = frozenset(
    "a an the to of in on at and or for with from into up out it is i my me you your go do"
    " 的 了 去 我 你 在 把 和 是".split()
)
"""Words that do not help to distinguish choices."""


def _parts(text: str) -> frozenset[str]:
    """Split a text into what is compared: words, or pairs of characters in Chinese."""
    parts: set[str] = set()
    for word in _normal(text).split():
        if any("\u3400" <= character <= "\u9fff" for character in word):
            parts |= {word[i : i + 2] for i in range(len(word) - 1)} or {word}
        else:
            parts.add(word)
    return frozenset(parts - _FUNCTION_WORDS)


FINALE = "finale"
SYSTEM = "system"
"""Sources of choices, besides scenes and the storyteller."""

SYSTEM_CHOICES_MAX = 12
"""The choices that systems offer after one turn."""


def find_system_choices(game: Game, position: Position) -> Mapping[str, SystemChoice]:
    """The moves that systems offer the player now, by the id of the choice."""
    if not game.parts.choices:
        return {}
    table = WorkingState(game, position)
    allowed = allowed_tools(table)
    found = {
        f"{system.name}.{choice.id}": choice
        for system in game.parts.choices
        for choice in system.choices(table.sight(system))
        if choice.call.tool in allowed
    }
    return dict(islice(found.items(), SYSTEM_CHOICES_MAX))


def lay_out(
    game: Game, texts: Texts, position: Position, suggested: Sequence[SuggestedChoice]
) -> tuple[OfferedChoice, ...]:
    """Return the choices after a turn: a finale's; or those of the storyteller or scene, and of systems."""
    if is_over(position):
        return ()
    finale = open_finale(game, position)
    if finale is not None:
        return tuple(
            _offer(texts, f"finale.{finale.id}.{route.id}", route.id, route.risk.value, FINALE)
            for route in finale.finale
        )
    of_scene = _of_scene(game, texts, position)
    of_systems = {
        name: OfferedChoice(name, choice.label, choice.hint, choice.risk.value, SYSTEM)
        for name, choice in find_system_choices(game, position).items()
    }
    if not suggested:
        return (*of_scene, *of_systems.values())
    known = {choice.id: choice for choice in of_scene}
    # If the storyteller suggests a choice of the scene by its id, that choice is offered, in the author's
    # words.
    offers = (
        known.get(offer.id) or OfferedChoice(offer.id, offer.label, offer.hint, offer.risk.value, MODEL)
        for offer in suggested
        if offer.id not in of_systems
    )
    return (*offers, *of_systems.values())


def name_all(game: Game, texts: Texts, position: Position) -> tuple[ChoiceCandidate, ...]:
    """List the authored choices with all their names."""
    finale = open_finale(game, position)
    if finale is not None:
        return tuple(_candidate(texts, f"finale.{finale.id}.{route.id}", route.id) for route in finale.finale)
    scene = current_scene(game, position)
    if scene is None:
        return ()
    return tuple(
        _candidate(texts, f"scene.{scene.id}.{choice.id}", choice.id) for choice in offered(scene, position)
    )


def _of_scene(game: Game, texts: Texts, position: Position) -> tuple[OfferedChoice, ...]:
    scene = current_scene(game, position)
    if scene is None:
        return ()
    return tuple(
        _offer(texts, f"scene.{scene.id}.{choice.id}", choice.id, choice.risk.value, SCENES)
        for choice in offered(scene, position)
    )


def _offer(texts: Texts, key: str, name: str, risk: str, source: str) -> OfferedChoice:
    return OfferedChoice(name, texts.get(f"{key}.label"), texts.find(f"{key}.hint"), risk, source)


def _candidate(texts: Texts, key: str, name: str) -> ChoiceCandidate:
    return ChoiceCandidate(name, (texts.get(f"{key}.label"), *texts.several(f"{key}.also")))
