"""Whole games that a scripted MCP client tells as game master; dice, state and proof are the engine's."""

import asyncio
import hashlib
import io
import json
import os
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from talewright.bootstrap import open_lobby
from talewright.cli import main
from talewright.faces.plain.app import PlainStartRequest, run_plain_face
from talewright.faces.plain.console import Keyboard, PlainConsole
from talewright.faces.plain.plain_output import PlainOutput
from talewright.faces.plain.plain_words import words_for
from talewright.faces.tui.launch_preferences import TerminalStartRequest
from talewright.faces.tui.table.table_screen import TableScreen
from talewright.play.campaign_view import Viewer
from talewright.turn.inputs.player_inputs import Say
from tests.faces.mcp import goblin_road_script
from tests.faces.mcp.goblin_road_script import tell_rest
from tests.faces.mcp.scripted_master import ScriptedMaster
from tests.faces.mcp.serving import LEGACY, MODERN, PlayersAnswers, call, make_test_server, text_of
from tests.faces.tui.camera import see, until
from tests.faces.tui.scenery import House
from tests.faces.tui.tours.album import visit
from tests.faces.tui.tours.table import sit_down
from tests.plays.scripts import PLAYS, Turn, read_play

ENGLISH = words_for("en")

SOLO = read_play(PLAYS / "20_solo_three_days.yaml")
SOLO_TURNS = 20
SOLO_SECRET = hashlib.sha256(b"solo 206").digest()
"""With it, a game master's dice lead to the same outcomes as the dice of the play."""

HARBOR_TURNS = 10
COLUMNS = 10_000


def check_campaign(campaign: str, saves: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whether every turn can be replayed and proved."""
    assert main(["verify", campaign, "--saves", str(saves)]) == 0, capsys.readouterr().out


async def tell_solo(master: ScriptedMaster, turn: Turn, number: int) -> None:
    done: Mapping[str, Any]
    if turn.replies:
        done = await master.tell(turn, number)
    else:
        done = await master.finish(await master.begin(turn.given, f"turn-{number}"), "Three books lie open.")
    expected = turn.expected
    assert done["version"] == number
    assert [one["id"] for one in done["decisions"]] == list(expected.decisions)
    for words, refused in zip((*expected.refused, *expected.mended), master.refused, strict=True):
        assert words in refused


@pytest.mark.slow
def test_solo_with_a_contested_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Half of it by each protocol, and by another server.
    half = SOLO_TURNS // 2
    parts = {LEGACY: SOLO.turns[:half], MODERN: SOLO.turns[half:SOLO_TURNS]}
    user = PlayersAnswers()

    async def play() -> str:
        number = 0
        for mode, turns in parts.items():
            server = await make_test_server(tmp_path, "solo", secret=SOLO_SECRET)
            async with Client(server, mode=mode, elicitation_callback=user) as client:
                started = await call(client, "start_campaign", operation_id="begin", language="en")
                master = ScriptedMaster(client, user, started["campaign"])
                for turn in turns:
                    number += 1
                    await tell_solo(master, turn, number)
        return master.campaign

    campaign = asyncio.run(play())
    assert any("Contest it" in asked for asked in user.asked)
    assert not user.waiting
    check_campaign(campaign, tmp_path, capsys)


class Paper(io.StringIO):
    """An output that can be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.written = asyncio.Event()

    def write(self, text: str) -> int:
        self.written.set()
        return super().write(text)

    async def see(self, words: str) -> None:
        """Wait until words are written."""
        while words not in self.getvalue():
            self.written.clear()
            await self.written.wait()


class PlainPlayer:
    """A player at the plain face, in another process as far as the campaign can tell."""

    def __init__(self, saves: Path, campaign: str) -> None:
        lobby = open_lobby(saves, git=False, language="en")
        source, self._typing = os.pipe()
        self.paper = Paper()
        self._source = os.fdopen(source, encoding="utf-8")
        desk = PlainConsole(PlainOutput(self.paper, COLUMNS), Keyboard(self._source), ENGLISH)
        wishes = PlainStartRequest(campaign=campaign, place=str(saves))
        self._face = asyncio.ensure_future(run_plain_face(lobby, wishes, desk))

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._typing, f"{line}\n".encode())

    async def leave(self) -> None:
        """Close the terminal."""
        os.close(self._typing)
        await self._face
        self._source.close()


async def tell_harbor(master: ScriptedMaster, number: int) -> None:
    """Tell a turn: the player's words or a choice, a change, and a narration of its own."""
    briefing = await call(master.client, "briefing", campaign=master.campaign, since=master.version)
    master.version = briefing["version"]
    choices = briefing["choices"]
    given = {"choose": choices[0]["id"]} if number % 3 == 0 else {"say": f"I listen at door {number}."}
    if number == 1:
        given = {}
    where = {"campaign": master.campaign}
    opened = await call(master.client, "begin_turn", operation_id=f"turn-{number}", **where, **given)
    where["turn"] = opened["turn"]
    if number % 2:
        updates = [{"op": "inc", "path": "suspicion", "value": 1, "reason": "seen at the door"}]
        await call(master.client, "propose_updates", updates=updates, **where)
    done = await master.finish(
        where["turn"], f"Behind door {number} the fog speaks.", facts=[f"Door {number}."]
    )
    assert done["version"] == number


@pytest.mark.slow
def test_mist_harbor_is_watched_live_and_taken_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def play() -> str:
        async with AsyncExitStack() as stack:
            server = await make_test_server(tmp_path, "mist_harbor")
            client = await stack.enter_async_context(Client(server, mode=MODERN))
            started = await call(client, "start_campaign", operation_id="begin", language="en")
            master = ScriptedMaster(client, PlayersAnswers(), started["campaign"])
            await tell_harbor(master, 1)
            plain = PlainPlayer(tmp_path, master.campaign)
            await plain.paper.see("Behind door 1 ")
            house = House(open_lobby(tmp_path, git=False, language="en"), "en")
            wishes = TerminalStartRequest(campaign=master.campaign, language="en")
            pilot = await stack.enter_async_context(visit(house.door(wishes)))
            table = await sit_down(pilot)
            for number in range(2, HARBOR_TURNS + 1):
                await tell_harbor(master, number)
                await plain.paper.see(f"Behind door {number} ")
                await see(pilot, f"Behind door {number} ")
            # The players take over the next turns, each with a choice, and the game master goes on.
            plain.type("1")
            view = await wait_for_version(client, master.campaign, HARBOR_TURNS + 1)
            assert "Behind" not in view["sections"][-1]["text"]
            # Whoever presses a key for an older turn is told so, and no turn is taken.
            await until(
                pilot, lambda: table.board.view is not None and table.board.view.version > HARBOR_TURNS
            )
            await pilot.press("1")
            await wait_for_version(client, master.campaign, HARBOR_TURNS + 2)
            await tell_harbor(master, HARBOR_TURNS + 3)
            await plain.paper.see(f"Behind door {HARBOR_TURNS + 3} ")
            await see(pilot, f"Behind door {HARBOR_TURNS + 3} ")
            await plain.leave()
        return master.campaign

    check_campaign(asyncio.run(play()), tmp_path, capsys)


def shown_version(table: TableScreen) -> int:
    """The turn that the terminal shows."""
    return 0 if table.board.view is None else table.board.view.version


async def wait_for_version(client: Client, campaign: str, version: int) -> Any:
    """The briefing, once a turn of somebody else is committed."""
    briefing = await call(client, "briefing", campaign=campaign)
    while briefing["version"] < version:
        briefing = await call(client, "briefing", campaign=campaign)
    return briefing


async def play_goblin_road(master: ScriptedMaster) -> int:
    """Thirty turns; how many calls were granted."""
    rest, granted = tell_rest(), 0
    before = list(goblin_road_script.BEFORE)
    fighting = False
    for number in range(1, goblin_road_script.TURNS + 1):
        said, calls, told = (
            before.pop(0)
            if before
            else ("I swing at it.", ATTACK, "Steel, and breath.")
            if fighting
            else next(rest)
        )
        handle = await master.begin(Say(said), f"turn-{number}")
        where = {"campaign": master.campaign, "turn": handle}
        for name, arguments in calls:
            result = await master.client.call_tool(name, {**arguments, **where})
            assert not result.is_error, (name, text_of(result))
            granted += 1
            if name in ("start_fight", "take_turn"):
                fighting = '"goes_on"' in text_of(result)
        done = await master.finish(handle, f"{told} ({number})")
        assert done["version"] == number
    return granted


ATTACK: goblin_road_script.Calls = (("take_turn", {"action": "attack", "target": "Snag"}),)


@pytest.mark.slow
def test_thirty_turns_of_goblin_road(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def play() -> str:
        async with Client(await make_test_server(tmp_path, "goblin_road"), mode=MODERN) as client:
            started = await call(client, "start_campaign", operation_id="begin", language="en")
            master = ScriptedMaster(client, PlayersAnswers(), started["campaign"])
            assert await play_goblin_road(master) > goblin_road_script.TURNS * 2 // 3
            (rolls,) = (await client.read_resource(f"talewright://{master.campaign}/rolls")).contents
            assert "what the frost has done" in str(getattr(rolls, "text", ""))
        # The player never sees the master's hidden roll, nor what is noted about an NPC.
        async with Client(await make_test_server(tmp_path, "goblin_road", Viewer.PLAYER)) as companion:
            seen = [await call(companion, name, campaign=master.campaign) for name in ("view", "story")]
            for one in (await companion.list_resources()).resources:
                seen += [
                    content.model_dump() for content in (await companion.read_resource(one.uri)).contents
                ]
            told = json.dumps(seen, ensure_ascii=False)
            assert "mile" in told
            assert "what the frost has done" not in told
            assert "fond of bread" not in told
        return master.campaign

    check_campaign(asyncio.run(play()), tmp_path, capsys)
