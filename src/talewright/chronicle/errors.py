"""Errors of a chronicle: what a campaign cannot do, and what to do about it."""

from talewright.errors import TalewrightError


class ChronicleError(TalewrightError):
    """A campaign could not be read or written."""


class UnknownCampaignError(ChronicleError):
    """There is no such campaign."""


class UnknownCommitError(ChronicleError):
    """There is no such commit, branch or mark in this campaign."""


class HeadMovedError(ChronicleError):
    """Another turn came first: the head is no longer where the turn began."""

    def __init__(self, head: str) -> None:
        super().__init__(
            "another turn has been taken in this campaign meanwhile",
            "Look at where the story stands now, and say it again if you still want to.",
        )
        self.head = head
        """The id of the commit the branch points at now."""


class DamagedError(ChronicleError):
    """Bytes of the record are not what was written; nothing is written behind them."""


class UnsavedError(ChronicleError):
    """The disk refused; what was to be written is not saved, or it is not known whether it is."""


class NewerFormatError(ChronicleError):
    """The campaign was written by a later version of the program."""
