"""The master's tools in one process: a refusal says what would be accepted."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from talewright.bootstrap import open_lobby
from talewright.cli import main
from talewright.faces.mcp import campaign_resources
from talewright.play.campaign_view import Viewer
from tests.faces.mcp.serving import call, make_test_server, refusal

GAME = "chapel_watch"


async def start(client: Client, operation: str = "begin") -> str:
    return str((await call(client, "start_campaign", operation_id=operation, language="en"))["campaign"])


async def tell(client: Client, campaign: str, operation: str, **given: Any) -> Any:
    opened = await call(client, "begin_turn", campaign=campaign, operation_id=operation, **given)
    return await call(client, "finish_turn", campaign=campaign, turn=opened["turn"], narration="It is dark.")


def test_refusals_say_what_would_be_accepted(tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(await make_test_server(tmp_path, GAME)) as client:
            campaign = await start(client)
            where = {"campaign": campaign, "operation_id": "one"}
            early = await refusal(client, "begin_turn", say="I wait.", **where)
            assert "begin its first turn without `say`" in early["hint"]
            both = await refusal(client, "begin_turn", say="I wait.", choose="path", **where)
            assert both["message"] == "a turn begins with only one of `say`, `choose` and `answer`"
            unknown = await refusal(client, "begin_turn", speak="I wait.", **where)
            assert unknown["message"].startswith(
                "`begin_turn` has no 'speak'; it takes campaign, operation_id"
            )
            assert "`finish_turn` needs `narration`" in (await refusal(client, "finish_turn"))["message"]
            (content,) = (await client.call_tool("briefing", {"campaign": campaign})).content
            assert content.type == "text"
            assert content.annotations is not None, "a player must not read it"
            assert content.annotations.audience == ["assistant"]
            await tell(client, campaign, "opening")
            wrong = await refusal(client, "begin_turn", campaign=campaign, operation_id="two", choose="fly")
            assert (wrong["code"], wrong["hint"][:16]) == ("no_such_choice", "The choices are ")
            again = await refusal(client, "begin_turn", campaign=campaign, operation_id="opening")
            assert again["hint"] == "Take a new id for a new turn."
            handle = {"campaign": campaign, "turn": "bm8gaGFuZGxl"}
            assert (await refusal(client, "attempt", **handle))["code"] == "lease_lost"
            assert (await refusal(client, "attempt", campaign=campaign))["message"] == "no turn is open"
            with pytest.raises(MCPError, match="there is no tool 'say'; there are start_campaign"):
                await client.call_tool("say", {})
            for uri in ("talewright://x", f"talewright://{campaign}/secrets", "file:///etc/passwd"):
                with pytest.raises(MCPError, match="there is no such resource; there are"):
                    await client.read_resource(uri)
            with pytest.raises(MCPError, match="there are begin, go_on, recap"):
                await client.get_prompt("cheat")
            nested: Any = []
            for _ in range(200):
                nested = [nested]
            deep = await refusal(client, "propose_updates", updates=nested, **handle)
            assert deep["code"] in ("not_wanted", "lease_lost")

    asyncio.run(run())


def test_of_six_calls_that_finish_a_turn_at_once_one_does(tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(await make_test_server(tmp_path, GAME)) as client:
            campaign = await start(client)
            opened = await call(client, "begin_turn", campaign=campaign, operation_id="one")
            where = {"campaign": campaign, "turn": opened["turn"]}
            told = [call(client, "finish_turn", **where, narration=f"Number {one}.") for one in range(6)]
            results = await asyncio.gather(*told)
            assert [one["repeated"] for one in results].count(False) == 1
            assert len({one["commit"] for one in results}) == 1
            again = await refusal(client, "begin_turn", campaign=campaign, operation_id="one")
            assert results[0]["commit"] in again["message"]

    asyncio.run(run())


def test_an_abandoned_roll_counts_in_the_next_process(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skill = {"skill": "persuasion", "difficulty": "hard"}

    async def look(campaign: str, operation: str, end: str = "abandon_turn", **words: str) -> Any:
        async with Client(await make_test_server(tmp_path, GAME)) as client:
            given = {"operation_id": operation, "say": "Please."}
            opened = await call(client, "begin_turn", campaign=campaign, **given)
            where = {"campaign": campaign, "turn": opened["turn"]}
            drawn = (await call(client, "attempt", **where, **skill))["result"]["rand"]
            await call(client, end, **where, **words)
            return drawn

    async def run() -> str:
        async with Client(await make_test_server(tmp_path, GAME)) as client:
            campaign = await start(client)
            await tell(client, campaign, "opening")
        seen = await look(campaign, "one")
        async with Client(await make_test_server(tmp_path, GAME)) as client:
            await tell(client, campaign, "filler", say="I wait.")
            opened = await call(client, "begin_turn", campaign=campaign, operation_id="two", say="Please.")
            where = {"campaign": campaign, "turn": opened["turn"]}
            easier = await refusal(client, "attempt", **where, skill="persuasion", difficulty="easy")
            assert '{"difficulty": "hard"}' in easier["message"]
            await call(client, "abandon_turn", **where)
        assert await look(campaign, "three") == seen
        assert await look(campaign, "four", "finish_turn", narration="So be it.") == seen
        return campaign

    campaign = asyncio.run(run())
    assert main(["verify", campaign, "--saves", str(tmp_path)]) == 0, capsys.readouterr().out


def test_a_server_serves_one_game_or_one_campaign(tmp_path: Path) -> None:
    async def run() -> None:
        lobby = open_lobby(tmp_path, git=False, language="en")
        for name, game in (("ours", GAME), ("another", GAME), ("foreign", "mist_harbor")):
            await (await lobby.begin(game, "en", name, role=Viewer.MASTER)).close()
        async with Client(await make_test_server(tmp_path, GAME)) as client:
            listed = await call(client, "list_campaigns")
            assert {one["campaign"] for one in listed["campaigns"]} == {"ours", "another"}
            assert (await refusal(client, "briefing", campaign="foreign"))["code"] == "campaign_foreign"
            assert (await refusal(client, "briefing", campaign="nothing"))["code"] == "campaign_unknown"
            assert (await refusal(client, "briefing", campaign="../ours"))["code"] == "campaign_unknown"
        async with Client(await make_test_server(tmp_path, campaign="ours")) as client:
            assert "start_campaign" not in {tool.name for tool in (await client.list_tools()).tools}
            listed = await call(client, "list_campaigns")
            assert [one["campaign"] for one in listed["campaigns"]] == ["ours"]
            assert (await refusal(client, "briefing", campaign="another"))["code"] == "campaign_foreign"
            await tell(client, "ours", "opening")

    asyncio.run(run())


def test_campaigns_that_are_not_used_are_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("talewright.play.serving.session_pool.SESSIONS_MAX", 1)

    async def run() -> None:
        async with Client(await make_test_server(tmp_path, GAME)) as client:
            campaigns = [await start(client, f"begin-{number}") for number in range(3)]
            for campaign in (*campaigns, *campaigns):
                assert (await call(client, "briefing", campaign=campaign))["campaign"] == campaign

    asyncio.run(run())


def test_a_master_looks_back_and_goes_back(tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(await make_test_server(tmp_path, GAME)) as client:
            campaign = await start(client)
            for operation, given in (("one", {}), ("two", {"say": "I wait."}), ("three", {"say": "I go."})):
                await tell(client, campaign, operation, **given)
            story = await call(client, "story", campaign=campaign)
            said = [(one["version"], one["said"]) for one in story["turns"]]
            assert said == [(1, ""), (2, "I wait."), (3, "I go.")]
            assert all(one["narration"].endswith("It is dark.") for one in story["turns"])
            sheet = (await call(client, "sheet", campaign=campaign))["sheet"]
            assert sheet.startswith("# Chapel Watch\n")
            seen = await open_lobby(tmp_path, git=False, language="en").open(campaign)
            view = await seen.view()
            await seen.close()
            for card in view.cards:
                assert f"## {card.label}" in sheet
            assert (await refusal(client, "undo", campaign=campaign, version=9))["hint"] == "Give 1 to 3."
            # A turn that is open stays behind: it does not hold up the next one.
            left = await call(client, "begin_turn", campaign=campaign, operation_id="open", say="I knock.")
            known = await call(client, "briefing", campaign=campaign, since=2)
            assert len(set(known["unchanged"])) == len(known["unchanged"])
            assert not any(name.startswith("turn") for name in known["unchanged"])
            for _ in range(2):
                gone = await call(client, "undo", campaign=campaign, version=1)
                assert gone == {"version": 1, "narration": (await narrations(client, campaign))[-1]}
            # What was read of the turns that are gone is as good as nothing.
            again = await call(client, "briefing", campaign=campaign, since=3)
            assert again == await call(client, "briefing", campaign=campaign)
            assert "asked" not in {one["name"] for one in again["sections"]}, "nobody has said anything"
            late = {"campaign": campaign, "turn": left["turn"]}
            assert (await refusal(client, "finish_turn", **late, narration="Nobody."))["code"]
            assert (await tell(client, campaign, "four", say="I stay."))["version"] == 2

    asyncio.run(run())


async def narrations(client: Client, campaign: str) -> list[str]:
    return [one["narration"] for one in (await call(client, "story", campaign=campaign))["turns"]]


@pytest.mark.parametrize("role", [Viewer.MASTER, Viewer.PLAYER])
def test_the_recap_contains_the_story(role: Viewer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with Client(await make_test_server(tmp_path, GAME)) as client:
            campaign = await start(client)
            for number in range(1, 4):
                given = {"say": f"I wait {number}."} if number > 1 else {}
                await tell(client, campaign, f"turn-{number}", **given)
        async with Client(await make_test_server(tmp_path, GAME, role)) as client:
            recap = await read_recap(client)
            for words in (campaign, "I wait 2.", "I wait 3.", "It is dark."):
                assert words in recap
            assert "talewright://" not in recap, "nothing is left to read"
            monkeypatch.setattr(campaign_resources, "RECAP_LENGTH_MAX", 20)
            short = await read_recap(client)
            assert "(from turn 3)" in short
            assert "I wait 3." in short
            assert "I wait 2." not in short
            with pytest.raises(MCPError, match="there is no campaign"):
                await client.get_prompt("recap", {"campaign": "nothing"})

    asyncio.run(run())


async def read_recap(client: Client) -> str:
    (message,) = (await client.get_prompt("recap")).messages
    return str(getattr(message.content, "text", ""))


def test_a_branch_that_a_player_makes_is_followed(tmp_path: Path) -> None:
    async def run() -> None:
        async with Client(await make_test_server(tmp_path, GAME)) as client:
            campaign = await start(client)
            for operation, given in (("one", {}), ("two", {"say": "I wait."})):
                await tell(client, campaign, operation, **given)
            player = await open_lobby(tmp_path, git=False, language="en").open(campaign)
            first = (await player.past.turns(2))[0]
            await player.fork(first.commit, "otherwise")
            await player.close()
            assert (await call(client, "briefing", campaign=campaign))["version"] == 1
            assert (await tell(client, campaign, "three", say="I go."))["version"] == 2

    asyncio.run(run())
