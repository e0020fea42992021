"""News: what a watcher hears, numbered so that nothing committed is missed.

Plain data only, made for one viewer by `presentation/news_events`; the same in every face.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json


class NewsKind(StrEnum):
    """What there is to hear; also the names of the events on a stream."""

    TURN_ACCEPTED = "turn.accepted"
    NARRATION_DELTA = "narration.delta"
    NARRATION_RESET = "narration.reset"
    ACTIVITY = "activity"
    DICE_ROLLED = "dice.rolled"
    CHANGE_APPLIED = "change.applied"
    CHANGE_REFUSED = "change.refused"
    TRIGGER_FIRED = "trigger.fired"
    DECISION = "decision"
    CHOICES = "choices"
    TURN_COMMITTED = "turn.committed"
    TURN_DEGRADED = "turn.degraded"
    TURN_FAILED = "turn.failed"
    GAME_ENDED = "game.ended"
    BACKGROUND = "background"


@frozen
class News:
    """One thing to hear."""

    number: int
    """Increasing within a campaign. What belongs to the commit with sequence s has the numbers from
    s * STRIDE on; what is only heard live lies between."""

    kind: NewsKind
    data: Mapping[str, Json] = field(default_factory=dict)


STRIDE = 1_000_000
"""Numbers that belong to one commit: its own news first, then what is heard live until the next."""

LIVE = 500_000
"""Where, within a stride, the live numbers begin."""
