"""Dice are reported when they fall, before the words they decide, and only once."""

import asyncio

from talewright.common.json_values import Json
from talewright.providers.scripted import ScriptedReply
from talewright.turn.inputs.player_inputs import Choose, Say
from talewright.turn.records.commit_body import TurnBody, split_rolls
from talewright.turn.turn_signals import DiceRolled, NarrationDelta, NarrationReset
from tests.turn.making import Bench, altered, bundle, calls, cards, chapel, ferry, lay_bench

MECHANICS = '```json\n{"mechanics": {"skill_used": "perception", "difficulty": 0.2}}\n```'
ATTEMPT = ("attempt", {"skill": "perception", "difficulty": "moderate"})


def order(bench: Bench) -> list[str]:
    """Which dice and words were heard, in order, and where the words started over."""
    heard = []
    for signal in bench.signals:
        if isinstance(signal, DiceRolled):
            heard.append("dice")
        elif isinstance(signal, NarrationDelta) and heard[-1:] != ["words"]:
            heard.append("words")
        elif isinstance(signal, NarrationReset):
            heard.append("void" if signal.voids_rolls else "again")
    return heard


def rolled(bench: Bench) -> list[object]:
    return [signal.roll for signal in bench.signals if isinstance(signal, DiceRolled)]


def test_dice_of_a_tool_round_are_reported_before_the_narration_that_follows() -> None:
    async def run() -> None:
        bench = await lay_bench(altered(chapel(), contract="tools"), opened=True)
        bench = bench.told_by(calls("You listen.", ATTEMPT), calls("", ATTEMPT), "Something drags.")
        body = await bench.commit(Say("I listen at the door"), "op")
        assert order(bench) == ["words", "again", "dice", "again", "dice", "words"]
        assert rolled(bench) == [*body.rolls]
        assert {one.game_digest for one in bench.signals if isinstance(one, DiceRolled)} == {"altered"}

    asyncio.run(run())


def test_dice_of_moves_that_come_first_are_reported_before_the_narration() -> None:
    async def run() -> None:
        bench = (await lay_bench(chapel(), opened=True)).told_by(MECHANICS, bundle("Something drags.", 1))
        body = await bench.commit(Say("I listen at the door"), "op")
        assert order(bench)[-2:] == ["dice", "words"]
        assert rolled(bench) == [*body.rolls]

    asyncio.run(run())


def test_dice_that_the_narration_does_not_know_are_left_to_the_commit() -> None:
    async def run() -> None:
        edition = altered(chapel(), plan="one_ask")
        bench = (await lay_bench(edition, opened=True)).told_by(
            bundle("Something drags.", 1, mechanics={"skill_used": "perception", "difficulty": 0.2})
        )
        body = await bench.commit(Say("I listen at the door"), "op")
        assert len(body.rolls) == 1
        assert order(bench) == ["words"]

    asyncio.run(run())


async def at_ferry(*script: str | ScriptedReply) -> tuple[Bench, TurnBody]:
    """A turn in which the player's own choice rolls dice."""
    bench = await lay_bench(ferry(), opened=True)
    telling = bench.told_by(*script) if script else bench
    return telling, await telling.commit(Choose("haggle"), "op")


def test_the_players_dice_are_reported_before_a_scene_or_a_model_tells() -> None:
    async def run() -> None:
        alone, body = await at_ferry()
        assert order(alone) == ["dice"]
        assert rolled(alone) == [*body.rolls]
        told, _ = await at_ferry(cards("You row on."))
        assert order(told) == ["dice", "words"]

    asyncio.run(run())


def test_dice_of_a_turn_that_starts_over_are_void_and_reported_again() -> None:
    async def run() -> None:
        bench, body = await at_ferry("{", "{", "{", "{", "{", "{")
        heard = order(bench)
        assert heard[0] == "dice"
        assert heard[heard.index("void") :] == ["void", "dice"]
        assert rolled(bench) == [*body.rolls, *body.rolls]

    asyncio.run(run())


def test_one_call_may_roll_for_many() -> None:
    rolls: Json = [{"text": "a"}, {"text": "b", "hidden": True}, "no roll"]
    entry: Json = {"kind": "call", "tool": "fight", "result": {"rolls": rolls, "round": 2}}
    assert split_rolls(entry) == (
        {"kind": "call", "tool": "fight", "result": {"text": "a"}},
        {"kind": "call", "tool": "fight", "result": {"text": "b", "hidden": True}},
    )
    assert split_rolls(
        {"kind": "trial", "tool": "fight", "outcome": "success", "rolls": [{"text": "a"}], "hidden": True}
    ) == ({"kind": "trial", "tool": "fight", "hidden": True, "result": {"text": "a"}},)
    single: Json = {"kind": "call", "result": {"text": "a", "rolls": 3}}
    faces: Json = {"kind": "call", "result": {"text": "a", "rolls": [3, 4]}}
    none: Json = {"kind": "call", "result": {"text": "a", "rolls": []}}
    assert [split_rolls(one) for one in (single, faces, none)] == [(single,), (faces,), (none,)]
    assert split_rolls("nothing") == ()
