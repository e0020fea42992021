"""Host administration: owners, what they spend and store, stuck turns, workers and verified campaigns.

The operator of a host needs the address of the database; only verification needs the sealing keys too.
"""

import asyncio
import logging
import os
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from random import SystemRandom
from typing import Any, cast

import asyncpg

from talewright.bootstrap import new_id, user_places
from talewright.bootstrap.hosting.host_addresses import find_system_url, name_process, require_setting
from talewright.bootstrap.hosting.host_transfer import find_owner, open_host_store
from talewright.bootstrap.jobs.job_pool import (
    PROCESSES,
    PROCESSES_MAX,
    SECONDS_MAX,
    JobLimits,
    JobPool,
    read_job_limits,
)
from talewright.chronicle.record_order_checks import Violation
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.hosting.database_addresses import make_asyncpg_url
from talewright.hosting.hosting_tables import UNREACHABLE
from talewright.hosting.operations.host_workers import HostWorker, HostWorkers
from talewright.hosting.operations.json_logs import log_event, writing_engine_logs
from talewright.hosting.operations.stuck_turns import StuckTurn, StuckTurns
from talewright.hosting.owners.owner_accounts import (
    OwnerAccount,
    OwnerAccounts,
    OwnerLimits,
    OwnerPool,
    UnknownOwnerError,
)
from talewright.hosting.turn_jobs import read_operation
from talewright.play.error_codes import code_of
from talewright.play.serving.served_jobs import JobKind
from talewright.play.verify.campaign_verification import CHAINED
from talewright.play.verify.verification_report import VerificationReport
from talewright.stores.postgres.migration_runner import SchemaPart, migrate_connection
from talewright.stores.postgres.postgres_store import (
    WAITING_PAGE_MAX,
    WaitingInput,
    read_waiting,
)
from talewright.stores.postgres.scoped_access import unknown_campaign
from talewright.stores.postgres.shards import DATABASE_URL, parse_shards
from talewright.stores.postgres.statements import STORED_BY_OWNERS, WAITING_LONG

CONNECT_SECONDS_MAX = 5.0
COMMAND_SECONDS_MAX = 30.0
POOL_SIZE = 2

_LOG = logging.getLogger(__name__)

_AWAY = (*UNREACHABLE, ValueError)
"""Errors while connecting: no server, no database, no access, or no address."""


class UnreachableDatabaseError(TalewrightError):
    """The database of the host does not answer, or refuses the connection."""


@frozen
class VerifiedCampaign:
    """A campaign on a host, and the result of its verification."""

    owner: str
    campaign: str
    report: Mapping[str, Json]
    """As `talewright verify --json` prints it."""


@frozen
class ChosenCampaigns:
    """Campaigns to verify."""

    campaigns: tuple[tuple[str, str], ...]
    """Owners and names."""

    total: int
    """How many there were to choose from."""


@frozen
class StoredAmount:
    """What an owner stores."""

    campaigns: int = 0
    """Removed ones are not included."""

    bytes: int = 0
    """Of records and snapshots, in removed campaigns too."""


@dataclass(frozen=True, slots=True)
class HostAdmin:
    """The operator's actions."""

    environment: Mapping[str, str]
    accounts: OwnerAccounts
    stuck: StuckTurns
    workers: HostWorkers

    async def list_owners(self) -> tuple[OwnerAccount, ...]:
        """All owners."""
        found: list[OwnerAccount] = []
        while page := await self.accounts.list(found[-1].id if found else ""):
            found += page
        return tuple(found)

    async def measure_owners(self) -> Mapping[str, StoredAmount]:
        """What each owner stores, in whichever database; owners without campaigns are missing."""
        found: dict[str, StoredAmount] = {}
        for url in parse_shards(require_setting(self.environment, DATABASE_URL)).databases:
            async with connect_database(url) as pool, pool.acquire() as connection, connection.transaction():
                await migrate_connection(connection, SchemaPart.CAMPAIGNS)
                rows = await connection.fetch(STORED_BY_OWNERS)
            found |= {row["owner"]: StoredAmount(row["campaigns"], row["bytes"]) for row in rows}
        return found

    async def list_strays(self, age_seconds: float) -> Sequence[WaitingInput]:
        """Inputs that were accepted so many seconds ago and whose turns are in no queue."""
        waiting: list[WaitingInput] = []
        for url in parse_shards(require_setting(self.environment, DATABASE_URL)).databases:
            # Without these tables, nothing was accepted yet.
            async with connect_database(url) as pool:
                with suppress(asyncpg.UndefinedTableError, asyncpg.UndefinedColumnError):
                    rows = await pool.fetch(WAITING_LONG, age_seconds, WAITING_PAGE_MAX)
                    waiting += [read_waiting(row) for row in rows]
        return await self.stuck.find_strays(waiting)

    async def add_owner(self, label: str, **limits: Any) -> tuple[str, str]:
        """Add an owner with the given limits; returns id and token."""
        owner, token = await self.accounts.add(label, OwnerLimits(**limits))
        log_action("add_owner", owner=owner)
        return owner, token

    async def renew_token(self, owner: str) -> str:
        """Replace the token of an owner; returns the new one."""
        token = await self.accounts.renew_token(owner)
        log_action("renew_token", owner=owner)
        return token

    async def remove_owner(self, owner: str) -> None:
        """Remove an owner; the campaigns stay."""
        await self.accounts.remove(owner)
        log_action("remove_owner", owner=owner)

    async def resume(self, stuck: tuple[StuckTurn, ...]) -> int:
        """Let any worker take turns that another one has taken; returns how many there were."""
        resumed = await self.stuck.resume(stuck)
        for one in stuck:
            if one.is_taken:
                operation, owner = read_operation(one.workflow), one.workflow.partition("/")[0]
                log_action("resume_turn", operation, owner=owner, executor=one.executor)
        return resumed

    async def retire_workers(self, which: str) -> tuple[HostWorker, ...]:
        """Retire a worker, or all workers of an engine; returns them."""
        retired = await self.workers.retire(which)
        for one in retired:
            log_action("retire_worker", executor=one.id)
        return retired

    async def change_limits(self, owner: str, **changed: Any) -> OwnerLimits:
        """Change the given limits of an owner, and return all of them."""
        known = next((one.limits for one in await self.list_owners() if one.id == owner), None)
        if known is None:
            raise UnknownOwnerError
        limits = replace(known, **changed)
        await self.accounts.set_limits(owner, limits)
        log_action("change_limits", owner=owner, dollars=limits.dollars, tokens=limits.tokens)
        return limits

    async def choose_campaigns(
        self,
        owner: str | None = None,
        campaign: str | None = None,
        since: datetime | None = None,
        sample: int | None = None,
    ) -> ChosenCampaigns:
        """All campaigns, or those of an owner, with a name, or written since; of these, a random sample.

        The beginning of the owner's id is enough. Raises UnknownOwnerError, AmbiguousOwnerError or
        UnknownCampaignError.
        """
        async with open_host_store(self.environment) as store:
            whose = None if owner is None else await find_owner(store, owner, has_left=True)
            if campaign is not None and not await store.names(whose, campaign):
                raise unknown_campaign(campaign)
            found = await store.names(whose, campaign, since)
        if sample is None or sample >= len(found):
            return ChosenCampaigns(found, len(found))
        return ChosenCampaigns(tuple(sorted(SystemRandom().sample(found, sample))), len(found))

    async def verify(self, campaigns: Sequence[tuple[str, str]]) -> AsyncIterator[VerifiedCampaign]:
        """Verify campaigns, given by owner and name, in as many processes as there are processors.

        They come in the order in which they are done. One that was removed meanwhile is left out.
        """
        # Imported late: only verification needs the parts of a node.
        from talewright.bootstrap.hosting.node_launcher import open_job_pool

        limits = read_verification_limits(self.environment)
        running: set[asyncio.Task[VerifiedCampaign | None]] = set()
        async with open_job_pool(user_places(), self.environment, limits=limits) as pool:
            try:
                waiting = deque(campaigns)
                while waiting or running:
                    while waiting and len(running) < limits.processes:
                        running.add(asyncio.ensure_future(_verify(pool, *waiting.popleft())))
                    done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                    for task in done:
                        verified = task.result()
                        if verified is not None:
                            yield verified
            finally:
                for task in running:
                    task.cancel()
                await asyncio.gather(*running, return_exceptions=True)


def read_verification_limits(environment: Mapping[str, str]) -> JobLimits:
    """As many processes as there are processors, unless the environment says otherwise; no time limit that a
    campaign would reach. Raises SettingsError.
    """
    count = environment.get(PROCESSES, "").strip() or str(min(os.cpu_count() or 1, PROCESSES_MAX))
    limits = read_job_limits({**environment, PROCESSES: count}, has_owners=False)
    return replace(limits, seconds=SECONDS_MAX)


async def _verify(pool: JobPool, owner: str, campaign: str) -> VerifiedCampaign | None:
    """Verify a campaign, whatever is wrong with it; None if it does not exist."""
    asked: dict[str, Json] = {"campaign": campaign, "receipt": ""}
    try:
        report = cast(dict[str, Json], (await pool.run(owner, JobKind.VERIFY, asked)).value)
    except TalewrightError as error:
        code = code_of(error)
        if code == "campaign_unknown":
            return None
        if code == "unsaved":
            # The database is gone, so nothing else can be verified either.
            raise
        found = Violation(CHAINED if code == "read_only" else code, error.message, "the whole campaign")
        report = VerificationReport((found,), {}).to_json(campaign)
    return VerifiedCampaign(owner, campaign, report)


def log_action(action: str, operation: str = "", **fields: object) -> None:
    """Log what an operator has changed, in one line: ids and numbers only. An action that is not about a turn
    gets an operation id of its own.
    """
    log_event(_LOG, "admin_action", logging.INFO, action=action, operation=operation or new_id(), **fields)


@asynccontextmanager
async def open_host_admin(environment: Mapping[str, str]) -> AsyncIterator[HostAdmin]:
    """Connect to the database with owners and turns: the first one, if there are several."""
    environment = name_process(environment, "admin")
    url = find_system_url(environment)
    with writing_engine_logs():
        async with connect_database(url) as pool:
            yield HostAdmin(environment, OwnerAccounts(pool), StuckTurns(url, pool), HostWorkers(pool))


@asynccontextmanager
async def connect_database(url: str, seconds: float | None = COMMAND_SECONDS_MAX) -> AsyncIterator[OwnerPool]:
    """Connections to one database, and how long a statement may take."""
    try:
        pool = await asyncpg.create_pool(
            make_asyncpg_url(url),
            min_size=1,
            max_size=POOL_SIZE,
            timeout=CONNECT_SECONDS_MAX,
            command_timeout=seconds,
        )
    except _AWAY as error:
        # The error text may contain the address, and with it a password.
        raise UnreachableDatabaseError(
            f"the database cannot be reached ({type(error).__name__})",
            f"Check that PostgreSQL is running and that {DATABASE_URL} names the right server, user and "
            "database.",
        ) from None
    try:
        yield pool
    finally:
        pool.terminate()
