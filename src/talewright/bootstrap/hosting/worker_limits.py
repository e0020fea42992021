"""Worker limits: what owners and campaigns may spend, and how often all workers may call a model.

Budgets are kept in PostgreSQL and rates in Redis, so they apply across all processes.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

from redis.asyncio import Redis

from talewright.bootstrap.provider_factory import ProviderFactory
from talewright.chronicle.store import CampaignBook
from talewright.config.model_settings import ModelSettings
from talewright.hosting.limits.shared_budgets import BudgetedProvider, Payer, SharedBudgets
from talewright.hosting.limits.shared_rate_limit import SharedLimitProvider, SharedRate, SharedRateLimit
from talewright.hosting.news.redis_stream_reader import connect_redis
from talewright.hosting.operations.supervised_tasks import HostTask, SupervisedTasks
from talewright.hosting.operations.turn_observer import SILENT, TurnObserver
from talewright.hosting.owners.owner_directory import prepare_owner_tables
from talewright.llm.provider import Provider
from talewright.stores.postgres.connection_retry import Database
from talewright.turn.spending import SpendingSum, sum_totals
from talewright.turn.turn_context import Teller

CONNECTIONS_MAX = 4

Hiring = Callable[[str, str, CampaignBook], Teller | None]
"""Takes an owner, a game and a campaign."""


@asynccontextmanager
async def open_limited_hiring(
    factory: ProviderFactory | None, database: Database, redis_url: str, observer: TurnObserver = SILENT
) -> AsyncIterator[Hiring]:
    """Hire storytellers, paid for by their owners, within the rate limit that all workers share."""
    if factory is None:
        yield lambda owner, game, book: None
        return
    await prepare_owner_tables(database)
    budgets = SharedBudgets(database)
    tasks = SupervisedTasks(observer)
    tasks.start(HostTask.BUDGETS, budgets.settle_lost_forever)
    redis = connect_redis(redis_url, CONNECTIONS_MAX)
    shared = replace(factory, limit=limit_by(redis, observer))
    try:
        yield charge_owners(shared, budgets)
    finally:
        await tasks.stop()
        await shared.close()
        await redis.aclose(close_connection_pool=True)


def charge_owners(factory: ProviderFactory, budgets: SharedBudgets) -> Hiring:
    """Hire storytellers whose requests are charged to the budgets of owner and campaign."""

    def hire(owner: str, game: str, book: CampaignBook) -> Teller | None:
        async def read_spent() -> SpendingSum:
            return sum_totals((await book.look()).spent)

        budget = factory.decide(game, book.campaign).budget
        payer = Payer(owner, book.campaign, budget, read_spent)

        def charge(provider: Provider) -> Provider:
            return BudgetedProvider(provider, budgets, payer)

        return factory.hire(game, book.campaign, charge)

    return hire


def limit_by(redis: Redis, observer: TurnObserver) -> Callable[[Provider, ModelSettings], Provider]:
    """Wrap a model in its rate limits, if it has any, counted in Redis."""

    def limit(provider: Provider, model: ModelSettings) -> Provider:
        rate = SharedRate(model.host_at_once, model.per_minute)
        if rate == SharedRate():
            return provider
        return SharedLimitProvider(provider, SharedRateLimit(redis, model.name, rate), observer)

    return limit
