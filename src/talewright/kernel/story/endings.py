"""Endings: the ways a game can end, and the finales in which the player chooses one.

An ending without a finale ends the game at once. Data only, with keys of texts instead of words;
`story_rules` evaluates endings, and `near_endings` says how close one is.
"""

from collections.abc import Iterable
from enum import StrEnum

from talewright.common.frozen_values import frozen
from talewright.kernel.conditions.conditions import Condition
from talewright.kernel.judging.moves import Update
from talewright.kernel.story.scenes import Risk

ENDING_TITLE = "ending_title"
"""The key of an ending's title, with the id of the ending behind a dot."""

UNCOUNTED_ENDINGS = "endings.uncounted"
"""The key of a text that is set if players are not told how many endings there are."""


class Outcome(StrEnum):
    """What an ending means for the player."""

    WIN = "win"
    LOSE = "lose"


@frozen
class Route:
    """One choice of a finale, which ends the game with the ending it names."""

    id: str
    ending: str
    kind: Outcome
    risk: Risk = Risk.MEDIUM
    updates: tuple[Update, ...] = ()


@frozen
class Ending:
    """A condition that ends the game, or opens its finale."""

    id: str
    when: Condition
    kind: Outcome
    finale: tuple[Route, ...] = ()
    """Empty: the game is over as soon as the condition holds."""


def list_endings(endings: Iterable[Ending]) -> tuple[str, ...]:
    """The ids with which a story can end, each once: of a finale, those of its choices."""
    found = (name for one in endings for name in ([route.ending for route in one.finale] or [one.id]))
    return tuple(dict.fromkeys(found))
