"""Shared budgets: what owners may spend in total and in a month, and what campaigns may, across all nodes.

The maximum cost of a request is reserved before it is sent, and its actual cost is settled afterwards. A
request that does not fit is not sent. If a node dies in between, the whole reservation counts as spent after
a while.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress

from talewright.chronicle.store import StoreAwayError
from talewright.common.frozen_values import frozen
from talewright.hosting.owners import owner_tables
from talewright.llm.cost_meter import Metered, cost_by_profile
from talewright.llm.profiles import Profile
from talewright.llm.provider import Provider, ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk, Usage
from talewright.llm.requests import Request
from talewright.stores.postgres.connection_retry import Database, LostWriteError
from talewright.stores.postgres.scoped_access import WRITES_MAX
from talewright.turn.spending import SpendingBudget, SpendingSum, foresee

RESERVED_SECONDS = 900.0
"""How long a reservation is held; no request takes that long."""

SETTLE_SECONDS = 60.0
"""How often to look for reservations of dead nodes."""


_LOG = logging.getLogger(__name__)


@frozen
class CampaignLimits:
    """What a campaign may spend, and what its record says it has spent."""

    campaign: str
    budget: SpendingBudget
    recorded: SpendingSum


@frozen
class Reservation:
    """The answer to a reservation."""

    id: str = ""
    """Empty if it was refused."""

    refused_by: str = ""
    """The budget that does not cover it: `owner`, `month` (of the owner) or `campaign`."""


class SharedBudgets:
    """Reserves and settles."""

    def __init__(self, database: Database, reserved_seconds: float = RESERVED_SECONDS) -> None:
        self._database = database
        self._reserved_seconds = reserved_seconds

    async def reserve(
        self, owner: str, dollars: float, tokens: int, limits: CampaignLimits | None = None
    ) -> Reservation:
        """Reserve an amount, if the owner's budget and the campaign's limits (if any) cover it."""
        reservation = secrets.token_hex(16)
        values = (owner, reservation, dollars, tokens, self._reserved_seconds, *_write_limits(limits))
        for _ in range(WRITES_MAX):
            try:
                (answer,) = await self._database.write(owner_tables.RESERVE, *values)
            except LostWriteError:
                # Look up whether it was written: a reservation nobody knows of would count as spent.
                if not await self._database.fetch(owner_tables.FIND_RESERVATION, reservation):
                    continue
                return Reservation(reservation)
            if answer["is_reserved"]:
                return Reservation(reservation)
            if answer["owner_can_pay"]:
                return Reservation(refused_by="campaign")
            return Reservation(refused_by="month" if answer["total_covers"] else "owner")
        raise StoreAwayError("the connection to the database was lost", "Try again in a moment.")

    async def settle(self, reservation: str, dollars: float, tokens: int) -> None:
        """Replace a reservation with what was spent; one that is already settled does not change.

        If the database is away, the whole reservation counts as spent after a while: a reply that was paid
        for is not lost because of that.
        """
        for _ in range(WRITES_MAX):
            try:
                await self._database.write(owner_tables.SETTLE, reservation, dollars, tokens)
            except LostWriteError:
                continue
            except StoreAwayError:
                _LOG.warning("the cost of a request cannot be booked")
            return

    async def settle_lost(self) -> None:
        """Count the reservations of dead nodes as spent; call this now and then."""
        with suppress(LostWriteError):
            await self._database.write(owner_tables.SETTLE_LOST)

    async def forget(self, owner: str, campaign: str) -> None:
        """Forget the spending of a removed campaign: a new one may get its name."""
        with suppress(LostWriteError):
            await self._database.write(owner_tables.FORGET_CAMPAIGN, owner, campaign)

    async def settle_lost_forever(self, pause_seconds: float = SETTLE_SECONDS) -> None:
        """Call `settle_lost` now and then."""
        while True:
            await asyncio.sleep(pause_seconds)
            with suppress(StoreAwayError):
                await self.settle_lost()


def _write_limits(limits: CampaignLimits | None) -> tuple[object, ...]:
    if limits is None:
        return (None, 0.0, 0, None, None)
    budget, recorded = limits.budget, limits.recorded
    return (
        limits.campaign,
        recorded.dollars,
        recorded.tokens,
        budget.campaign_dollars,
        budget.campaign_tokens,
    )


@frozen
class Payer:
    """Who pays for the requests of a campaign."""

    owner: str
    campaign: str
    budget: SpendingBudget
    """The campaign's limits."""

    recorded: Callable[[], Awaitable[SpendingSum]]
    """Reads the campaign's spending from its record."""

    async def read_limits(self) -> CampaignLimits | None:
        """The campaign's own budget; None if it has none."""
        if self.budget.campaign_dollars is None and self.budget.campaign_tokens is None:
            return None
        return CampaignLimits(self.campaign, self.budget, await self.recorded())


REFUSALS = {
    "owner": (
        "the budget of this owner does not cover the request",
        "Ask the operator of this server for more, or play a game that needs no model.",
    ),
    "month": (
        "this month's budget of this owner does not cover the request",
        "Wait for the next month, ask the operator of this server, or play a game that needs no model.",
    ),
    "campaign": (
        "the budget of this campaign does not cover the request",
        "Ask the operator of this server for more, or continue without the model.",
    ),
}


class BudgetedProvider:
    """A provider that sends only requests that the owner and the campaign can pay for."""

    def __init__(self, provider: Provider, budgets: SharedBudgets, payer: Payer) -> None:
        self._provider = provider
        self._budgets = budgets
        self._payer = payer

    @property
    def profile(self) -> Profile:
        """What the model can do."""
        return self._provider.profile

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Reserve, ask, and settle, even if the answer breaks off or nobody reads it to the end."""
        most = foresee(request, (self.profile,), 1)
        limits = await self._payer.read_limits()
        reservation = await self._budgets.reserve(self._payer.owner, most.dollars or 0.0, most.tokens, limits)
        if not reservation.id:
            raise ProviderError(Trouble.BUDGET, *REFUSALS[reservation.refused_by], unpaid=True)
        spent: list[Usage] = []
        metered = Metered(self._provider, lambda usage, _: spent.append(usage))
        try:
            async with aclosing(metered.stream(request)) as chunks:
                async for chunk in chunks:
                    yield chunk
        finally:
            # Even if the turn is cancelled: the money is spent.
            await asyncio.shield(self._settle(reservation.id, spent))

    async def close(self) -> None:
        """Close the provider."""
        await self._provider.close()

    async def _settle(self, reservation: str, spent: list[Usage]) -> None:
        dollars = sum(cost_by_profile(one, self.profile) or 0.0 for one in spent)
        tokens = sum(one.input_tokens + one.output_tokens for one in spent)
        await self._budgets.settle(reservation, dollars, tokens)
