"""Phrases: everything the engine itself says to a model, as one value per language.

It contains no phrases of a dialect or of a game.
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
    """The meaning of an unknown rating."""

    always: tuple[str, ...]
    """What applies under any rating."""

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
    """The heading of the memory part, with a note that it is a record."""

    facts: str
    opening: str
    """Stands for the input in the first turn, which has none."""

    going_on: str
    """Stands for the input if the player only wants the story to continue."""

    care: str
    """A reminder to the narrator if the player's words may lead beyond the rating: `{rating}`."""

    trimmed: str
    """Says that earlier answers are shown without their choices."""

    changed: str
    """What a part of the results of calls means that says what has changed."""

    gone: str
    """Names the notes that no longer hold: `{notes}`."""

    none: str
    """Stands for a part that has become empty."""

    digest_line: str
    """One turn in the engine's own summary: `{version}`, `{said}`, `{told}`."""

    digest_silent: str
    """The same if the player said nothing."""

    summary_rules: str
    """The instructions of the summarizing model; `{words}` is the maximum length of its answer."""

    summary_before: str
    summary_turns: str
    summary_said: str
