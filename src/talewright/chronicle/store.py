"""The Store port: where campaigns are saved, one campaign's book of records, and the errors they raise.

A store saves JSON and bytes. It never knows what a state, a game or a turn is.
"""

import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Protocol, runtime_checkable

from talewright.chronicle.chained_lines import ChainEnd
from talewright.chronicle.open_turns import OpenTurn
from talewright.chronicle.readable_pages import CampaignPages, StoreNotice
from talewright.chronicle.records import Accepted, Aside, Attempt, Commit, Json, Pointing, Record
from talewright.chronicle.spending_totals import SpendingTotals
from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError


class ChronicleError(TalewrightError):
    """A campaign could not be read or written."""


class UnknownCampaignError(ChronicleError):
    """There is no such campaign."""


class UnknownCommitError(ChronicleError):
    """There is no such commit, branch or mark in this campaign."""


class HeadMovedError(ChronicleError):
    """Another turn came first: the head has moved since the turn started."""

    def __init__(self, head: str) -> None:
        super().__init__(
            "another turn was taken in this campaign in the meantime",
            "See where the story is now, and repeat your input if you still want to.",
        )
        self.head = head
        """The id of the commit the branch points at now."""


class OpenTurnMovedError(ChronicleError):
    """Another process has written the open turn in the meantime."""

    def __init__(self, turn: OpenTurn | None) -> None:
        super().__init__(
            "somebody else has changed the open turn in the meantime",
            "Look at the current open turn, and continue from there if it is still yours.",
        )
        self.turn = turn
        """The current open turn; None if there is none."""


class DamagedError(ChronicleError):
    """The record contains bytes that were not written; nothing is appended after them."""


class UnsavedError(ChronicleError):
    """The disk failed; the data is not saved, or it is unknown whether it is."""


class ClosedCampaignError(ChronicleError):
    """The campaign was closed on its host for good: it can be read, but nothing more is written to it."""


class StoreAwayError(UnsavedError):
    """The store cannot be reached, or takes no data at the moment; the same call may succeed later."""


class UnfitNameError(ChronicleError):
    """The name is not valid for a campaign, branch or mark."""


class NameTakenError(ChronicleError):
    """A campaign or branch with this name already exists."""


class NewerFormatError(ChronicleError):
    """The campaign was written by a later version of the program."""


class TooManyCampaignsError(ChronicleError):
    """The owner has as many campaigns as a server allows."""


class StorageFullError(UnsavedError):
    """Nothing was saved: the campaigns of the owner take all the space that a server allows."""


CAMPAIGN_NAME_LENGTH_MAX = 64
"""Characters of a campaign's name."""

WAITING_MAX = 8
"""Waiting inputs of a branch that are listed."""

NAMES_PAGE_MAX = 256
"""Branches or marks in one page, by default."""

CAMPAIGNS_PAGE_MAX = 256
"""Campaigns in one page, by default."""

_NAME = re.compile(rf"[a-z0-9_-]{{1,{CAMPAIGN_NAME_LENGTH_MAX}}}")


def is_campaign_name(name: str) -> bool:
    """Whether a campaign name is valid."""
    return _NAME.fullmatch(name) is not None


def check_campaign_name(name: str) -> None:
    """Raise UnfitNameError for an invalid campaign name."""
    if not is_campaign_name(name):
        raise UnfitNameError(
            f"{name[:CAMPAIGN_NAME_LENGTH_MAX]!r} is not a valid campaign name",
            f"Use 1 to {CAMPAIGN_NAME_LENGTH_MAX} lower-case letters (a to z), digits, `-` and `_`.",
        )


@runtime_checkable
class SharedLog(Protocol):
    """An optional ability of a book that other processes write to as well: a cheap check for new records."""

    def written(self) -> int:
        """How much has been written, by any process. Takes no lock and reads nothing; -1 if unknown."""


@runtime_checkable
class RecordLines(Protocol):
    """An optional ability of a book: its records as the bytes that the chain covers."""

    def lines(self) -> AsyncIterator[bytes]:
        """The bytes of all records, in order, unchanged. Raises DamagedError where they are damaged."""


@frozen
class StorageLimits:
    """What one owner may store in a store; None for no limit."""

    campaigns: int | None = None
    """Campaigns, removed ones not included."""

    bytes: int | None = None
    """Of all campaigns together."""

    @property
    def are_set(self) -> bool:
        """Whether there is a limit."""
        return self.campaigns is not None or self.bytes is not None

    def check_campaigns(self, campaigns: int) -> None:
        """Raise TooManyCampaignsError if an owner would have more campaigns than allowed."""
        if self.campaigns is not None and campaigns > self.campaigns:
            raise TooManyCampaignsError(
                f"you have {campaigns - 1} campaigns, and this server allows no more",
                "Remove one that you no longer play, or ask the operator of this server for more.",
            )

    def check_bytes(self, stored: int) -> None:
        """Raise StorageFullError if an owner would store more bytes than allowed."""
        if self.bytes is not None and stored > self.bytes:
            raise StorageFullError(
                f"your campaigns take all the space that this server allows, {self.bytes} bytes",
                "Ask the operator of this server for more space, or to delete your removed campaigns: they "
                "count too.",
            )


@frozen
class Founding:
    """Everything needed to create a campaign."""

    campaign: str
    """Its name: lower-case letters, digits, `-` and `_`, at most 64 of them."""

    root: Commit
    """The first commit, version 0, with the first state and the commitment to the secret."""

    secret: bytes
    """Stored next to the records; in no export, log or listing. Empty if it is withheld: then no dice can be
    rolled.
    """

    about: Mapping[str, str] = field(default_factory=dict)
    """What a list of campaigns shows: game, title, language."""

    game: Json = None
    """The compiled game, saved under the root's game digest before the campaign becomes visible."""

    owner: str = ""
    """The owner, if a store holds the campaigns of many."""

    past: tuple[Record, ...] = ()
    """The records after the root of a campaign that was played elsewhere, already checked by the caller."""

    games: Mapping[str, Json] = field(default_factory=dict)
    """Further compiled games, by digest: those that the past was played with."""

    lines: tuple[bytes, ...] = ()
    """The bytes of all records, the root's included, if they must stay as they are; the chain then stays the
    same too, whatever their format. Already checked by the caller.
    """


@frozen
class CampaignListing:
    """One campaign in a list."""

    campaign: str
    about: Mapping[str, str]
    at: str
    """When something was last written."""

    damaged: bool = False
    notices: tuple[StoreNotice, ...] = ()
    owner: str = ""
    recency: tuple[float | str, ...] = ()
    """Sorts the listings of one store: the campaign written last has the greatest."""


@frozen
class ChronicleDamage:
    """Damage in the bytes of a campaign."""

    place: str
    """The file or table, and the position in it."""

    reason: str
    last_good: str
    """The id of the last good commit before it."""


@frozen
class CampaignStatus:
    """The status of one branch, and of the campaign as far as every turn needs it. Constant size."""

    branch: str
    head: str
    """The id of the commit the branch points at."""

    sequence: int
    """The counter of the campaign's newest commit, on any branch."""

    waiting: tuple[Accepted, ...] = ()
    """Inputs on this branch that were accepted and neither committed nor abandoned: the newest, at most
    `WAITING_MAX`, oldest first.
    """

    newest_attempt: Attempt | None = None
    """The newest attempt on this branch since its head moved; None if there was none."""

    spent: SpendingTotals = field(default_factory=SpendingTotals)
    """What the campaign has cost so far."""

    damage: ChronicleDamage | None = None
    """If set, the campaign is read-only."""

    notices: tuple[StoreNotice, ...] = ()
    """Notices since the campaign was opened, newest last."""

    campaign_id: str = ""
    """Tells the campaign apart from others with its name, if the store is shared by several machines."""


@frozen
class OperationTrail:
    """The history of one operation."""

    accepted: Accepted | None = None
    commit: Commit | None = None
    attempts: tuple[Attempt, ...] = ()


@frozen
class Acceptance:
    """A store's answer to an input: everything a turn needs before it starts."""

    accepted: Accepted
    """The stored input: the first with its operation id."""

    commit: Commit | None
    """The commit of the operation, if it already exists."""

    attempts: int
    """How many attempts of the operation have ended."""

    head: str
    """The id of the commit the branch points at now."""

    sequence: int
    """The counter of the campaign's newest commit."""

    spent: SpendingTotals
    """What the campaign has cost so far."""

    open_turn: OpenTurn | None = None
    """The branch's turn that an outside narrator is writing, if there is one."""


class BlobKind(StrEnum):
    """Large named values stored next to the records."""

    GAME = "game"
    """A compiled game, by its digest."""

    SNAPSHOT = "snapshot"
    """The document of a state, by the id of its commit. It can always be recomputed."""


class CampaignBlobs(Protocol):
    """Large values stored next to the records of a campaign."""

    async def keep(self, shelf: BlobKind, name: str, value: Json) -> None:
        """Save a value under its name; the same name always means the same value."""

    async def kept(self, shelf: BlobKind, name: str) -> Json:
        """The saved value; None if it is missing or damaged."""

    async def secret(self) -> bytes:
        """The secret from which the campaign's chance is derived."""


class OpenTurnStore(Protocol):
    """Turns written by outside narrators: at most one per branch, durable, outside the chain.

    One more is stored under an empty name: it says which branch of the campaign has the open turn.
    """

    async def open_turn(self, branch: str) -> OpenTurn | None:
        """The open turn of a branch; None if there is none."""

    async def write_open_turn(self, turn: OpenTurn, expected: int) -> OpenTurn:
        """Replace the open turn that has the expected revision, and return it as stored.

        0 expects that there is none. Raises OpenTurnMovedError, and writes nothing, if the revision differs.
        """

    async def drop_open_turn(self, branch: str, expected: int) -> None:
        """Delete an open turn with the expected revision; raises OpenTurnMovedError if it differs."""


class CampaignPointers(Protocol):
    """The names that point at commits, in pages."""

    async def branches(self, after: str = "", limit: int = NAMES_PAGE_MAX) -> Mapping[str, str]:
        """The id of the commit each branch points at: those after a name, sorted by name."""

    async def marks(self, after: str = "", limit: int = NAMES_PAGE_MAX) -> Mapping[str, str]:
        """The id of the commit each mark points at: those after a name, sorted by name."""


class CampaignBook(CampaignBlobs, CampaignPointers, OpenTurnStore, Protocol):
    """The records of one open campaign."""

    @property
    def campaign(self) -> str:
        """Its name."""

    @property
    def pages(self) -> CampaignPages | None:
        """Pages that people can read and edit; None if the store has none."""

    async def look(self, branch: str = "") -> CampaignStatus:
        """The status of a branch, including writes of other processes; by default the one moved last.

        Raises UnknownCommitError if there is no such branch, and ChronicleError if the campaign was removed,
        even if a new one has its name: sessions that are kept open find out by this.
        """

    async def accept(self, accepted: Accepted) -> Acceptance:
        """Make an input durable; the first one with its operation id is stored and returned.

        An empty `base` is filled in: with the current head or, if the input replaces a turn, with the parent
        of that turn. Raises HeadMovedError if the operation is new and the branch no longer points at
        `replaces` (or at `base` if `replaces` is empty).
        """

    async def commit(self, commit: Commit, attempt: Attempt) -> Commit:
        """Append a turn and move its branch atomically, if the branch still points where it must.

        That is the commit that the turn replaces (`replaces`), or else its parent. The attempt is written
        with it. An operation has one commit: a second one is not written and the first is returned. Otherwise
        raises HeadMovedError and writes nothing.
        """

    async def add(self, record: Attempt | Aside) -> None:
        """Append a record that moves no head; a record whose id already exists is not written."""

    async def point(self, pointing: Pointing, expected: str | None = None) -> None:
        """Set a branch or mark to a commit; a branch only if it still points at `expected`.

        None expects that no branch has this name yet. Marks may always be moved.
        """

    async def read(self, commit: str) -> Commit:
        """A commit by its id; raises UnknownCommitError if there is none."""

    async def back(self, commit: str, count: int) -> tuple[Commit, ...]:
        """A commit and those before it, newest first, at most `count`."""

    async def find(self, operation_id: str) -> OperationTrail:
        """The history of an operation."""

    async def asides(self, commits: frozenset[str]) -> tuple[Aside, ...]:
        """The asides made for any of these commits, oldest first."""

    def records(self, after: int = -1, limit: int | None = None) -> AsyncIterator[Record]:
        """The records after the commit with a counter, in order, at most `limit`; all by default.

        Earlier records are not read. Raises DamagedError where the bytes are damaged.
        """

    async def chain(self, length: int | None = None) -> ChainEnd:
        """The number of records, and the hash over all of them (`chained_lines.bind`).

        With a length, the chain after that many records; the current one if there are fewer.
        """

    async def close(self) -> None:
        """Release the book; acknowledged writes are safe even without this."""


class Store(Protocol):
    """Where campaigns are saved."""

    async def found(self, founding: Founding) -> CampaignBook:
        """Create a campaign; raises ChronicleError if the name is taken."""

    async def open(self, campaign: str) -> CampaignBook:
        """Open a campaign; raises UnknownCampaignError if there is none."""

    async def listing(self, campaign: str) -> CampaignListing:
        """One campaign as it is listed; raises UnknownCampaignError if there is none.

        Its cost does not grow with the number of campaigns.
        """

    async def campaigns(
        self, owner: str = "", after: str = "", limit: int = CAMPAIGNS_PAGE_MAX
    ) -> tuple[CampaignListing, ...]:
        """A page of the campaigns of an owner, or of all, in the order of their names.

        Names never change, so nothing is missed or listed twice while campaigns are played. `after` is the
        last name of the previous page. Campaigns with the same name are always on the same page, which may
        then be longer than `limit`.
        """

    async def remove(self, campaign: str, at: str) -> str:
        """Move a campaign to the trash and say in words where it is now. `at` is the time, as ISO 8601.

        No data is lost, the name becomes free, and the campaign is no longer listed. Open books can no longer
        write to it. Raises UnknownCampaignError if there is none.
        """
