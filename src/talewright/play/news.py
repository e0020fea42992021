"""News: typed events for a watcher, numbered so that no commit is missed.

Plain data only, made for one viewer by `presentation/news_events`; the same in every face.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.play.campaign_view import ChangeView, ChoiceView, DecisionView, EndView, RollView


class NewsKind(StrEnum):
    """The kinds of events; also their names on a stream."""

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
    """An input is saved, and a turn starts."""

    said: str
    """The player's words; may be empty."""


@frozen
class DeltaNews:
    """More of the narration."""

    text: str


@frozen
class ResetNews:
    """The text so far is void; this replaces it."""

    text: str
    voids_rolls: bool = False
    """Whether the dice shown so far in this turn are void too."""


@frozen
class ActivityNews:
    """The current activity."""

    doing: str
    """One of the names of `turn.turn_signals.Doing`."""

    text: str
    share: float | None = None
    """How much of the prompt the model has read, from 0 to 1; None if unknown. The text says it too."""

    usual_seconds: float | None = None
    """How long it usually takes from the turn's first request to the end of this one; None if unknown."""

    can_skip: bool = False
    """Whether `Session.skip` would let a scene narrate the turn."""


@frozen
class DiceNews:
    """Dice were rolled.

    Dice that decide the narration are sent live before it. Those that a watcher has not received come with
    the commit.
    """

    roll: RollView


@frozen
class ChangeNews:
    """Something changed."""

    change: ChangeView


@frozen
class RefusalNews:
    """The rules did not allow something."""

    text: str


@frozen
class TriggerNews:
    """A trigger fired."""

    text: str


@frozen
class DecisionNews:
    """A card that the player must answer."""

    decision: DecisionView


@frozen
class ChoicesNews:
    """The choices that the player has now."""

    choices: tuple[ChoiceView, ...]


@frozen
class CommittedNews:
    """The turn is saved: the end of an operation."""

    version: int
    commit: str


@frozen
class DegradedNews:
    """The turn could not be narrated, and nothing has changed: the end of an operation."""

    reason: str
    message: str
    choices: tuple[ChoiceView, ...] = ()
    """What the player may do about it."""


@frozen
class FailedNews:
    """The turn failed, and nothing has changed: the end of an operation."""

    reason: str
    message: str
    decision: DecisionView | None = None
    """A card about the player's words, if there is one."""


@frozen
class EndedNews:
    """The story has ended."""

    end: EndView


@frozen
class BackgroundNews:
    """Background work after the turn was finished, or failed."""

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
"""The event class of each kind."""

_KINDS = {made: kind for kind, made in EVENT_TYPES.items()}


@frozen
class News:
    """One numbered event."""

    number: int
    """Increasing within a campaign. The events of the commit with sequence number s are numbered from s *
    STRIDE on; live events are in between.
    """

    event: NewsEvent
    branch: str = ""
    """Where it happens; empty if unknown."""

    operation_id: str = ""
    """The turn it belongs to, as in its InputResult; empty if there is none."""

    @property
    def kind(self) -> NewsKind:
        """The kind of event."""
        return _KINDS[type(self.event)]

    @property
    def is_live(self) -> bool:
        """Whether it came while the turn was running, before its commit."""
        return self.number % STRIDE >= LIVE

    @property
    def ends_turn(self) -> bool:
        """Whether it is the last event of an operation, except for the end of the story."""
        return isinstance(self.event, CommittedNews | DegradedNews | FailedNews)


STRIDE = 1_000_000
"""Numbers per commit: first its own events, then live events until the next commit."""

LIVE = 500_000
"""Where the live numbers start within a stride."""
