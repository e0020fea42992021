"""Phrases: everything the engine says to a model of its own accord, as one value a language.

No phrase of a dialect stands here, and none of a game.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """The scaffolding of a prompt in one language."""

    role: str
    """Who the model is; `{title}` is the game."""

    parts: str
    """What the marked parts of the newest message are."""

    tone: str
    rating: str
    """`{rating}` is the author's word for it, `{meaning}` what follows from it."""

    ratings: Mapping[str, str]
    """What each known rating allows."""

    other_rating: str
    """What is said of a rating nobody has heard of."""

    always: tuple[str, ...]
    """What holds whatever the rating."""

    style: str
    boundaries: str
    phase: str
    variables: str
    world: str
    people: str
    things: str
    lore: str
    secret: str
    goals: str
    also: str
    where: str
    memory: str
    """The heading of what lies behind, and that it is a record."""

    facts: str
    opening: str
    """What stands for an input in the first turn, which has none."""

    going_on: str
    """What stands for an input where the player only wants to hear more."""

    care: str
    """What the teller is reminded of where the player's words may lead beyond the rating: `{rating}`."""

    digest_line: str
    """One turn in the engine's own summary: `{version}`, `{said}`, `{told}`."""

    digest_silent: str
    """The same where the player said nothing."""

    summary_rules: str
    """What the model that condenses is told; `{words}` is how long its answer may be."""

    summary_before: str
    summary_turns: str
    summary_said: str
