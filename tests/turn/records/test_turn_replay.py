"""Turns made again from their record: every teller, every way in which an ask can end."""

import asyncio
from dataclasses import replace

import pytest

from talewright.chronicle.records import Commit
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import StopReason, Usage
from talewright.providers.scripted import ScriptedReply
from talewright.turn.fold_cache import FoldCache
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_inputs import Choose, Input, Say
from talewright.turn.records.commit_body import read_body
from talewright.turn.records.turn_replay import replay_turn
from talewright.turn.spending import CampaignSpendingTracker, SpendingBudget
from talewright.turn.turn_context import Teller
from talewright.turn.turn_limits import TurnLimits
from talewright.turn.turn_outcomes import Degraded, OutcomeReason, Unspent
from talewright.turn.turn_progress import RecordedDraws
from tests.turn.differences import find_differences
from tests.turn.doubles import Stalling, Strict
from tests.turn.making import Bench, bridge, bundle, calls, cards, chapel, ferry, lay_bench, plain, update
from tests.turn.mastering import begin_master

BROKEN = ScriptedReply("He", error=ProviderError(Trouble.BUSY, "later", usage=Usage(5, 1)))
CIRCLE = '{"narrative_markdown": "He waits. ' + "He says that the boat will not come today. " * 90
LONG = ScriptedReply('{"narrative_markdown": "He nods. He takes the coin. The bo', stop=StopReason.LENGTH)
MECHANICS = '```json\n{"mechanics": {"skill_used": "perception", "difficulty": 0.2}}\n```'


async def expect_same(bench: Bench, commit: Commit | None = None) -> Commit:
    """Make the newest turn again; it is the same."""
    commit = commit or await bench.head()
    elsewhere = bench.with_road(teller=None, limits=TurnLimits(asks_max=1), language="zh-CN")
    assert find_differences(commit, await replay_turn(elsewhere.road, commit)) == ()
    return commit


@pytest.mark.parametrize(
    ("edition", "script", "given"),
    [
        (ferry(), [cards("He nods.", update("dec", "coins", 1))], Say("I wave")),
        (ferry(), ["nonsense", cards("He nods.", update("dec", "coinz", 1)), cards("")], Say("I wave")),
        (ferry(), [BROKEN], Choose("haggle")),
        (bridge(), [calls("Hm.", ("ask_keeper", {})), '"Old Marn"', "He tells you."], Say("Who?")),
        (chapel(), [MECHANICS, bundle("It drags.", 1)], Say("I look")),
        (ferry(), [CIRCLE, LONG, cards("", update("dec", "coins", 1))], Say("I wave")),
        (bridge(), [CIRCLE[25:], replace(LONG, text=LONG.text[25:])], Say("I wave")),
    ],
    ids=[
        "one ask",
        "mended",
        "scenes after a failure",
        "tools and an errand",
        "moves first",
        "cut short",
        "cut short, with tools",
    ],
)
def test_a_told_turn(edition: Edition, script: list[str | ScriptedReply], given: Input) -> None:
    async def run() -> None:
        bench = await lay_bench(edition, ["He waits."], opened=True)
        asking = bench.told_by(*script)
        await asking.commit(given, "op")
        await expect_same(asking)

    asyncio.run(run())


def test_a_turn_in_which_there_was_no_time_left() -> None:
    async def run() -> None:
        stalling = Stalling('{"narrative')
        limits = TurnLimits(turn_seconds_max=0.01)
        bench = (await lay_bench(ferry(), opened=True)).with_road(limits=limits, teller=Teller(stalling))
        await bench.commit(Choose("haggle"), "op")
        assert (await expect_same(bench)).body["told"] == "scenes"

    asyncio.run(run())


def test_a_turn_to_whose_words_the_host_objected() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), ["unused"], opened=True)
        asking = bench.told_by(cards("There is gore."), cards("He nods.")).with_road(
            moderation=Strict(told=("gore",))
        )
        await asking.commit(Say("I wave"), "op")
        commit = await expect_same(asking)
        assert [one.get("objection") for one in commit.body["exchanges"]] == [  # type: ignore[union-attr]
            "tell it without 'gore'",
            None,
        ]

    asyncio.run(run())


def test_a_turn_for_which_there_was_no_money() -> None:
    async def run() -> None:
        tracker = CampaignSpendingTracker(SpendingBudget(turn_tokens=1))
        bench = await lay_bench(ferry(), [cards("He nods.")], opened=True)
        assert bench.road.teller is not None
        poor = bench.with_road(teller=replace(bench.road.teller, spending_tracker=tracker))
        await poor.commit(Choose("haggle"), "op")
        commit = await expect_same(poor)
        refused = commit.body["circumstances"]["refused"]  # type: ignore[index, call-overload]
        assert list(plain(refused)) == ["1"]

    asyncio.run(run())


def test_a_turn_told_from_outside() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), ["He waits."], opened=True)
        master = await begin_master(bench.road, "main", Say("I look"), "op")
        commit = (await master.finish("He waits still.")).commit
        await expect_same(bench, commit)
        leaky = replace(commit, body={**commit.body, "exchanges": [{"text": "{", "purpose": "outside"}] * 2})
        again = await replay_turn(bench.road, leaky)
        assert isinstance(again, Degraded)
        assert (again.reason, find_differences(leaky, again)) == (OutcomeReason.UNTOLD, ("outcome",))

    asyncio.run(run())


def test_what_differs_is_named() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        await bench.commit(Choose("haggle"), "op")
        commit = await bench.head()
        forged = replace(commit, state_digest="x", body={**commit.body, "narration": "It was you."})
        assert find_differences(forged, await replay_turn(bench.road, forged)) == (
            "state_digest",
            "narration",
        )
        unfit = replace(commit, body={**commit.body, "input": {"kind": "choose", "choice": "fly"}})
        assert isinstance(await replay_turn(bench.road, unfit), Unspent)

    asyncio.run(run())


def test_a_turn_is_made_again_from_its_recorded_draws() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        await bench.commit(Choose("haggle"), "op")
        commit = await bench.head()
        draws = read_body(commit.body).draws
        assert draws
        # Without the secret, as a friend has it.
        blind = bench.with_road(folds=FoldCache(b"another secret")).road
        assert find_differences(commit, await replay_turn(blind, commit, RecordedDraws(draws))) == ()
        assert "draws" in find_differences(commit, await replay_turn(blind, commit))
        other = [replace(draw, face=draw.face % draw.sides + 1) for draw in draws]
        assert "rolls" in find_differences(commit, await replay_turn(blind, commit, RecordedDraws(other)))

    asyncio.run(run())


def test_a_nonce_is_mixed_in_only_where_fate_is_fresh() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        await bench.commit(Choose("haggle"), "op")
        commit = await bench.head()
        forged = replace(commit, body={**commit.body, "nonce": "00" * 16})
        again = await replay_turn(bench.road, forged)
        assert isinstance(again, Commit)
        assert (again.body.get("nonce"), again.body["draws"]) == (None, commit.body["draws"])

    asyncio.run(run())
