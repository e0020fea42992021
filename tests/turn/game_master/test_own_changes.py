"""What a game master changes on its own authority needs a reason, has limits, and is labelled."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from talewright.chronicle.records import Commit
from talewright.contract.text.leak_guard import LEAK
from talewright.kernel.judging.moves import Call, Op, Update
from talewright.llm.requests import ToolCall
from talewright.play.campaign_view import TurnView, Viewer
from talewright.play.presentation.change_wording import tell_cause
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.view_assembly import show_turn
from talewright.turn.game_master.judged_turn import JudgedTurn, judge_rounds
from talewright.turn.game_master.master_brief import list_master_tools
from talewright.turn.game_master.master_rounds import OutsideRound
from talewright.turn.records.commit_body import read_body
from talewright.turn.records.turn_replay import open_recorded_turn
from tests.faces.mcp.goblin_road_script import CHARACTER
from tests.turn.game_master.cheats import Cheat, lay_cheat, roll
from tests.turn.making import play_edition
from tests.turn.mastering import Master

WHY = "a shield from the cart"
OWN: Mapping[str, Mapping[str, Any]] = {
    "set_character": {"ac": 14},
    "award": {"xp": 5},
    "apply_damage": {"target": "player", "amount": 1},
    "create_npc": {"name": "Gruk", "templateName": "Road Goblin"},
}
"""Calls that no rule demands."""


async def refuse(turn: Master, tool: str, **arguments: Any) -> str:
    return str((await roll(turn, tool, **arguments))["error"])


def show(cheat: Cheat, commit: Commit, viewer: Viewer = Viewer.PLAYER, language: str = "en") -> TurnView:
    (edition,) = cheat.bench.library.known.values()
    return show_turn(
        commit, read_body(commit.body), edition.game, Wording(edition.words(language), language), viewer
    )


@pytest.mark.parametrize(
    ("game", "own"),
    [
        (
            "goblin_road",
            {"set_character", "award", "apply_damage", "create_npc", "update_npc", "remove_npc"},
        ),
        ("dusty_tankard", {"moveToLocation", "advanceTime", "discoverCharacter"}),
        ("solo", {"update_scene", "update_player", "create_npc", "update_npc", "advance_time"}),
        ("chapel_watch", set()),
    ],
)
def test_tools_that_no_rule_decides_ask_why(game: str, own: set[str]) -> None:
    tools = list_master_tools(play_edition(f"games/{game}").game, "en")
    asking = {tool.name for tool in tools if "reason" in tool.parameters.get("required", ())}  # type: ignore[operator]
    assert asking == own


def test_a_change_without_a_reason_is_refused() -> None:
    async def run() -> None:
        turn = await (await lay_cheat()).begin()
        for tool, arguments in OWN.items():
            assert (
                await refuse(turn, tool, **arguments)
                == f"`{tool}` needs `reason`: a text, at most 300 characters"
            )
            assert await refuse(turn, tool, **arguments, reason=" ") == (
                f"{tool}: say why in `reason`; the player reads it"
            )
            assert "error" not in await roll(turn, tool, **arguments, reason=WHY)
        updates = json.dumps({"updates": [{"op": "dec", "path": "salt", "value": 1}]})
        handed_in = OutsideRound((ToolCall("u", "propose_updates", updates),))
        (told,) = (await turn.hand_in(handed_in)).results
        assert "needs `reason`" in json.loads(told.text)["error"]
        # What the rules decide needs none.
        assert "error" not in await roll(turn, "skill_check", skill="Athletics", difficulty=10)

    asyncio.run(run())


def test_every_reader_learns_that_the_game_master_did_it() -> None:
    async def run() -> None:
        cheat = await lay_cheat()
        turn = await cheat.begin()
        await turn.propose([Call("set_character", {"ac": 14, "reason": WHY})])
        await turn.propose([Call("award", {"xp": 5, "reason": "a clever trick"})])
        await turn.propose([Update(Op.DEC, "salt", 1, "a hole in a sack")])
        await turn.propose([Call("create_npc", {"name": "Gruk", "reason": "nobody knows of him"})])
        commit = (await turn.finish("So it goes.")).commit
        changes = read_body(commit.body).changes
        by_reason = {change.reason: change.cause for change in changes if change.reason}
        assert by_reason == {
            WHY: "master:tabletop",
            "a clever trick": "master:tabletop",
            "a hole in a sack": "master",
            "nobody knows of him": "master:tabletop",
        }
        seen = show(cheat, commit)
        texts = [change.text for change in seen.changes]
        assert "Sacks of salt 12 -> 11 (a hole in a sack; by the game master)" in texts
        assert f"By the game master: {WHY}" in texts
        assert "By the game master: a clever trick" in texts
        assert [text for text in seen.events if "XP" in text] == ["You gain 5 XP. (by the game master)"]
        # An NPC is hidden from the player, and so is why it was made.
        assert "nobody" not in str(seen)
        assert "nobody knows of him" in str(show(cheat, commit, Viewer.MASTER))
        assert "由游戏主持人决定" in str(show(cheat, commit, language="zh-CN"))
        (edition,) = cheat.bench.library.known.values()
        wording = Wording(edition.words("en"), "en")
        assert {tell_cause(cause, wording) for cause in by_reason.values()} == {"the game master"}

    asyncio.run(run())


@pytest.mark.parametrize(
    ("tool", "arguments", "why"),
    [
        ("set_character", {"hp": 999}, "at most 60 hit points"),
        ("set_character", {"hp": {"current": 5, "max": 61}}, "at most 60 hit points"),
        ("set_character", {"ac": 21}, "at most 20 armor class"),
        ("set_character", {"level": 3}, "nobody rises by more than one level at once"),
        ("set_character", {"stats": {"STR": 17}}, "STR from 8 to 16"),
        ("award", {"xp": 1_001}, "at most 1000 XP at once"),
    ],
)
def test_nothing_is_raised_above_the_limits(tool: str, arguments: Mapping[str, Any], why: str) -> None:
    async def run() -> None:
        turn = await (await lay_cheat()).begin()
        assert why in await refuse(turn, tool, **arguments, reason=WHY)

    asyncio.run(run())


def test_the_secret_of_a_game_is_no_reason() -> None:
    async def run() -> None:
        cheat = await lay_cheat()
        turn = await cheat.begin()
        (edition,) = cheat.bench.library.known.values()
        secret = edition.words("en").get("npc.prynne.secret")
        assert LEAK.message in await refuse(turn, "award", xp=5, reason=secret)
        assert (await turn.propose([Update(Op.DEC, "salt", 1, secret)])).flaws == (LEAK,)

    asyncio.run(run())


def test_turns_of_older_engines_are_judged_as_they_were() -> None:
    async def run() -> None:
        cheat = await lay_cheat()
        commit = (await (await cheat.begin()).finish("So it goes.")).commit
        recorded = await open_recorded_turn(cheat.bench.road, commit)
        calls = (ToolCall("c", "set_character", json.dumps({**CHARACTER, "hp": 999})),)
        for engine, granted in ((4, True), (5, False)):
            old = type(recorded.turn)(
                recorded.turn.key, recorded.turn.accepted, recorded.turn.beginning, engine=engine
            )
            progress, judged = await judge_rounds(
                recorded.road, old, recorded.recalled, [OutsideRound(calls)]
            )
            assert isinstance(judged, JudgedTurn)
            assert progress.results[0].refused is not granted
            causes = {change.cause for change in judged.attempt.working.changes}
            assert causes == ({"system:tabletop"} if granted else set())

    asyncio.run(run())
