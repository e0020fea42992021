"""A store on sqlite3, as small as possible: one row a record, one fold a campaign. It has no pages."""

import json
import sqlite3
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict, replace
from functools import reduce
from pathlib import Path
from typing import Any

from talewright.chronicle.chained_lines import GENESIS, ChainEnd, bind
from talewright.chronicle.open_turns import OpenTurn, OpenTurnSlot, read_slot, write_slot
from talewright.chronicle.record_fold import RecordFold, cut_names, expected_head, place_input
from talewright.chronicle.records import Accepted, Aside, Attempt, Commit, Json, PointerKind, Pointing, Record
from talewright.chronicle.save_format import SaveFormat
from talewright.chronicle.spending_totals import read_totals, write_totals
from talewright.chronicle.store import (
    CAMPAIGNS_PAGE_MAX,
    NAMES_PAGE_MAX,
    Acceptance,
    BlobKind,
    CampaignListing,
    CampaignStatus,
    ChronicleError,
    Founding,
    HeadMovedError,
    OpenTurnMovedError,
    OperationTrail,
    UnknownCampaignError,
    UnknownCommitError,
    UnsavedError,
    check_campaign_name,
)

SCHEMA = """
CREATE TABLE IF NOT EXISTS campaigns (key INTEGER PRIMARY KEY, name TEXT UNIQUE, about TEXT, owner TEXT,
  secret BLOB, fold TEXT, chain BLOB, at TEXT, written INTEGER);
CREATE TABLE IF NOT EXISTS records (n INTEGER PRIMARY KEY, campaign INTEGER, kind TEXT, id TEXT,
  operation TEXT, made_for TEXT, sequence INTEGER, data BLOB);
CREATE INDEX IF NOT EXISTS by_id ON records (campaign, kind, id);
CREATE INDEX IF NOT EXISTS by_operation ON records (campaign, operation);
CREATE INDEX IF NOT EXISTS by_commit ON records (campaign, made_for);
CREATE INDEX IF NOT EXISTS by_sequence ON records (campaign, sequence);
CREATE TABLE IF NOT EXISTS blobs (campaign INTEGER, kind TEXT, name TEXT, value TEXT,
  PRIMARY KEY (campaign, kind, name));
CREATE TABLE IF NOT EXISTS open_turns (campaign INTEGER, branch TEXT, form TEXT,
  PRIMARY KEY (campaign, branch));
"""
FORM = SaveFormat()
AFTER = "SELECT data FROM records WHERE campaign = ? AND n > ? ORDER BY n LIMIT ?"


class SqliteBook:
    """The records of one campaign; every call is one transaction."""

    pages = None

    def __init__(self, base: sqlite3.Connection, key: int, name: str) -> None:
        self._base, self._key, self.campaign = base, key, name

    def _ask(self, sql: str, *values: object) -> list[Any]:
        return self._base.execute(sql, (self._key, *values)).fetchall()

    def _fold(self, *, writing: bool = False) -> RecordFold[int]:
        """How the campaign stands; whoever writes holds the database from here on."""
        if writing:
            self._base.execute("BEGIN IMMEDIATE")
        ((name, text),) = self._ask("SELECT name, fold FROM campaigns WHERE key = ?")
        if name is None:
            raise UnsavedError(f"the campaign {self.campaign!r} was removed", "Choose another from the list.")
        form = json.loads(text)
        form["waiting"] = {operation: tuple(kept) for operation, kept in form["waiting"].items()}
        return RecordFold(**{**form, "spent": read_totals(form["spent"])})

    def _append(self, fold: RecordFold[int], *records: Record) -> None:
        ((chain,),) = self._ask("SELECT chain FROM campaigns WHERE key = ?")
        for data in [FORM.write(record) for record in records]:
            record, chain = FORM.read(data), bind(chain, data)
            kind, member = type(record).__name__, asdict(record).get
            row = (kind, member("id"), member("operation_id"), member("commit"), member("sequence"), data)
            sql = "INSERT INTO records VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)"
            place = self._base.execute(sql, (self._key, *row)).lastrowid
            fold.take(record, place or 0, lambda one: bool(self._find("operation", one, "Commit")))
            self._base.execute(
                "UPDATE campaigns SET fold = ?, chain = ?, at = ?,"
                " written = (SELECT coalesce(max(written), 0) + 1 FROM campaigns) WHERE key = ?",
                (json.dumps(write_fold(fold)), chain, record.at, self._key),
            )

    def _find(self, column: str, value: str, kind: str = "") -> list[Any]:
        sql = f"SELECT data FROM records WHERE campaign = ? AND {column} = ? AND kind LIKE ? ORDER BY n"
        return [FORM.read(data) for (data,) in self._ask(sql, value, kind or "%")]

    def _head(self, fold: RecordFold[int], branch: str) -> str:
        if branch not in fold.branches:
            raise UnknownCommitError(f"there is no branch {branch!r}", "Look at the branches there are.")
        return fold.branches[branch]

    def _read(self, commit: str) -> Commit:
        for record in self._find("id", commit, "Commit"):
            return record  # type: ignore[no-any-return]
        raise UnknownCommitError(f"there is no commit {commit!r}", "Look at the tree for those there are.")

    async def look(self, branch: str = "") -> CampaignStatus:
        fold = self._fold()
        name = branch or fold.newest_branch
        sql = "SELECT data FROM records WHERE campaign = ? AND n = ?"
        waiting, tried = [
            [FORM.read(self._ask(sql, place)[0][0]) for place in places]
            for places in (fold.find_waiting(name), [fold.tries[name]] if name in fold.tries else [])
        ]
        newest = next((one for one in tried if isinstance(one, Attempt)), None)
        inputs = tuple(one for one in waiting if isinstance(one, Accepted))
        return CampaignStatus(name, self._head(fold, name), fold.sequence, inputs, newest, fold.spent)

    async def branches(self, after: str = "", limit: int = NAMES_PAGE_MAX) -> Mapping[str, str]:
        return cut_names(self._fold().branches, after, limit)

    async def marks(self, after: str = "", limit: int = NAMES_PAGE_MAX) -> Mapping[str, str]:
        return cut_names(self._fold().marks, after, limit)

    async def accept(self, accepted: Accepted) -> Acceptance:
        with self._base:
            fold = self._fold(writing=True)
            known = await self.find(accepted.operation_id)
            if known.accepted is None and known.commit is None:
                accepted = place_input(accepted, self._head(fold, accepted.branch), self._read)
                self._append(fold, accepted)
        kept = known.accepted or accepted
        head = fold.branches.get(kept.branch, "")
        open_turn = await self.open_turn(kept.branch)
        return Acceptance(kept, known.commit, len(known.attempts), head, fold.sequence, fold.spent, open_turn)

    async def commit(self, commit: Commit, attempt: Attempt) -> Commit:
        with self._base:
            fold = self._fold(writing=True)
            known = (await self.find(commit.operation_id)).commit
            if known is not None:
                return known
            head = self._head(fold, commit.branch)
            if head != expected_head(commit):
                raise HeadMovedError(head)
            commit = replace(commit, sequence=fold.next_sequence)
            self._append(fold, commit, attempt)
        return commit

    async def add(self, record: Attempt | Aside) -> None:
        with self._base:
            fold = self._fold(writing=True)
            if not self._find("id", record.id, type(record).__name__):
                self._append(fold, record)

    async def point(self, pointing: Pointing, expected: str | None = None) -> None:
        with self._base:
            fold = self._fold(writing=True)
            self._read(pointing.commit)
            head = fold.branches.get(pointing.name)
            if pointing.kind is PointerKind.BRANCH and head != expected:
                raise HeadMovedError(head or "")
            self._append(fold, pointing)

    async def read(self, commit: str) -> Commit:
        return self._read(commit)

    async def back(self, commit: str, count: int) -> tuple[Commit, ...]:
        line = [self._read(commit)]
        while line[-1].parent and len(line) < count:
            line.append(self._read(line[-1].parent))
        return tuple(line[:count])

    async def find(self, operation_id: str) -> OperationTrail:
        found = self._find("operation", operation_id)
        return OperationTrail(
            next((one for one in found if isinstance(one, Accepted)), None),
            next((one for one in found if isinstance(one, Commit)), None),
            tuple(one for one in found if isinstance(one, Attempt)),
        )

    async def asides(self, commits: frozenset[str]) -> tuple[Aside, ...]:
        some = f"made_for IN ({', '.join('?' * len(commits))})"
        sql = f"SELECT data FROM records WHERE campaign = ? AND kind = 'Aside' AND {some} ORDER BY n"
        found = [FORM.read(data) for (data,) in self._ask(sql, *commits)]
        return tuple(one for one in found if isinstance(one, Aside))

    async def records(self, after: int = -1, limit: int | None = None) -> AsyncIterator[Record]:
        begun = "SELECT n FROM records WHERE campaign = ? AND sequence = ?"
        begin = (self._ask(begun, after) or [(2**62,)])[0][0] if after >= 0 else -1
        for (data,) in self._ask(AFTER, begin, -1 if limit is None else limit):
            yield FORM.read(data)

    async def chain(self, length: int | None = None) -> ChainEnd:
        rows = self._ask(AFTER, -1, -1 if length is None else length)
        return ChainEnd(len(rows), reduce(bind, (row[0] for row in rows), GENESIS).hex())

    async def keep(self, shelf: BlobKind, name: str, value: Json) -> None:
        with self._base:
            self._ask("INSERT OR REPLACE INTO blobs VALUES (?, ?, ?, ?)", shelf, name, json.dumps(value))

    async def kept(self, shelf: BlobKind, name: str) -> Json:
        found = self._ask("SELECT value FROM blobs WHERE campaign = ? AND kind = ? AND name = ?", shelf, name)
        value: Json = json.loads(found[0][0]) if found else None
        return value

    async def secret(self) -> bytes:
        ((secret,),) = self._ask("SELECT secret FROM campaigns WHERE key = ?")
        return bytes(secret)

    def _slot(self, branch: str) -> OpenTurnSlot:
        found = self._ask("SELECT form FROM open_turns WHERE campaign = ? AND branch = ?", branch)
        return read_slot(json.loads(found[0][0])) if found else OpenTurnSlot()

    async def open_turn(self, branch: str) -> OpenTurn | None:
        return self._slot(branch).turn

    async def write_open_turn(self, turn: OpenTurn, expected: int) -> OpenTurn:
        slot = self._put(turn.branch, turn, expected)
        assert slot.turn is not None
        return slot.turn

    async def drop_open_turn(self, branch: str, expected: int) -> None:
        self._put(branch, None, expected)

    def _put(self, branch: str, turn: OpenTurn | None, expected: int) -> OpenTurnSlot:
        with self._base:
            self._fold(writing=True)
            slot = self._slot(branch)
            if slot.expected != expected:
                raise OpenTurnMovedError(slot.turn)
            slot = slot.put(turn)
            self._ask(
                "INSERT OR REPLACE INTO open_turns VALUES (?, ?, ?)", branch, json.dumps(write_slot(slot))
            )
        return slot

    async def close(self) -> None:
        """Nothing is held."""


class SqliteStore:
    """Campaigns in one database file."""

    def __init__(self, path: Path) -> None:
        self._base = sqlite3.connect(path, isolation_level=None)
        self._base.executescript(SCHEMA)

    async def found(self, founding: Founding) -> SqliteBook:
        check_campaign_name(founding.campaign)
        row = (founding.campaign, json.dumps(dict(founding.about)), founding.owner, founding.secret)
        sql = "INSERT INTO campaigns VALUES (NULL, ?, ?, ?, ?, ?, ?, '', 0)"
        try:
            with self._base:
                self._base.execute("BEGIN IMMEDIATE")
                fold = RecordFold[int]()
                key = self._base.execute(sql, (*row, json.dumps(write_fold(fold)), GENESIS)).lastrowid
                book = SqliteBook(self._base, key or 0, founding.campaign)
                book._append(fold, replace(founding.root, sequence=0), *founding.past)
        except sqlite3.IntegrityError as error:
            raise ChronicleError(f"there is a campaign {founding.campaign!r} already", "Open it.") from error
        for digest, game in {founding.root.game_digest: founding.game, **founding.games}.items():
            if game is not None:
                await book.keep(BlobKind.GAME, digest, game)
        return book

    async def open(self, campaign: str) -> SqliteBook:
        found = self._base.execute("SELECT key FROM campaigns WHERE name = ?", (campaign,)).fetchall()
        if not found:
            raise UnknownCampaignError(f"there is no campaign {campaign!r}", "Look at the list of campaigns.")
        return SqliteBook(self._base, found[0][0], campaign)

    async def listing(self, campaign: str) -> CampaignListing:
        return self._list("key = ?", (await self.open(campaign))._key)[0]

    async def campaigns(
        self, owner: str = "", after: str = "", limit: int = CAMPAIGNS_PAGE_MAX
    ) -> tuple[CampaignListing, ...]:
        wanted = "name > ? AND (? = '' OR owner = ?) ORDER BY name LIMIT ?"
        return self._list(wanted, after, owner, owner, limit)

    def _list(self, wanted: str, *values: object) -> tuple[CampaignListing, ...]:
        sql = f"SELECT name, about, at, owner, written FROM campaigns WHERE {wanted}"
        return tuple(
            CampaignListing(name, json.loads(about), at, owner=owner, recency=(written,))
            for name, about, at, owner, written in self._base.execute(sql, values)
        )

    async def remove(self, campaign: str, at: str) -> str:
        book = await self.open(campaign)
        self._base.execute("UPDATE campaigns SET name = NULL WHERE key = ?", (book._key,))
        return f"campaign {book._key}, removed at {at}"


def write_fold(fold: RecordFold[int]) -> dict[str, Any]:
    """How a campaign stands, as JSON."""
    members = ("branches", "marks", "waiting", "tries", "count", "sequence", "newest")
    return {**{name: getattr(fold, name) for name in members}, "spent": write_totals(fold.spent)}
