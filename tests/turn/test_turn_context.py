"""Runners: a step's kept result replaces its stream, and the turn is the same."""

import asyncio

import pytest

from talewright.chronicle.records import Commit
from talewright.common.json_values import Json
from talewright.providers.scripted import ScriptedReply
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_inputs import Input, Opening, Say
from talewright.turn.turn_context import PlainRunner, TurnKey
from talewright.turn.turn_outcomes import Committed
from talewright.turn.turn_signals import NarrationDelta, NarrationReset, Signal
from tests.turn.doubles import Keeping
from tests.turn.making import bridge, bundle, calls, cards, chapel, ferry, lay_bench, update

MECHANICS = '```json\n{"mechanics": {"skill_used": "perception", "difficulty": 0.2}}\n```'
WRONG = update("dec", "coinz", 1)
CASES: list[tuple[str, Edition, list[str | ScriptedReply], str]] = [
    ("cards", ferry(), [cards("He nods at you.", update("dec", "coins", 1))], "He nods at you."),
    (
        "cards mended",
        ferry(),
        ["nonsense", cards("He nods at you.", WRONG), cards("", update("dec", "coins", 1))],
        "He nods at you.",
    ),
    (
        "tools",
        bridge(),
        [calls("Hm.", ("pay", {"coins": 1})), calls("He tells you.", ("ask_keeper", {})), '"Old Marn"'],
        "He tells you.",
    ),
    (
        "patch",
        chapel(),
        [MECHANICS, bundle("It drags.", 1)],
        "It drags.",
    ),
]


async def play(
    edition: Edition, script: list[str | ScriptedReply], runner: Keeping, given: Input
) -> tuple[Commit, list[Signal], int]:
    bench = await lay_bench(edition, ["He waits."])
    await bench.commit(Opening(), "opening")
    bench.signals.clear()
    trying = bench.told_by(*script).with_road(runner=runner)
    outcome = await trying.take(given, "op")
    assert isinstance(outcome, Committed), outcome
    return outcome.commit, list(bench.signals), len(trying.provider.requests)


@pytest.mark.parametrize(("name", "edition", "script", "told"), CASES, ids=lambda part: str(part)[:14])
def test_a_kept_reply_gives_the_same_commit_without_a_stream(
    name: str, edition: Edition, script: list[str | ScriptedReply], told: str
) -> None:
    async def run() -> None:
        runner = Keeping()
        given = Say("I wave")
        streamed, heard, asked = await play(edition, script, runner, given)
        assert asked == len(script)
        assert runner.ran == ["begin", *(f"ask {number}" for number in range(1, asked + 1)), "commit"]
        assert any(isinstance(signal, NarrationDelta) for signal in heard)
        # The process has ended before the commit was made.
        runner.kept = {name: kept for name, kept in runner.kept.items() if not name.endswith("/commit")}
        replayed, watched, again = await play(edition, script, runner, given)
        assert again == 0
        assert replayed == streamed
        assert not any(isinstance(signal, NarrationDelta) for signal in watched)
        resets = [signal.text for signal in watched if isinstance(signal, NarrationReset)]
        assert [text for text in resets if text][-1] == told
        assert told in str(replayed.body["narration"])

    asyncio.run(run())


def test_the_plain_runner_runs_every_step() -> None:
    async def run() -> None:
        ran: list[int] = []

        async def step() -> Json:
            ran.append(1)
            return {"ran": len(ran)}

        assert await PlainRunner().run(TurnKey("c", "op"), "ask 1", step) == {"ran": 1}
        assert await PlainRunner().run(TurnKey("c", "op"), "ask 1", step) == {"ran": 2}

    asyncio.run(run())
