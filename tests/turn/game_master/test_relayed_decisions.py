"""Whose answer a decision takes: the player's own, or one that a game master passes on."""

import asyncio
from dataclasses import replace
from typing import Any

from talewright.kernel.game import DecisionRule
from talewright.kernel.judging.moves import Call
from talewright.turn.game_master.master_turn import begin_outside
from talewright.turn.inputs.player_inputs import AnswerDecision, Opening, Say
from talewright.turn.records.commit_body import read_body
from talewright.turn.records.turn_replay import replay_turn
from talewright.turn.turn_outcomes import OutcomeReason, Unspent
from tests.turn.differences import find_differences
from tests.turn.making import Bench, altered, bridge, lay_bench
from tests.turn.mastering import begin_master

RELAYED = AnswerDecision("gamble", "roll", relayed=True)
REFUSED = Unspent(OutcomeReason.PLAYER_DECIDES, "gamble")


async def ask_player(rule: DecisionRule) -> Bench:
    """A campaign in which a decision waits for the player."""
    bench = await lay_bench(altered(bridge(), decisions=rule))
    await (await begin_master(bench.road, "main", Opening(), "opening")).finish("A man under a lamp.")
    turn = await begin_master(bench.road, "main", Say("I gamble"), "ask")
    await turn.propose([Call("gamble", {}, "c1")])
    await turn.finish("He shakes the cup.")
    return bench


def test_an_answer_that_is_passed_on_is_refused() -> None:
    async def run() -> None:
        bench = await ask_player(DecisionRule.PLAYER)
        head = (await bench.head()).id
        for operation in ("relayed", "relayed", "again"):
            assert await begin_outside(bench.road, "main", RELAYED, operation) == REFUSED
        assert (await bench.head()).id == head
        turn = await begin_master(bench.road, "main", AnswerDecision("gamble", "roll"), "own")
        done = await turn.finish("It falls.")
        assert read_body(done.commit.body).draws

    asyncio.run(run())


def test_where_the_game_allows_it_the_record_says_so() -> None:
    async def run() -> None:
        bench = await ask_player(DecisionRule.RELAYED)
        turn = await begin_master(bench.road, "main", RELAYED, "relayed")
        done = await turn.finish("It falls.")
        given: Any = done.commit.body["input"]
        assert given["relayed"] is True
        assert find_differences(done.commit, await replay_turn(bench.road, done.commit)) == ()

    asyncio.run(run())


def test_a_forged_record_is_not_replayed() -> None:
    async def run() -> None:
        bench = await ask_player(DecisionRule.PLAYER)
        turn = await begin_master(bench.road, "main", AnswerDecision("gamble", "roll"), "own")
        commit = (await turn.finish("It falls.")).commit
        given: Any = commit.body["input"]
        forged = replace(commit, body={**commit.body, "input": {**given, "relayed": True}})
        again = await replay_turn(bench.road, forged)
        assert again == REFUSED
        assert find_differences(forged, again) == ("outcome",)

    asyncio.run(run())
