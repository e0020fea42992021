"""Annals: the records of one open campaign, read and written under its lock.

Nothing is written behind damage, and nothing after a sync that failed.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from talewright.chronicle.records import Record
from talewright.chronicle.store import ChronicleDamage, ChronicleError, DamagedError, UnsavedError
from talewright.stores.folder.log import Place, Placed, UnknownOutcomeError, bind
from talewright.stores.folder.reading import Reading

NOWHERE: AbstractContextManager[None] = nullcontext()
"""Around a write at which no crash point stands."""


class Annals(Reading):
    """The records of one open campaign."""

    def refuse(self) -> None:
        """Refuse to write where that would be behind damage, or not known to be behind what is there."""
        if self.damage is not None:
            raise damaged(self._layout.campaign, self.damage)
        if self._unknown:
            raise UnsavedError(
                "the disk failed earlier, and nothing is saved in this campaign until it is opened again",
                "See to the disk, then open the campaign again: everything that was acknowledged is there.",
            )

    def append(
        self,
        records: Sequence[Record],
        around_write: AbstractContextManager[None] = NOWHERE,
        around_sync: AbstractContextManager[None] = NOWHERE,
        around_move: AbstractContextManager[None] = NOWHERE,
    ) -> None:
        """Write records, all or none; they are on the disk when this returns."""
        self.refuse()
        catalogue = self._catalogue
        standing = catalogue.standing
        frames = bind(standing.chain, [self._format.write(record) for record in records])
        try:
            self._log.append(standing.end, frames, around_write, around_sync)
        except UnknownOutcomeError:
            self._unknown = True
            raise
        with around_move:
            for frame, record in zip(frames, records, strict=True):
                catalogue.take(Placed(Place(standing.end, frame.size, standing.chain), frame), record)
        catalogue.settle(self._log)


def damaged(campaign: str, damage: ChronicleDamage) -> ChronicleError:
    """What whoever writes to a damaged campaign is told."""
    return DamagedError(
        f"the campaign {campaign!r} is damaged ({damage.place}: {damage.reason}) and can only be read",
        f"Run `talewright saves recover {campaign}`: it keeps every good record, and the damaged file too.",
    )
