"""Founding: the first commit holds the first state and the commitment, and the game is kept."""

import asyncio
from typing import TypeAlias

from talewright.chronicle.records import MAIN, Commit
from talewright.chronicle.save_format import FORMAT, FORMAT_NUMBER
from talewright.chronicle.store import BlobKind
from talewright.common.json_values import Json
from talewright.kernel.chance import commitment
from talewright.kernel.state.state import State
from talewright.stores.memory_store import MemoryStore
from talewright.turn.new_campaign import write_first_commit
from tests.turn.making import NOW, SECRET, ferry

Begun: TypeAlias = tuple[Commit, Json, bytes, object]


def begin(document: dict[str, Json] | None = None, imported: Json = None) -> Begun:
    async def run() -> Begun:
        names = iter(["root", "operation"])
        store = MemoryStore()
        book = await write_first_commit(
            store,
            ferry(),
            campaign="test",
            language="zh-CN",
            secret=SECRET,
            now=lambda: NOW,
            new_id=lambda: next(names),
            document=document,
            imported=imported,
        )
        head = await book.read((await book.look(MAIN)).head)
        listing = (await store.campaigns())[0]
        kept = await book.kept(BlobKind.GAME, ferry().digest)
        return head, kept, await book.secret(), (listing.campaign, listing.about)

    return asyncio.run(run())


def test_the_first_commit() -> None:
    head, kept, secret, listing = begin()
    state = State(ferry().game.initial, 0)
    assert head == Commit(
        id="root",
        parent="",
        branch=MAIN,
        version=0,
        operation_id="operation",
        at=NOW,
        game_digest=ferry().digest,
        state_digest=state.digest,
        body={
            FORMAT: FORMAT_NUMBER,
            "told": "nobody",
            "language": "zh-CN",
            "root": {"commitment": commitment(SECRET), "document": state.document},
        },
        sequence=0,
    )
    assert (kept, secret) == (ferry().form, SECRET)
    # The game is in English alone: its title is shown as it is.
    assert listing == ("test", {"game": "ferry", "title": "The Ferry", "language": "zh-CN"})


def test_a_document_that_was_brought_along() -> None:
    document = {**ferry().game.initial, "coins": 9}
    head, *_ = begin(document, {"from": "elsewhere"})
    assert head.state_digest == State(document, 0).digest
    assert head.body["root"] == {
        "commitment": commitment(SECRET),
        "document": document,
        "imported": {"from": "elsewhere"},
    }
