"""Migrations: the schema of a database, upgraded step by step and checked at every start.

An applied step is never changed and never undone. Processes that start together apply each step once.
"""

import hashlib
from importlib import resources
from typing import Any

from talewright.chronicle.store import ChronicleError
from talewright.common.frozen_values import frozen
from talewright.stores.postgres.connections import Database

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


@frozen
class Migration:
    """One step."""

    version: int
    name: str
    statements: str

    @property
    def digest(self) -> str:
        """The hash of its statements, which is stored with it."""
        return hashlib.sha256(self.statements.encode()).hexdigest()


def read_migrations() -> tuple[Migration, ...]:
    """The steps of this version of the program, in order: the files `NUMBER_NAME.sql`."""
    folder = resources.files("talewright.stores.postgres") / "migrations"
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    steps = []
    for file in files:
        number, _, name = file.removesuffix(".sql").partition("_")
        steps.append(Migration(int(number), name, (folder / file).read_text(encoding="utf-8")))
    return tuple(steps)


async def migrate(database: Database, steps: tuple[Migration, ...] | None = None) -> int:
    """Apply the missing steps and return the version; raises DatabaseSchemaError for another schema."""
    wanted = read_migrations() if steps is None else steps

    async def apply(connection: Any) -> int:
        # Held until the end of the transaction: the next process finds everything done.
        await connection.execute("select pg_advisory_xact_lock($1)", LOCK)
        await connection.execute(_VERSIONS)
        rows = await connection.fetch("select version, digest from schema_versions order by version")
        applied = {row["version"]: row["digest"] for row in rows}
        check_versions(applied, wanted)
        for step in wanted:
            if step.version not in applied:
                await connection.execute(step.statements)
                await connection.execute(
                    "insert into schema_versions (version, name, digest) values ($1, $2, $3)",
                    step.version,
                    step.name,
                    step.digest,
                )
        return wanted[-1].version

    return await database.transact(apply)


def check_versions(applied: dict[int, str], wanted: tuple[Migration, ...]) -> None:
    """Raise DatabaseSchemaError if a database is newer than this program, or one of its steps differs."""
    newest = wanted[-1].version
    if max(applied, default=0) > newest:
        raise DatabaseSchemaError(
            f"the database has schema {max(applied)}; this version knows schemas up to {newest}",
            "Update Talewright on this node. Nothing in the database was changed.",
        )
    for step in wanted:
        if applied.get(step.version, step.digest) != step.digest:
            raise DatabaseSchemaError(
                f"step {step.version} of the database's schema is not the one of this version",
                "Use the version that created the database, or restore a backup.",
            )
