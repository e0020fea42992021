"""Whole games that a scripted MCP client tells as game master; dice, state and proof are the engine's."""

import asyncio
from pathlib import Path

import pytest
from mcp import Client

from talewright.cli import main
from tests.faces.mcp.scripted_master import ScriptedMaster
from tests.faces.mcp.serving import MODES, PlayersAnswers, call, make_test_server
from tests.plays.scripts import PLAYS, read_play

SOLO = read_play(PLAYS / "20_solo_three_days.yaml")
SOLO_TURNS = 24


@pytest.mark.parametrize("mode", MODES)
def test_solo_with_a_contested_check(mode: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def play() -> str:
        user = PlayersAnswers()
        server = await make_test_server(tmp_path, "solo")
        async with Client(server, mode=mode, elicitation_callback=user) as client:
            started = await call(client, "start_campaign", operation_id="begin", language="en")
            master = ScriptedMaster(client, user, started["campaign"])
            for number, turn in enumerate(SOLO.turns[:SOLO_TURNS], 1):
                if not turn.replies:
                    opened = await master.begin(turn.given, f"turn-{number}")
                    done = await call(
                        client, "finish_turn", campaign=master.campaign, turn=opened, narration="Three books."
                    )
                else:
                    done = await master.tell(turn, number)
                expected = turn.expected
                assert done["version"] == number
                assert [one["id"] for one in done["decisions"]] == list(expected.decisions)
                for words, refused in zip((*expected.refused, *expected.mended), master.refused, strict=True):
                    assert words in refused
        return master.campaign

    campaign = asyncio.run(play())
    assert main(["verify", campaign, "--saves", str(tmp_path)]) == 0
    assert f"{SOLO_TURNS}" in capsys.readouterr().out
