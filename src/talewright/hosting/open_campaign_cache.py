"""The open campaign cache: what a worker keeps of campaigns between turns, so that it need not be read again.

That is books, editions and states. Every turn reads heads and inputs from the store. Owners share nothing but
loaded games, by the digest of their bytes.
"""

from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic

from talewright.chronicle.store import CampaignBook, Store, UnknownCampaignError
from talewright.errors import TalewrightError
from talewright.hosting.operations.turn_observer import SILENT, TurnObserver
from talewright.play.campaign_news import NewsService
from talewright.play.sessions.store_lobby import fit_limits
from talewright.stores.postgres.postgres_store import WaitingInput
from talewright.stores.postgres.sealing import CampaignSeal
from talewright.turn.fold_cache import FoldCache
from talewright.turn.game_editions import Editions, OpenedEditions
from talewright.turn.moderation import Moderation, NoModeration
from talewright.turn.steps.model_waits import AskPaces
from talewright.turn.steps.recalling import open_edition
from talewright.turn.turn_context import PlainRunner, Road, Runner, Teller, hear_nothing
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_signals import SignalListener

OPEN_CAMPAIGNS_MAX = 128
"""How many campaigns a worker keeps open; the least recently used one is closed first."""

EDITIONS_MAX = 64
"""How many games a worker keeps loaded."""


async def list_nothing(age_seconds: float) -> Sequence[WaitingInput]:
    """No waiting inputs."""
    return ()


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

    list_waiting: Callable[[float], Awaitable[Sequence[WaitingInput]]] = list_nothing
    """The inputs of all owners that were accepted on this host so many seconds ago and still wait."""

    observer: TurnObserver = SILENT
    """Observes turns, for metrics."""


@dataclass(slots=True)
class OpenCampaign:
    """One open campaign."""

    owner: str
    book: CampaignBook
    game: str = ""
    """The id of its game."""

    folds: FoldCache = field(default_factory=FoldCache)
    paces: AskPaces = field(default_factory=AskPaces)
    users: int = 0
    sequence: int = 0
    """The sequence number of its newest commit at its last use."""

    campaign_id: str = ""


class OpenCampaignCache:
    """The open campaigns of one worker."""

    def __init__(self, parts: WorkerParts) -> None:
        self.parts = parts
        self._open_campaigns: OrderedDict[tuple[str, str], OpenCampaign] = OrderedDict()
        self._editions = OpenedEditions()
        """Shared by all owners: a digest means the same bytes in every campaign."""

    @asynccontextmanager
    async def use(self, owner: str, campaign: str) -> AsyncIterator[OpenCampaign]:
        """An open campaign."""
        key = (owner, campaign)
        opened = await self._find_open(owner, campaign) or await self._open(owner, campaign)
        opened.users += 1
        self._open_campaigns[key] = opened
        self._open_campaigns.move_to_end(key)
        try:
            yield opened
        finally:
            opened.users -= 1
            if not opened.users and self._open_campaigns.get(key) is not opened:
                await opened.book.close()
            await self._close_surplus()

    async def _find_open(self, owner: str, campaign: str) -> OpenCampaign | None:
        """A campaign that is open; None if it was removed, and its name may belong to a new one."""
        opened = self._open_campaigns.get((owner, campaign))
        if opened is None:
            return None
        opened.users += 1
        is_removed = False
        try:
            opened.sequence = (await opened.book.look()).sequence
        except UnknownCampaignError:
            is_removed = True
        finally:
            opened.users -= 1
        if is_removed and self._open_campaigns.get((owner, campaign)) is opened:
            await self.drop(owner, campaign)
        return None if is_removed else opened

    async def drop(self, owner: str, campaign: str) -> None:
        """Reopen a campaign at its next use."""
        opened = self._open_campaigns.pop((owner, campaign), None)
        if opened is not None and not opened.users:
            await opened.book.close()

    async def close(self) -> None:
        """Close all books."""
        while self._open_campaigns:
            await self._open_campaigns.popitem()[1].book.close()

    def make_road(
        self, opened: OpenCampaign, language: str, runner: Runner, listener: SignalListener
    ) -> Road:
        """The road of one turn, or of the work after it."""
        parts = self.parts
        teller = parts.hire(opened.owner, opened.game, opened.book) if opened.game else None
        if len(self._editions.by_digest) > EDITIONS_MAX:
            self._editions.by_digest.clear()
        return Road(
            book=opened.book,
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
            opened=self._editions,
            folds=opened.folds,
            paces=opened.paces,
        )

    async def _open(self, owner: str, campaign: str) -> OpenCampaign:
        book = await self.parts.store_of(owner).open(campaign)
        opened = OpenCampaign(owner, book)
        try:
            status = await book.look()
            opened.sequence, opened.campaign_id = status.sequence, status.campaign_id
            head = await book.read(status.head)
            road = self.make_road(opened, "", PlainRunner(), hear_nothing)
            opened.game = (await open_edition(road, head.game_digest)).game.id
        except TalewrightError:
            await book.close()
            raise
        return opened

    async def _close_surplus(self) -> None:
        idle = [key for key, opened in self._open_campaigns.items() if not opened.users]
        for key in idle[: max(len(self._open_campaigns) - OPEN_CAMPAIGNS_MAX, 0)]:
            await self._open_campaigns.pop(key).book.close()
