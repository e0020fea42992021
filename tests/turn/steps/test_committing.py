"""Committing: everything of a turn in one commit, and what the engine remembers of it."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from talewright.chronicle.records import Accepted, Attempt, AttemptVerdict, Commit
from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves import Call
from talewright.kernel.judging.rulings import Decision, Option
from talewright.kernel.slots.engine_slots import BUNDLES_MAX, FACT_LENGTH_MAX, FACTS_MAX
from talewright.kernel.state.state import begin
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import AuthorFiles, Grant, Sight, SystemAnswer, Tick, Tool, ToolWork, Wait
from talewright.llm.reply_chunks import Usage
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.inputs.player_inputs import AnswerDecision as Answered
from talewright.turn.inputs.player_inputs import Choose, Opening, Say
from talewright.turn.memory.story_memory import remember
from talewright.turn.records.commit_body import read_body
from talewright.turn.records.turn_attempts import AttemptLedger, make_attempt, write_cost
from talewright.turn.turn_outcomes import Committed, Unspent
from talewright.turn.turn_progress import TurnDraws, TurnProgress
from tests.plugs.toll import NOTHING, Toll
from tests.turn.making import (
    NOW,
    SECRET,
    altered,
    bridge,
    bundle,
    calls,
    cards,
    chapel,
    ferry,
    lay_bench,
    plain,
    update,
)
from tests.turn.stories import GAME, tower


def memory(working: TurnProgress) -> dict[str, list[str]]:
    found: dict[str, list[str]] = plain(working.position.state.document["_engine"])
    return found


def with_facts(*facts: str, bundle: str = "") -> TurnProgress:
    working = TurnProgress(GAME, begin(GAME), TurnDraws(SECRET, 1))
    working.facts, working.bundle = facts, bundle
    remember(working)
    return working


def test_facts_are_kept_once_and_blank_ones_not_at_all() -> None:
    working = with_facts("He is old.", " ", "", "It rains.", "He is old.")
    assert memory(working)["facts"] == ["He is old.", "It rains."]
    working.facts = ("It rains.", "Night falls.")
    remember(working)
    assert memory(working)["facts"] == ["He is old.", "It rains.", "Night falls."]
    assert {change.cause for change in working.changes} == {"engine"}
    changes = len(working.changes)
    remember(working)
    assert len(working.changes) == changes


def test_only_so_many_facts_of_such_a_length() -> None:
    working = with_facts(*(f"fact {number}" for number in range(FACTS_MAX + 2)))
    kept = memory(working)["facts"]
    assert (len(kept), kept[0], kept[-1]) == (FACTS_MAX, "fact 2", f"fact {FACTS_MAX + 1}")
    assert memory(with_facts("x" * (FACT_LENGTH_MAX + 1)))["facts"] == ["x" * FACT_LENGTH_MAX]


def test_what_is_remembered_is_added_and_not_set_anew() -> None:
    working = with_facts("a", "b")
    assert [(c.op, c.path, c.value) for c in working.changes] == [
        ("add", "/_engine/facts/0", "a"),
        ("add", "/_engine/facts/1", "b"),
    ]
    full = with_facts(*(f"fact {number}" for number in range(FACTS_MAX)))
    changes = len(full.changes)
    full.facts = ("one more", "fact 7")
    remember(full)
    assert [(c.op, c.path) for c in full.changes[changes:]] == [
        ("remove", "/_engine/facts/0"),
        ("add", f"/_engine/facts/{FACTS_MAX - 1}"),
    ]


def test_names_of_bundles() -> None:
    working = with_facts(bundle="first")
    assert (memory(working)["bundles"], memory(working)["facts"]) == (["first"], [])
    for number in range(BUNDLES_MAX):
        working.bundle = f"b{number}"
        remember(working)
    kept = memory(working)["bundles"]
    assert (len(kept), kept[0], kept[-1]) == (BUNDLES_MAX, "b0", f"b{BUNDLES_MAX - 1}")


def test_a_turn_in_which_nothing_is_to_be_remembered_changes_nothing() -> None:
    assert with_facts().changes == []


def test_a_bundle_may_not_come_again() -> None:
    async def run() -> None:
        bench = await lay_bench(chapel(), opened=True)
        mechanics = '```json\n{"mechanics": {"skill_used": "perception", "difficulty": 0.2}}\n```'
        body = await bench.told_by(mechanics, bundle("It drags.", 1, name="b")).commit(
            Say("I listen"), "op-1"
        )
        assert body.bundle == "b"
        assert await bench.value("_engine.bundles") == ["b"]
        again = bench.told_by(mechanics, bundle("It drags.", 2, name="b"), bundle("No.", 2, name="c"))
        body = await again.commit(Say("I listen"), "op-2")
        assert "b" in plain(body.exchanges)[1]["mend"][0]
        assert await bench.value("_engine.bundles") == ["b", "c"]

    asyncio.run(run())


def test_the_commit_of_a_roll() -> None:
    async def run() -> None:
        bench = await lay_bench(tower(), opened=True)
        base = (await bench.head()).id
        await bench.commit(Choose("dice"), "op")
        head = await bench.head()
        body = read_body(head.body)
        (draw,) = body.draws
        assert (head.parent, head.branch, head.version, head.at) == (base, "main", 2, NOW)
        assert (head.game_digest, head.operation_id, head.sequence) == ("tower", "op", 2)
        assert replace(body, changes=(), rulings=(), choices=()) == replace(
            read_body({}),
            input={"kind": "choose", "choice": "dice"},
            said="Throw a die",
            told="scenes",
            language="en",
            narration="It falls well.\n\nA hall with a stair.",
            draws=(draw,),
            rolls=body.rolls,
            engine=ENGINE_NUMBER,
        )
        assert [change.path for change in body.changes] == ["/coins"]
        assert [choice.id for choice in body.choices] == ["climb", "jump", "dice"]

    asyncio.run(run())


def test_the_players_language_wins() -> None:
    async def run() -> None:
        texts = {"en": tower().words("en"), "zh-CN": replace(tower().words("en"), language="zh-CN")}
        edition = replace(tower(), texts=texts)
        bench = await lay_bench(edition, language="zh-CN")
        assert (await bench.commit(Opening(), "op-1")).language == "zh-CN"
        # A road without a language goes on in that of the campaign's last turn.
        assert (await bench.with_road(language="").commit(Choose("jump"), "op-2")).language == "zh-CN"

    asyncio.run(run())


ACCEPTED = Accepted("op", "main", "base", {"kind": "opening"}, NOW)
COMMIT = Commit("c", "parent", "main", 1, "op", NOW, "", "")
PAID = AttemptLedger([{"text": "x"}], Usage(3, 2, 1), 1)


def test_the_record_of_a_try() -> None:
    paid: dict[str, Json] = {
        "usage": {"input_tokens": 3, "output_tokens": 2, "cached_tokens": 1},
        "asks": 1,
    }
    attempt = make_attempt("a1", NOW, ACCEPTED, AttemptVerdict.FAILED, PAID, "error", "what")
    assert attempt == Attempt(
        "a1",
        "op",
        "main",
        "base",
        NOW,
        AttemptVerdict.FAILED,
        {**paid, "exchanges": [{"text": "x"}], "reason": "error", "detail": "what"},
    )
    # Of a committed turn the replies stand in the commit.
    assert make_attempt("a1", NOW, COMMIT, AttemptVerdict.COMMITTED, PAID).body == paid
    assert make_attempt("a1", NOW, COMMIT, AttemptVerdict.COMMITTED, PAID).base == "parent"
    assert make_attempt("a1", NOW, ACCEPTED, AttemptVerdict.CANCELLED, AttemptLedger()).body == {}
    slow = replace(PAID, seconds=2.34567)
    assert make_attempt("a1", NOW, COMMIT, AttemptVerdict.COMMITTED, slow).body == {**paid, "seconds": 2.35}


def test_nothing_is_paid_where_nobody_was_asked() -> None:
    assert write_cost(AttemptLedger([{"purpose": "outside"}])) == {}
    assert write_cost(PAID)["asks"] == 1


def test_facts_told_by_a_model_are_in_the_commit_and_in_the_next_prompt() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), [cards("He nods.", new_facts=["He is old."])], opened=True)
        assert (await bench.commit(Say("I wave"), "op-1")).facts == ("He is old.",)
        after = bench.told_by(cards("Hm."))
        await after.commit(Say("I wave"), "op-2")
        # Word for word in the answer, as long as that stands in the window.
        assert '"new_facts": ["He is old."]' in after.provider.requests[0].messages[-2].text

    asyncio.run(run())


def test_facts_of_an_answer_whose_updates_were_mended_are_in_the_next_prompt_too() -> None:
    async def run() -> None:
        script = [
            cards("He nods.", update("dec", "coinz", 1), new_facts=["He is old."]),
            cards("", update("dec", "coins", 1), choices=()),
        ]
        bench = await lay_bench(ferry(), script, opened=True)
        assert (await bench.commit(Say("I wave"), "op-1")).facts == ("He is old.",)
        after = bench.told_by(cards("Hm."))
        await after.commit(Say("I wave"), "op-2")
        assert '"new_facts": ["He is old."]' in after.provider.requests[0].messages[-2].text

    asyncio.run(run())


class Tossing(Toll):
    """A toll with a second thing to decide."""

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return (*super().tools(files, language), Tool("toss", "Toss a coin.", NOTHING))

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        if call.tool == "toss" and "toss" not in answers:
            return Wait(Decision("toss", "Toss?", (Option("yes", "Yes"),)))
        return Grant(result="tossed") if call.tool == "toss" else super().judge(call, sight, chance, answers)


def test_a_card_that_is_not_answered_yet_stays_on_the_table() -> None:
    async def run() -> None:
        bench = await lay_bench(altered(bridge(), systems=(Tossing(),)), ["He waits."], opened=True)
        asking = bench.told_by(calls("Well?", ("gamble", {}), ("toss", {})))
        opened = await asking.commit(Say("I try my luck"), "op-1")
        assert [card.id for card in opened.decisions] == ["gamble", "toss"]
        first = await bench.told_by("It falls.").commit(Answered("gamble", "withdraw"), "op-2")
        assert first.decisions == opened.decisions[1:]
        again = await bench.told_by(calls("Again?", ("gamble", {}))).commit(Answered("toss", "yes"), "op-3")
        assert again.decisions == opened.decisions[:1]
        last = await bench.told_by("It falls.").commit(Answered("gamble", "withdraw"), "op-4")
        assert last.decisions == ()
        assert isinstance(await bench.told_by("He nods.").take(Say("I wave"), "op-5"), Committed)

    asyncio.run(run())


class Restless(Toll):
    """A toll at which the keeper offers a gamble by himself, and rolls the dice himself after it."""

    def tick(self, sight: Sight, chance: Chance) -> Tick:
        offers = {2: (Call("gamble"),), 3: (Call("pay", {"coins": 1}),)}.get(sight.turn, ())
        risen = Event("river", "The river rises.", "system:toll")
        return replace(super().tick(sight, chance), calls=(Call("row"), *offers), events=(risen,))

    def tools(self, files: AuthorFiles, language: str) -> tuple[Tool, ...]:
        return (*super().tools(files, language), Tool("row", "Row.", NOTHING, work=ToolWork.ROLLING))

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        if call.tool != "row":
            return super().judge(call, sight, chance, answers)
        return Grant(result={"total": chance.draw(6, "row")})


def test_a_card_and_dice_of_a_tick_are_part_of_the_turn() -> None:
    async def run() -> None:
        bench = await lay_bench(altered(bridge(), systems=(Restless(),)), ["He waits."], opened=True)
        first = await bench.told_by("He waits on.").commit(Say("I wait"), "op-1")
        assert [card.id for card in first.decisions] == ["gamble"]
        assert "The river rises." in [event.text for event in first.events]
        (rolled,) = first.rolls
        assert (plain(rolled)["tool"], len(first.draws)) == ("row", 1)
        assert plain(rolled)["result"]["total"] == first.draws[0].face
        busy = await bench.told_by("No.").take(Say("I wait"), "op-2")
        assert isinstance(busy, Unspent)
        after = await bench.told_by("You step back.").commit(Answered("gamble", "withdraw"), "op-3")
        assert after.decisions == ()
        # Paying rolls nothing.
        assert [plain(roll)["tool"] for roll in after.rolls] == ["gamble", "row"]
        assert plain(await bench.value("bridge"))["coins"] == 2

    asyncio.run(run())
