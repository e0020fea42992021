"""The Pages port: what a person may read and edit beside the records, and the notices of a store.

Pages are made from the records. They are never the truth, and no turn fails because of them.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol, runtime_checkable

from talewright.common.frozen_values import frozen


class StoreNoticeKind(StrEnum):
    """What a store may notice that harms no turn."""

    SHORTER = "shorter"
    """Records that were there are gone; what is left is good."""

    PAGES = "pages"
    """What a person may read beside the records could not be written."""

    HISTORY = "history"
    """The history of those pages could not be written."""

    EDIT_KEPT = "edit_kept"
    """A page that is made from the records was changed by hand; the text lies elsewhere now."""

    EDIT_LEFT = "edit_left"
    """A page that was changed by hand is no longer part of this story; the text lies elsewhere now."""

    EDIT_UNREAD = "edit_unread"
    """A page that may be changed by hand holds something that cannot be read as text."""


@frozen
class StoreNotice:
    """Something that whoever keeps a campaign should know."""

    kind: StoreNoticeKind
    text: str
    """What it is and what to do about it, for whoever runs the engine."""

    page: str = ""
    """The page it is about, where it is about one."""

    kept: str = ""
    """Where that which stood there is kept, beside the pages."""


@runtime_checkable
class RecordWitness(Protocol):
    """What a book may be besides: one that other places know of too, so that lost records are noticed."""

    async def find_lost(self) -> tuple[str, ...]:
        """Which of them know of records that are not there, one sentence each; nothing where all are."""

    async def read_through(self, bytes_max: int) -> None:
        """Read the whole record once, where it is no longer than this, so that damage in it is known.

        Otherwise damage far back is met only by whoever reads that far.
        """


@frozen
class PageProjection:
    """What a reader of the campaign's folder finds after a turn; made from the records.

    Of what a person changes there, only pages that may be edited are read back: see `CampaignPages.edits`.
    """

    commit: str
    heading: str
    """One line that says what happened."""

    pages: Mapping[str, str]
    """Files by relative path, `state.json` among them."""

    removed: tuple[str, ...] = ()
    """Pages of earlier turns that are no longer there."""

    editable: frozenset[str] = frozenset()
    """Pages whose text a person may change: one that was changed stays as it is until a turn took it up."""


class CampaignPages(Protocol):
    """Pages beside the records of one campaign. A store may have none: nothing is lost by that."""

    async def project(self, projection: PageProjection) -> None:
        """Write what a person may read; it never fails a turn.

        What a person has written into a page is never lost: it stays there where the page is editable and
        is kept elsewhere, with a notice, where it is not.
        """

    async def edits(self, paths: frozenset[str]) -> Mapping[str, str]:
        """The texts of those pages that a person has changed since they were last written, by path.

        It never fails a turn. A text that cannot be read is left where it is, with a notice.
        """
