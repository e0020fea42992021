"""The context of a turn: everything passed in (the Road), the Runner port, and the key of a turn's steps.

Clock, ids and chance come from outside. The result of a step is JSON, so that a runner can store it and
return it, in this process or another, instead of running the step again.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import cache, partial
from time import monotonic
from typing import Protocol, TypeAlias, TypeVar

from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.work_meter import LoopLeftError, current_meter
from talewright.llm.provider import Provider
from talewright.turn.fold_cache import FoldCache
from talewright.turn.game_editions import Editions, OpenedEditions
from talewright.turn.moderation import Moderation, NoModeration
from talewright.turn.spending import SpendingTracker
from talewright.turn.steps.model_waits import AskPaces
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_signals import Signal, SignalListener

BEGIN = "begin"
"""The step that takes everything a turn needs from outside, at once."""

COMMIT = "commit"
"""The step that commits a turn."""


ASK = "ask"
"""Prefix of the requests of a turn; later errands and summaries have other names."""


def name_ask(number: int, work: str = ASK) -> str:
    """Name the step of one request, counted from 1 within its work."""
    return f"{work} {number}"


@frozen
class TurnKey:
    """One attempt at one turn."""

    campaign: str
    operation: str
    """The operation id of the input, or the name of work that follows a commit."""

    try_number: int = 0
    """How many attempts of the operation ended before this one. A failed attempt keeps its steps, so the next
    one needs another address; otherwise it would find the failure again."""

    def name_step(self, step: str) -> str:
        """Return a unique name for a step of this attempt."""
        return f"{self.campaign}/{self.operation}/{self.try_number}/{step}"


def key_after(campaign: str, commit: str) -> TurnKey:
    """Return the key of the work that follows a commit."""
    return TurnKey(campaign, f"after {commit}")


StepWork: TypeAlias = Callable[[], Awaitable[Json]]


class Runner(Protocol):
    """Runs steps."""

    async def run(self, key: TurnKey, name: str, step: StepWork) -> Json:
        """Run a step of an attempt, or return its stored result."""


class PlainRunner:
    """Runs every step directly."""

    async def run(self, key: TurnKey, name: str, step: StepWork) -> Json:
        return await step()


T = TypeVar("T")


async def work_aside(work: Callable[[], T]) -> T:
    """Do work of a turn that can be done again from its beginning; long work leaves the event loop free.

    It is interrupted once the turn has taken too many steps on the event loop, and done again in a thread.
    """
    meter = current_meter()
    if meter is None:
        return work()
    if not meter.left_loop:
        try:
            with meter.on_loop():
                return work()
        except LoopLeftError:
            pass
    run = partial(copy_context().run, work)
    return await asyncio.get_running_loop().run_in_executor(_working_thread(), run)


@cache
def _working_thread() -> ThreadPoolExecutor:
    """One thread for the whole process: with more of them, the event loop would wait for each in turn."""
    return ThreadPoolExecutor(1, "judging")


@frozen
class Teller:
    """The models of a game."""

    main: Provider
    cheap: Provider | None = None
    """For cheap errands; None uses the main model."""

    temperature: float | None = None
    """Overrides the game's setting."""

    max_output_tokens: int | None = None
    """Also overrides the game's setting; the model's own limit applies to both."""

    turn_seconds_max: float | None = None
    """How long a turn of a slow model may take, if nobody has set a limit."""

    spending_tracker: SpendingTracker | None = None
    """The budget and its meters; None: nothing is counted or limited."""

    ahead: Provider | None = None
    """Where the beginning of the next prompt is sent while the player reads: only the main model, never its
    stand-ins. None: nowhere.
    """


class ModelSkip:
    """The player's wish to continue one turn without the model."""

    def __init__(self) -> None:
        self._wished = False
        self._limit: asyncio.Timeout | None = None

    def wish(self) -> None:
        """Stop the current ask, and make no more."""
        self._wished = True
        if self._limit is not None and not self._limit.expired():
            self._limit.reschedule(asyncio.get_running_loop().time())

    def is_wished(self) -> bool:
        """Whether the player wishes it; that may change while an ask runs."""
        return self._wished

    @asynccontextmanager
    async def limit(self, seconds: float) -> AsyncIterator[None]:
        """Run an ask; raises TimeoutError after that many seconds, or as soon as the player wishes it."""
        async with asyncio.timeout(seconds) as self._limit:
            try:
                yield
            finally:
                self._limit = None


def hear_nothing(signal: Signal) -> None:
    """Ignore all signals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Road:
    """What a turn needs from outside."""

    book: CampaignBook
    editions: Editions
    now: Callable[[], str]
    """Returns the time as ISO 8601 in UTC."""

    new_id: Callable[[], str]
    """Returns a random id, 128 bits in hexadecimal."""

    seconds: Callable[[], float] = monotonic
    """A monotonic clock, for how long requests take."""

    teller: Teller | None = None
    """None: only scenes narrate the game."""

    language: str = ""
    """The player's language; empty uses that of the campaign."""

    runner: Runner = field(default_factory=PlainRunner)
    moderation: Moderation = field(default_factory=NoModeration)
    limits: TurnLimits = field(default_factory=TurnLimits)
    listener: SignalListener = hear_nothing
    opened: OpenedEditions = field(default_factory=OpenedEditions)
    folds: FoldCache = field(default_factory=FoldCache)
    paces: AskPaces = field(default_factory=AskPaces)
    skip: ModelSkip = field(default_factory=ModelSkip)
    """Each turn needs its own."""

    reads_newer: bool = False
    """Whether campaigns that a later engine has continued can be read; turns of them are never made here."""
