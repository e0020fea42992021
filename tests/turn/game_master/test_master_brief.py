"""The brief of a game master outside, and what is handed in after a turn."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from talewright.chronicle.records import MAIN, Aside
from talewright.common.json_values import Json
from talewright.kernel.judging.rulings import Errand
from talewright.kernel.memory_rules import MemoryRules
from talewright.kernel.system import PastTurn, Sight
from talewright.providers.scripted import ScriptedReply
from talewright.turn.game_editions import Edition
from talewright.turn.game_master.master_brief import (
    HandInError,
    MasterBrief,
    brief_master,
    hand_in_answer,
    hand_in_summary,
    list_master_tools,
)
from talewright.turn.inputs.player_inputs import Opening, Say
from talewright.turn.turn_signals import BackgroundDone
from tests.plugs.toll import Toll
from tests.turn.making import Bench, altered, bridge, bundle, calls, cards, chapel, ferry, lay_bench
from tests.turn.mastering import begin_master

SECRET = "nobody-knows-canary"
HIDDEN = "the keeper once drowned a man who would not pay, and sold his boots"
LONG = "".join(
    f"He looks at the water and says nothing of it; after {n} breaths he says something. " for n in range(4)
)
SMALL = MemoryRules(summary_every_turns=4, keep_turns=2, window_tokens=3_000, cut_to_tokens=600)


async def tell(bench: Bench, *said: str) -> Bench:
    """Turns that are told from outside, the opening first."""
    for number, words in enumerate(said):
        given = Say(words) if number else Opening()
        await (await begin_master(bench.road, MAIN, given, f"op-{number}")).finish(f"{number}. {LONG}")
    return bench


def new(brief: MasterBrief) -> set[str]:
    return {section.name for section in brief.sections if section.is_new}


async def asides(bench: Bench) -> list[Aside]:
    return [record for record in await bench.records() if isinstance(record, Aside)]


def test_a_game_master_reads_what_a_model_would() -> None:
    async def run() -> None:
        bench = await tell(await lay_bench(bridge()), "", "I wait")
        count = len(await bench.records())
        made = await brief_master(bench.road, MAIN)
        assert made.version == 2
        names = [section.name for section in made.sections]
        assert {"turn 1", "turn 2"} < set(names)
        assert all(section.text for section in made.sections)
        read = "\n".join(section.text for section in made.sections)
        # What only a narrator may know is there, and what no narrator may know is not.
        assert HIDDEN in read
        assert SECRET not in read
        assert {"pay", "gamble", "ask_keeper", "propose_updates"} <= {tool.name for tool in made.tools}
        assert [(one.system, one.errand.id) for one in made.errands] == [("toll", "rumour")]
        assert made.summary == ""
        assert new(made) == set(names)
        # It is only read.
        assert len(await bench.records()) == count

    asyncio.run(run())


MECHANICS = '```json\n{"mechanics": {"skill_used": "perception", "difficulty": 0.2}}\n```'


@pytest.mark.parametrize(
    ("edition", "replies", "told"),
    [
        (ferry, [cards("You row.")], ["You row."]),
        (bridge, ["He waits.", calls("", ("pay", {"coins": 1})), "A coin."], ["He waits.", "A coin."]),
        (chapel, [MECHANICS, bundle("You look.", 1)], ["You look."]),
    ],
    ids=["cards", "tools", "patch"],
)
def test_past_turns_are_read_as_they_were_narrated(
    edition: Callable[[], Edition], replies: Sequence[str | ScriptedReply], told: Sequence[str]
) -> None:
    async def run() -> None:
        bench = await lay_bench(edition(), replies)
        await bench.commit(Opening(), "opening")
        await bench.commit(Say("I look about"), "look")
        await (await begin_master(bench.road, MAIN, Say("And now?"), "now")).finish("Rain.")
        made = await brief_master(bench.road, MAIN)
        past = [section.text for section in made.sections if section.name.startswith("turn ")]
        assert not any("{" in text for text in past), past
        for words in (*told, "And now?", "Rain."):
            assert any(words in text for text in past), words

    asyncio.run(run())


def test_what_is_new_since_a_version_is_marked() -> None:
    async def run() -> None:
        bench = await tell(await lay_bench(bridge()), "", "I wait", "I wait on")
        everything = new(await brief_master(bench.road, MAIN))
        since = new(await brief_master(bench.road, MAIN, 2))
        assert "turn 3" in since
        assert not {"turn 1", "turn 2"} & since
        assert since < everything
        nothing = new(await brief_master(bench.road, MAIN, 3))
        assert nothing < since
        # A version that is no longer reached, because turns were undone, is as good as none.
        assert new(await brief_master(bench.road, MAIN, 9)) == everything

    asyncio.run(run())


def test_an_answer_is_taken_up_by_the_next_turn() -> None:
    async def run() -> None:
        bench = await tell(await lay_bench(bridge()), "")
        bench.signals.clear()
        await hand_in_answer(bench.road, MAIN, "toll", "rumour", "They say it leaks.")
        assert bench.signals == [BackgroundDone("errand", MAIN, "op-0")]
        assert (await brief_master(bench.road, MAIN)).errands == ()
        (aside,) = await asides(bench)
        assert (aside.body["answer"], "usage" in aside.body) == ("They say it leaks.", False)
        await (await begin_master(bench.road, MAIN, Say("I wait"), "op-1")).finish("Rain.")
        assert await bench.value("bridge.keeper") == "They say it leaks."

    asyncio.run(run())


def test_what_the_storyteller_must_not_read_is_not_in_the_brief(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask_apart(toll: Toll, sight: Sight, turns: Sequence[PastTurn]) -> Sequence[Errand]:
        return (Errand("rumour", "What do they say downstream?", {"type": "string"}, apart=True),)

    monkeypatch.setattr(Toll, "errands", ask_apart)

    async def run() -> None:
        bench = await tell(await lay_bench(bridge()), "")
        assert (await brief_master(bench.road, MAIN)).errands == ()
        with pytest.raises(HandInError):
            await hand_in_answer(bench.road, MAIN, "toll", "rumour", "nothing")

    asyncio.run(run())


@pytest.mark.parametrize(
    ("system", "errand", "answer", "message"),
    [
        ("toll", "rumour", float("nan"), "the answer to 'rumour' cannot be read"),
        ("toll", "rumour", "world", "of a text the player must not see"),
        ("toll", "rumour", 7, "the answer to 'rumour' does not fit its schema"),
        ("toll", "weather", "Rain.", "nobody waits for an answer to 'weather'"),
        ("odds", "rumour", "Rain.", "nobody waits for an answer to 'rumour'"),
        ("toll", "rumour", f"They say that {HIDDEN.upper()}.", "of a text the player must not see"),
    ],
)
def test_what_is_not_wanted_is_not_kept(system: str, errand: str, answer: Json, message: str) -> None:
    async def run() -> None:
        bench = await tell(await lay_bench(bridge()), "")
        with pytest.raises(HandInError) as caught:
            await hand_in_answer(bench.road, MAIN, system, errand, answer)
        assert message in caught.value.message
        assert await asides(bench) == []

    asyncio.run(run())


def test_an_answer_is_handed_in_once() -> None:
    async def run() -> None:
        bench = await tell(await lay_bench(bridge()), "")
        await hand_in_answer(bench.road, MAIN, "toll", "rumour", "They say it leaks.")
        with pytest.raises(HandInError, match="nobody waits"):
            await hand_in_answer(bench.road, MAIN, "toll", "rumour", "They say it holds.")

    asyncio.run(run())


def test_a_summary_that_is_due_is_asked_for_and_taken_up() -> None:
    async def run() -> None:
        bench = await lay_bench(altered(ferry(), memory=SMALL))
        await tell(bench, "", *(f"Words {number}" for number in range(5)))
        asked = (await brief_master(bench.road, MAIN)).summary
        assert "Words 0" in asked
        for nothing in ("", " \x07 "):
            with pytest.raises(HandInError, match="no summary is due, or this one is empty"):
                await hand_in_summary(bench.road, MAIN, nothing)
        await hand_in_summary(bench.road, MAIN, " They met\x07 at the ferry. ")
        assert (await brief_master(bench.road, MAIN)).summary == ""
        with pytest.raises(HandInError):
            await hand_in_summary(bench.road, MAIN, "Once more.")
        await (await begin_master(bench.road, MAIN, Say("I wait"), "last")).finish("Rain.")
        assert await bench.value("_engine.summary") == "They met at the ferry."

    asyncio.run(run())


def test_a_game_lists_its_tools_whatever_may_be_called_now() -> None:
    game = bridge().game
    tools = {tool.name: tool for tool in list_master_tools(game, "en")}
    assert {tool.name for tool in game.tools_in("en")} < set(tools)
    assert {"offer_choices", "propose_updates"} < set(tools)
    assert all(tool.parameters["properties"] for tool in tools.values()), "some servers need a member"
