"""Owner accounts: added by the operator, found by their tokens.

A token is shown once, when it is created. Only its hash is stored.
"""

import asyncio
import secrets
from collections.abc import Iterable
from typing import TypeAlias

import asyncpg

from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError
from talewright.hosting.owners import owner_tables
from talewright.play.wire.token_proof import hash_token
from talewright.stores.postgres.migration_runner import SchemaPart, migrate_connection

OwnerPool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"

TOKEN_START = "tw_"
TOKEN_BYTES = 32
OWNER_BYTES = 16
LABEL_LENGTH_MAX = 100
PAGE_MAX = 256


class UnknownOwnerError(TalewrightError):
    """There is no such owner."""

    def __init__(self) -> None:
        super().__init__("there is no such owner", "List them: talewright admin owner list")


class AmbiguousOwnerError(TalewrightError):
    """Several owners have ids that begin like the given one."""

    def __init__(self) -> None:
        super().__init__("the ids of several owners begin like this", "Give more of the id.")


@frozen
class OwnerLimits:
    """What an owner may spend; None means no limit."""

    dollars: float | None = None
    tokens: int | None = None
    monthly_dollars: float | None = None
    monthly_tokens: int | None = None
    """In a calendar month (UTC)."""

    @property
    def columns(self) -> tuple[object, ...]:
        """In the order of the statements."""
        return self.dollars, self.tokens, self.monthly_dollars, self.monthly_tokens


@frozen
class OwnerAccount:
    """An owner, with limits and spending."""

    id: str
    label: str
    """A name for the operator; it need not be unique."""

    limits: OwnerLimits
    dollars_spent: float = 0.0
    tokens_spent: int = 0
    dollars_reserved: float = 0.0
    tokens_reserved: int = 0
    """For requests that run now."""

    month_dollars_spent: float = 0.0
    month_tokens_spent: int = 0
    """In the current month."""


class OwnerAccounts:
    """The owners of a host."""

    def __init__(self, pool: OwnerPool) -> None:
        self._pool = pool
        self._ready = False
        self._opening = asyncio.Lock()

    async def prepare(self) -> OwnerPool:
        """Create the tables, once, and return the connections."""
        async with self._opening:
            if not self._ready:
                async with self._pool.acquire() as connection, connection.transaction():
                    await migrate_connection(connection, SchemaPart.OWNERS)
                self._ready = True
        return self._pool

    async def add(self, label: str, limits: OwnerLimits = OwnerLimits()) -> tuple[str, str]:  # noqa: B008 - a frozen value
        """Add an owner; returns id and token."""
        owner, token = secrets.token_hex(OWNER_BYTES), make_owner_token()
        pool = await self.prepare()
        label = label[:LABEL_LENGTH_MAX]
        await pool.execute(owner_tables.ADD_OWNER, owner, label, hash_token(token), *limits.columns)
        return owner, token

    async def renew_token(self, owner: str) -> str:
        """Give an owner a new token; the old one stops working."""
        token = make_owner_token()
        await self._change(owner_tables.RENEW_TOKEN, owner, hash_token(token))
        return token

    async def set_limits(self, owner: str, limits: OwnerLimits) -> None:
        """Change what an owner may spend."""
        await self._change(owner_tables.SET_LIMITS, owner, *limits.columns)

    async def remove(self, owner: str) -> None:
        """Remove an owner and its token; campaigns stay in the store."""
        await self._change(owner_tables.REMOVE_OWNER, owner)

    async def find(self, token: str) -> str | None:
        """The owner with a token."""
        pool = await self.prepare()
        found: str | None = await pool.fetchval(owner_tables.FIND_OWNER, hash_token(token))
        return found

    async def resolve(self, start: str) -> str:
        """The id of the owner whose id begins like this; raises UnknownOwnerError or AmbiguousOwnerError."""
        return pick_owner(start, await self.match(start))

    async def match(self, start: str) -> tuple[str, ...]:
        """The ids that begin like this."""
        pool = await self.prepare()
        return tuple(row["id"] for row in await pool.fetch(owner_tables.MATCH_OWNERS, start))

    async def list(self, after: str = "", count: int = PAGE_MAX) -> tuple[OwnerAccount, ...]:
        """A page of owners, in the order of their ids."""
        pool = await self.prepare()
        rows = await pool.fetch(owner_tables.LIST_OWNERS, after, count)
        return tuple(OwnerAccount(row["id"], row["label"], OwnerLimits(*row[2:6]), *row[6:]) for row in rows)

    async def _change(self, statement: str, owner: str, *values: object) -> None:
        pool = await self.prepare()
        if await pool.fetchval(statement, owner, *values) is None:
            raise UnknownOwnerError


def pick_owner(start: str, ids: Iterable[str]) -> str:
    """The id that is the given one, or the only one that begins like it; an empty one is no id.

    Raises UnknownOwnerError or AmbiguousOwnerError.
    """
    found = {one for one in ids if start and one.startswith(start)}
    if not found:
        raise UnknownOwnerError
    if start not in found and len(found) > 1:
        raise AmbiguousOwnerError
    return start if start in found else found.pop()


def make_owner_token() -> str:
    """A new token; nobody can guess it."""
    return TOKEN_START + secrets.token_urlsafe(TOKEN_BYTES)
