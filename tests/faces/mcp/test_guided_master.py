"""A client that knows only what the server sends runs whole games, over stdio and over HTTP."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from talewright.cli import main
from tests.faces.mcp.guided_master import GuidedMaster, Refused
from tests.faces.mcp.serving import (
    LEGACY,
    MODERN,
    PlayersAnswers,
    environment,
    fixed_command,
    http_client,
    http_servers,
)
from tests.faces.mcp.test_all_games import PREMISE, RULES

pytestmark = [pytest.mark.process, pytest.mark.slow, pytest.mark.timeout(300)]

TURNS = 20
SOLO_TURNS_MAX = 30
STDIO, HTTP = "stdio", "http"
GO_TO = re.compile(r"Go to (.+)")
"""What a choice says that leads to another place."""


class AgreeingPlayer(PlayersAnswers):
    """The client's user, who takes the first option of every decision."""

    async def __call__(self, context: Any, params: Any) -> Any:
        option = params.requested_schema["properties"]["option"]
        first = option["enum"][0] if "enum" in option else option["oneOf"][0]["const"]
        self.waiting.append((first, ""))
        return await super().__call__(context, params)


@asynccontextmanager
async def connect(way: str, home: Path, user: PlayersAnswers) -> AsyncIterator[Client]:
    """A client of a server of all games, in a process of its own."""
    if way == STDIO:
        program, *options = fixed_command()
        server = StdioServerParameters(command=program, args=options, env=environment(home))
        async with Client(server, mode=LEGACY, elicitation_callback=user) as client:
            yield client
    else:
        with http_servers(home, count=1, fixed_dice=True) as servers:
            async with http_client(servers, MODERN, user) as (client, _):
                yield client


def run_guided(way: str, home: Path, play: Callable[[GuidedMaster], Awaitable[None]]) -> GuidedMaster:
    """Play with a guided master, and verify the campaign."""

    async def run() -> GuidedMaster:
        async with connect(way, home, AgreeingPlayer()) as client:
            master = GuidedMaster(client)
            await play(master)
            return master

    master = asyncio.run(run())
    assert main(["verify", master.known["campaign"], "--saves", str(home / "saves")]) == 0
    return master


def narrate(number: int) -> str:
    return f"So it goes, for the {number}. time, and the light moves on a little."


def pick_careful(choices: list[Mapping[str, Any]], number: int) -> Mapping[str, Any]:
    """A choice with the least risk."""
    careful = [one for one in choices if one.get("risk") in ("low", "")] or choices
    return careful[number % len(careful)]


def has_ended(done: Mapping[str, Any]) -> bool:
    """Whether the story is over."""
    return any((done.get("end") or {}).values())


async def give(master: GuidedMaster, briefing: Mapping[str, Any], number: int) -> Mapping[str, Any]:
    """Open a turn with a careful choice, or without words if there is none."""
    choices = briefing["choices"]
    if briefing["decisions"] or not choices:
        return dict(await master.begin())
    return dict(await master.begin(choose=pick_careful(choices, number)["id"]))


async def play_goblin_road(master: GuidedMaster) -> None:
    """Twenty turns with two fights, which last for as long as the dice want."""
    await master.start("Goblin Road")
    fights, is_fighting = 0, False
    for number in range(1, TURNS + 1):
        briefing = await master.read_briefing()
        if is_fighting:
            await master.begin(say="I attack whoever stands nearest.")
            try:
                await master.use("The player's turn in a fight")
            except Refused:
                is_fighting = False
        elif number in (4, 12) or (fights < 2 and number > 12):
            await master.begin(say="A goblin jumps out of the ditch at me!")
            enemy = next(one for one in list_templates(master) if "Goblin" in one)
            await master.use("Start a fight with enemies", enemies=[{"template": enemy}])
            fights, is_fighting = fights + 1, True
        else:
            await give(master, briefing, number)
        done = await master.finish(narrate(number))
        assert done["version"] == number
        assert not has_ended(done)
    assert fights == 2


def list_templates(master: GuidedMaster) -> list[str]:
    """Whom the rulebook knows, as the tool for fights lists them."""
    schema = master.tools[master.find("Start a fight with enemies")]
    templates: list[str] = schema["properties"]["enemies"]["items"]["properties"]["template"]["enum"]
    return templates


@pytest.mark.parametrize("way", [STDIO, HTTP])
def test_twenty_turns_of_goblin_road_with_two_fights(way: str, tmp_path: Path) -> None:
    run_guided(way, tmp_path, play_goblin_road)


async def play_dusty_tankard(master: GuidedMaster) -> None:
    """Twenty turns; every third one the player goes somewhere, and the tool for it is called."""
    await master.start("The Dusty Tankard")
    places: list[str] = []
    for number in range(1, TURNS + 1):
        briefing = await master.read_briefing()
        ways = [found[1] for one in briefing["choices"] if (found := GO_TO.fullmatch(one["label"]))]
        goes = number % 3 == 0 and ways and not briefing["decisions"]
        if goes:
            places.append(ways[number % len(ways)])
            await master.begin(say=f"Enough of this. What are they doing over in {places[-1]}?")
            assert await master.use("goes to another place", destination=places[-1])
        else:
            await give(master, briefing, number)
        done = await master.finish(narrate(number))
        assert done["version"] == number
        assert not has_ended(done)
        if goes:
            # No way leads to where one is.
            assert places[-1] not in {one["label"].removeprefix("Go to ") for one in done["choices"]}
    assert len(places) >= 4, places


@pytest.mark.parametrize("way", [STDIO, HTTP])
def test_twenty_turns_of_the_dusty_tankard_with_travel(way: str, tmp_path: Path) -> None:
    run_guided(way, tmp_path, play_dusty_tankard)


async def prepare(master: GuidedMaster) -> bool:
    """Try to end the preparation, and do what is missing; whether it is over."""
    ending = master.find("End the preparation")
    for _ in range(12):
        try:
            await master.call(ending)
            return True
        except Refused as refused:
            missing = refused.words.partition(": ")[2].partition(": ")[2] or refused.words
            for part in missing.split("; "):
                tool = next((one for one in master.of_game if f"({one}" in part), "")
                if not tool:
                    # The player must say something first.
                    return False
                await master.use_tool(tool, **read_wish(master, tool, part))
    raise AssertionError(master.refusals)


def read_wish(master: GuidedMaster, tool: str, words: str) -> dict[str, Any]:
    """Arguments that a refusal names: a section in backticks, or something that is true."""
    members = master.tools[tool]["properties"]
    section = re.search(r"section `([^`]+)`", words)
    wish: dict[str, Any] = {flag: True for flag in re.findall(r"(\w+): true", words) if flag in members}
    if section and "section" in members:
        operations = members["operation"]["enum"]
        wish |= {"operation": operations[1], "section": section[1], "content": "- Nobody is late."}
    return wish


async def play_solo(master: GuidedMaster) -> None:
    """The preparation in conversation, and then until the second morning."""
    await master.start("Solo")
    number, ready = 0, False
    while not ready:
        number += 1
        assert number < SOLO_TURNS_MAX, master.refusals
        words = {} if number == 1 else {"say": "Yes, that is the one. Go on."}
        await master.begin(**words)
        ready = number > 1 and await prepare(master)
        await master.finish(narrate(number))
    rolls, first = 0, await read_day(master)
    while await read_day(master) == first:
        number += 1
        assert number < SOLO_TURNS_MAX, master.refusals
        if (await master.read_briefing())["decisions"]:
            # The player decides, and the dice fall.
            await master.begin()
            rolls += 1
        elif number % 3:
            await master.begin()
            await master.use("Go on to the next segment of the day")
        else:
            await master.begin(say="I look around, and try the door.")
            await master.use("Propose a roll")
        await master.finish(narrate(number))
    assert rolls


async def read_day(master: GuidedMaster) -> int:
    """The day that the player's sheet shows."""
    sheet = (await master.call("sheet"))["sheet"]
    found = re.search(r"Day (\d+)", sheet)
    assert found, sheet
    return int(found[1])


@pytest.mark.parametrize("way", [STDIO, HTTP])
def test_the_setup_and_first_day_of_solo(way: str, tmp_path: Path) -> None:
    run_guided(way, tmp_path, play_solo)


async def play_pasted(master: GuidedMaster) -> None:
    """A game of pasted rules and a premise: its character, its dice, and a place that nobody has written."""
    await master.read_tools()
    pasted = {
        "title": "The Light",
        "language": "en",
        "premise": PREMISE,
        "rules": RULES,
        "place": "The jetty",
    }
    made = await master.call("create_game", **pasted)
    assert made["warnings"] == [], made
    await master.start("The Light")
    await master.begin()
    await master.finish(narrate(1))
    deeds = ("Take down the player's character", "Resolve a check", "Roll dice", "goes to another place")
    for number, words in enumerate(deeds, 2):
        await master.read_briefing()
        await master.begin(say="I do what there is to do.")
        given = {"name": "Ida"} if "character" in words else {}
        given |= {"destination": "the lamp room"} if "place" in words else {}
        await master.use(words, **given)
        done = await master.finish(narrate(number))
        assert done["version"] == number
    sheet = (await master.call("sheet"))["sheet"]
    assert "Ida" in sheet
    state = "\n".join(one["text"] for one in (await master.read_briefing())["sections"])
    assert "lamp room" in state.lower()


@pytest.mark.parametrize("way", [STDIO, HTTP])
def test_a_pasted_rulebook(way: str, tmp_path: Path) -> None:
    run_guided(way, tmp_path, play_pasted)
    assert (tmp_path / "games" / "the_light" / "System.md").is_file()
