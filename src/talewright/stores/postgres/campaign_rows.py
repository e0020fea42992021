"""Rows of a campaign: its status, its branches, and its records as they are stored.

Each row of the first two kinds carries a mark, so that an altered row is never mistaken for ours. Records are
sealed at their place. Nothing here talks to a database.
"""

import json
from collections.abc import Sequence
from dataclasses import field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from talewright.chronicle.chained_lines import RECORD_BYTES_MAX, ChainEnd, bind
from talewright.chronicle.record_codec import RecordCodecError
from talewright.chronicle.records import (
    CLOSING_VERDICTS,
    Accepted,
    Aside,
    Attempt,
    AttemptVerdict,
    Commit,
    PointerKind,
    Pointing,
    Record,
)
from talewright.chronicle.save_format import SaveFormat
from talewright.chronicle.spending_totals import SpendingTotals, read_totals, write_totals
from talewright.chronicle.store import DamagedError
from talewright.common.frozen_values import frozen
from talewright.stores.postgres.connection_retry import Row
from talewright.stores.postgres.sealing import CampaignSeal, UnsealError

_KINDS = {Accepted: "accepted", Commit: "commit", Attempt: "attempt", Aside: "aside", Pointing: "pointing"}


@frozen
class CampaignRow:
    """The status of a campaign after its records."""

    id: UUID
    owner: str
    name: str
    format: SaveFormat = field(default_factory=SaveFormat)
    records: int = 0
    """The number of records."""

    sequence: int = -1
    chain: bytes = bytes(32)
    newest: str = ""
    """The branch that moved last."""

    spent: SpendingTotals = field(default_factory=SpendingTotals)
    spent_text: str = "{}"
    """The totals as stored."""

    @property
    def end(self) -> ChainEnd:
        """The end of its chain."""
        return ChainEnd(self.records, self.chain.hex())

    def mark(self, seal: CampaignSeal) -> bytes:
        """The mark of the row."""
        return seal.mark(self.text)

    @property
    def text(self) -> str:
        """What the mark covers. No text in a database contains a NUL, so different rows never give the same
        bytes.
        """
        numbers = f"{self.format.number} {self.records} {self.sequence}"
        whose = f"{self.id.hex}\0{self.owner}\0{self.name}"
        return f"{whose}\0{numbers}\0{self.chain.hex()}\0{self.newest}\0{self.spent_text}"

    def take(self, record: Record, chain: bytes) -> "CampaignRow":
        """The row after one more record, with the chain after it."""
        sequence, newest, spent, text = self.sequence, self.newest, self.spent, self.spent_text
        match record:
            case Commit():
                sequence, newest = record.sequence, record.branch
            case Attempt() | Aside():
                spent = spent.add(record.body)
                if spent is not self.spent:
                    text = json.dumps(write_totals(spent))
            case Pointing(kind=PointerKind.BRANCH):
                newest = record.name
            case _:
                pass
        # Built field by field: `replace` takes three times as long, and every write passes here.
        whose = self.id, self.owner, self.name, self.format
        return CampaignRow(*whose, self.records + 1, sequence, chain, newest, spent, text)


def read_campaign(row: Row, seal: CampaignSeal) -> CampaignRow:
    """Read a row of the table `campaigns`; raises DamagedError if it is not as we wrote it."""
    try:
        spent = read_totals(json.loads(row["spent"]))
        found = CampaignRow(
            row["id"],
            row["owner"],
            row["name"],
            SaveFormat(row["format"]),
            row["records"],
            row["sequence"],
            row["chain"],
            row["newest"],
            spent,
            row["spent"],
        )
    except (ValueError, TypeError, KeyError, IndexError):
        raise damaged(row["name"], "its row cannot be read") from None
    _check(seal, row["mark"], found.text, row["name"], "its row")
    return found


@frozen
class BranchRow:
    """Where a branch or mark points."""

    name: str
    head: str
    tried: int | None = None
    """The number of the newest attempt on a branch since its head moved."""

    def mark(self, seal: CampaignSeal, kind: PointerKind = PointerKind.BRANCH) -> bytes:
        """The mark of the row."""
        return seal.mark(self.text(kind))

    def text(self, kind: PointerKind) -> str:
        """What the mark covers."""
        return f"{kind.value}\0{self.name}\0{self.head}\0{self.tried}"


def read_branch(row: Row, seal: CampaignSeal, campaign: str, kind: PointerKind) -> BranchRow:
    """Read a row of the tables `branches` and `marks`; raises DamagedError if it is not as we wrote it."""
    found = BranchRow(row["name"], row["head"], row["tried"])
    _check(seal, row["mark"], found.text(kind), campaign, f"the row of the {kind.value} {found.name!r}")
    return found


def read_joined_branch(row: Row, seal: CampaignSeal, campaign: str) -> BranchRow | None:
    """The branch that was read with the campaign's row; None if there is none."""
    if row["branch"] is None:
        return None
    columns = {"name": row["branch"], "head": row["head"], "tried": row["tried"], "mark": row["branch_mark"]}
    return read_branch(columns, seal, campaign, PointerKind.BRANCH)


@frozen
class RecordRow:
    """A record as it is stored."""

    number: int
    kind: str
    id: str | None
    operation: str | None
    parent: str | None
    """The commit before a commit, or the one an aside was made for."""

    sequence: int | None
    chain: bytes
    line: bytes = field(repr=False)

    @property
    def columns(self) -> tuple[Any, ...]:
        """Its columns, in the order of the statements."""
        return (
            self.number,
            self.kind,
            self.id,
            self.operation,
            self.parent,
            self.sequence,
            self.chain,
            self.line,
        )


def make_record(campaign: CampaignRow, record: Record, data: bytes, seal: CampaignSeal) -> RecordRow:
    """The row of a record that follows the others of a campaign; raises ValueError if it is too long."""
    if len(data) > RECORD_BYTES_MAX:
        raise ValueError(f"a record has at most {RECORD_BYTES_MAX} bytes, not {len(data)}")
    own: str | None = None
    operation: str | None = None
    parent: str | None = None
    match record:
        case Accepted():
            own, operation = record.operation_id, record.operation_id
        case Commit():
            own, operation, parent = record.id, record.operation_id, record.parent
        case Attempt():
            own, operation = record.id, record.operation_id
        case Aside():
            own, parent = record.id, record.commit
        case Pointing():
            pass
    sequence = record.sequence if isinstance(record, Commit) else None
    line = seal.seal(data, place_of(campaign.records))
    chain = bind(campaign.chain, data)
    kind = _KINDS[type(record)]
    return RecordRow(campaign.records, kind, own, operation, parent, sequence, chain, line)


def place_of(number: int) -> str:
    """The place that a record is sealed at."""
    return f"record {number}"


def read_line(campaign: CampaignRow, seal: CampaignSeal, number: int, line: bytes) -> bytes:
    """The bytes of a record; raises DamagedError if they are not what we wrote there."""
    try:
        return seal.unseal(line, place_of(number))
    except UnsealError as error:
        raise damaged(campaign.name, f"record {number}: {error}") from None


def read_record(campaign: CampaignRow, seal: CampaignSeal, number: int, line: bytes) -> Record:
    """The record in a row; raises DamagedError if it is not the one we wrote there."""
    try:
        return campaign.format.read(read_line(campaign, seal, number, line))
    except RecordCodecError as error:
        raise damaged(campaign.name, f"record {number}: {error}") from None


def read_records(
    campaign: CampaignRow, seal: CampaignSeal, numbers: Sequence[int], lines: Sequence[bytes]
) -> list[Record]:
    """The records in two columns of a row."""
    pairs = zip(numbers, lines, strict=True)
    return [read_record(campaign, seal, number, line) for number, line in pairs]


def find_closed(records: Sequence[Record]) -> list[str]:
    """The operations whose inputs no longer wait after these records."""
    closed = []
    for record in records:
        if isinstance(record, Commit) or (isinstance(record, Attempt) and record.verdict in CLOSING_VERDICTS):
            closed.append(record.operation_id)
    return closed


def is_tried(record: Record) -> bool:
    """Whether a record is an attempt that its branch remembers."""
    return isinstance(record, Attempt) and record.verdict is not AttemptVerdict.COMMITTED


def _check(seal: CampaignSeal, mark: bytes, text: str, campaign: str, what: str) -> None:
    try:
        if seal.check_mark(mark, text):
            return
    except UnsealError as error:
        raise damaged(campaign, f"{what}: {error}") from None
    raise damaged(campaign, f"{what} was changed")


def read_moment(text: str) -> datetime:
    """A time of the chronicle as PostgreSQL stores it; the current time if it is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return datetime.now(UTC)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def write_moment(moment: datetime) -> str:
    """A stored time as the chronicle writes it."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def damaged(campaign: str, reason: str) -> DamagedError:
    """The error for data that is not what we wrote."""
    return DamagedError(
        f"the record of {campaign!r} is damaged: {reason}",
        "The operator can restore the database from a backup; nothing is written to this campaign meanwhile.",
    )
