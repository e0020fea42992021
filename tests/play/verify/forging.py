"""Forging: a campaign's folder rewritten by somebody who knows how, with every hash recomputed.

The forger has the secret, the engine and all the time in the world. What they do not have is a receipt.
"""

import asyncio
import hashlib
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from talewright.bootstrap import open_game_library, open_store
from talewright.chronicle.chained_lines import GENESIS, RecordFrame, frame, read_frame
from talewright.chronicle.records import Accepted, Commit, Record
from talewright.chronicle.save_format import SaveFormat, format_of
from talewright.chronicle.store import BlobKind, CampaignBook
from talewright.common.json_values import Json
from talewright.errors import Fault
from talewright.kernel.state.changes import from_json, to_json
from talewright.kernel.state.documents import ABSENT, Draft
from talewright.kernel.state.state import State
from talewright.kernel.state.state_paths import parse_pointer
from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.receipts import CampaignReceipt, check_receipt, make_receipt
from talewright.play.verify.verification_report import VerificationReport
from talewright.stores.folder.blobs import seal_secret, seal_value
from talewright.stores.folder.listing_file import ListingFile, encode_listing, parse_listing
from talewright.turn.game_editions import Edition, Editions
from talewright.turn.records.turn_replay import replay_turn
from talewright.turn.turn_context import Road
from tests.kept_campaigns import plots, served_plots
from tests.kept_campaigns.workshop import Workshop
from tests.warm_homes import warm

CHRONICLE = "chronicle.jsonl"
PLOTS = {**plots.PLOTS, **served_plots.PLOTS}
Body = dict[str, Any]


def play_plot(home: Path, name: str) -> Path:
    """One of the kept plots, played with the present engine; its folder."""
    shop = Workshop(warm(home), name)

    async def play() -> None:
        await PLOTS[name].play(shop)

    asyncio.run(play())
    return shop.folder


@dataclass
class Forger:
    """Somebody at a copy of a campaign."""

    folder: Path
    editions: Editions
    records: list[Record] = field(default_factory=list)
    form: SaveFormat = field(default_factory=SaveFormat)

    def __post_init__(self) -> None:
        lines = list(read_lines((self.folder / CHRONICLE).read_bytes()))
        self.form = format_of(lines[0])
        self.records = [self.form.read(line) for line in lines]

    @property
    def secret(self) -> bytes:
        """The secret of the dice."""
        return bytes.fromhex((self.folder / "secret").read_text().splitlines()[0])

    def find(self, fits: Callable[[Commit], bool]) -> int:
        """Where the last turn stands of which something is true."""
        return [n for n, one in enumerate(self.records) if isinstance(one, Commit) and fits(one)][-1]

    def body(self, place: int) -> Body:
        """The body of a turn, to look at."""
        return dict(self._commit(place).body)

    def alter(self, place: int, **members: Json) -> None:
        """Write something else into a turn; None takes a member away."""
        commit = self._commit(place)
        body = {**commit.body, **members}
        kept = {name: value for name, value in body.items() if value is not None}
        self.records[place] = replace(commit, body=kept)

    def find_turns(self) -> list[int]:
        """Where the turns stand."""
        return [n for n, one in enumerate(self.records) if isinstance(one, Commit) and one.parent]

    def input_of(self, place: int, given: Json) -> None:
        """Put another input into a turn and into what was accepted."""
        self.alter(place, input=given)
        operation = self._commit(place).operation_id
        for number, one in enumerate(self.records):
            if isinstance(one, Accepted) and one.operation_id == operation:
                self.records[number] = replace(one, input=given)

    def add_change(self, place: int, path: str, value: Json, cause: str = "model") -> None:
        """Let a turn change something more."""
        change = {"op": "replace", "path": path, "value": value, "was": None, "reason": "", "cause": cause}
        self.alter(place, changes=[*self.body(place).get("changes", []), change])

    def exchange_secret(self, secret: bytes) -> None:
        """Begin with other dice."""
        (self.folder / "secret").write_bytes(seal_secret(secret))
        root = cast(Mapping[str, Json], self.body(0)["root"])
        self.alter(0, root={**root, "commitment": hashlib.sha256(secret).hexdigest()})

    def write(self) -> "Forger":
        """Make everything agree again: what stood before each change, states, digests, the chain."""
        documents: dict[str, Mapping[str, Json]] = {}
        for number, one in enumerate(self.records):
            if isinstance(one, Commit):
                document, changes = refold(documents.get(one.parent), one)
                documents[one.id] = document
                body = {**one.body, **({"changes": changes} if changes else {})}
                digest = State(document, one.version).digest
                self.records[number] = replace(one, body=body, state_digest=digest)
        chain, lines = GENESIS, []
        for one in self.records:
            made = frame(chain, self.form.write(one))
            chain = made.chain
            lines.append(made.line)
        (self.folder / CHRONICLE).write_bytes(b"".join(lines))
        listing = self.folder / "campaign.json"
        card = parse_listing(listing.read_bytes()) or ListingFile()
        size = sum(map(len, lines))
        listing.write_bytes(
            encode_listing(replace(card, end=size, chain=chain, records=len(lines), lost=None))
        )
        for name in ("index.bin", "snapshots"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            (self.folder / name).unlink(missing_ok=True)
        return self

    def remake(self, *places: int) -> None:
        """Have the engine play turns again from what was forged, so that all that follows from it follows."""
        for place in places:
            self.write()
            self.records[place] = asyncio.run(_play_again(self.folder, self.editions, self._commit(place)))
        self.write()

    def exchange_game(self, form: Json, digest: str) -> None:
        """Put a file in the place of the pinned game."""
        (self.folder / "games" / f"{digest}.json").write_bytes(seal_value(BlobKind.GAME, digest, form))

    def _commit(self, place: int) -> Commit:
        one = self.records[place]
        assert isinstance(one, Commit)
        return one


async def _play_again(folder: Path, editions: Editions, commit: Commit) -> Commit:
    async with open_book(folder) as book:
        road = Road(book=book, editions=editions, now=lambda: "", new_id=lambda: "")
        again = await replay_turn(road, commit)
        assert isinstance(again, Commit), again
        return again


def refold(before: Mapping[str, Json] | None, commit: Commit) -> tuple[Mapping[str, Json], list[Json]]:
    """The document after a turn, and its changes as they must be so that undoing them is right too."""
    if before is None:
        root = cast(Mapping[str, Mapping[str, Json]], commit.body["root"])
        return root["document"], []
    draft, changes = Draft(before), []
    for raw in cast(Sequence[Json], commit.body.get("changes", ())):
        change = from_json(raw)
        path = parse_pointer(change.path)
        stood = draft.read(path) if change.op != "add" else ABSENT
        if change.op == "add":
            assert change.value is not ABSENT
            draft.add(path, change.value)
        elif change.op == "remove":
            draft.remove(path)
        else:
            assert change.value is not ABSENT
            draft.replace(path, change.value)
        changes.append(cast(Json, to_json(replace(change, was=stood))))
    return draft.document, changes


def read_lines(data: bytes) -> Iterator[bytes]:
    """The records of a chronicle, as bytes."""
    offset, chain = 0, GENESIS
    while offset < len(data):
        found = read_frame(data, offset, chain)
        assert isinstance(found, RecordFrame), found
        yield found.record
        offset, chain = offset + found.size, found.chain


class KeptEditions:
    """Editions that are unpacked and looked up once for all tests."""

    def __init__(self) -> None:
        self._library = open_game_library()
        self._unpacked: list[Edition] = []
        self._latest: dict[str, Edition | None] = {}

    def unpack(self, form: Json) -> Edition:
        """The edition of a form."""
        known = next((edition for edition in self._unpacked if edition.form == form), None)
        if known is None:
            known = self._library.unpack(form)
            self._unpacked.append(known)
        return known

    def latest(self, game: str) -> Edition | None:
        """What is installed."""
        if game not in self._latest:
            self._latest[game] = self._library.latest(game)
        return self._latest[game]

    def find_faults(self, game: str) -> tuple[Fault, ...]:
        """Why it does not compile."""
        return self._library.find_faults(game)


@asynccontextmanager
async def open_book(folder: Path) -> AsyncIterator[CampaignBook]:
    """The book of a campaign's folder."""
    book = await open_store(folder.parent, git=False).open(folder.name)
    try:
        yield book
    finally:
        await book.close()


async def take_receipt(folder: Path) -> CampaignReceipt:
    """The receipt of a campaign as it stands."""
    async with open_book(folder) as book:
        return await make_receipt(book)


@dataclass(frozen=True)
class Examined:
    """What was found of a campaign."""

    blind: VerificationReport
    """Without the secret."""

    owner: VerificationReport
    """With it."""

    receipt: str
    """What a receipt shows to be wrong."""


async def examine(folder: Path, editions: Editions, receipt: CampaignReceipt, secret: bytes) -> Examined:
    """Verify a campaign without its secret, with it, and by a receipt."""
    async with open_book(folder) as book:
        blind = await verify(book, editions=editions)
        owner = await verify(book, editions=editions, secret=secret)
        return Examined(blind, owner, await check_receipt(book, receipt, secret))
