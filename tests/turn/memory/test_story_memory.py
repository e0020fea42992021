"""Memory: the turns of a window, the facts as they were at its last cut, and the cut by the engine."""

import asyncio
import json
from dataclasses import replace

from talewright.kernel.memory_rules import MemoryRules
from talewright.kernel.slots.engine_slots import FACTS_MAX, SUMMARY_LENGTH_MAX
from talewright.llm.profiles import Profile
from talewright.llm.requests import SystemMessage
from talewright.prompt.past_turns_part import TranscriptWindow, read_window
from talewright.prompt.words.english import ENGLISH
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.inputs.player_inputs import Say
from talewright.turn.memory.story_memory import find_cut, read_facts, recollect, take_summary
from talewright.turn.records.commit_body import TurnBody
from talewright.turn.turn_context import Teller
from talewright.turn.turn_progress import TurnDraws, TurnProgress
from tests.turn.making import SECRET, Bench, altered, cards, ferry, lay_bench

LONG = "".join(
    f"He looks at the water and says nothing of it; after {n} breaths he says something. " for n in range(4)
)
SMALL = MemoryRules(summary_every_turns=50, keep_turns=2, window_tokens=1_200, cut_to_tokens=600)


async def play(
    turns: int, memory: MemoryRules = SMALL, facts: int = 0, context_tokens: int = 64_000
) -> Bench:
    """A campaign in which nobody sums up."""
    edition = altered(ferry(), memory=memory)
    bench = await lay_bench(edition, opened=True)
    profile = Profile("scripted", context_tokens=context_tokens)

    def tell(number: int) -> ScriptedReply:
        new = [f"fact {number}.{which}" for which in range(facts)]
        return cards(f"{number}. {LONG}", new_facts=new)

    bench = bench.with_road(
        teller=Teller(Scripted([tell(number) for number in range(turns)], profile=profile))
    )
    for number in range(turns):
        await bench.commit(Say(f"Words {number}"), f"op-{number}")
    return bench


def test_a_full_window_is_cut_by_the_engine_where_no_summary_has_come() -> None:
    async def run() -> None:
        bench = await play(16)
        commits = (await bench.book.back((await bench.head()).id, 16))[::-1]
        cuts = {commit.version: commit.body["cuts"] for commit in commits if "cuts" in commit.body}
        assert len(cuts) >= 2
        first = 1
        for version, (cut,) in ((version, tuple(cut)) for version, cut in cuts.items()):  # type: ignore[arg-type]
            assert isinstance(cut, dict)
            assert (cut["cut"], cut["by"], cut["from"]) == ("window", "engine", first)
            first = int(str(cut["first"]))
            assert 2 <= version - first <= 4
        window = read_window((await bench.head()).body["window"], (await bench.head()).version)
        assert (window.first, window.cut_at) == (first, max(cuts))
        summary = await bench.value("_engine.summary")
        assert isinstance(summary, str)
        # The opening was told by scenes and is the first line of the digest.
        assert summary.split("\n")[0].startswith("- Turn 1. ")
        assert f"- Turn {first - 1}. The player: Words {first - 3} | {first - 3}." in summary
        last = bench.provider.requests[-1].messages
        assert isinstance(last[1], SystemMessage)
        assert last[1].text.startswith(ENGLISH.memory)
        assert last[2].text == f"[PLAYER]\nWords {first - 2}"

    asyncio.run(run())


def test_the_last_turns_stay_where_there_is_room_for_them() -> None:
    async def run() -> None:
        def keep(turns: int) -> MemoryRules:
            return MemoryRules(
                summary_every_turns=50, keep_turns=turns, window_tokens=1_000, cut_to_tokens=100
            )

        async def count_kept(turns: int) -> int:
            window = read_window((await (await play(9, keep(turns))).head()).body["window"], 10)
            return window.cut_at - window.first

        assert (await count_kept(1), await count_kept(2)) == (1, 2)
        # Of so many turns that the window would be full again at once, the oldest go as well.
        assert 2 <= await count_kept(9) <= 3

    asyncio.run(run())


async def facts_of(bench: Bench, window: TranscriptWindow) -> tuple[str, ...]:
    recalled = await bench.recall()
    texts = recalled.edition.words("en")
    whole = await recollect(bench.book, recalled, TranscriptWindow(), recalled.edition.game, texts)
    working = TurnProgress(recalled.edition.game, recalled.position, TurnDraws(SECRET, 1))
    working.window = window
    return read_facts(find_cut(recalled, working, whole))


def test_the_facts_are_those_of_the_last_cut() -> None:
    async def run() -> None:
        bench = await play(5, MemoryRules(), facts=2)
        assert await facts_of(bench, TranscriptWindow(1, 0)) == ()
        # The turn that cut knew what the turns before it had brought.
        assert await facts_of(bench, TranscriptWindow(1, 2)) == ()
        assert await facts_of(bench, TranscriptWindow(1, 4)) == (
            "fact 0.0",
            "fact 0.1",
            "fact 1.0",
            "fact 1.1",
        )
        assert len(await facts_of(bench, TranscriptWindow(1, 7))) == 10

    asyncio.run(run())


def test_the_facts_of_the_last_cut_also_where_the_oldest_were_dropped_since() -> None:
    async def run() -> None:
        count = FACTS_MAX // 12 + 3
        bench = await play(count, MemoryRules(), facts=12)
        known = await bench.value("_engine.facts")
        assert isinstance(known, list)
        assert len(known) == FACTS_MAX
        then = await facts_of(bench, TranscriptWindow(1, count - 3))
        assert then == tuple(f"fact {turn}.{which}" for turn in range(count - 5) for which in range(12))

    asyncio.run(run())


def test_the_memory_is_frozen_between_two_cuts() -> None:
    async def run() -> None:
        bench = await play(12, facts=1)
        memories = [
            request.messages[1].text
            for request in bench.provider.requests
            if isinstance(request.messages[1], SystemMessage)
        ]
        cuts = [c for c in await bench.book.back((await bench.head()).id, 12) if "cuts" in c.body]
        assert len(set(memories)) == len(cuts)
        assert "- fact 0.0" in memories[-1]
        assert "- fact 11.0" not in memories[-1]

    asyncio.run(run())


def test_more_turns_are_read_back_where_recalling_did_not() -> None:
    async def run() -> None:
        bench = await play(14, MemoryRules())
        recalled = await bench.recall()
        short = replace(recalled, past=recalled.past[:3])
        texts = recalled.edition.words("en")
        for window in (TranscriptWindow(), TranscriptWindow(9), TranscriptWindow(14), TranscriptWindow(16)):
            one = await recollect(bench.book, recalled, window, recalled.edition.game, texts)
            other = await recollect(bench.book, short, window, recalled.edition.game, texts)
            assert one == other
            assert [past.version for past in one.pasts] == list(range(window.first, 16))

    asyncio.run(run())


def test_a_summary_that_cannot_be_kept_cuts_nothing() -> None:
    async def run() -> None:
        bench = await play(1)
        recalled = await bench.recall()
        working = TurnProgress(recalled.edition.game, recalled.position, TurnDraws(SECRET, 3))
        assert not take_summary(working, "x" * (SUMMARY_LENGTH_MAX + 1), 2, {"by": "model"})
        assert (working.window, working.cuts, working.changes) == (TranscriptWindow(), [], [])
        assert take_summary(working, "They met.", 2, {"by": "model"})
        assert working.window == TranscriptWindow(2, 3, known=1)
        assert working.cuts == [{"cut": "window", "from": 1, "first": 2, "by": "model"}]
        assert ([change.path for change in working.changes], working.rulings) == (["/_engine/summary"], [])

    asyncio.run(run())


def test_a_body_grows_by_little() -> None:
    async def run() -> None:
        bench = await play(12, facts=2)
        commits = await bench.book.back((await bench.head()).id, 10)
        own = [
            len(json.dumps({name: commit.body.get(name) for name in ("window", "cuts", "lore")}))
            for commit in commits
        ]
        assert max(own) < 400
        assert isinstance(TurnBody().window, type(None))

    asyncio.run(run())
