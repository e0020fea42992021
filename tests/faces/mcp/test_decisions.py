"""Decisions belong to the player: the client's user is asked, or a session of the player answers."""

import asyncio
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, InputRequiredResult

from talewright.faces.mcp.table_app import TABLE_URI
from talewright.play.campaign_view import Viewer
from talewright.turn.inputs.player_inputs import Say
from tests.faces.mcp.app_host import APPS
from tests.faces.mcp.scripted_master import ScriptedMaster
from tests.faces.mcp.serving import MODERN, MODES, ROOT, PlayersAnswers, call, make_test_server, refusal
from tests.plays.scripts import PLAYS, read_play

SOLO = read_play(PLAYS / "20_solo_three_days.yaml")
TURNS = 7
"""After so many turns a check waits for the player."""


async def reach_check(saves: Path, game: str) -> str:
    """Tell a campaign until a check waits for the player."""
    async with Client(await make_test_server(saves, game), mode=MODERN) as client:
        started = await call(client, "start_campaign", operation_id="begin", language="en")
        master = ScriptedMaster(client, PlayersAnswers(), started["campaign"])
        await master.finish(await master.begin(Say(""), "turn-1"), "Three books lie open.")
        for number, turn in enumerate(SOLO.turns[1:TURNS], 2):
            done = await master.tell(turn, number)
    assert [one["id"] for one in done["decisions"]] == ["check"]
    return master.campaign


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Saves that no test may alter, and the campaign in which a check waits."""
    saves = tmp_path_factory.mktemp("saves")
    return saves, asyncio.run(reach_check(saves, "solo"))


@pytest.fixture
def waiting(told: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    """A copy of it."""
    shutil.copytree(told[0], tmp_path / "saves")
    return tmp_path / "saves", told[1]


@pytest.mark.parametrize("mode", MODES)
def test_the_user_of_the_client_is_asked(mode: str, waiting: tuple[Path, str]) -> None:
    saves, campaign = waiting

    async def run() -> None:
        user = PlayersAnswers()
        server = await make_test_server(saves, "solo")
        async with Client(server, mode=mode, elicitation_callback=user) as client:
            # They do not want to answer now, or answer something else: the decision waits.
            where = {"campaign": campaign, "operation_id": "mine"}
            for answers in ([], [("swim", "")]):
                user.waiting = answers
                assert (await refusal(client, "begin_turn", **where))["code"] == "decision_first"
            user.waiting = [("roll", "")]
            opened = await call(client, "begin_turn", **where)
            assert "Haul the ferry in" in user.asked[-1]
            assert "- Withdraw" in user.asked[-1]
            assert opened["said"] == "Roll"
            assert isinstance(opened["results"][0], dict)
            # The same call once more is the same turn, and nobody is asked again.
            user.waiting = [("withdraw", "")]
            again = await call(client, "begin_turn", **where)
            assert (again["turn"], again["results"]) == (opened["turn"], opened["results"])

    asyncio.run(run())


def test_an_answer_belongs_to_its_question(waiting: tuple[Path, str]) -> None:
    saves, campaign = waiting

    async def run() -> None:
        server = await make_test_server(saves, "solo")
        async with Client(server, elicitation_callback=PlayersAnswers()) as client:
            arguments = {"campaign": campaign, "operation_id": "mine"}
            session = client.session
            asked = await session.call_tool("begin_turn", arguments, allow_input_required=True)
            assert isinstance(asked, InputRequiredResult)
            answers: dict[str, Any] = {"decision": ElicitResult(action="accept", content={"option": "roll"})}
            # An answer that nobody was asked for only makes the server ask.
            unasked = await session.call_tool(
                "begin_turn", arguments, input_responses=answers, allow_input_required=True
            )
            assert isinstance(unasked, InputRequiredResult)
            # What the server has sealed is good for this call only, and cannot be forged.
            for state, given in (
                (asked.request_state, {**arguments, "operation_id": "other"}),
                ('["check", "forged"]', arguments),
            ):
                with pytest.raises(MCPError, match="requestState"):
                    await session.call_tool("begin_turn", given, input_responses=answers, request_state=state)
            # Another process that shares the token goes on.
            server = await make_test_server(saves, "solo")
            async with Client(server, elicitation_callback=PlayersAnswers()) as other:
                done = await other.session.call_tool(
                    "begin_turn", arguments, input_responses=answers, request_state=asked.request_state
                )
                assert not done.is_error
            assert (await call(client, "briefing", campaign=campaign))["version"] == TURNS

    asyncio.run(run())


def test_without_a_way_to_ask_the_master_passes_the_answer_on(waiting: tuple[Path, str]) -> None:
    saves, campaign = waiting

    async def run() -> None:
        async with Client(await make_test_server(saves, "solo")) as client:
            where = {"campaign": campaign, "operation_id": "mine"}
            waits = await refusal(client, "begin_turn", **where)
            assert (waits["code"], "with `answer`" in waits["hint"]) == ("decision_first", True)
            assert waits["hint"].endswith(OPTIONS)
            for name in ("say", "choose"):
                wrong = await refusal(client, "begin_turn", **{**where, name: "roll"})
                assert wrong["code"] == "decision_first"
            # Another option is answered with those that the decision has.
            wrong = await refusal(client, "begin_turn", answer={"option": "swim"}, **where)
            assert (wrong["code"], wrong["hint"]) == ("no_such_choice", OPTIONS)
            with pytest.raises(MCPError, match="there is no tool 'answer_decision'"):
                await client.call_tool("answer_decision", {**where, "decision": "check", "option": "roll"})
            opened = await call(client, "begin_turn", answer={"option": "roll"}, **where)
            assert opened["said"] == "Roll"
            await call(client, "finish_turn", campaign=campaign, narration="So it is.")
            (story,) = (await client.read_resource(f"talewright://{campaign}/story")).contents
            assert "passed on by the game master" in str(getattr(story, "text", ""))
            late = {"campaign": campaign, "operation_id": "other", "answer": {"option": "roll"}}
            assert (await refusal(client, "begin_turn", **late))["code"] == "no_such_decision"

    asyncio.run(run())


OPTIONS = (
    "The options are: `roll`, Roll; `roll_resist`, Roll, and spend 1 resist if it would cost a glitch "
    "(2\u00a0left); `contest`, Contest it, and say why; `withdraw`, Withdraw: do something else."
)


@pytest.mark.parametrize("mode", MODES)
def test_the_table_answers_with_a_tool_of_its_own(mode: str, waiting: tuple[Path, str]) -> None:
    saves, campaign = waiting
    given = {"campaign": campaign, "decision": "check", "option": "roll"}

    async def run() -> None:
        server = await make_test_server(saves, "solo")
        async with Client(server, mode=mode, extensions=[APPS]) as client:
            tools = {one.name: one for one in (await client.list_tools()).tools}
            assert tools["answer_decision"].meta == {"ui": {"visibility": ["app"]}}
            # The game master cannot pass an answer on here, nor forge one.
            relayed = await refusal(client, "begin_turn", campaign=campaign, answer={"option": "roll"})
            assert (relayed["code"], "show_table" in relayed["hint"]) == ("decision_first", True)
            for proof in ("", "0" * 32):
                forged = await refusal(client, "answer_decision", proof=proof, **given)
                assert forged["code"] == "player_decides"
            (document,) = (await client.read_resource(TABLE_URI)).contents
            (about,) = re.findall(r'id="about">(.*?)</script>', str(getattr(document, "text", "")))
            proof = json.loads(about)["proof"]
            wrong = await refusal(client, "answer_decision", **{**given, "option": "swim"}, proof=proof)
            assert wrong["hint"] == OPTIONS
            seen = await call(client, "answer_decision", operation_id="mine", proof=proof, **given)
            again = await call(client, "answer_decision", operation_id="mine", proof=proof, **given)
            assert seen == again
            assert seen["version"] == TURNS, "the game master narrates it"
            # The game master hears of it in words, and continues the turn.
            opened = await call(client, "begin_turn", campaign=campaign, say="Roll")
            assert (opened["said"], len(opened["results"])) == ("Roll", 1)
            await call(client, "finish_turn", campaign=campaign, narration="So it is.")
            (story,) = (await client.read_resource(f"talewright://{campaign}/story")).contents
            assert "passed on by the game master" not in str(getattr(story, "text", ""))

    asyncio.run(run())


def test_a_game_may_wait_for_the_player(tmp_path: Path) -> None:
    game = tmp_path / "waiting"
    shutil.copytree(ROOT / "games" / "solo", game)
    with (game / "game.yaml").open("a", encoding="utf-8") as file:
        file.write("\ndecisions: player\n")

    async def run() -> None:
        campaign = await reach_check(tmp_path / "saves", str(game))
        async with Client(await make_test_server(tmp_path / "saves", str(game))) as client:
            where = {"campaign": campaign, "operation_id": "mine"}
            wrong = await refusal(client, "begin_turn", answer={"option": "roll"}, **where)
            assert (wrong["code"], "--role player" in wrong["hint"]) == ("player_decides", True)
            player = await make_test_server(tmp_path / "saves", str(game), Viewer.PLAYER)
            async with Client(player) as companion:
                view = await call(companion, "view", campaign=campaign)
                assert [one["id"] for one in view["decisions"]] == ["check"]
                chosen = {"decision": "check", "option": "swim", "campaign": campaign}
                other = await refusal(companion, "answer_decision", **chosen)
                assert other["hint"].startswith("Open decisions: check with roll, ")
                done = await call(companion, "answer_decision", **{**chosen, "option": "roll"})
                assert done["view"]["version"] == TURNS + 1
                with pytest.raises(MCPError, match="there is no tool 'begin_turn'"):
                    await companion.call_tool("begin_turn", where)
            goes_on = {"campaign": campaign, "operation_id": "next", "say": "I go on."}
            assert (await call(client, "begin_turn", **goes_on))["said"] == "I go on."

    asyncio.run(run())
