"""No lockouts: whoever connects next continues an open turn, or begins another one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import TextContent

from talewright.crashpoints import set_hook
from tests.faces.mcp.serving import MODES, PlayersAnswers, call, make_test_server, refusal

GAME = "chapel_watch"
OTHER_TOKEN = "a-token-of-another-owner-0123456789"
CHECK = {"skill": "persuasion", "difficulty": "hard"}


@asynccontextmanager
async def connect(saves: Path, **options: Any) -> AsyncIterator[Client]:
    """A new client of a new server: it knows nothing of the ones before."""
    made = {name: options.pop(name) for name in ("token",) if name in options}
    async with Client(await make_test_server(saves, GAME, **made), **options) as client:
        yield client


async def begin_campaign(client: Client) -> None:
    """A campaign with its opening; no call needs an id."""
    await call(client, "start_campaign", language="en")
    await call(client, "begin_turn")
    await call(client, "finish_turn", narration="It is dark.")


async def leave_turn(saves: Path) -> Any:
    """Leave a turn open in which dice have fallen; what they showed."""
    async with connect(saves) as client:
        await begin_campaign(client)
        await call(client, "begin_turn", say="Please.")
        return (await call(client, "attempt", **CHECK))["result"]["rand"]


def test_the_next_connection_continues_the_turn(tmp_path: Path) -> None:
    async def run() -> None:
        drawn = await leave_turn(tmp_path)
        async with connect(tmp_path) as client:
            standing = (await call(client, "briefing"))["open_turn"]
            assert (standing["said"], standing["calls"], standing["yours"]) == ("Please.", 1, True)
            (message,) = (await client.get_prompt("go_on")).messages
            assert isinstance(message.content, TextContent)
            assert message.content.text.startswith('A turn is open, with the words "Please."')
            # With the same words or with none, it is the same turn, and what was decided in it is told.
            for given in ({}, {"say": "Please."}, {"say": "Please.", "operation_id": "mine"}):
                opened = await call(client, "begin_turn", **given)
                assert (opened["turn"], opened["rounds"]) == (standing["turn"], 1)
                assert opened["results"][0]["result"]["rand"] == drawn
            done = await call(client, "finish_turn", narration="So be it.")
            assert (done["version"], len(done["rolls"])) == (2, 1)
            assert "open_turn" not in await call(client, "briefing")

    asyncio.run(run())


def test_with_other_words_another_turn_begins(tmp_path: Path) -> None:
    async def run() -> None:
        drawn = await leave_turn(tmp_path)
        async with connect(tmp_path) as client:
            opened = await call(client, "begin_turn", say="I wait.")
            assert (opened["abandoned"], opened["rounds"]) == ("Please.", 0)
            again = (await call(client, "attempt", **CHECK))["result"]["rand"]
            assert again == drawn, "no other dice by beginning again"
            assert (await call(client, "finish_turn", narration="So be it."))["version"] == 2

    asyncio.run(run())


def test_a_narration_that_was_stored_is_committed(tmp_path: Path) -> None:
    async def die(point: str) -> None:
        async with connect(tmp_path) as client:
            await call(client, "begin_turn", say="I look.")

            def strike(passed: str) -> None:
                if passed == point:
                    raise RuntimeError("struck")

            set_hook(strike)
            try:
                assert (await refusal(client, "finish_turn", narration="First."))["code"] == "error"
            finally:
                set_hook(None)

    async def run() -> None:
        async with connect(tmp_path) as client:
            await begin_campaign(client)
        await die("after store round")
        async with connect(tmp_path) as client:
            done = await call(client, "finish_turn", narration="Second.")
            assert (done["version"], done["repeated"], done["narration"]) == (2, True, "First.")
        await die("after store round")
        async with connect(tmp_path) as client:
            # With nothing new to begin with, the game master learns that it is finished.
            assert (await refusal(client, "begin_turn"))["code"] == "moved"
            assert (await call(client, "briefing"))["version"] == 3
        await die("after store round")
        async with connect(tmp_path) as client:
            await call(client, "begin_turn", say="I listen.")
            assert (await call(client, "finish_turn", narration="Third."))["version"] == 5

    asyncio.run(run())


def test_calls_need_no_ids_and_refused_ones_use_none_up(tmp_path: Path) -> None:
    async def run() -> None:
        async with connect(tmp_path) as client:
            assert (await refusal(client, "briefing"))["hint"] == "Start one with start_campaign."
            await begin_campaign(client)
            assert (await refusal(client, "finish_turn", narration="No."))["message"] == "no turn is open"
            assert (await refusal(client, "attempt", **CHECK))["hint"] == "Open one with begin_turn."
            named = {"operation_id": "turn-2"}
            assert (await refusal(client, "begin_turn", choose="fly", **named))["code"] == "no_such_choice"
            opened = await call(client, "begin_turn", choose="path", **named)
            assert len(opened["turn"]) <= 12
            assert (await call(client, "begin_turn", choose="path", **named))["turn"] == opened["turn"]
            first = await call(client, "finish_turn", turn=opened["turn"], narration="Gravel.")
            again = await call(client, "finish_turn", turn=opened["turn"], narration="Sand.")
            assert (again["commit"], again["repeated"]) == (first["commit"], True)
            over = await refusal(client, "begin_turn", choose="path", **named)
            assert first["commit"] in over["message"]
            await call(client, "start_campaign", language="en")
            several = await refusal(client, "briefing")
            assert several["message"] == "this server has several campaigns"
            assert several["hint"].startswith("Name the campaign: chapel_watch-")

    asyncio.run(run())


@pytest.mark.parametrize("mode", MODES)
def test_anyone_else_takes_over_once_the_player_confirms(mode: str, tmp_path: Path) -> None:
    user = PlayersAnswers()

    async def run() -> None:
        await leave_turn(tmp_path)
        other = {"mode": mode, "token": OTHER_TOKEN, "elicitation_callback": user}
        async with connect(tmp_path, **other) as client:
            standing = (await call(client, "briefing"))["open_turn"]
            assert not standing["yours"]
            for given in ({"say": "Please."}, {"say": "I wait.", "take_over": True}, {}):
                # The player is asked, whatever the game master says.
                assert (await refusal(client, "begin_turn", **given))["code"] == "turn_open"
            assert len(user.asked) == 3
            assert (await refusal(client, "finish_turn", narration="No."))["code"] == "turn_open"
            stolen = await refusal(client, "finish_turn", turn=standing["turn"], narration="No.")
            assert stolen["code"] == "lease_lost"
            user.waiting = [("end", "")]
            opened = await call(client, "begin_turn", say="I wait.")
            assert opened["abandoned"] == "Please."
            assert "Another game master" in user.asked[-1]
            assert (await call(client, "finish_turn", narration="So be it."))["version"] == 2

    asyncio.run(run())


def test_a_client_that_cannot_ask_passes_the_confirmation_on(tmp_path: Path) -> None:
    async def run() -> None:
        await leave_turn(tmp_path)
        async with connect(tmp_path, token=OTHER_TOKEN) as client:
            held = await refusal(client, "begin_turn", say="I wait.")
            assert (held["code"], "take_over" in held["hint"]) == ("turn_open", True)
            opened = await call(client, "begin_turn", say="I wait.", take_over=True)
            assert opened["abandoned"] == "Please."
            assert (await call(client, "finish_turn", narration="So be it."))["version"] == 2

    asyncio.run(run())
