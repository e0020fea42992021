"""Rows of a new campaign: everything that follows from its founding, written in one transaction.

The past of a campaign that was played elsewhere is stored byte for byte, so that its chain stays the same.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

from talewright.chronicle.record_fold import RecordFold
from talewright.chronicle.records import Commit, PointerKind, Record
from talewright.chronicle.save_format import SaveFormat, format_of
from talewright.chronicle.store import Founding
from talewright.common.frozen_values import frozen
from talewright.stores.postgres import statements
from talewright.stores.postgres.campaign_rows import (
    BranchRow,
    CampaignRow,
    RecordRow,
    make_record,
    read_moment,
)
from talewright.stores.postgres.postgres_blobs import SECRET_PLACE, seal_game
from talewright.stores.postgres.sealing import CampaignSeal, SealingKeys


@frozen
class NewCampaignRows:
    """All rows of a campaign that does not exist yet."""

    campaign: CampaignRow
    columns: tuple[Any, ...]
    """The values of the campaign's own row."""

    records: tuple[RecordRow, ...]
    branches: tuple[tuple[Any, ...], ...]
    marks: tuple[tuple[Any, ...], ...]
    waiting: tuple[tuple[Any, ...], ...]
    games: tuple[tuple[Any, ...], ...]
    shard: int

    @property
    def bytes(self) -> int:
        """How much the campaign takes."""
        return sum(len(one.line) for one in self.records)

    async def write(self, connection: Any) -> None:
        """Write them; called within a transaction."""
        key = self.campaign.id
        await connection.execute(statements.CLAIM_SHARD, self.shard)
        await connection.execute(statements.FOUND_CAMPAIGN, *self.columns, self.bytes)
        await connection.executemany(statements.FOUND_RECORD, [(key, *one.columns) for one in self.records])
        await connection.executemany(statements.FOUND_BRANCH, [(key, *one) for one in self.branches])
        for statement, rows in (
            (statements.FOUND_MARK, self.marks),
            (statements.FOUND_WAITING, self.waiting),
        ):
            if rows:
                await connection.executemany(statement, [(key, *one) for one in rows])
        for game in self.games:
            await connection.execute(statements.KEEP_GAME, key, self.campaign.owner, *game)


def make_rows(founding: Founding, key: UUID, shard: int, keys: SealingKeys) -> NewCampaignRows:
    """The rows of a founding; raises ValueError if a record cannot be stored."""
    seal = keys.seal_for(key.bytes)
    campaign = CampaignRow(key, founding.owner, founding.campaign)
    fold = RecordFold[int]()
    committed: set[str] = set()
    records: list[RecordRow] = []
    newest: Record = founding.root
    for data, record in _read_lines(founding):
        if not records:
            campaign = replace(campaign, format=format_of(data))
        records.append(make_record(campaign, record, data, seal))
        campaign = campaign.take(record, records[-1].chain)
        fold.take(record, records[-1].number, committed.__contains__)
        if isinstance(record, Commit):
            committed.add(record.operation_id)
        newest = record
    games = {founding.root.game_digest: founding.game, **founding.games}
    shared = keys.seal_for(b"")
    return NewCampaignRows(
        campaign,
        _make_columns(founding, campaign, shard, newest.at, seal),
        tuple(records),
        tuple(_make_branches(fold, seal)),
        tuple(
            (name, head, BranchRow(name, head).mark(seal, PointerKind.MARK))
            for name, head in fold.marks.items()
        ),
        tuple((operation, branch, number) for operation, (branch, number) in fold.waiting.items()),
        tuple(
            (digest, *seal_game(json.dumps(game, allow_nan=False, separators=(",", ":")).encode(), shared))
            for digest, game in games.items()
            if game is not None
        ),
        shard,
    )


def _read_lines(founding: Founding) -> Iterator[tuple[bytes, Record]]:
    """The bytes of each record, and the record as it is read from them."""
    form = SaveFormat()
    lines = founding.lines or [
        form.write(record) for record in (replace(founding.root, sequence=0), *founding.past)
    ]
    form = format_of(lines[0])
    for data in lines:
        yield data, form.read(data)


def _make_columns(
    founding: Founding, campaign: CampaignRow, shard: int, at: str, seal: CampaignSeal
) -> tuple[Any, ...]:
    return (
        campaign.id,
        campaign.owner,
        campaign.name,
        shard,
        json.dumps(dict(founding.about)),
        seal.seal(founding.secret, SECRET_PLACE),
        campaign.format.number,
        campaign.records,
        campaign.sequence,
        campaign.chain,
        campaign.newest,
        campaign.spent_text,
        campaign.mark(seal),
        read_moment(at),
    )


def _make_branches(fold: "RecordFold[int]", seal: CampaignSeal) -> Iterator[tuple[Any, ...]]:
    for name, head in fold.branches.items():
        row = BranchRow(name, head, fold.tries.get(name))
        yield row.name, row.head, row.tried, row.mark(seal)
