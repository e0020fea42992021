"""Ticks: what happens automatically in a system at the end of a turn, and what it hears of the others.

Values only; `judging.move_resolution` applies them.
"""

from talewright.common.frozen_values import frozen
from talewright.kernel.judging.moves import Call, Update
from talewright.kernel.story.triggers import Event


@frozen
class Tick:
    """What happens automatically in a system."""

    updates: tuple[Update, ...] = ()
    """Applied one by one; one that does not fit its slot is reported and skipped."""

    events: tuple[Event, ...] = ()
    calls: tuple[Call, ...] = ()
    """Calls of its own tools, judged like any other. One that waits for a decision shows the player a card.
    Nobody can answer an errand at this time.
    """

    minutes: int = 0
    """How much time passes in the story."""


NO_TICK = Tick()
"""Nothing happens."""


@frozen
class Heard:
    """What happened in the rest of the game during a turn."""

    events: tuple[Event, ...] = ()
    """Events of other systems, scenes and the storyteller; `cause` says whose. Events of triggers come later.
    """

    minutes: int = 0
    """How much time passed in the ticks of other systems."""

    narration: str = ""
    """The storyteller's words, or those of the scene so far."""

    facts: tuple[str, ...] = ()
    """What the storyteller wants the game to remember."""


NOTHING_HEARD = Heard()
"""Nothing happened that a system could hear."""
