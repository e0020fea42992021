"""Open turns of one campaign in PostgreSQL: sealed, and written by compare-and-set in one statement.

They are working data and not part of the chain.
"""

import json
from dataclasses import replace

from talewright.chronicle.open_turns import OpenTurn, OpenTurnSlot, read_slot, write_slot
from talewright.chronicle.store import OpenTurnMovedError
from talewright.stores.postgres import statements
from talewright.stores.postgres.campaign_rows import damaged
from talewright.stores.postgres.connection_retry import Row
from talewright.stores.postgres.scoped_access import CampaignAccess
from talewright.stores.postgres.sealing import UnsealError


class PostgresOpenTurns:
    """The turns of one campaign that outside game masters are narrating."""

    def __init__(self, access: CampaignAccess) -> None:
        self._access = access

    async def open_turn(self, branch: str) -> OpenTurn | None:
        """The open turn of a branch."""
        return (await self._read_slot(branch)).turn

    async def write_open_turn(self, turn: OpenTurn, expected: int) -> OpenTurn:
        """Replace the open turn that has the expected revision."""
        form = write_slot(OpenTurnSlot(0, turn))
        text = json.dumps(form, allow_nan=False, ensure_ascii=False)
        sealed = self._access.seal.seal(text.encode("utf-8", "surrogatepass"), f"open turn {turn.branch}")
        revision = await self._put_open_turn(turn.branch, expected, sealed)
        return replace(turn, revision=revision, body=json.loads(json.dumps(turn.body)))

    async def drop_open_turn(self, branch: str, expected: int) -> None:
        """Delete an open turn with the expected revision."""
        await self._put_open_turn(branch, expected, None)

    async def _put_open_turn(self, branch: str, expected: int, sealed: bytes | None) -> int:
        rows = await self._access.write(statements.PUT_OPEN_TURN, branch, expected, sealed)
        if rows:
            revision: int = rows[0]["revision"]
            return revision
        slot = await self._read_slot(branch, writing=True)
        raise OpenTurnMovedError(slot.turn)

    async def _read_slot(self, branch: str, *, writing: bool = False) -> OpenTurnSlot:
        row = await self._access.fetch_one(statements.OPEN_TURN, branch)
        if writing:
            self._access.refuse_ended(row)
        return self.unseal(branch, row)

    def unseal(self, branch: str, row: Row) -> OpenTurnSlot:
        """The slot in a row with the columns `revision` and `turn`."""
        if row["turn"] is None:
            return OpenTurnSlot(row["revision"] or 0)
        try:
            form = json.loads(self._access.seal.unseal(row["turn"], f"open turn {branch}"))
        except UnsealError as error:
            raise damaged(self._access.name, f"the open turn of {branch!r}: {error}") from None
        return read_slot({**form, "revision": row["revision"]})
