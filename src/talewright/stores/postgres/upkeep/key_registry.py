"""The key registry: the sealing keys that a database was written with, by their fingerprints.

A process with other keys refuses to start: it would show every campaign as damaged. It also refuses a first
key that the host does not know yet, because processes that still run with the old keys could not read what
that key seals.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from talewright.chronicle.store import DamagedError
from talewright.common.frozen_values import frozen
from talewright.errors import SettingsError
from talewright.stores.postgres.campaign_rows import read_campaign
from talewright.stores.postgres.connection_retry import Database, Row
from talewright.stores.postgres.migration_runner import LOCK
from talewright.stores.postgres.sealing import SEALING_KEYS, SealingKeys

_KEYS = """
select id, fingerprint, used is not null as is_used, retired is not null as is_retired
from sealing_keys order by at
"""
_REGISTER = """
insert into sealing_keys (id, fingerprint, used) values ($1, $2, case when $3 then now() end)
"""
_USE = "update sealing_keys set used = now() where id = $1 and used is null"
_RETIRE = """
update sealing_keys set retired = now()
where id <> $1 and used is not null and retired is null returning id
"""
_SAMPLES = """
select * from (
  select c.*, row_number() over (partition by c.key order by c.written desc) as place
  from (select *, split_part(encode(mark, 'escape'), ':', 1) as key from campaigns) c) c
where c.place <= $1
"""
"""A few campaigns for each sealing key that marks one."""

SAMPLES_MAX = 5
"""How many campaigns are read to check the keys of a database that has no fingerprints yet."""


@frozen
class RegisteredKey:
    """A key that a database knows."""

    fingerprint: bytes
    is_used: bool = True
    """Whether a process may have sealed something with it."""

    is_retired: bool = False
    """Whether nothing is sealed with it any more."""


async def register_keys(database: Database, keys: SealingKeys) -> None:
    """Compare the keys of this process with those of a database, and note new ones; raises SettingsError."""

    async def register(connection: Any) -> None:
        # Two processes with different keys must not both find an empty table.
        await connection.execute("select pg_advisory_xact_lock($1)", LOCK)
        known = await read_registry(connection)
        check_keys(known, keys)
        if not known:
            check_samples(await connection.fetch(_SAMPLES, SAMPLES_MAX), keys)
        for name in keys.keys:
            if name not in known:
                # Nobody knows which keys of an older database have sealed something.
                await connection.execute(_REGISTER, name, keys.find_fingerprint(name), not known)
        if known and not known[keys.first].is_used:
            await connection.execute(_USE, keys.first)

    await database.transact(register)


async def read_registry(connection: Any) -> dict[str, RegisteredKey]:
    """The keys that a database knows, by their ids."""
    rows = await connection.fetch(_KEYS)
    return {row["id"]: RegisteredKey(row["fingerprint"], row["is_used"], row["is_retired"]) for row in rows}


async def retire_keys(connection: Any, keys: SealingKeys) -> tuple[str, ...]:
    """Retire the keys before the first one, and not a new one that is not used yet; returns their ids."""
    return tuple(row["id"] for row in await connection.fetch(_RETIRE, keys.first))


def check_keys(known: Mapping[str, RegisteredKey], keys: SealingKeys) -> None:
    """Raise SettingsError if a process with these keys must not use a database that knows those."""
    for name, key in known.items():
        if name in keys.keys and keys.find_fingerprint(name) != key.fingerprint:
            raise _other_key(name)
        if name not in keys.keys and key.is_used and not key.is_retired:
            raise SettingsError(
                f"the sealing key {name!r} is missing, and the database may hold values sealed with it",
                f"Add it to the end of {SEALING_KEYS}. `talewright admin reseal` retires a key.",
            )
    first = known.get(keys.first)
    if first is not None and first.is_retired:
        raise SettingsError(
            f"the sealing key {keys.first!r} was retired and cannot be the first one",
            f"Put the key that replaced it first in {SEALING_KEYS}.",
        )
    if known and first is None:
        raise SettingsError(
            f"the sealing key {keys.first!r} is new to this host and cannot be the first one yet",
            "Put it last and restart every node and worker. Then put it first and restart them again.",
        )


def check_samples(rows: Sequence[Row], keys: SealingKeys) -> None:
    """Raise SettingsError if none of the campaigns of a key can be read with it."""
    readable: dict[str, bool] = {}
    for row in rows:
        name = row["key"]
        if name in keys.keys and not readable.get(name):
            readable[name] = _is_readable(row, keys)
    for name, is_readable in readable.items():
        if not is_readable:
            raise _other_key(name)


def _is_readable(row: Row, keys: SealingKeys) -> bool:
    try:
        read_campaign(row, keys.seal_for(row["id"].bytes))
    except DamagedError:
        return False
    return True


def _other_key(name: str) -> SettingsError:
    return SettingsError(
        f"the sealing key {name!r} is not the one that the database was written with",
        f"Set {SEALING_KEYS} to the keys of this host. A new key needs an id of its own.",
    )
