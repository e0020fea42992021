"""The OwnerLookup port: finds the owner of a token or an id, on a server with many owners.

A server for one person has none.
"""

import hashlib
import hmac
from dataclasses import field
from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.play.wire.token_proof import hash_token, identify_hash


@frozen
class OwnerIdentity:
    """An owner, as long as the token stays the same."""

    id: str
    token_hash: bytes = field(repr=False)
    """The hash of the owner's token."""

    key: bytes = field(repr=False)
    """Signs the owner's narrower tokens and logins. Another token makes another key."""

    def has(self, token: str) -> bool:
        """Whether a token is the owner's."""
        return hmac.compare_digest(hash_token(token), self.token_hash)


class OwnerLookup(Protocol):
    """Finds owners. Its answers may be a few seconds old."""

    async def find_by_token(self, token: str) -> OwnerIdentity | None:
        """The owner with a token."""

    async def find_by_id(self, owner: str) -> OwnerIdentity | None:
        """An owner that still exists."""

    async def find_by_token_id(self, token_id: str) -> OwnerIdentity | None:
        """The owner whose token has an id, for a client that does not send its token yet."""


class SingleOwner:
    """One owner whose token the operator has set, for a host without accounts; an OwnerLookup."""

    def __init__(self, owner: str, token: str) -> None:
        token_hash = hash_token(token)
        key = hmac.digest(token.encode(), b"talewright server", hashlib.sha256)
        self.identity = OwnerIdentity(owner, token_hash, key)

    async def find_by_token(self, token: str) -> OwnerIdentity | None:
        """The owner, if the token is right."""
        return self.identity if self.identity.has(token) else None

    async def find_by_id(self, owner: str) -> OwnerIdentity | None:
        """The owner, if it is this one."""
        return self.identity if owner == self.identity.id else None

    async def find_by_token_id(self, token_id: str) -> OwnerIdentity | None:
        """The owner, if its token has this id."""
        known = identify_hash(self.identity.token_hash)
        return self.identity if hmac.compare_digest(known.encode(), token_id.encode()) else None
