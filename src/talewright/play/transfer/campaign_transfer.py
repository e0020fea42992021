"""Campaign transfer: copies every record to another store byte for byte, so that every hash stays the same.

The dice secret is included only if the campaign can no longer be played where it came from, or if an operator
transfers it: anyone who knows the secret knows every future roll.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field

from talewright.chronicle.chained_lines import ChainEnd
from talewright.chronicle.pagination import read_names
from talewright.chronicle.record_order_checks import inspect_records
from talewright.chronicle.records import Commit, Record
from talewright.chronicle.save_format import format_of
from talewright.chronicle.store import (
    BlobKind,
    CampaignBook,
    DamagedError,
    Founding,
    NameTakenError,
    RecordLines,
    Store,
    UnknownCampaignError,
)
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.chance import commitment
from talewright.play.export.save_game import SaveGameError
from talewright.play.export.whole_save import hash_records
from talewright.play.verify.campaign_replay import commitment_of
from talewright.turn.steps.recalling import SNAPSHOT_EVERY, snapshot_due


@frozen
class TransferredCampaign:
    """All data of a campaign, for another store."""

    about: Mapping[str, str]
    lines: tuple[bytes, ...] = field(repr=False)
    games: Mapping[str, Json] = field(repr=False)
    """Compiled games by their digests."""

    snapshots: Mapping[str, Json] = field(default_factory=dict, repr=False)
    """The newest snapshot of each branch by its commit, so that a long campaign opens quickly from the start.
    It is checked against the record whenever it is read.
    """

    secret: bytes = field(default=b"", repr=False)
    """The secret of the dice; empty if it stays behind."""

    @property
    def chain(self) -> str:
        """The hash over all records, the same in every store."""
        return hash_records(self.lines)


@frozen
class TransferReport:
    """What was transferred."""

    end: ChainEnd
    """The end of the chain, the same on both sides."""

    with_secret: bool
    closed: bool = False
    """Whether the campaign can no longer be played on the host."""


async def read_for_transfer(store: Store, campaign: str, *, with_secret: bool) -> TransferredCampaign:
    """Read a campaign to transfer it. Raises SaveGameError if the store cannot return its bytes."""
    about = dict((await store.listing(campaign)).about)
    book = await store.open(campaign)
    try:
        return await read_book(book, about, with_secret=with_secret)
    finally:
        await book.close()


async def read_book(
    book: CampaignBook, about: Mapping[str, str], *, with_secret: bool
) -> TransferredCampaign:
    """The same of an open book, with what a list shows of its campaign."""
    if not isinstance(book, RecordLines):
        raise SaveGameError("this store cannot move campaigns", "Use `talewright saves export --whole`.")
    lines = tuple([line async for line in book.lines()])
    records = read_lines(lines)
    games = {digest: await _read_game(book, digest) for digest in _list_games(records)}
    snapshots = await _read_snapshots(book)
    secret = await book.secret() if with_secret else b""
    return TransferredCampaign(about, lines, games, snapshots, secret)


async def has_older_copy(store: Store, campaign: str, lines: Sequence[bytes]) -> bool:
    """Whether a store has an older copy of this record under a name; raises NameTakenError for any other
    campaign.
    """
    try:
        book = await store.open(campaign)
    except UnknownCampaignError:
        return False
    try:
        mine = [line async for line in book.lines()] if isinstance(book, RecordLines) else []
    finally:
        await book.close()
    if not mine or list(lines[: len(mine)]) != mine:
        raise NameTakenError(
            f"another campaign here is called {campaign!r}, or this one was continued here",
            "Choose another name for the copy with --name.",
        )
    return True


async def found_transferred(store: Store, campaign: str, sent: TransferredCampaign) -> CampaignBook:
    """Create the campaign in another store, with the same records, games and chain.

    Raises SaveGameError if the records are inconsistent, or the secret does not match their commitment.
    """
    records = read_lines(sent.lines)
    violations = inspect_records(records)
    if violations:
        raise SaveGameError(
            f"the records of the campaign are inconsistent: {violations[0]}", "Run `talewright verify`."
        )
    root, *past = records
    assert isinstance(root, Commit), "the records were inspected"
    if sent.secret and commitment(sent.secret) != commitment_of(root):
        raise SaveGameError(
            "the secret does not match the commitment to the campaign's dice",
            "Move the campaign from where it was played.",
        )
    book = await store.found(
        Founding(
            campaign,
            root,
            sent.secret,
            sent.about,
            sent.games.get(root.game_digest),
            past=tuple(past),
            games=sent.games,
            lines=sent.lines,
        )
    )
    for commit, document in sent.snapshots.items():
        await book.keep(BlobKind.SNAPSHOT, commit, document)
    end = await book.chain()
    if (end.length, end.hash) != (len(sent.lines), sent.chain):
        raise DamagedError(
            "the chain of the transferred campaign differs from the one it came with",
            "Remove the copy and move the campaign again; the original was not changed.",
        )
    return book


def read_lines(lines: tuple[bytes, ...]) -> list[Record]:
    """The records on some lines, whatever version wrote them."""
    form = format_of(lines[0])
    return [form.read(line) for line in lines]


def _list_games(records: list[Record]) -> list[str]:
    """The digests of the games that turns were played with, without duplicates."""
    return list(dict.fromkeys(record.game_digest for record in records if isinstance(record, Commit)))


async def _read_snapshots(book: CampaignBook) -> dict[str, Json]:
    """The newest snapshot before the head of each branch, if there is one."""
    found: dict[str, Json] = {}
    for head in set((await read_names(book.branches)).values()):
        line = await book.back(head, SNAPSHOT_EVERY)
        due = next((commit.id for commit in line if snapshot_due(commit)), "")
        document = await book.kept(BlobKind.SNAPSHOT, due) if due else None
        if document is not None:
            found[due] = document
    return found


async def _read_game(book: CampaignBook, digest: str) -> Json:
    form = await book.kept(BlobKind.GAME, digest)
    if form is None:
        raise DamagedError(
            "a game that turns of this campaign were played with is missing from it",
            "Restore it from a backup, then move the campaign again.",
        )
    return form
