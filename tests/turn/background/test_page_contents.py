"""Edits: what a person has written into the pages is taken up first, whole, recorded, or refused once."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.system import Denial, Sight
from talewright.llm.profiles import Profile
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.stores.memory_store import MemoryBook
from talewright.turn.background.page_contents import (
    find_editable,
    make_projection,
    read_taken,
)
from talewright.turn.inputs.player_inputs import Opening, Say
from talewright.turn.records.commit_body import TurnBody, read_body
from talewright.turn.records.prompt_rebuild import rebuild
from talewright.turn.steps.beginning import recall_for_turn
from talewright.turn.steps.recalling import PageEdit
from talewright.turn.turn_context import Teller
from talewright.turn.turn_outcomes import Degraded, Unspent
from tests.plugs.toll import Toll
from tests.turn.making import Bench, altered, bridge, ferry, lay_bench, make_try
from tests.turn.mastering import begin_master

PROFILE = Profile("scripted", context_tokens=64_000)


class Edited(MemoryBook):
    """A book in whose pages somebody writes."""

    def __init__(self, book: MemoryBook) -> None:
        super().__init__(book._volume)
        self.texts: dict[str, str] = {}
        self.asked: list[frozenset[str]] = []

    async def edits(self, paths: frozenset[str]) -> Mapping[str, str]:
        self.asked.append(paths)
        return {path: text for path, text in self.texts.items() if path in paths}


class Writing(Toll):
    """A bridge with pages to write into; once the mood is bad, none of them is open."""

    def editable(self, sight: Sight) -> frozenset[str]:
        return frozenset() if sight.document["mood"] == -5 else frozenset({"heir.md", "mood.md"})

    def edited(self, path: str, text: str, sight: Sight) -> Sequence[Update] | Denial:
        if not text:
            return Denial("write something")
        if path == "heir.md":
            return (Update(Op.SET, "heir", text),)
        mood = int(text) if text.strip("-").isdigit() else text
        return (Update(Op.PUSH, "log", text), Update(Op.SET, "mood", mood))


async def lay(*lines: str | ScriptedReply) -> tuple[Bench, Edited]:
    """A bridge with open pages; its first turn is taken."""
    edition = altered(bridge(), systems=(Writing(),))
    bench = await lay_bench(edition, ["He waits.", *lines], book=Edited, opened=True)
    assert isinstance(bench.book, Edited)
    return bench, bench.book


def by_hand(body: TurnBody) -> list[tuple[str, object, str]]:
    """The changes of a turn that a person made in the pages."""
    made = [change for change in body.changes if change.cause.startswith("player")]
    assert list(body.changes[: len(made)]) == made, "they come first"
    return [(change.path, change.value, change.cause) for change in made]


def test_edits_are_the_first_changes_of_the_next_turn() -> None:
    async def run() -> None:
        bench, book = await lay("He nods.", "He nods again.")
        book.texts = {"mood.md": "2", "heir.md": "Ann", "bridge.md": "made from the record"}
        body = await bench.commit(Say("I wave"), "op-1")
        assert book.asked == [{"heir.md", "mood.md"}] * 2
        # A system may grant what a player alone could not write.
        assert by_hand(body) == [
            ("/heir", "Ann", "player:heir.md"),
            ("/log/0", "2", "player:mood.md"),
            ("/mood", 2, "player:mood.md"),
        ]
        assert body.edits == ({"path": "heir.md", "text": "Ann"}, {"path": "mood.md", "text": "2"})
        assert read_taken(body.edits) == (PageEdit("heir.md", "Ann"), PageEdit("mood.md", "2"))
        # The text stands in the changes; no ruling repeats it.
        assert not any("Ann" in str(ruling) for ruling in body.rulings)
        # Until the pages are written anew the same text is found once more, and changes nothing.
        book.texts = {"heir.md": "Ann"}
        body = await bench.commit(Say("I wait"), "op-2")
        assert by_hand(body) == []
        assert body.edits == ()
        assert await bench.value("heir") == "Ann"

    asyncio.run(run())


def test_a_refused_edit_changes_nothing_and_is_told_once() -> None:
    async def run() -> None:
        bench, book = await lay(*["He nods."] * 5)
        digest = hashlib.sha256(b"").hexdigest()
        refused = {"path": "heir.md", "digest": digest, "refused": "write something"}
        book.texts = {"heir.md": ""}
        for operation, told in (("op-1", False), ("op-2", True), ("op-3", True)):
            body = await bench.commit(Say("I wave"), operation)
            assert by_hand(body) == []
            assert body.edits == ({**refused, "told": told},)
            assert read_taken(body.edits) == ()
        # Another text is another matter, and so is another page of the same text.
        book.texts = {"mood.md": "", "heir.md": "Ann"}
        body = await bench.commit(Say("I wave"), "op-4")
        assert body.edits == (
            {"path": "heir.md", "text": "Ann"},
            {**refused, "path": "mood.md", "told": False},
        )
        assert read_body({"edits": list(body.edits)}).edits == body.edits

    asyncio.run(run())


def test_an_edit_holds_whole_or_not_at_all() -> None:
    async def run() -> None:
        bench, book = await lay("He nods.")
        book.texts = {"mood.md": "merry"}
        body = await bench.commit(Say("I wave"), "op-1")
        assert by_hand(body) == []
        assert not await bench.value("log")
        (record,) = body.edits
        assert isinstance(record, Mapping)
        assert "mood" in str(record["refused"])
        assert not any(event.type == "rejected_update" for event in body.events)

    asyncio.run(run())


def test_a_page_that_an_edit_before_it_has_closed_is_left_alone() -> None:
    async def run() -> None:
        bench, book = await lay("He nods.")
        book.texts = {"mood.md": "-5", "heir.md": "Ann"}
        recalled = await recall_for_turn(bench.road, (await bench.head()).id)
        assert recalled.edits == (PageEdit("heir.md", "Ann"), PageEdit("mood.md", "-5"))
        book.texts = {"mood.md": "-5", "z.md": "not asked for"}
        body = await bench.commit(Say("I wave"), "op-1")
        assert body.edits == ({"path": "mood.md", "text": "-5"},)
        working = make_try(bench.road, replace(await bench.recall(), edits=recalled.edits)).working
        assert working.edits == []
        closed = await bench.recall()
        assert find_editable(closed.edition.game, closed.position) == {}
        assert make_projection(closed).editable == frozenset()

    asyncio.run(run())


def test_a_turn_that_comes_to_nothing_takes_nothing_up() -> None:
    async def run() -> None:
        bench, book = await lay()
        book.texts = {"heir.md": "Ann"}
        before = await bench.standing()
        assert isinstance(await bench.take(Opening(), "op-1"), Unspent)
        assert isinstance(await bench.told_by().take(Say("I wave"), "op-2"), Degraded)
        assert await bench.standing() == before
        body = await bench.told_by("He nods.").commit(Say("I wave"), "op-2")
        assert by_hand(body) == [("/heir", "Ann", "player:heir.md")]

    asyncio.run(run())


def test_a_game_without_such_pages_asks_for_none() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), book=Edited, opened=True)
        assert isinstance(bench.book, Edited)
        assert bench.book.asked == []
        assert make_projection(await bench.recall()).editable == frozenset()
        marked = make_projection(await (await lay())[0].recall(), "Back to turn 1")
        assert marked.heading == "Back to turn 1"
        assert marked.editable == {"heir.md", "mood.md"}

    asyncio.run(run())


def test_a_turn_told_outside_takes_them_up_too() -> None:
    async def run() -> None:
        bench, book = await lay()
        book.texts = {"heir.md": "Ann"}
        turn = await begin_master(bench.road, "main", Say("I wave"), "op-1")
        done = await turn.finish("He nods.")
        assert by_hand(read_body(done.commit.body)) == [("/heir", "Ann", "player:heir.md")]

    asyncio.run(run())


def test_the_prompt_of_such_a_turn_can_be_made_anew() -> None:
    async def run() -> None:
        bench, book = await lay()
        book.texts = {"mood.md": "3", "heir.md": ""}
        provider = Scripted(["He nods."], profile=PROFILE)
        await bench.with_road(teller=Teller(provider)).commit(Say("I wave"), "op-1")
        book.texts = {}
        rebuilt = await rebuild(bench.with_road(teller=None).road, await bench.head(), PROFILE)
        assert rebuilt is not None
        assert list(rebuilt.requests) == provider.requests
        assert not rebuilt.differs

    asyncio.run(run())
