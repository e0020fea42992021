"""The owner directory: finds the owner of a token, cached on each node for a few seconds.

Most requests need no database query, and an owner who was removed or got a new token soon loses access.
"""

import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Any

from talewright.hosting.owners import owner_tables
from talewright.hosting.owners.owner_accounts import TOKEN_START
from talewright.play.serving.owner_lookup import OwnerIdentity
from talewright.play.wire.token_proof import hash_token
from talewright.stores.postgres.connection_retry import Database
from talewright.stores.postgres.migration_runner import SchemaPart, migrate_connection
from talewright.stores.postgres.sealing import SealingKeys

KNOWN_SECONDS = 5.0
"""How long an answer is remembered."""

KNOWN_MAX = 10_000
"""How many answers are remembered."""

ID_LENGTH_MAX = 64


async def prepare_owner_tables(database: Database, single: OwnerIdentity | None = None) -> None:
    """Create the tables if they do not exist, and the account of the single owner if there is one."""

    async def make(connection: Any) -> None:
        await migrate_connection(connection, SchemaPart.OWNERS)
        if single is not None:
            await connection.execute(owner_tables.ENSURE_OWNER, single.id, single.token_hash)

    await database.transact(make)


class OwnerDirectory:
    """Finds the owners of a host; an OwnerLookup."""

    def __init__(
        self,
        database: Database,
        keys: SealingKeys,
        *,
        known_seconds: float = KNOWN_SECONDS,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        self._database = database
        self._secret = next(iter(keys.keys.values()))
        self._known_seconds = known_seconds
        self._seconds = seconds
        self._known: OrderedDict[bytes | str, tuple[float, OwnerIdentity | None]] = OrderedDict()
        """By the hash of a token or by id: when the entry expires, and the owner."""

    async def find_by_token(self, token: str) -> OwnerIdentity | None:
        """The owner with a token."""
        if not token.startswith(TOKEN_START):
            return None
        hashed = hash_token(token)
        known = self._recall(hashed)
        if known is not None:
            return known[1]
        rows = await self._database.fetch(owner_tables.FIND_OWNER, hashed)
        return self._note(hashed, self._identify(rows[0]["id"], hashed) if rows else None)

    async def find_by_id(self, owner: str) -> OwnerIdentity | None:
        """An owner that still exists."""
        if len(owner) > ID_LENGTH_MAX or not owner.isascii() or not owner.isalnum():
            return None
        known = self._recall(owner)
        if known is not None:
            return known[1]
        rows = await self._database.fetch(owner_tables.FIND_TOKEN_HASH, owner)
        return self._note(owner, self._identify(owner, rows[0]["token_hash"]) if rows else None)

    async def find_by_token_id(self, token_id: str) -> OwnerIdentity | None:
        """The owner whose token has an id."""
        try:
            digest = bytes.fromhex(token_id)
        except ValueError:
            return None
        rows = await self._database.fetch(owner_tables.FIND_TOKEN_ID, digest)
        return self._identify(rows[0]["id"], rows[0]["token_hash"]) if rows else None

    def _identify(self, owner: str, token_hash: bytes) -> OwnerIdentity:
        # A stolen database is not enough to sign anything.
        words = b"talewright owner\0" + owner.encode() + b"\0" + token_hash
        return OwnerIdentity(owner, token_hash, hmac.digest(self._secret, words, hashlib.sha256))

    def _recall(self, key: bytes | str) -> tuple[float, OwnerIdentity | None] | None:
        known = self._known.get(key)
        return known if known is not None and known[0] > self._seconds() else None

    def _note(self, key: bytes | str, found: OwnerIdentity | None) -> OwnerIdentity | None:
        self._known[key] = (self._seconds() + self._known_seconds, found)
        self._known.move_to_end(key)
        while len(self._known) > KNOWN_MAX:
            self._known.popitem(last=False)
        return found
