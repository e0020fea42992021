"""The Store port: where campaigns are kept, one campaign's book of records, and the errors they raise.

A store keeps JSON and bytes. It never knows what a state, a game or a turn is.
"""

import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Protocol, runtime_checkable

from talewright.chronicle.chained_lines import ChainEnd
from talewright.chronicle.open_turns import OpenTurn
from talewright.chronicle.pages_port import CampaignPages, StoreNotice
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
    """Another turn came first: the head is no longer where the turn began."""

    def __init__(self, head: str) -> None:
        super().__init__(
            "another turn has been taken in this campaign meanwhile",
            "Look at where the story stands now, and say it again if you still want to.",
        )
        self.head = head
        """The id of the commit the branch points at now."""


class OpenTurnMovedError(ChronicleError):
    """Somebody else has written the open turn meanwhile."""

    def __init__(self, turn: OpenTurn | None) -> None:
        super().__init__(
            "the open turn has been written by somebody else meanwhile",
            "Look at the open turn as it is now, and go on from there if it is still yours.",
        )
        self.turn = turn
        """The open turn as it is now; None where there is none."""


class DamagedError(ChronicleError):
    """Bytes of the record are not what was written; nothing is written behind them."""


class UnsavedError(ChronicleError):
    """The disk refused; what was to be written is not saved, or it is not known whether it is."""


class UnfitNameError(ChronicleError):
    """No campaign, branch or mark may be called so."""


class NameTakenError(ChronicleError):
    """There is a campaign or branch of this name already."""


class NewerFormatError(ChronicleError):
    """The campaign was written by a later version of the program."""


CAMPAIGN_NAME_LENGTH_MAX = 64
"""Characters of a campaign's name."""

WAITING_MAX = 8
"""Waiting inputs of a branch that are told."""

NAMES_PAGE_MAX = 256
"""Branches or marks in one page, where the caller does not say how many."""

CAMPAIGNS_PAGE_MAX = 256
"""Campaigns in one page, where the caller does not say how many."""

_NAME = re.compile(rf"[a-z0-9_-]{{1,{CAMPAIGN_NAME_LENGTH_MAX}}}")


def is_campaign_name(name: str) -> bool:
    """Whether a campaign may be called so."""
    return _NAME.fullmatch(name) is not None


def check_campaign_name(name: str) -> None:
    """Refuse what no campaign may be called."""
    if not is_campaign_name(name):
        raise UnfitNameError(
            f"{name[:CAMPAIGN_NAME_LENGTH_MAX]!r} cannot be the name of a campaign",
            f"Take 1 to {CAMPAIGN_NAME_LENGTH_MAX} lower-case letters (a to z), digits, `-` and `_`.",
        )


@runtime_checkable
class SharedLog(Protocol):
    """What a book may be besides: one in which other processes write too, and which tells so cheaply."""

    def written(self) -> int:
        """How much is written, by whomever. It takes no lock and reads nothing; -1 where nobody knows."""


@frozen
class Founding:
    """Everything a new campaign begins with."""

    campaign: str
    """Its name: lower-case letters, digits, `-` and `_`, at most 64 of them."""

    root: Commit
    """The first commit, version 0: it holds the first state and the commitment to the secret."""

    secret: bytes
    """Kept beside the records, in no export, log or listing."""

    about: Mapping[str, str] = field(default_factory=dict)
    """What a list of campaigns shows: game, title, language."""

    game: Json = None
    """The compiled game, kept under the root's game digest before the campaign can be seen by anyone."""

    owner: str = ""
    """Whose it is, where a store keeps the campaigns of many."""

    past: tuple[Record, ...] = ()
    """What follows the root of a campaign that was played elsewhere. Whoever founds it has checked it."""

    games: Mapping[str, Json] = field(default_factory=dict)
    """Further compiled games to keep with the first, by digest: those that the past was played with."""


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


@frozen
class ChronicleDamage:
    """What is wrong with the bytes of a campaign."""

    place: str
    """The file, or table, and where in it."""

    reason: str
    last_good: str
    """The id of the last good commit before it."""


@frozen
class CampaignStatus:
    """How one branch of a campaign stands, and the campaign as far as every turn asks. It does not grow."""

    branch: str
    head: str
    """The id of the commit the branch points at."""

    sequence: int
    """The counter of the newest commit of the campaign, on whatever branch."""

    waiting: tuple[Accepted, ...] = ()
    """Inputs on this branch that were accepted and neither committed nor given up: the newest of them, at
    most `WAITING_MAX`, oldest first."""

    newest_attempt: Attempt | None = None
    """The newest try on this branch since its head moved; None where none was made since."""

    spent: SpendingTotals = field(default_factory=SpendingTotals)
    """What the campaign has cost so far."""

    damage: ChronicleDamage | None = None
    """Where it is set the campaign is read-only."""

    notices: tuple[StoreNotice, ...] = ()
    """What was noticed since the campaign was opened, newest last."""


@frozen
class OperationTrail:
    """What became of one operation."""

    accepted: Accepted | None = None
    commit: Commit | None = None
    attempts: tuple[Attempt, ...] = ()


@frozen
class Acceptance:
    """What a store answers to an input: all that a turn has to know before it begins."""

    accepted: Accepted
    """The input as it is kept: the first of its operation id."""

    commit: Commit | None
    """The commit of the operation, where there is one already."""

    attempts: int
    """How many tries of the operation have been settled."""

    head: str
    """The id of the commit the branch points at now."""

    sequence: int
    """The counter of the newest commit of the campaign."""

    spent: SpendingTotals
    """What the campaign has cost so far."""

    open_turn: OpenTurn | None = None
    """The turn of the branch that somebody outside is telling, if there is one."""


class BlobKind(StrEnum):
    """What is kept beside the records because it is large and can be named."""

    GAME = "game"
    """A compiled game, by its digest."""

    SNAPSHOT = "snapshot"
    """The document of a state, by the id of its commit. It can always be made again."""


class CampaignBlobs(Protocol):
    """What lies beside the records of a campaign."""

    async def keep(self, shelf: BlobKind, name: str, value: Json) -> None:
        """Keep something large by its name; the same name is the same thing."""

    async def kept(self, shelf: BlobKind, name: str) -> Json:
        """What was kept; None where it was not, or is damaged."""

    async def secret(self) -> bytes:
        """The secret of the campaign's chance."""


class OpenTurnStore(Protocol):
    """Turns that somebody outside is telling: at most one a branch, durable, in no chain."""

    async def open_turn(self, branch: str) -> OpenTurn | None:
        """The open turn of a branch; None where there is none."""

    async def write_open_turn(self, turn: OpenTurn, expected: int) -> OpenTurn:
        """Keep an open turn in place of the one with the expected revision; as it is kept now.

        0 expects that there is none. OpenTurnMovedError where it is otherwise, and nothing is written.
        """

    async def drop_open_turn(self, branch: str, expected: int) -> None:
        """Let an open turn go, if it has the expected revision; OpenTurnMovedError where it has not."""


class CampaignPointers(Protocol):
    """The names that point at commits, in pages."""

    async def branches(self, after: str = "", limit: int = NAMES_PAGE_MAX) -> Mapping[str, str]:
        """The id of the commit each branch points at: those after a name, in the order of their names."""

    async def marks(self, after: str = "", limit: int = NAMES_PAGE_MAX) -> Mapping[str, str]:
        """The id of the commit each mark points at: those after a name, in the order of their names."""


class CampaignBook(CampaignBlobs, CampaignPointers, OpenTurnStore, Protocol):
    """The records of one open campaign."""

    @property
    def campaign(self) -> str:
        """Its name."""

    @property
    def pages(self) -> CampaignPages | None:
        """Pages that a person may read and edit; None where the store has none."""

    async def look(self, branch: str = "") -> CampaignStatus:
        """How a branch stands now, writes of other processes included; without a name, the one moved last.

        UnknownCommitError where there is no such branch.
        """

    async def accept(self, accepted: Accepted) -> Acceptance:
        """Make an input durable; the first one of its operation id is given back and kept.

        An empty `base` is filled in: the input is meant for the head as it is now, or, where it is to take
        the place of a turn, for the parent of that one. Raises HeadMovedError where the operation is new and
        the branch no longer points at `replaces`, or without one at `base`.
        """

    async def commit(self, commit: Commit, attempt: Attempt) -> Commit:
        """Append a turn and move its branch, in one step, only if the branch still points where it must.

        That is the commit whose place the turn takes (`replaces`), or else its parent. The attempt is written
        with it. Of one operation there is one commit: a second one is not written and the first is given
        back. Raises HeadMovedError otherwise, and nothing is written.
        """

    async def add(self, record: Attempt | Aside) -> None:
        """Append a record that moves no head; one with the id of one that is there already is not written."""

    async def point(self, pointing: Pointing, expected: str | None = None) -> None:
        """Let a branch or mark point at a commit; a branch only if it still points at `expected`.

        None expects that there is no branch of this name yet. Marks may always be moved.
        """

    async def read(self, commit: str) -> Commit:
        """A commit by its id; UnknownCommitError where there is none."""

    async def back(self, commit: str, count: int) -> tuple[Commit, ...]:
        """A commit and those before it, newest first, at most `count`."""

    async def find(self, operation_id: str) -> OperationTrail:
        """What became of an operation."""

    async def asides(self, commits: frozenset[str]) -> tuple[Aside, ...]:
        """The asides made for any of these commits, oldest first."""

    def records(self, after: int = -1, limit: int | None = None) -> AsyncIterator[Record]:
        """What was written after the commit with a counter, in its order, at most `limit`; by default all.

        What comes before is not read. DamagedError where the bytes go wrong.
        """

    async def chain(self, length: int | None = None) -> ChainEnd:
        """How many records there are, and the hash over all of them (`chained_lines.bind`).

        With a length, as it was after so many records; where there are fewer, as it is.
        """

    async def close(self) -> None:
        """Let go; whatever was acknowledged is safe before this as well."""


class Store(Protocol):
    """Where campaigns are kept."""

    async def found(self, founding: Founding) -> CampaignBook:
        """Begin a campaign; a ChronicleError where the name is taken."""

    async def open(self, campaign: str) -> CampaignBook:
        """Open a campaign; UnknownCampaignError where there is none."""

    async def campaigns(
        self, owner: str = "", after: str = "", limit: int = CAMPAIGNS_PAGE_MAX
    ) -> tuple[CampaignListing, ...]:
        """A page of the campaigns of an owner, or of all; the one written last first.

        `after` names the last campaign of the page before; UnknownCampaignError where it is gone meanwhile.
        """

    async def remove(self, campaign: str, at: str) -> str:
        """Put a campaign into the bin; where it lies now, in words. `at` is the time, as ISO 8601.

        Nothing of it is lost, its name is free again, and it is in no list. Books that are open on it can
        write nothing more. UnknownCampaignError where there is none.
        """
