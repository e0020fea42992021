"""Games, snapshots and the secret of one campaign in PostgreSQL, all of them sealed.

None of them is part of the chain.
"""

import hashlib
import json

from talewright.chronicle.chained_lines import FRAME_BYTES_MAX
from talewright.chronicle.records import Json
from talewright.chronicle.store import BlobKind, DamagedError
from talewright.stores.postgres import statements
from talewright.stores.postgres.campaign_rows import damaged
from talewright.stores.postgres.scoped_access import CampaignAccess
from talewright.stores.postgres.sealing import CampaignSeal, UnsealError

SECRET_PLACE = "secret"


class PostgresBlobs:
    """The values stored next to the records of one campaign."""

    def __init__(self, access: CampaignAccess) -> None:
        self._access = access

    async def keep(self, shelf: BlobKind, name: str, value: Json) -> None:
        """Save a value under its name."""
        data = json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
        if len(data) > FRAME_BYTES_MAX:
            raise ValueError(f"a value has at most {FRAME_BYTES_MAX} bytes, not {len(data)}")
        if shelf is BlobKind.SNAPSHOT:
            sealed = self._access.seal.seal(data, f"snapshot {name}")
            await self._access.repeat(statements.KEEP_SNAPSHOT, name, sealed)
            return
        digest, sealed = seal_game(data, self._access.shared_seal)
        await self._access.repeat(statements.KEEP_GAME, name, digest, sealed)

    async def kept(self, shelf: BlobKind, name: str) -> Json:
        """The saved value; None if it is missing or damaged."""
        try:
            if shelf is BlobKind.SNAPSHOT:
                rows = await self._access.fetch(statements.KEPT_SNAPSHOT, name)
                if not rows:
                    return None
                data = self._access.seal.unseal(rows[0]["value"], f"snapshot {name}")
            else:
                rows = await self._access.fetch(statements.KEPT_GAME, name)
                if not rows:
                    return None
                data = self._access.shared_seal.unseal(rows[0]["value"], f"game {rows[0]['hash'].hex()}")
        except UnsealError:
            return None
        value: Json = json.loads(data)
        return value

    async def secret(self) -> bytes:
        """The secret from which the campaign's chance is derived."""
        row = await self._access.fetch_one(statements.SECRET)
        try:
            secret = self._access.seal.unseal(row["secret"], SECRET_PLACE)
        except UnsealError as error:
            raise damaged(self._access.name, f"its secret: {error}") from None
        if not secret:
            raise DamagedError(
                f"the secret of the campaign {self._access.name!r} is not here",
                "Without it no dice can be rolled.",
            )
        return secret


def seal_game(data: bytes, shared: CampaignSeal) -> tuple[bytes, bytes]:
    """The hash of a game's bytes, and the bytes sealed at it."""
    digest = hashlib.sha256(data).digest()
    return digest, shared.seal(data, f"game {digest.hex()}")
