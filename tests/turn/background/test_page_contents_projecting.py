"""Projecting: the pages and the heading of a moment."""

import asyncio
import json
from collections.abc import Mapping, Sequence

from talewright.chronicle.records import MAIN
from talewright.kernel.system import PastTurn, Sight
from talewright.stores.memory_store import MemoryBook
from talewright.turn.background.page_contents import (
    HEADING_LENGTH_MAX,
    make_projection,
    project,
)
from talewright.turn.inputs.player_inputs import Choose, GoOn, Opening, Say
from tests.plugs.toll import Toll
from tests.turn.making import altered, bridge, ferry, lay_bench, plain


class Silent(Toll):
    """A toll without a title for its turns."""

    def heading(self, turn: PastTurn, sight: Sight) -> str:
        return ""


def test_the_state_and_what_the_systems_write() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), ["He waits.", "He nods."])
        await bench.commit(Opening(), "op-1")
        await bench.commit(Say("I wave at\nthe   keeper for long"), "op-2")
        await project(bench.road, MAIN)
        assert isinstance(bench.book, MemoryBook)
        made = bench.book.projection
        assert made is not None
        recalled = await bench.recall()
        assert made == make_projection(recalled)
        assert (made.commit, made.removed) == (recalled.head.id, ())
        assert made.heading == "At the bridge: I wave at the keep"
        assert list(made.pages) == ["state.json", "bridge.md"]
        assert made.pages["bridge.md"] == "1. \n2. I wave at\nthe   keeper for long"
        page = made.pages["state.json"]
        assert json.loads(page) == recalled.position.state.document
        assert page.startswith('{\n  "_engine": {\n')
        assert page.endswith("}\n")

    asyncio.run(run())


class Pageless(MemoryBook):
    """A book of a store that has no pages."""

    def __init__(self, book: MemoryBook) -> None:
        super().__init__(book._volume)

    @property
    def pages(self) -> None:
        return None


def test_a_store_may_have_no_pages() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), ["He waits."], book=Pageless)
        await bench.commit(Opening(), "op-1")
        count = len(await bench.records())
        await project(bench.road, MAIN)
        assert isinstance(bench.book, Pageless)
        assert bench.book.projection is None
        assert len(await bench.records()) == count

    asyncio.run(run())


def test_headings_without_a_system() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry())
        assert make_projection(await bench.recall()).heading == "The beginning"
        await bench.commit(Opening(), "op-1")
        assert make_projection(await bench.recall()).heading == "Turn 1"
        await bench.commit(Choose("wait"), "op-2")
        assert make_projection(await bench.recall()).heading == "Turn 2: Wait"

    asyncio.run(run())


def test_headings_are_one_line_of_bounded_length() -> None:
    async def run() -> None:
        bench = await lay_bench(altered(bridge(), systems=(Silent(),)), ["He waits."] * 3)
        await bench.commit(Opening(), "op-1")
        await bench.commit(Say("雨 " * 100), "op-2")
        heading = make_projection(await bench.recall()).heading
        assert heading == ("Turn 2: " + "雨 " * 100)[:HEADING_LENGTH_MAX].rstrip()
        await bench.commit(GoOn(), "op-3")
        assert make_projection(await bench.recall()).heading == "Turn 3"

    asyncio.run(run())


class Chronicler(Toll):
    """A toll that writes down everything, from the first turn on."""

    def reach(self, sight: Sight) -> int:
        return 1

    def pages(self, sight: Sight, turns: Sequence[PastTurn]) -> Mapping[str, str]:
        said = [f"{turn.version} {len(turn.messages)}" for turn in turns]
        return {"all.md": "\n".join(said), "language.md": sight.language}

    def heading(self, turn: PastTurn, sight: Sight) -> str:
        return f"Water {plain(sight.document['bridge'])['water']}, {turn.narration}"


def test_pages_are_made_from_as_many_turns_as_a_system_wants() -> None:
    async def run() -> None:
        bench = await lay_bench(altered(bridge(), systems=(Chronicler(),)), ["He waits."] * 40)
        await bench.commit(Opening(), "op-0")
        for number in range(1, 40):
            await bench.commit(Say("I wait"), f"op-{number}")
        await project(bench.road, MAIN)
        assert isinstance(bench.book, MemoryBook)
        made = bench.book.projection
        assert made is not None
        assert made.pages["all.md"].split("\n") == ["1 1", *(f"{number} 2" for number in range(2, 41))]
        assert (made.pages["language.md"], made.heading) == ("en", "Water 5, He waits.")

    asyncio.run(run())
