"""Role grants: what nodes and workers may do in a database if an operator gives them a role of their own.

Such a role reads and writes rows. It can neither change the schema nor change or delete a record.
"""

from typing import Any

from asyncpg.exceptions import UndefinedObjectError

from talewright.errors import SettingsError

SCHEMAS = ("public", "hosting")

ROWS = "select, insert, update, delete"
"""What is granted on a table that is not listed here."""

GRANTS = {
    "schema_versions": "select",
    "sealing_keys": "select, insert, update (used)",
    "shard_claims": "select, insert",
    "records": "select, insert",
    "games": "select, insert",
    "campaigns": "select, insert, update",
    "branches": "select, insert, update",
    "marks": "select, insert, update",
    "game_links": "select, insert, update",
    "snapshots": "select, insert, update",
    "open_turns": "select, insert, update",
    "owners": "select, insert, update",
}
"""Tables whose rows nodes and workers never delete or, for some, never change."""

_TABLES = """
select n.nspname as schema, c.relname as name
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = any ($1) and c.relkind in ('r', 'p') and not c.relispartition
order by n.nspname, c.relname
"""
"""Partitions are reached through their tables."""

_ROLES = """
select r.rolname as name
from pg_class c cross join aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
where c.oid = to_regclass('schema_versions') and a.grantee <> c.relowner
group by r.rolname
"""


async def find_roles(connection: Any) -> tuple[str, ...]:
    """The roles that were granted something before."""
    return tuple(sorted(row["name"] for row in await connection.fetch(_ROLES)))


async def grant_role(connection: Any, role: str) -> None:
    """Grant a role only what nodes and workers need; raises SettingsError if there is no such role."""
    tables = await connection.fetch(_TABLES, SCHEMAS)
    statements = [f"grant usage on schema {schema} to %I" for schema in {row["schema"] for row in tables}]
    for row in tables:
        place = f"{row['schema']}.{row['name']}"
        statements += [
            f"revoke all on {place} from %I",
            f"grant {GRANTS.get(row['name'], ROWS)} on {place} to %I",
        ]
    try:
        for statement in statements:
            await connection.execute(
                await connection.fetchval("select format($1, $2::text)", statement, role)
            )
    except UndefinedObjectError:
        raise SettingsError(
            f"there is no role {role!r} in this database",
            "Create it first, such as `create role NAME login password '...'`.",
        ) from None
