"""The phrases of one language, as one value: every line this system can say.

The caller fills in what is in braces.
"""

from dataclasses import dataclass

from talewright.systems.spiral.slots import LABELS


@dataclass(frozen=True, slots=True, kw_only=True)
class SpiralPhrases:
    """All phrases in one language."""

    setup: str
    """The narrator's instructions during setup."""

    comma: str
    semicolon: str
    nothing: str
    labels: tuple[str, str, str, str]
    """The four segments of a day."""

    moment: str

    helping: str
    against: str
    net: str
    botch_sure: str
    odds: str
    roll: str
    roll_resist: str
    contest: str
    withdraw: str
    """On the card of a check."""

    rolled: str
    no_dice: str
    botched: str
    resist_spent: str
    new_glitch: str
    flushed: str
    new_condition: str
    cleared: str
    """Lines for the player when it happens."""

    making: str
    name: str
    concept: str
    genre: str
    resist: str
    glitches: str
    tags: str
    conditions: str
    scene: str
    companion: str
    clocks: str
    rules: str
    old_rules: str
    """Labels of panels and pages."""

    opening: str
    morning: str
    full_clocks: str
    full_clock: str
    owed: str
    nothing_owed: str
    near_miss: str
    effects: tuple[str, str, str, str]
    """Which tool to call: remove a glitch, add a glitch, flush, condition."""

    contested: str
    unsaid: str
    withdrawn: str
    relevance: tuple[str, str, str]
    """Strict, fair, generous."""

    called: str
    review: str
    stale: str
    consolidate: str
    contradiction: str
    missing: str
    """Notes for the narrator."""

    scratchpad: str
    story: str
    day: str
    """Titles of memories."""

    condense: str
    condense_story: str
    turn: str
    """The errand after a day."""

    goal: str
    disposition: str
    dispositions: tuple[str, str, str, str]
    clock: str
    good_at: str
    weak_at: str
    last_seen: str
    first_seen: str
    visits: str
    fact: str
    """Pages of people and places."""

    def translate_label(self, label: str, segment: int) -> str:
        """A segment's name in this language; an author's own name is kept."""
        return self.labels[segment - 1] if label == LABELS[segment - 1] else label
