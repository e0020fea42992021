"""What systems keep in view: frozen between two cuts, cut where systems say so, and kept from the player."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from talewright.chronicle.records import MAIN, Aside
from talewright.common.json_values import Json
from talewright.kernel.memory_rules import MemoryRules as Window
from talewright.kernel.slots.slot_types import Slot, SlotKind
from talewright.kernel.system import AuthorFiles, Retention, Sight, SystemMemory
from talewright.llm.profiles import Profile
from talewright.llm.requests import SystemMessage
from talewright.prompt.prompt_assembly import spell_messages
from talewright.prompt.words.english import ENGLISH
from talewright.providers.scripted import Scripted
from talewright.turn.background.asides import condense
from talewright.turn.inputs.player_inputs import Opening, Say
from talewright.turn.memory.story_memory import ask_retention, list_memories
from talewright.turn.records.prompt_rebuild import rebuild
from talewright.turn.turn_context import Teller
from tests.plugs.toll import Toll
from tests.turn.making import NOW, Bench, altered, bridge, calls, lay_bench, plain

SECRET = "The keeper keeps a drowned man's ledger under the third plank of the bridge"
ROOMY = Window(summary_every_turns=100, keep_turns=2, window_tokens=100_000, cut_to_tokens=50_000)


class Diary(Toll):
    """A toll that remembers who keeps it, and lets turns go as it is told to."""

    def __init__(self, wish: Callable[[int], Retention | None] = lambda turn: None) -> None:
        self._wish = wish

    def memories(self, sight: Sight) -> Sequence[SystemMemory]:
        keeper = plain(sight.document["bridge"])["keeper"]
        mood = plain(sight.document)["mood"]
        return (
            SystemMemory("Keeper", f"It is {keeper}." if keeper else " "),
            SystemMemory("Mood", f"Mood {mood}."),
        )

    def retention(self, sight: Sight) -> Retention | None:
        return self._wish(sight.turn)


class Confiding(Toll):
    def memories(self, sight: Sight) -> Sequence[SystemMemory]:
        return (SystemMemory("Plan", self.plan), SystemMemory("Story", f"{SECRET}, twice", told=self.told))

    def __init__(self, plan: str, told: bool) -> None:
        self.plan, self.told = plan, told


def cheer(number: int) -> Any:
    """An answer that changes what is remembered."""
    update: dict[str, Json] = {"op": "inc", "path": "mood", "value": 1, "reason": "kind"}
    return calls(f"He nods, {number}.", ("propose_updates", {"updates": [update]}))


async def play(system: Toll, turns: int, memory: Window = ROOMY, **parts: Any) -> Bench:
    edition = altered(bridge(), f"diary-{id(system)}", systems=(system,), memory=memory)
    provider = Scripted([cheer(number) for number in range(turns)], profile=Profile("m", **parts))
    bench = await lay_bench(edition, provider=provider)
    await bench.commit(Opening(), "op-1")
    for number in range(2, turns + 1):
        await bench.commit(Say(f"Words {number}"), f"op-{number}")
    return bench


def memories(bench: Bench) -> list[str]:
    """The memory of every prompt, without its heading."""
    found = []
    for request in bench.provider.requests:
        second = request.messages[1]
        found.append(
            second.text.removeprefix(f"{ENGLISH.memory}\n\n") if isinstance(second, SystemMessage) else ""
        )
    return found


async def list_cuts(bench: Bench) -> dict[int, list[Any]]:
    commits = await bench.book.back((await bench.head()).id, 99)
    return {c.version: plain(c.body["cuts"]) for c in reversed(commits) if "cuts" in c.body}


def test_memories_are_those_of_the_beginning_until_something_is_cut() -> None:
    async def run() -> None:
        bench = await play(Diary(), 6)
        assert memories(bench) == ["# Mood\nMood 0."] * 6
        assert await bench.value("mood") == 5
        assert await list_cuts(bench) == {}

    asyncio.run(run())


def test_a_due_cut_is_one_step_and_the_memory_is_made_anew_with_it() -> None:
    async def run() -> None:
        # From turn 4 on two turns are enough, and again from turn 7 on; in between nothing is to be cut.
        bench = await play(Diary(lambda turn: Retention(turn // 3 * 3 - 1, turn % 3 == 1)), 9)
        cuts = await list_cuts(bench)
        assert cuts == {
            4: [{"cut": "window", "from": 1, "first": 2, "by": "system"}],
            7: [{"cut": "window", "from": 2, "first": 5, "by": "system"}],
        }
        moods = [text.rpartition("# Mood\n")[2] for text in memories(bench)]
        assert moods == ["Mood 0."] * 3 + ["Mood 3."] * 3 + ["Mood 5."] * 3
        assert "- Turn 1. Rain.\n" in memories(bench)[3]
        windows = [plain((await bench.book.back((await bench.head()).id, 1))[0].body["window"])]
        assert [(w["first"], w["cut_at"], w["known"]) for w in windows] == [(5, 7, 1)]
        for version, (before, after) in enumerate(pairwise(bench.provider.requests), 2):
            stable = spell_messages(before.messages[:-1])
            assert spell_messages(after.messages).startswith(stable) is (version not in cuts)

    asyncio.run(run())


def test_what_came_about_before_the_first_ask_of_a_cutting_turn_is_remembered() -> None:
    async def run() -> None:
        bench = await play(Diary(lambda turn: Retention(turn - 1, turn == 4)), 3)
        body = {"kind": "errand", "system": "toll", "errand": "rumour", "answer": "Bell"}
        await bench.book.add(Aside("a", (await bench.head()).id, NOW, body))
        after = bench.told_by(cheer(3), cheer(4), cheer(5))
        for number in (4, 5, 6):
            await after.commit(Say("And?"), f"op-{number}")
        first, *rest = memories(after)
        assert first.endswith("# Keeper\nIt is Bell.\n\n# Mood\nMood 3.")
        assert rest == [first, first]

    asyncio.run(run())


def test_nothing_is_cut_where_nothing_is_older() -> None:
    async def run() -> None:
        for first in (-5, 1):
            assert await list_cuts(await play(Diary(lambda turn, at=first: Retention(at, due=True)), 4)) == {}  # type: ignore[misc]
        all_of_it = await play(Diary(lambda turn: Retention(99, turn == 3)), 3)
        assert len(all_of_it.provider.requests[-1].messages) == 3

    asyncio.run(run())


def test_a_full_window_spares_what_the_systems_want_to_keep() -> None:
    async def run() -> None:
        tight = Window(summary_every_turns=100, keep_turns=1, window_tokens=500, cut_to_tokens=100)
        plain_cut = await list_cuts(await play(Diary(), 9, tight))
        spared = await list_cuts(await play(Diary(lambda turn: Retention(turn - 3)), 9, tight))
        (version, (one,)), *_ = plain_cut.items()
        other = spared[version][0]
        assert (one["by"], other["by"]) == ("engine", "engine")
        assert other["first"] == version - 3 < one["first"]
        # A full window of which nothing is older than what they let go is cut where they say.
        due = await list_cuts(await play(Diary(lambda turn: Retention(turn - 5, turn > 6)), 9, tight))
        assert due[7][0] == {"cut": "window", "from": 1, "first": 2, "by": "system"}

    asyncio.run(run())


def test_the_oldest_turn_that_any_system_names_stays() -> None:
    class Other(Diary):
        name = "other"

        def tools(self, files: AuthorFiles, language: str) -> tuple[Any, ...]:
            return ()

    first, second = Diary(lambda turn: Retention(5, due=True)), Other(lambda turn: Retention(3))
    game = replace(bridge().game, systems=(first, second, Toll()))
    start = asyncio.run(lay_and_recall())
    assert ask_retention(game, start) == Retention(3, due=True)
    assert ask_retention(bridge().game, start) is None
    assert [memory.title for memory in list_memories(game, start)] == ["Mood", "Mood"]


async def lay_and_recall() -> Any:
    return (await (await lay_bench(bridge())).recall()).position


def test_no_summary_is_asked_for_what_systems_let_go() -> None:
    async def run() -> None:
        tight = Window(summary_every_turns=1, keep_turns=1, window_tokens=2_000, cut_to_tokens=100)
        # What they want to keep is spared as long as it fits; what they let go goes with the next prompt.
        wishes = ((Retention(3, due=True), 0), (Retention(1), 0), (Retention(3), 1), (None, 1))
        for wish, asked in wishes:
            bench = await play(Diary(lambda turn, wish=wish: wish if turn > 4 else None), 4, tight)  # type: ignore[misc]
            telling = bench.with_road(teller=Teller(Scripted(['"x"', "They met."])))
            await condense(telling.road, MAIN)
            assert len(telling.provider.requests) == 1 + asked, wish

    asyncio.run(run())


def test_memories_take_room_of_the_window_and_are_cut_by_name() -> None:
    class Verbose(Toll):
        def memories(self, sight: Sight) -> Sequence[SystemMemory]:
            return (SystemMemory("Notes", "word " * 3_000),)

    async def run() -> None:
        bench = await play(Verbose(), 2, context_tokens=8_000, output_tokens_max=500)
        for cuts in (await list_cuts(bench)).values():
            named = {cut["cut"]: cut for cut in cuts}
            assert named["memory Notes"]["tokens"] > 1_000
        assert len(memories(bench)[0]) < 6_000

    asyncio.run(run())


def test_what_is_remembered_in_confidence_is_not_told_though_a_summary_has_let_it_slip() -> None:
    async def run() -> None:
        for plan, told, asks in (("", False, 2), ("", True, 1), (SECRET, False, 2), (SECRET, True, 2)):
            edition = altered(bridge(), f"confiding-{plan}-{told}", systems=(Confiding(plan, told),))
            bench = await lay_bench(edition, [f"He says: {SECRET}.", "He says nothing."])
            body = await bench.commit(Opening(), "op")
            assert len(body.exchanges) == asks

    asyncio.run(run())


class Growing(Diary):
    """The same in a later version, with a slot that the memory reads."""

    def slots(self, files: AuthorFiles) -> Any:
        (name, bridge_slot), *_ = super().slots(files).items()
        years = Slot(kind=SlotKind.INTEGER, default=7)
        return {name: replace(bridge_slot, fields={**bridge_slot.fields, "years": years})}

    def memories(self, sight: Sight) -> Sequence[SystemMemory]:
        return (SystemMemory("Years", f"{plain(sight.document['bridge'])['years']} years."),)


def test_a_newer_edition_has_the_memory_made_anew() -> None:
    async def run() -> None:
        bench = await play(Diary(), 3)
        system = Growing()
        layout = bridge().game.layout
        roots = {**layout.roots, **system.slots({})}
        newer = altered(
            bridge(), "newer", systems=(system,), memory=ROOMY, layout=replace(layout, roots=roots)
        )
        bench.library.put(newer)
        after = bench.told_by(*(cheer(number) for number in range(3)))
        for number in range(3):
            await after.commit(Say("And?"), f"later-{number}")
        assert memories(after) == ["# Years\n7 years."] * 3
        cuts = await list_cuts(after)
        assert list(cuts) == [4]
        assert cuts[4][0] == {"cut": "memory", "why": "edition"}
        for commit in await after.book.back((await after.head()).id, 3):
            made = await rebuild(after.road, commit, Profile("m"))
            assert made is not None
            assert not made.differs

    asyncio.run(run())
