"""Shards: each owner belongs to one of 480 logical shards, and configuration says which database holds it.

The number of a shard never changes; only its database does. All campaigns of an owner are in one database, so
that listing them asks only one.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import field

from talewright.common.frozen_values import frozen
from talewright.errors import SettingsError

SHARDS = 480
"""Divides evenly among 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 24, 30, 32, 40, 48 ... databases."""

DATABASE_URL = "DATABASE_URL"
"""The variable with the databases: one address for all shards, or `FIRST-LAST=ADDRESS` parts, one a line."""

_PART = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?=(\S+)")
_HINT = (
    f"Set {DATABASE_URL} to one address, or to parts such as `0-239=postgresql://one/tales` and "
    f"`240-{SHARDS - 1}=postgresql://two/tales`, separated by spaces, that cover 0 to {SHARDS - 1}."
)


@frozen
class ShardMap:
    """Which database holds which shard."""

    databases: tuple[str, ...] = field(repr=False)
    """The addresses, each once. They may contain passwords, so they are never shown."""

    places: tuple[int, ...] = field(repr=False)
    """For each shard, the index of its database."""

    def of_database(self, index: int) -> frozenset[int]:
        """The shards of a database."""
        return frozenset(shard for shard, place in enumerate(self.places) if place == index)

    def index_of(self, owner: str) -> int:
        """The index of the database that holds the campaigns of an owner."""
        return self.places[shard_of(owner)]


def shard_of(owner: str) -> int:
    """The shard of an owner: the same in every version and on every machine."""
    return int.from_bytes(hashlib.sha256(owner.encode()).digest()[:8], "big") % SHARDS


def single_database(address: str) -> ShardMap:
    """All shards in one database."""
    return ShardMap((address,), (0,) * SHARDS)


def parse_shards(text: str) -> ShardMap:
    """Read the value of the variable; raises SettingsError, which never shows an address."""
    parts = text.split()
    if not parts:
        raise SettingsError(f"{DATABASE_URL} is not set", _HINT)
    if len(parts) == 1 and _PART.fullmatch(parts[0]) is None:
        return single_database(parts[0])
    return _place(parts)


def _place(parts: Sequence[str]) -> ShardMap:
    addresses: dict[str, int] = {}
    places: dict[int, int] = {}
    for part in parts:
        found = _PART.fullmatch(part)
        if found is None:
            raise SettingsError(f"a part of {DATABASE_URL} is not of the form FIRST-LAST=ADDRESS", _HINT)
        first, last = int(found[1]), int(found[2] or found[1])
        if not first <= last < SHARDS:
            raise SettingsError(
                f"{DATABASE_URL} has the shards {first}-{last}; they are 0 to {SHARDS - 1}", _HINT
            )
        index = addresses.setdefault(found[3], len(addresses))
        for shard in range(first, last + 1):
            if places.setdefault(shard, index) != index:
                raise SettingsError(f"{DATABASE_URL} has two databases for the shard {shard}", _HINT)
    missing = _find_missing(places)
    if missing is not None:
        raise SettingsError(f"{DATABASE_URL} has no database for the shard {missing}", _HINT)
    return ShardMap(tuple(addresses), tuple(places[shard] for shard in range(SHARDS)))


def _find_missing(places: Mapping[int, int]) -> int | None:
    return next((shard for shard in range(SHARDS) if shard not in places), None)
