"""The schema and the keys of a host: an operator migrates all its databases, and seals them with a new key.

Nodes and workers then need no right to change the schema.
"""

from collections.abc import Mapping, Sequence

from talewright.bootstrap.hosting.host_addresses import require_setting
from talewright.bootstrap.hosting.host_admin import connect_database, log_action
from talewright.bootstrap.hosting.host_transfer import open_host_store
from talewright.common.frozen_values import frozen
from talewright.hosting.sealed_steps import reseal_steps
from talewright.hosting.turn_queue import TurnQueue
from talewright.stores.postgres.migration_runner import SchemaPart, migrate_connection, read_versions
from talewright.stores.postgres.sealing import SEALING_KEYS, SealingKeys, parse_keys
from talewright.stores.postgres.shards import DATABASE_URL, parse_shards
from talewright.stores.postgres.upkeep.key_registry import retire_keys
from talewright.stores.postgres.upkeep.resealing import ResealReport, reseal_database
from talewright.stores.postgres.upkeep.role_grants import find_roles, grant_role

PASSES_MAX = 3
"""How often everything is sealed again that a process has sealed with an old key meanwhile."""


@frozen
class MigratedDatabase:
    """A database after its migration."""

    schema: int
    applied: tuple[int, ...]
    """The steps that were missing."""

    roles: tuple[str, ...]
    """The roles of nodes and workers, which were granted what they need."""


@frozen
class Resealed:
    """A host after everything was sealed again."""

    key: str
    """The first key."""

    report: ResealReport
    retired: tuple[str, ...] = ()
    is_complete: bool = True
    """Whether nothing is sealed with another key any more."""


async def migrate_host(environment: Mapping[str, str], role: str = "") -> tuple[MigratedDatabase, ...]:
    """Bring all databases up to date, in the order of the configuration; owners and queues are in the first.

    A role, and every role that got one before, is granted what nodes and workers need.
    """
    migrated = []
    for index, url in enumerate(parse_shards(require_setting(environment, DATABASE_URL)).databases):
        parts = (SchemaPart.CAMPAIGNS,) if index else tuple(SchemaPart)
        async with (
            connect_database(url, None) as pool,
            pool.acquire() as connection,
            connection.transaction(),
        ):
            before = await read_versions(connection)
            for part in parts:
                await migrate_connection(connection, part)
            after = await read_versions(connection)
            roles = sorted({*await find_roles(connection), *filter(None, [role])})
            for one in roles:
                await grant_role(connection, one)
        if index == 0:
            await _prepare_queue(url, roles)
        migrated.append(
            MigratedDatabase(max(after), tuple(sorted(after.keys() - before.keys())), tuple(roles))
        )
    log_action("migrate", schema=max(one.schema for one in migrated))
    return tuple(migrated)


async def _prepare_queue(url: str, roles: Sequence[str]) -> None:
    queue = TurnQueue(url, pool_size=1, patient=False)
    try:
        for role in roles or [""]:
            await queue.prepare(role)
    finally:
        await queue.close()


async def reseal_host(environment: Mapping[str, str]) -> Resealed:
    """Seal everything with the first key, and retire the others if nothing is sealed with them any more."""
    keys = parse_keys(require_setting(environment, SEALING_KEYS))
    # Checks that these are the keys of the host.
    async with open_host_store(environment):
        pass
    log_action("reseal", key=keys.first)
    report, urls = ResealReport(), parse_shards(require_setting(environment, DATABASE_URL)).databases
    left = ResealReport(1)
    for _ in range(PASSES_MAX):
        left = await _reseal_once(urls, keys)
        report = ResealReport(report.values + left.values, left.unreadable)
        if not left.values:
            break
    if left.values or left.unreadable:
        return Resealed(keys.first, report, is_complete=False)
    retired: set[str] = set()
    for url in urls:
        async with connect_database(url, None) as pool, pool.acquire() as connection:
            retired.update(await retire_keys(connection, keys))
    return Resealed(keys.first, report, tuple(sorted(retired)))


async def _reseal_once(urls: tuple[str, ...], keys: SealingKeys) -> ResealReport:
    report = ResealReport()
    for index, url in enumerate(urls):
        async with connect_database(url, None) as pool, pool.acquire() as connection:
            report += await reseal_database(connection, keys)
            if index == 0:
                report += await reseal_steps(connection, keys)
    return report
