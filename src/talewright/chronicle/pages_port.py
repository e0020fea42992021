"""The Pages port: what a person may read and edit beside the records, and the notices of a store.

Pages are made from the records. They are never the truth, and no turn fails because of them.
"""

from collections.abc import Mapping
from enum import StrEnum

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


@frozen
class PageProjection:
    """What a reader of the campaign's folder finds after a turn; made from the records.

    Of what a person changes there, only the pages that may be edited are read back: see `Cupboard.edits`.
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
