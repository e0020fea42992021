"""Campaign desks: campaign data that a worker caches between turns, so that it need not be read again.

A desk is a cache of books, editions and states. Every turn reads heads and inputs from the store.
"""

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic

from talewright.chronicle.store import CampaignBook, Store
from talewright.errors import TalewrightError
from talewright.hosting.operations.turn_observer import SILENT, TurnObserver
from talewright.play.campaign_news import NewsService
from talewright.play.sessions.store_lobby import fit_limits
from talewright.stores.postgres.sealing import CampaignSeal
from talewright.turn.fold_cache import FoldCache
from talewright.turn.game_editions import Editions, OpenedEditions
from talewright.turn.moderation import Moderation, NoModeration
from talewright.turn.steps.model_waits import AskPaces
from talewright.turn.steps.recalling import open_edition
from talewright.turn.turn_context import PlainRunner, Road, Runner, Teller, hear_nothing
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_signals import SignalListener

DESKS_MAX = 128
"""How many campaigns a worker keeps open; the least recently used one is closed first."""

EDITIONS_MAX = 64
"""How many games a worker keeps loaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerParts:
    """The components of a worker."""

    store_of: Callable[[str], Store]
    """The campaigns of an owner."""

    news_of: Callable[[str], NewsService]
    """The news of an owner's campaigns."""

    editions: Editions
    now: Callable[[], str]
    """The time as ISO 8601 in UTC."""

    new_id: Callable[[], str]
    """A random id, 128 bits in hexadecimal."""

    seconds: Callable[[], float] = monotonic
    hire: Callable[[str, str, CampaignBook], Teller | None] = lambda owner, game, book: None
    """Returns the storyteller for an owner's campaign of a game, paid for by the owner; None to use scenes
    only.
    """

    limits: TurnLimits = field(default_factory=TurnLimits)
    moderation: Moderation = field(default_factory=NoModeration)
    seal: CampaignSeal | None = None
    """Encrypts the turn data that DBOS stores; None only in tests."""

    observer: TurnObserver = SILENT
    """Observes turns, for metrics."""


@dataclass(slots=True)
class CampaignDesk:
    """One open campaign."""

    owner: str
    book: CampaignBook
    game: str = ""
    """The id of its game."""

    folds: FoldCache = field(default_factory=FoldCache)
    users: int = 0


class CampaignDesks:
    """The open campaigns of one worker."""

    def __init__(self, parts: WorkerParts) -> None:
        self.parts = parts
        self._desks: OrderedDict[tuple[str, str], CampaignDesk] = OrderedDict()
        self._opened = OpenedEditions()
        self._paces = AskPaces()

    @asynccontextmanager
    async def use(self, owner: str, campaign: str) -> AsyncIterator[CampaignDesk]:
        """The desk of a campaign."""
        key = (owner, campaign)
        desk = self._desks.get(key) or await self._open(owner, campaign)
        desk.users += 1
        self._desks[key] = desk
        self._desks.move_to_end(key)
        try:
            yield desk
        finally:
            desk.users -= 1
            if not desk.users and self._desks.get(key) is not desk:
                await desk.book.close()
            await self._close_surplus()

    async def drop(self, owner: str, campaign: str) -> None:
        """Reopen a campaign at its next use: it may have been removed, and its name given to a new one."""
        desk = self._desks.pop((owner, campaign), None)
        if desk is not None and not desk.users:
            await desk.book.close()

    async def close(self) -> None:
        """Close all books."""
        while self._desks:
            await self._desks.popitem()[1].book.close()

    def make_road(self, desk: CampaignDesk, language: str, runner: Runner, listener: SignalListener) -> Road:
        """The road of one turn, or of the work after it."""
        parts = self.parts
        teller = parts.hire(desk.owner, desk.game, desk.book) if desk.game else None
        if len(self._opened.by_digest) > EDITIONS_MAX:
            self._opened.by_digest.clear()
        return Road(
            book=desk.book,
            editions=parts.editions,
            now=parts.now,
            new_id=parts.new_id,
            seconds=parts.seconds,
            teller=teller,
            language=language,
            runner=parts.observer.measure(runner),
            moderation=parts.moderation,
            limits=fit_limits(parts.limits, teller),
            listener=listener,
            opened=self._opened,
            folds=desk.folds,
            paces=self._paces,
        )

    async def _open(self, owner: str, campaign: str) -> CampaignDesk:
        book = await self.parts.store_of(owner).open(campaign)
        desk = CampaignDesk(owner, book)
        try:
            head = await book.read((await book.look()).head)
            road = self.make_road(desk, "", PlainRunner(), hear_nothing)
            desk.game = (await open_edition(road, head.game_digest)).game.id
        except TalewrightError:
            await book.close()
            raise
        return desk

    async def _close_surplus(self) -> None:
        idle = [key for key, desk in self._desks.items() if not desk.users]
        for key in idle[: max(len(self._desks) - DESKS_MAX, 0)]:
            await self._desks.pop(key).book.close()
