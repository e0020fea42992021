"""The memory store: campaigns that last as long as the process, for tests and experiments.

Nothing is written to disk. Records are encoded and decoded as in every other store.
"""

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import count

from talewright.chronicle.chained_lines import GENESIS, ChainEnd, bind
from talewright.chronicle.open_turns import OpenTurn, OpenTurnSlot
from talewright.chronicle.pagination import cut_page
from talewright.chronicle.readable_pages import CampaignPages, PageProjection
from talewright.chronicle.record_fold import FoldedRecords, cut_names, expected_head, place_input
from talewright.chronicle.records import Accepted, Aside, Attempt, Commit, Json, PointerKind, Pointing, Record
from talewright.chronicle.save_format import SaveFormat, format_of
from talewright.chronicle.store import (
    CAMPAIGNS_PAGE_MAX,
    NAMES_PAGE_MAX,
    Acceptance,
    BlobKind,
    CampaignBook,
    CampaignListing,
    CampaignStatus,
    Founding,
    HeadMovedError,
    NameTakenError,
    OpenTurnMovedError,
    OperationTrail,
    UnknownCampaignError,
    UnsavedError,
    check_campaign_name,
)
from talewright.crashpoints import around


@dataclass(slots=True)
class MemoryCampaign:
    """All data of one campaign, shared by every book opened on it."""

    founding: Founding
    writes: Iterator[int]
    """Counts the writes of the whole store, so that campaigns can be listed by their last one."""

    written: int = 0
    """The number of the last write."""

    records: list[bytes] = field(default_factory=list)
    format: SaveFormat = field(default_factory=SaveFormat)
    chain: bytes = GENESIS
    commits_at: list[int] = field(default_factory=list)
    """The index of each commit's record, by sequence number."""

    open_turns: dict[str, OpenTurnSlot] = field(default_factory=dict)
    ledger: FoldedRecords = field(default_factory=FoldedRecords)
    shelves: dict[tuple[BlobKind, str], str] = field(default_factory=dict)
    projection: PageProjection | None = None

    removed: bool = False
    """Whether it is in the bin."""

    def append(self, *records: Record) -> None:
        """Write records: all of them, or none if one cannot be encoded."""
        self.append_lines(*(self.format.write(record) for record in records))

    def append_lines(self, *lines: bytes) -> None:
        """Write records as bytes, unchanged."""
        self.refuse_removed()
        for data in lines:
            if not self.records:
                self.format = format_of(data)
            record = self.format.read(data)
            if isinstance(record, Commit):
                self.commits_at.append(len(self.records))
            self.records.append(data)
            self.chain = bind(self.chain, data)
            self.ledger.take(record)
        self.written = next(self.writes)

    def refuse_removed(self) -> None:
        """Raise UnsavedError if the campaign was removed."""
        if self.removed:
            raise UnsavedError(
                f"the campaign {self.founding.campaign!r} was removed", "Choose another from the list."
            )


class MemoryBlobs:
    """The blobs, the secret and the pages of one campaign."""

    def __init__(self, volume: MemoryCampaign) -> None:
        self._volume = volume

    @property
    def projection(self) -> PageProjection | None:
        """The last projection."""
        return self._volume.projection

    async def keep(self, shelf: BlobKind, name: str, value: Json) -> None:
        """Save a blob under a name."""
        self._volume.shelves[shelf, name] = json.dumps(value, allow_nan=False)

    async def kept(self, shelf: BlobKind, name: str) -> Json:
        """The saved value, or None."""
        value: Json = json.loads(self._volume.shelves.get((shelf, name), "null"))
        return value

    async def secret(self) -> bytes:
        """The secret that the campaign's draws are derived from."""
        return self._volume.founding.secret

    async def project(self, projection: PageProjection) -> None:
        """Remember the projection."""
        self._volume.projection = projection

    async def edits(self, paths: frozenset[str]) -> Mapping[str, str]:
        """Nothing: there are no files to edit."""
        return {}


class MemoryReader(MemoryBlobs):
    """Read access to the records of one campaign."""

    @property
    def campaign(self) -> str:
        """The campaign's name."""
        return self._volume.founding.campaign

    async def look(self, branch: str = "") -> CampaignStatus:
        """The current status of a branch."""
        if self._volume.removed:
            raise _unknown_campaign(self.campaign)
        return self._volume.ledger.look(branch)

    async def branches(self, after: str = "", limit: int = NAMES_PAGE_MAX) -> Mapping[str, str]:
        """A page of the branches."""
        return cut_names(self._volume.ledger.branches, after, limit)

    async def marks(self, after: str = "", limit: int = NAMES_PAGE_MAX) -> Mapping[str, str]:
        """A page of the marks."""
        return cut_names(self._volume.ledger.marks, after, limit)

    async def read(self, commit: str) -> Commit:
        """A commit by its id."""
        return self._volume.ledger.commit(commit)

    async def back(self, commit: str, count: int) -> tuple[Commit, ...]:
        """A commit and its ancestors, newest first."""
        return self._volume.ledger.lineage(commit, count)

    async def find(self, operation_id: str) -> OperationTrail:
        """The records of an operation."""
        return self._volume.ledger.trail(operation_id)

    async def asides(self, commits: frozenset[str]) -> tuple[Aside, ...]:
        """The asides made for any of these commits, oldest first."""
        return self._volume.ledger.asides(commits)

    async def records(self, after: int = -1, limit: int | None = None) -> AsyncIterator[Record]:
        """The records after a commit, in order, up to those that existed when the reading started."""
        volume, begin = self._volume, 0
        if after >= 0:
            begin = volume.commits_at[after] + 1 if after < len(volume.commits_at) else len(volume.records)
        for data in volume.records[begin:][:limit]:
            yield volume.format.read(data)

    async def lines(self) -> AsyncIterator[bytes]:
        """The bytes of all records: a `chronicle.store.RecordLines`."""
        for data in tuple(self._volume.records):
            yield data

    async def chain(self, length: int | None = None) -> ChainEnd:
        """The number of records and the hash over all of them, or over the first `length`."""
        if length is None:
            return ChainEnd(len(self._volume.records), self._volume.chain.hex())
        records = self._volume.records[:length]
        return ChainEnd(len(records), reduce(bind, records, GENESIS).hex())


class MemoryBook(MemoryReader):
    """The records of one campaign. A write never awaits midway."""

    @property
    def pages(self) -> CampaignPages | None:
        """The book itself, which remembers the last projection."""
        return self

    async def accept(self, accepted: Accepted) -> Acceptance:
        """Save an input; a repeated operation id returns the first input."""
        ledger = self._volume.ledger
        known = ledger.trail(accepted.operation_id)
        if known.accepted is None and known.commit is None:
            accepted = place_input(accepted, ledger.head(accepted.branch), ledger.commit)
            with around("write accepted"):
                self._volume.append(accepted)
        answer = ledger.answer(accepted)
        return replace(answer, open_turn=await self.open_turn(answer.accepted.branch))

    async def commit(self, commit: Commit, attempt: Attempt) -> Commit:
        """Append a turn and move its branch, only if the branch still points at the expected commit."""
        ledger = self._volume.ledger
        known = ledger.trail(commit.operation_id).commit
        if known is not None:
            return known
        self._expect(commit.branch, expected_head(commit))
        commit = replace(commit, sequence=ledger.next_sequence)
        with around("write"):
            self._volume.append(commit, attempt)
        return commit

    async def add(self, record: Attempt | Aside) -> None:
        """Append a record that moves no branch."""
        if self._volume.ledger.has_record(record):
            return
        with around("write aside") if isinstance(record, Aside) else nullcontext():
            self._volume.append(record)

    async def point(self, pointing: Pointing, expected: str | None = None) -> None:
        """Point a branch or mark at a commit; a branch only if it still points at `expected`."""
        ledger = self._volume.ledger
        ledger.commit(pointing.commit)
        if pointing.kind is PointerKind.BRANCH:
            head = ledger.find_head(pointing.name)
            if head != expected:
                raise HeadMovedError(head or "")
        self._volume.append(pointing)

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""

    async def open_turn(self, branch: str) -> OpenTurn | None:
        """The open turn of a branch."""
        return self._volume.open_turns.get(branch, OpenTurnSlot()).turn

    async def write_open_turn(self, turn: OpenTurn, expected: int) -> OpenTurn:
        """Replace the open turn that has the expected revision."""
        self._put_open_turn(turn.branch, replace(turn, body=json.loads(json.dumps(turn.body))), expected)
        kept = await self.open_turn(turn.branch)
        assert kept is not None
        return kept

    async def drop_open_turn(self, branch: str, expected: int) -> None:
        """Remove an open turn."""
        self._put_open_turn(branch, None, expected)

    def _put_open_turn(self, branch: str, turn: OpenTurn | None, expected: int) -> None:
        self._volume.refuse_removed()
        slot = self._volume.open_turns.get(branch, OpenTurnSlot())
        if slot.expected != expected:
            raise OpenTurnMovedError(slot.turn)
        self._volume.open_turns[branch] = slot.put(turn)

    def _expect(self, branch: str, commit: str) -> None:
        """Raise HeadMovedError unless a branch points at a commit."""
        head = self._volume.ledger.head(branch)
        if head != commit:
            raise HeadMovedError(head)


class MemoryStore:
    """Campaigns in memory; every book that this object opens sees the same ones."""

    def __init__(self) -> None:
        self._volumes: dict[str, MemoryCampaign] = {}
        self.bin: dict[str, MemoryCampaign] = {}
        """Removed campaigns, by name and time."""

        self._writes = count(1)

    async def found(self, founding: Founding) -> CampaignBook:
        """Create a campaign."""
        check_campaign_name(founding.campaign)
        if founding.campaign in self._volumes:
            raise NameTakenError(
                f"a campaign named {founding.campaign!r} already exists",
                "Choose another name, or open that one.",
            )
        volume = MemoryCampaign(founding, self._writes)
        if founding.lines:
            volume.append_lines(*founding.lines)
        else:
            volume.append(replace(founding.root, sequence=volume.ledger.next_sequence), *founding.past)
        for digest, game in {founding.root.game_digest: founding.game, **founding.games}.items():
            if game is not None:
                volume.shelves[BlobKind.GAME, digest] = json.dumps(game, allow_nan=False)
        self._volumes[founding.campaign] = volume
        return MemoryBook(volume)

    async def open(self, campaign: str) -> CampaignBook:
        """Open a campaign."""
        return MemoryBook(self._find(campaign))

    async def listing(self, campaign: str) -> CampaignListing:
        """One campaign as it is listed."""
        return _list(self._find(campaign))

    async def campaigns(
        self, owner: str = "", after: str = "", limit: int = CAMPAIGNS_PAGE_MAX
    ) -> tuple[CampaignListing, ...]:
        """A page of the campaigns, in the order of their names."""
        return cut_page([_list(volume) for volume in self._volumes.values()], owner, after, limit)

    async def remove(self, campaign: str, at: str) -> str:
        """Move a campaign to the bin, which lasts as long as the process."""
        volume = self._find(campaign)
        volume.removed = True
        # Two campaigns of the same name may be removed at the same time.
        place = f"{campaign}-{at}-{len(self.bin) + 1}"
        self.bin[place] = self._volumes.pop(campaign)
        return place

    def _find(self, campaign: str) -> MemoryCampaign:
        if campaign not in self._volumes:
            raise _unknown_campaign(campaign)
        return self._volumes[campaign]


def _unknown_campaign(campaign: str) -> UnknownCampaignError:
    """The error for a campaign that does not exist."""
    return UnknownCampaignError(
        f"there is no campaign {campaign!r}", "Run `talewright saves` to list the campaigns."
    )


def _list(volume: MemoryCampaign) -> CampaignListing:
    return CampaignListing(
        volume.founding.campaign,
        dict(volume.founding.about),
        volume.format.read(volume.records[-1]).at,
        owner=volume.founding.owner,
        recency=(volume.written,),
    )
