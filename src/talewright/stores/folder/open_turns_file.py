"""The open turns file: `open-turns.json`, rewritten under the campaign's lock.

It is working data: if it is damaged, it is set aside, and no turn is open.
"""

import json
from collections.abc import Mapping

from talewright.chronicle.open_turns import OpenTurn, OpenTurnSlot, read_slot, write_slot
from talewright.chronicle.store import OpenTurnMovedError
from talewright.common.plain_files import OddFileError
from talewright.stores.folder.blobs import FolderBlobs
from talewright.stores.folder.disk import Disk, FolderLayout, put_file, read_file, set_aside
from talewright.stores.folder.log.campaign_log import LockedCampaignLog
from talewright.stores.folder.pages.page_projector import PageProjector

OPEN_TURNS_BYTES_MAX = 64 * 1024 * 1024
"""The maximum size of the file in bytes."""


class FolderOpenTurns(FolderBlobs):
    """The turns of one campaign that outside game masters are narrating."""

    def __init__(
        self, disk: Disk, layout: FolderLayout, hold: LockedCampaignLog, projector: PageProjector
    ) -> None:
        super().__init__(disk, layout, projector)
        self._hold = hold

    async def open_turn(self, branch: str) -> OpenTurn | None:
        """The open turn of a branch, or None."""
        async with self._hold:
            return self._read_slots().get(branch, OpenTurnSlot()).turn

    async def write_open_turn(self, turn: OpenTurn, expected: int) -> OpenTurn:
        """Replace the open turn that has the expected revision; returns the saved one."""
        slot = await self._put_open_turn(turn.branch, turn, expected)
        assert slot.turn is not None
        return slot.turn

    async def drop_open_turn(self, branch: str, expected: int) -> None:
        """Remove an open turn if it has the expected revision."""
        await self._put_open_turn(branch, None, expected)

    async def _put_open_turn(self, branch: str, turn: OpenTurn | None, expected: int) -> OpenTurnSlot:
        async with self._hold as annals:
            annals.refuse()
            slots = self._read_slots()
            before = slots.get(branch, OpenTurnSlot())
            if before.expected != expected:
                raise OpenTurnMovedError(before.turn)
            after = before.put(turn)
            if after != before:
                put_file(self._disk, self._layout.open_turns, _encode({**slots, branch: after}))
            return after

    def _read_slots(self) -> dict[str, OpenTurnSlot]:
        path = self._layout.open_turns
        try:
            data = read_file(self._disk, path, OPEN_TURNS_BYTES_MAX)
        except FileNotFoundError:
            return {}
        except OddFileError:
            data = b""
        try:
            return {str(branch): read_slot(form) for branch, form in json.loads(data).items()}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            set_aside(self._disk, path, self._layout.set_aside, path.name)
            return {}


def _encode(slots: Mapping[str, OpenTurnSlot]) -> bytes:
    forms = {branch: write_slot(slot) for branch, slot in slots.items()}
    return json.dumps(forms, ensure_ascii=False, allow_nan=False).encode()
