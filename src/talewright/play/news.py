"""News: what a watcher hears, typed by kind and numbered so that nothing committed is missed.

Plain data only, made for one viewer by `presentation/news_events`; the same in every face.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.play.campaign_view import ChangeView, ChoiceView, DecisionView, EndView, RollView


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
class AcceptedNews:
    """An input is safe, and a turn begins."""

    said: str
    """The player's words; empty where there were none."""


@frozen
class DeltaNews:
    """More of the narration."""

    text: str


@frozen
class ResetNews:
    """What was told so far is void; this stands in its place."""

    text: str


@frozen
class ActivityNews:
    """What is being done."""

    doing: str
    """One of the names of `turn.turn_signals.Doing`."""

    text: str


@frozen
class DiceNews:
    """Dice were rolled."""

    roll: RollView


@frozen
class ChangeNews:
    """Something has changed."""

    change: ChangeView


@frozen
class RefusalNews:
    """The rules did not allow something."""

    text: str


@frozen
class TriggerNews:
    """Something happened by itself."""

    text: str


@frozen
class DecisionNews:
    """A card that the player has to answer."""

    decision: DecisionView


@frozen
class ChoicesNews:
    """What the player may choose from now."""

    choices: tuple[ChoiceView, ...]


@frozen
class CommittedNews:
    """The turn is safe: the end of an operation."""

    version: int
    commit: str


@frozen
class DegradedNews:
    """Nobody could tell the turn, and nothing has changed: the end of an operation."""

    reason: str
    message: str
    choices: tuple[ChoiceView, ...] = ()
    """What the player may do about it."""


@frozen
class FailedNews:
    """The turn did not come to pass, and nothing has changed: the end of an operation."""

    reason: str
    message: str
    decision: DecisionView | None = None
    """A card about what was said, where there is one."""


@frozen
class EndedNews:
    """The story has ended."""

    end: EndView


@frozen
class BackgroundNews:
    """Something was finished after the turn, or failed."""

    text: str
    trouble: str = ""
    """What failed: one of the names of `turn.background.background_troubles.BackgroundWork`."""


NewsEvent: TypeAlias = (
    AcceptedNews
    | DeltaNews
    | ResetNews
    | ActivityNews
    | DiceNews
    | ChangeNews
    | RefusalNews
    | TriggerNews
    | DecisionNews
    | ChoicesNews
    | CommittedNews
    | DegradedNews
    | FailedNews
    | EndedNews
    | BackgroundNews
)

EVENT_TYPES: Mapping[NewsKind, Callable[..., NewsEvent]] = {
    NewsKind.TURN_ACCEPTED: AcceptedNews,
    NewsKind.NARRATION_DELTA: DeltaNews,
    NewsKind.NARRATION_RESET: ResetNews,
    NewsKind.ACTIVITY: ActivityNews,
    NewsKind.DICE_ROLLED: DiceNews,
    NewsKind.CHANGE_APPLIED: ChangeNews,
    NewsKind.CHANGE_REFUSED: RefusalNews,
    NewsKind.TRIGGER_FIRED: TriggerNews,
    NewsKind.DECISION: DecisionNews,
    NewsKind.CHOICES: ChoicesNews,
    NewsKind.TURN_COMMITTED: CommittedNews,
    NewsKind.TURN_DEGRADED: DegradedNews,
    NewsKind.TURN_FAILED: FailedNews,
    NewsKind.GAME_ENDED: EndedNews,
    NewsKind.BACKGROUND: BackgroundNews,
}
"""What is told of each kind."""

_KINDS = {made: kind for kind, made in EVENT_TYPES.items()}


@frozen
class News:
    """One thing to hear."""

    number: int
    """Increasing within a campaign. What belongs to the commit with sequence s has the numbers from
    s * STRIDE on; what is only heard live lies between."""

    event: NewsEvent
    branch: str = ""
    """Where it happens; empty where that is not known."""

    operation_id: str = ""
    """Of the turn it belongs to; a Result has the same. Empty where it belongs to none."""

    @property
    def kind(self) -> NewsKind:
        """What kind of news it is."""
        return _KINDS[type(self.event)]

    @property
    def ends_turn(self) -> bool:
        """Whether it is the last that is heard of an operation, but for an ending of the story."""
        return isinstance(self.event, CommittedNews | DegradedNews | FailedNews)


STRIDE = 1_000_000
"""Numbers that belong to one commit: its own news first, then what is heard live until the next."""

LIVE = 500_000
"""Where, within a stride, the live numbers begin."""
