"""Survivals: what must stand in a campaign after its processes were killed, held against what they were told.

Every input that was acknowledged as committed is there once. Every input that was accepted was committed or
waits, never both.
"""

from collections import Counter
from dataclasses import dataclass, field

from talewright.chronicle.chained_lines import GENESIS
from talewright.chronicle.record_fold import expected_head
from talewright.chronicle.record_order_checks import inspect_records
from talewright.chronicle.records import CLOSING_VERDICTS, Accepted, Attempt, AttemptVerdict, Commit, Record
from talewright.chronicle.store import CampaignStatus
from talewright.play.session import ResultKind, Stamp
from talewright.play.sessions.store_session import StoreSession
from talewright.stores.folder.log.log_file import UnreadableTail, slice_reader, walk_frames
from tests.sweep.short_lives import Event, Life, do


@dataclass(slots=True)
class Pending:
    """What a life was doing when it ended."""

    operation: str = ""
    deed: tuple[str, ...] = ()
    base: str = ""
    undoing: bool = False


@dataclass(slots=True)
class Told:
    """What all lives of a campaign were told, and what they did."""

    accepted: set[str] = field(default_factory=set)
    committed: dict[str, str] = field(default_factory=dict)
    """The commit of each operation."""

    unspent: set[str] = field(default_factory=set)
    """Operations of which no turn was to come: words that fit nothing."""

    crowded: bool = False
    """Whether another process played as well, so that a turn may have come first."""

    begun: bool = False
    head: str = ""
    """Where the story stood when the last life looked; empty where that is not known."""

    pending: Pending = field(default_factory=Pending)

    def take(self, life: Life, events: list[Event]) -> None:
        """Note what a life was told."""
        self.head, self.pending, head = "", Pending(), ""
        self.crowded = life.crowded
        for word, *rest in events:
            match word, rest:
                case "open", _:
                    self.begun = True
                case "at", [head]:
                    self.head, self.pending = head, Pending()
                case "undo", _:
                    self.pending = Pending(undoing=True)
                case "try", [operation, *deed]:
                    self.pending = Pending(operation, tuple(deed), head)
                    if deed[0] == "say":
                        self.unspent.add(operation)
                case "go on", [operation]:
                    self.unspent.add(operation)
                case "accepted", [operation]:
                    self.accepted.add(operation)
                case "committed", [operation, commit]:
                    known = self.committed.setdefault(operation, commit)
                    assert known == commit, f"{operation} was committed twice: {known} and {commit}"
                    self.head = commit
                case "result", [operation, kind, reason]:
                    told = kind in (ResultKind.COMMITTED, ResultKind.UNSPENT) or reason == "unsaved"
                    assert told or (life.crowded and reason == "moved"), (operation, kind, reason)
                case (("refused" | "killed"), _):
                    pass
                case _:
                    raise AssertionError((word, rest))


def check_bytes(data: bytes) -> bool:
    """Whether a chronicle ends in the beginning of a record; nothing else may be wrong with it."""
    last = None
    for last in walk_frames(slice_reader(data), 0, GENESIS, len(data)):
        assert not isinstance(last, UnreadableTail) or last.torn, last
    return isinstance(last, UnreadableTail)


def check_records(records: list[Record], status: CampaignStatus, told: Told) -> None:
    """Whether the records hold what was told."""
    assert inspect_records(records) == ()
    commits = {record.operation_id: record for record in records if isinstance(record, Commit)}
    counts = Counter(record.operation_id for record in records if isinstance(record, Accepted))
    assert all(count == 1 for count in counts.values()), counts
    assert told.accepted <= counts.keys(), f"lost: {told.accepted - counts.keys()}"
    held = {operation: commit.id for operation, commit in commits.items() if operation in told.committed}
    assert held == told.committed, f"{held} is not {told.committed}"
    waiting = {one.operation_id for one in status.waiting}
    closed = {
        record.operation_id: record.verdict
        for record in records
        if isinstance(record, Attempt) and record.verdict in CLOSING_VERDICTS
    }
    for record in records:
        if isinstance(record, Accepted):
            operation = record.operation_id
            is_committed, waits = operation in commits, operation in waiting
            assert not (is_committed and waits), f"{operation} is committed and waits"
            if not is_committed and operation in closed:
                _check_closed(operation, closed[operation], told)
            elif not is_committed and expected_head(record) == status.head:
                assert waits, f"{operation} was accepted and does not wait"


def _check_closed(operation: str, verdict: AttemptVerdict, told: Told) -> None:
    """Whether an input could come to nothing: it fits nothing, or another turn came first."""
    if verdict is AttemptVerdict.UNSPENT:
        assert operation in told.unspent, operation
    else:
        assert verdict is AttemptVerdict.LOST, f"{operation} is called {verdict}"
        assert operation.startswith(CROWDED), operation


CROWDED = "two:"
"""How the name of a life begins that was not alone."""


async def check_head(session: StoreSession, told: Told, status: CampaignStatus) -> None:
    """Whether the story stands where the only player saw it, or where the last deed led."""
    if told.crowded or not told.head or status.head == told.head:
        return
    book = session.seat.road.book
    if told.pending.undoing:
        assert status.head in {commit.id for commit in await book.back(told.head, 4)}
        return
    head = await book.read(status.head)
    assert head.parent == told.head or head.replaces == told.head, f"from {told.head} to {head.id}"


async def go_on(session: StoreSession, told: Told, again: bool) -> None:
    """Finish what waits: by going on, or by handing the same input in again as a client may."""
    view, book = await session.view(), session.seat.road.book
    pending = told.pending
    if again and pending.operation:
        trail = await book.find(pending.operation)
        result = await do(session, pending.deed, Stamp(pending.operation, pending.base))
        if trail.commit is not None:
            assert (result.kind, result.commit) == (ResultKind.COMMITTED, trail.commit.id), result
        _note(told, pending.operation, result.kind, result.commit)
        moved = told.crowded and result.reason == "moved"
        assert moved or result.kind is not ResultKind.FAILED, result
    elif view.unfinished:
        status = await book.look(view.branch)
        fitting = [one.operation_id for one in status.waiting if expected_head(one) == status.head]
        result = await session.go_on()
        _note(told, fitting[0], result.kind, result.commit)
        if fitting[0] not in told.unspent:
            assert result.kind is ResultKind.COMMITTED, result
    told.head, told.pending = "", type(pending)()


def _note(told: Told, operation: str, kind: ResultKind, commit: str) -> None:
    if kind is ResultKind.COMMITTED:
        assert told.committed.setdefault(operation, commit) == commit
