"""Migrations: the tables of a database, upgraded step by step and checked at every start.

The steps of all tables are the files `migrations/NUMBER_PART.sql`, numbered across all parts; a database gets
the parts that it is used for, and `schema_versions` lists the steps it has. An applied step is never changed
and never undone. Processes that start together apply each step once. A process whose role may not change the
schema needs no right to do so, as long as an operator has applied every step.
"""

import hashlib
from enum import StrEnum
from importlib import resources
from typing import Any

from asyncpg.exceptions import InsufficientPrivilegeError

from talewright.chronicle.store import ChronicleError
from talewright.common.frozen_values import frozen
from talewright.stores.postgres.connection_retry import Database

LOCK = 0x7A1E_0022
"""The advisory lock that one process holds while it migrates."""

_VERSIONS = """
create table if not exists schema_versions (
    version integer primary key,
    name text not null,
    digest text not null,
    at timestamptz not null default now()
)
"""


class DatabaseSchemaError(ChronicleError):
    """The schema of a database does not fit this version of the program."""


class SchemaPart(StrEnum):
    """Tables that belong together; a host may keep each part in a database of its own."""

    CAMPAIGNS = "campaigns"
    WORKERS = "workers"
    OWNERS = "owners"


@frozen
class Migration:
    """One step."""

    version: int
    name: str
    statements: str

    @property
    def part(self) -> str:
        """Which tables it is about: the first word of its name."""
        return self.name.partition("_")[0]

    @property
    def digest(self) -> str:
        """The hash of its statements, which is stored with it."""
        return hashlib.sha256(self.statements.encode()).hexdigest()


def read_migrations(part: SchemaPart | None = None) -> tuple[Migration, ...]:
    """The steps of this version of the program, in order: of all tables, or of a part."""
    folder = resources.files("talewright.stores.postgres") / "migrations"
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    steps = []
    for file in files:
        number, _, name = file.removesuffix(".sql").partition("_")
        steps.append(Migration(int(number), name, (folder / file).read_text(encoding="utf-8")))
    return tuple(step for step in steps if part is None or step.part == part)


async def migrate(
    database: Database, part: SchemaPart, steps: tuple[Migration, ...] | None = None
) -> tuple[int, ...]:
    """Apply the missing steps of a part, and return the versions that the database has."""

    async def apply(connection: Any) -> tuple[int, ...]:
        return await migrate_connection(connection, part, steps)

    return await database.transact(apply)


async def migrate_connection(
    connection: Any, part: SchemaPart, steps: tuple[Migration, ...] | None = None
) -> tuple[int, ...]:
    """The same on a connection, within its transaction; raises DatabaseSchemaError for another schema, or if
    a step is missing that the role of the connection may not apply.
    """
    known = read_migrations() if steps is None else steps
    # Held until the end of the transaction: the next process finds everything done.
    await connection.execute("select pg_advisory_xact_lock($1)", LOCK)
    try:
        applied = await read_versions(connection)
        check_versions(applied, known)
        missing = tuple(step for step in known if step.part == part and step.version not in applied)
        await _apply(connection, missing)
    except InsufficientPrivilegeError:
        raise DatabaseSchemaError(
            "the database lacks a part of the schema of this version, and this role may not change it",
            "Run `talewright admin migrate --role ROLE` with a role that may; ROLE is the one used here.",
        ) from None
    return tuple(sorted([*applied, *(step.version for step in missing)]))


async def read_versions(connection: Any) -> dict[int, str]:
    """The steps that a database has, and their hashes."""
    if not await connection.fetchval("select to_regclass('schema_versions') is not null"):
        return {}
    rows = await connection.fetch("select version, digest from schema_versions order by version")
    return {row["version"]: row["digest"] for row in rows}


async def _apply(connection: Any, missing: tuple[Migration, ...]) -> None:
    if missing:
        await connection.execute(_VERSIONS)
    for step in missing:
        await connection.execute(step.statements)
        await connection.execute(
            "insert into schema_versions (version, name, digest) values ($1, $2, $3)",
            step.version,
            step.name,
            step.digest,
        )


def check_versions(applied: dict[int, str], known: tuple[Migration, ...]) -> None:
    """Raise DatabaseSchemaError if a database is newer than this program, or one of its steps differs."""
    newest = known[-1].version
    if max(applied, default=0) > newest:
        raise DatabaseSchemaError(
            f"the database has schema {max(applied)}; this version knows schemas up to {newest}",
            "Update Talewright on this node. Nothing in the database was changed.",
        )
    for step in known:
        if applied.get(step.version, step.digest) != step.digest:
            raise DatabaseSchemaError(
                f"step {step.version} of the database's schema is not the one of this version",
                "Use the version that created the database, or restore a backup.",
            )
