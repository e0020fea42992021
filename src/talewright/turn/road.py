"""The Road: everything a turn is handed, in one value.

Clock, names and chance come from outside; nothing here looks for them itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from talewright.chronicle.store import CampaignBook
from talewright.llm.provider import Provider
from talewright.turn.budgets import Purse
from talewright.turn.editions import Editions, Opened
from talewright.turn.limits import TurnLimits
from talewright.turn.moderation import Moderation, NoModeration
from talewright.turn.runner import PlainRunner, Runner
from talewright.turn.signals import Listener, Signal


@dataclass(frozen=True, slots=True)
class Teller:
    """The models that tell a game."""

    main: Provider
    cheap: Provider | None = None
    """For errands of little weight; the main one where there is none."""

    temperature: float | None = None
    """Overrides the game's own wish."""

    max_output_tokens: int | None = None
    """Overrides the game's own wish too; the model's own bound holds for both."""

    purse: Purse | None = None
    """What may be spent on them, with the meters that count it; None: nothing is counted, no bound is set."""


def hear_nothing(signal: Signal) -> None:
    """The listener of a turn that nobody watches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Road:
    """What a turn needs from outside."""

    book: CampaignBook
    editions: Editions
    now: Callable[[], str]
    """The time as ISO 8601 in UTC."""

    new_id: Callable[[], str]
    """A random name, 128 bits in hexadecimal digits."""

    seconds: Callable[[], float] = monotonic
    """A clock that only runs forward, for leases."""

    teller: Teller | None = None
    """None: the game is told from its scenes alone."""

    language: str = ""
    """The player's; empty takes that of the campaign."""

    runner: Runner = field(default_factory=PlainRunner)
    moderation: Moderation = field(default_factory=NoModeration)
    limits: TurnLimits = field(default_factory=TurnLimits)
    listener: Listener = hear_nothing
    opened: Opened = field(default_factory=Opened)
