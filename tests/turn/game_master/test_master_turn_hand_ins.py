"""What is handed in to an outside turn: judged, bounded and cleaned as a model's words are."""

import asyncio
import json
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from talewright.common.json_values import Json
from talewright.contract.text.leak_guard import LEAK
from talewright.kernel.chance import Chance
from talewright.kernel.game import DecisionRule
from talewright.kernel.judging.moves import Call
from talewright.kernel.judging.rulings import Flaw
from talewright.kernel.system import Denial, Grant, Sight, SystemAnswer
from talewright.llm.requests import ToolCall
from talewright.turn.game_master import master_rounds
from talewright.turn.game_master.master_brief import QUOTES_HIDDEN
from talewright.turn.game_master.master_rounds import ROLLED_UNREAD, OutsideRound
from talewright.turn.game_master.master_turn import (
    RoundResult,
    begin_outside,
    finish,
    propose,
)
from talewright.turn.game_master.open_turn_lease import LeaseError
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, Opening, Say
from talewright.turn.records.commit_body import read_body
from talewright.turn.records.turn_replay import replay_turn
from talewright.turn.steps.asking import read_answer
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_outcomes import Committed, OutcomeReason, Unspent
from tests.plugs.toll import Toll
from tests.turn.differences import find_differences
from tests.turn.doubles import Strict
from tests.turn.game_master.cheats import lay_cheat, roll
from tests.turn.making import Bench, altered, bridge, ferry, lay_bench, plain
from tests.turn.mastering import Master, begin_master, to_calls


async def begin(bench: Bench, given, operation: str = "op", base: str = "", holder: str = "") -> Master:  # type: ignore[no-untyped-def]
    return await begin_master(bench.road, "main", given, operation, base, holder)


def test_what_the_player_must_decide_is_not_handed_in() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        await (await begin(bench, Opening(), "opening")).finish("A man under a lamp.")
        turn = await begin(bench, Say("I gamble"))
        answers = {"gamble": "roll", "gamble.note": "for me"}
        result = await turn.propose([Call("gamble", {}, "c1")], answers)
        assert json.loads(result.results[0].text) == {"pending": True}
        body = read_body((await turn.finish("He shakes the cup.")).commit.body)
        assert ([card.id for card in body.decisions], body.draws) == (["gamble"], ())

    asyncio.run(run())


def test_an_errand_is_answered_by_whoever_makes_the_call() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        await (await begin(bench, Opening(), "opening")).finish("A man under a lamp.")
        turn = await begin(bench, Say("Who are you?"))
        (asked,) = (await turn.propose([Call("ask_keeper", {}, "c1")])).results
        assert asked.refused
        assert "JSON Schema" in asked.text
        (unfit,) = (await turn.propose([Call("ask_keeper", {}, "c2")], {"keeper-name": 7})).results
        assert unfit.refused
        (answered,) = (
            await turn.propose([Call("ask_keeper", {}, "c3")], {"keeper-name": "Old Marn"})
        ).results
        assert not answered.refused
        done = await turn.finish("He tells you.")
        assert find_differences(done.commit, await replay_turn(bench.road, done.commit)) == ()

    asyncio.run(run())


def test_a_turn_is_not_told_along_with_calls_that_were_refused_or_must_be_read() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        await (await begin(bench, Opening(), "opening")).finish("A man under a lamp.")
        turn = await begin(bench, Say("I pay three"))
        head, handle = (await bench.head()).id, turn.opened.handle
        pay, sing = ToolCall("c1", "pay", '{"coins": 3}'), ToolCall("c2", "offer_choices", '{"choices": 7}')
        for calls, message in (
            ((sing,), "offer_choices: "),
            ((ToolCall("c3", "fly", "{}"),), "fly: there is no tool 'fly'; there is "),
            ((pay,), "the result of pay must be read first: call it, then finish"),
        ):
            result = await finish(bench.road, handle, OutsideRound(calls, text="He takes it."))
            assert isinstance(result, RoundResult)
            assert result.flaws[0].message.startswith(message)
            assert (await bench.head()).id == head
        await propose(bench.road, handle, OutsideRound((pay,)))
        done = await turn.finish("He takes it.", ["Cross", "Wait", "Leave"])
        assert [one.id for one in read_body(done.commit.body).choices] == ["cross", "wait", "leave"]
        assert find_differences(done.commit, await replay_turn(bench.road, done.commit)) == ()

    asyncio.run(run())


def test_a_call_that_must_be_read_is_not_even_judged_along_with_a_narration() -> None:
    """A refusal of the next call would say what fell for this one, and nothing would be recorded of it."""

    async def run() -> None:
        cheat = await lay_cheat()
        turn = await cheat.begin()
        attacks = [{"name": "Billhook", "bonus": 40, "damage": "1d8+40"}]
        await roll(turn, "set_character", attacks=attacks, reason="well armed")
        await roll(turn, "create_npc", name="Snail", hp=1, ac=1, attacks=attacks, reason="it comes")
        calls = [Call("attack", {"target": "Snail"}), Call("attack", {"attacker": "Snail", "target": "Ansa"})]
        last = OutsideRound(to_calls(calls), text="It is over.")
        result = await finish(turn.road, turn.opened.handle, last)
        assert isinstance(result, RoundResult)
        assert [one.message for one in result.flaws] == [
            "the result of attack must be read first: call it, then finish"
        ]
        fallen = await roll(turn, "attack", target="Snail")
        assert "result" in fallen
        # This is what the refused narration could have said.
        assert "down" in (await roll(turn, "attack", attacker="Snail", target="Ansa"))["error"]

    asyncio.run(run())


class MoodyToll(Toll):
    """Whether a question is refused depends on a die; its result need not be read."""

    def judge(self, call: Call, sight: Sight, chance: Chance, answers: Mapping[str, Json]) -> SystemAnswer:
        if call.tool != "ask_keeper":
            return super().judge(call, sight, chance, answers)
        return Grant(result="I am.") if chance.draw(6, "mood") > 3 else Denial("he is in no mood to answer")


def test_a_refused_narration_says_nothing_of_the_dice_of_its_calls() -> None:
    async def run() -> None:
        bench = await lay_bench(altered(bridge(), systems=(MoodyToll(),)))
        await (await begin(bench, Opening(), "opening")).finish("A man under a lamp.")
        ask = Call("ask_keeper", {}, "c1")
        refused = set()
        for number in range(6):
            turn = await begin(bench, Say("Who keeps it?"), f"op-{number}")
            last = OutsideRound(to_calls([ask]), text="He says something.")
            assert await finish(bench.road, turn.opened.handle, last) == RoundResult(
                flaws=(Flaw(ROLLED_UNREAD),)
            )
            (result,) = (await turn.propose([ask])).results
            refused.add(result.refused)
            await turn.finish("So it goes.")
        assert refused == {False, True}

    asyncio.run(run())


HIDDEN = "the keeper once drowned a man who would not pay, and sold his boots"


@pytest.mark.parametrize("text", [HIDDEN, f"I know that {HIDDEN}!", HIDDEN.upper(), HIDDEN[7:40]])
def test_a_hidden_text_is_not_put_into_the_players_mouth(text: str) -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        await (await begin(bench, Opening(), "opening")).finish("A man under a lamp.")
        count = len(await bench.records())
        bench.signals.clear()
        for given in (Say(text), Choose(text)):
            refused = await begin_outside(bench.road, "main", given, "op")
            assert refused == Unspent(OutcomeReason.NOT_ALLOWED, QUOTES_HIDDEN)
        # Nothing was written or heard, so nobody reads it there.
        assert (len(await bench.records()), bench.signals) == (count, [])
        turn = await begin(bench, Say("Who drowned here?"), "other")
        leaky = await turn.tell(f"He nods: {HIDDEN}.")
        assert isinstance(leaky, RoundResult)
        assert leaky.flaws == (LEAK,)
        # What a player says in a session of their own is the player's.
        await turn.finish("He says nothing.")
        bench = bench.told_by("He laughs.")
        assert isinstance(await bench.take(Say(text), "own"), Committed)

    asyncio.run(run())


def test_a_hidden_text_is_not_put_into_an_answer_that_is_passed_on() -> None:
    async def run() -> None:
        bench = await lay_bench(altered(bridge(), decisions=DecisionRule.RELAYED))
        await (await begin(bench, Opening(), "opening")).finish("A man under a lamp.")
        turn = await begin(bench, Say("I gamble"))
        await turn.propose([Call("gamble", {}, "c1")])
        await turn.finish("He shakes the cup.")
        given = AnswerDecision("gamble", "roll", HIDDEN, relayed=True)
        refused = await begin_outside(bench.road, "main", given, "op-2")
        assert refused == Unspent(OutcomeReason.NOT_ALLOWED, QUOTES_HIDDEN)
        turn = await begin(bench, AnswerDecision("gamble", "roll", "for luck", relayed=True), "op-3")
        await turn.finish("It falls.")

    asyncio.run(run())


def nest(depth: int) -> list[Any]:
    """Lists within lists."""
    return [nest(depth - 1)] if depth else []


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"keeper-name": float("nan")}, "not JSON compliant"),
        ({"keeper-name": b"Marn"}, "not JSON serializable"),
        ({"keeper-name": "x" * 20_000}, "it has more than 20000 characters; give less"),
        (
            {"keeper-name": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]},
            "more than 32 deep",
        ),
    ],
)
def test_answers_that_cannot_be_kept_are_a_flaw(answers: dict[str, Any], message: str) -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        turn = await begin(bench, Opening())
        handle = turn.opened.handle
        for result in (
            await propose(bench.road, handle, OutsideRound(answers=answers)),
            await finish(bench.road, handle, OutsideRound(answers=answers, text="He waits.")),
        ):
            assert isinstance(result, RoundResult)
            assert "the answers cannot be read: " in result.flaws[0].message
            assert message in result.flaws[0].message
        assert (await begin(bench, Opening(), holder=handle.holder)).opened.rounds == 0

    asyncio.run(run())


def test_what_is_kept_of_a_call_is_bounded_and_plain() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        turn = await begin(bench, Opening())
        call = ToolCall("\ud800c" * 300, "pay\ud800", '{"coins": 1, "note": "' + "x" * 30_000)
        (result,) = (await propose(bench.road, turn.opened.handle, OutsideRound((call,)))).results
        assert (result.refused, result.name, len(result.call_id)) == (True, "pay", 200)
        assert "more than 20000 characters" in result.text
        lease = await bench.book.open_turn("main")
        assert lease is not None
        assert len(json.dumps(lease.body).encode()) < 30_000

    asyncio.run(run())


def test_pieces_of_what_is_hidden_are_counted_over_all_rounds() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        turn = await begin(bench, Opening())
        labels = ("The keeper once dr", "Cross the bridge", "Go home")
        choices = [{"label": label} for label in labels]
        offered = await turn.propose([Call("offer_choices", {"choices": choices}, "c1")])
        assert (offered.flaws, offered.results[0].refused) == ((), False)
        last = OutsideRound(text="He says: would not pay, and s, and laughs.")
        result = await finish(bench.road, turn.opened.handle, last)
        assert isinstance(result, RoundResult)
        assert result.flaws == (LEAK,)

    asyncio.run(run())


def test_a_narration_is_kept_without_what_no_text_may_hold() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        done = await (await begin(bench, Opening())).finish("A man \x1b[31munder\ud800 a lamp.")
        body = read_body(done.commit.body)
        assert body.narration.endswith("\n\nA man [31munder a lamp.")
        assert [plain(exchange)["text"] for exchange in body.exchanges] == ["A man [31munder a lamp."]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("operation", "holder"), [("", ""), ("x" * 40, ""), ("op\n", ""), ("op", "\ud800"), ("op", "x" * 201)]
)
def test_names_that_are_too_long_or_no_text(operation: str, holder: str) -> None:
    async def run() -> None:
        bench = await lay_bench(ferry())
        count = len(await bench.records())
        with pytest.raises(LeaseError, match="1 to 39 printable characters"):
            await begin(bench, Opening(), operation, holder=holder)
        assert len(await bench.records()) == count

    asyncio.run(run())


def test_an_answer_may_not_name_a_text() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        await (await begin(bench, Opening(), "opening")).finish("A man under a lamp.")
        turn = await begin(bench, Say("Who are you?"))
        asked = await turn.propose([Call("ask_keeper", {}, "c1")], {"keeper-name": "world"})
        assert "is the name of a text" in asked.results[0].text
        answered = await turn.propose([Call("ask_keeper", {}, "c2")], {"keeper-name": "Old Marn"})
        assert [one.refused for one in (*asked.results, *answered.results)] == [True, False]

    asyncio.run(run())


def test_moderation_and_limits_hold_as_for_a_model() -> None:
    async def run() -> None:
        strict = Strict(heard=("blood",), told=("gore",))
        limits = TurnLimits(outside_rounds_max=2)
        bench = await lay_bench(bridge(), moderation=strict, limits=limits)
        await (await begin(bench, Opening(), "opening")).finish("A man under a lamp.")
        refused = await begin_outside(bench.road, "main", Say("blood"), "bloody")
        assert refused == Unspent(OutcomeReason.NOT_ALLOWED, "not 'blood' here")
        turn = await begin(bench, Say("I look"))
        told = await turn.tell("There is gore.")
        assert isinstance(told, RoundResult)
        assert [flaw.message for flaw in told.flaws] == ["tell it without 'gore'"]
        early = await propose(bench.road, turn.opened.handle, OutsideRound(text="He waits."))
        assert [flaw.message for flaw in early.flaws] == [
            "the narration is told once, at the end of the turn"
        ]
        unknown = await propose(bench.road, turn.opened.handle, OutsideRound((ToolCall("x", "fly", "{}"),)))
        assert unknown.results[0].refused
        many = await turn.tell("He waits.", facts=["x"] * 99)
        assert isinstance(many, RoundResult)
        assert many.flaws
        await turn.propose([])
        with pytest.raises(LeaseError, match="at most 2 rounds"):
            await turn.propose([])
        done = await turn.tell("He waits.", facts=["The bridge is old."])
        assert isinstance(done, Committed)
        assert read_body(done.commit.body).facts == ("The bridge is old.",)

    asyncio.run(run())


def test_all_rounds_of_a_turn_share_one_length() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), limits=TurnLimits(outside_length_max=100))
        await (await begin(bench, Opening(), "opening")).finish("A man under a lamp.")
        turn = await begin(bench, Say("I look"))
        handle = turn.opened.handle
        # A refused call is stored like any other: its game master has seen the refusal.
        fly = OutsideRound((ToolCall("c", "fly", '{"to": "%s"}' % ("x" * 40)),))
        assert (await propose(bench.road, handle, fly)).results[0].refused
        stored = await bench.book.open_turn("main")
        for more in (fly, OutsideRound(answers={"keeper-name": "M" * 60})):
            with pytest.raises(LeaseError, match="at most 100 characters"):
                await propose(bench.road, handle, more)
        with pytest.raises(LeaseError, match="at most 100 characters"):
            await turn.tell(
                "He waits.", facts=["The bridge is old, and it has been old for a long time now."]
            )
        assert await bench.book.open_turn("main") == stored
        assert isinstance(await turn.tell("He waits. " * 20), Committed)

    asyncio.run(run())


def test_long_rounds_are_read_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []

    def note(*given: Any) -> Any:
        threads.append(threading.current_thread().name)
        return read_answer(*given)

    async def run() -> None:
        bench = await lay_bench(bridge())
        await (await begin(bench, Opening(), "opening")).finish("A man under a lamp.")
        turn = await begin(bench, Say("I look"))
        deep = json.dumps({"coins": [[0] * 90] * 60})
        threads.clear()
        for _ in range(2):
            calls = tuple(ToolCall(f"c{number}", "pay", deep) for number in range(3))
            result = await propose(bench.road, turn.opened.handle, OutsideRound(calls))
            assert all(one.refused for one in result.results)

    monkeypatch.setattr(master_rounds, "read_answer", note)
    asyncio.run(run())
    assert len(threads) == 2
    assert all(name.startswith("judging") for name in threads)


def test_an_objection_is_kept_with_the_turn_that_was_told_otherwise() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), moderation=Strict(told=("gore",)))
        turn = await begin(bench, Opening())
        assert isinstance(await turn.tell("gore"), RoundResult)
        assert isinstance(await turn.tell("A quiet morning."), Committed)
        assert "gore" not in json.dumps(dict((await bench.head()).body))

    asyncio.run(run())
