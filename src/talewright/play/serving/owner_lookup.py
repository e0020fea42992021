"""The OwnerLookup port: finds the owner of a token or an id, on a server with many owners.

A server for one person has none.
"""

import hashlib
import hmac
from dataclasses import field
from typing import Protocol

from talewright.common.frozen_values import frozen


def hash_token(token: str) -> bytes:
    """The stored form of a token. A token is random and long, so one fast hash keeps it safe."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


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
