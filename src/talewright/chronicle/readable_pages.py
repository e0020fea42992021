"""Readable pages: the port for files that people read and edit next to the records, and notices of a store.

Pages are generated from the records. They are never authoritative, and no turn fails because of them.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol, runtime_checkable

from talewright.common.frozen_values import frozen


class StoreNoticeKind(StrEnum):
    """Problems a store may notice that do not affect a turn."""

    SHORTER = "shorter"
    """Records are missing; the remaining ones are intact."""

    PAGES = "pages"
    """The pages could not be written."""

    HISTORY = "history"
    """The history of the pages could not be written."""

    EDIT_KEPT = "edit_kept"
    """A generated page was edited by hand; the edited text was moved elsewhere."""

    EDIT_LEFT = "edit_left"
    """A page edited by hand is no longer part of this story; its text was moved elsewhere."""

    EDIT_UNREAD = "edit_unread"
    """An editable page contains something that cannot be read as text."""


@frozen
class StoreNotice:
    """Something the owner of a campaign should know."""

    kind: StoreNoticeKind
    text: str
    """What it is and what to do about it, for the operator."""

    page: str = ""
    """The page concerned, if any."""

    kept: str = ""
    """Where the previous content is stored, next to the pages."""


@runtime_checkable
class RecordWitness(Protocol):
    """An optional ability of a book: to notice lost records, because other places know about them too."""

    async def find_lost(self) -> tuple[str, ...]:
        """The places that know of missing records, one sentence each; empty if nothing is missing."""

    async def read_through(self, bytes_max: int) -> None:
        """Read the whole record once, if it is no longer than this, to detect damage.

        Otherwise damage far back is only found by reading that far.
        """


@frozen
class PageProjection:
    """The pages of a campaign's folder after a turn, generated from the records.

    If a person edits pages there, only editable ones are read back: see `CampaignPages.edits`.
    """

    commit: str
    heading: str
    """One line that says what happened."""

    pages: Mapping[str, str]
    """Files by relative path, including `state.json`."""

    removed: tuple[str, ...] = ()
    """Pages of earlier turns that no longer exist."""

    editable: frozenset[str] = frozenset()
    """Pages a person may edit; an edited page is left unchanged until a turn has read it."""


class CampaignPages(Protocol):
    """The pages of one campaign. A store may have none, without loss of data."""

    async def project(self, projection: PageProjection) -> None:
        """Write the pages; never fails a turn.

        Text that a person wrote into a page is never lost: it stays if the page is editable; otherwise it is
        moved elsewhere, with a notice.
        """

    async def edits(self, paths: frozenset[str]) -> Mapping[str, str]:
        """The texts of those pages that a person has edited since they were last written, by path.

        Never fails a turn. Unreadable text is left in place, with a notice.
        """
