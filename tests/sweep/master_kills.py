"""Master kills: servers of a game master are killed at every point of a turn, and none blocks the next one.

The next client is a new one: it has neither the handle nor an id, only what the server says. The turn is
continued or begun again, and the campaign can be verified.
"""

import asyncio
import os
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp import Client

from talewright.bootstrap import open_lobby
from talewright.crashpoints import set_hook
from talewright.play.verify.campaign_verification import verify
from tests.faces.mcp.serving import call, make_test_server
from tests.sweep.parts import Progress
from tests.sweep.short_lives import kill

FULL_COUNT = 200
CHUNK = 20

GAME = "chapel_watch"
SAID = "I tell the guard the abbey sent me."
OTHER = "I sit down on the step."
NARRATION = "Gravel, and a stool that creaks."
LATER = "The rain goes on."

QUICK_FOLDER = Path("/dev/shm")


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Kill that many servers, and connect again."""
    return kill_masters(count, seed, progress)["kills"]


def kill_masters(count: int, seed: int, progress: Progress | None = None) -> Counter[str]:
    """Kill that many servers; what the next client met."""
    tally: Counter[str] = Counter()
    folder = QUICK_FOLDER if QUICK_FOLDER.is_dir() else None
    with tempfile.TemporaryDirectory(dir=folder) as place:
        prepared = Path(place) / "prepared"
        asyncio.run(prepare(prepared))
        passings = count_passings(prepared, Path(place) / "straight")
        rng = random.Random(seed)
        # Every point once, as long as there are kills, then any of them.
        points = rng.sample(range(1, passings + 1), min(count, passings))
        points += [rng.randint(1, passings) for _ in range(count - len(points))]
        for number, at in enumerate(points):
            saves = Path(place) / str(number)
            shutil.copytree(prepared, saves)
            way = WAYS[number % len(WAYS)]
            try:
                die_at(saves, at)
                tally[asyncio.run(reconnect(saves, way))] += 1
            except Exception as error:
                raise AssertionError(f"seed {seed}, kill {number}, point {at}, {way.__name__}") from error
            shutil.rmtree(saves)
            tally["kills"] += 1
            if progress:
                progress(number + 1)
    return tally


async def connect(saves: Path, act: Callable[[Client], Awaitable[Any]]) -> Any:
    """Do something as a new client of a new server."""
    async with Client(await make_test_server(saves, GAME)) as client:
        return await act(client)


async def prepare(saves: Path) -> None:
    """A campaign with its opening."""

    async def act(client: Client) -> None:
        await call(client, "start_campaign", language="en")
        await call(client, "begin_turn")
        await call(client, "finish_turn", narration="It is dark.")

    await connect(saves, act)


async def narrate(client: Client) -> None:
    """The turn in which servers are killed."""
    await call(client, "briefing")
    await call(client, "begin_turn", say=SAID)
    await call(client, "attempt", skill="persuasion", difficulty="hard")
    await call(client, "finish_turn", narration=NARRATION, facts=["The abbey sent someone."])


def count_passings(prepared: Path, saves: Path) -> int:
    """How many points a turn passes that nobody kills."""
    shutil.copytree(prepared, saves)
    passed: list[str] = []
    set_hook(passed.append)
    try:
        asyncio.run(connect(saves, narrate))
    finally:
        set_hook(None)
    return len(passed)


def die_at(saves: Path, at: int) -> None:
    """Let a server live in a process of its own until it has passed so many points."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    left = at

    def strike(point: str) -> None:
        nonlocal left
        left -= 1
        if not left:
            kill()

    try:
        set_hook(strike)
        asyncio.run(connect(saves, narrate))
    finally:
        os._exit(0)


async def reconnect(saves: Path, way: Callable[[Client], Awaitable[str]]) -> str:
    """Narrate a turn as a new client, whatever was left; what it met."""

    async def act(client: Client) -> str:
        before = (await call(client, "briefing"))["version"]
        assert before in (1, 2)
        met = await way(client)
        after = await call(client, "briefing")
        assert "open_turn" not in after
        # The turn that had its narration is finished first.
        assert before < after["version"] <= 3
        await call(client, "begin_turn", say=OTHER)
        assert (await call(client, "finish_turn", narration=LATER))["version"] == after["version"] + 1
        return met

    met: str = await connect(saves, act)
    lobby = open_lobby(saves, git=False, language="en")
    (info,) = await lobby.campaigns()
    book = await lobby.store.open(info.name)
    report = await verify(book, editions=lobby.shelf, secret=await book.secret())
    await book.close()
    assert report.good, report.violations
    return met


async def follow_briefing(client: Client) -> str:
    """Do what the briefing says: continue an open turn, or begin it again."""
    standing = (await call(client, "briefing")).get("open_turn")
    given = {} if standing else {"say": SAID}
    opened = await client.call_tool("begin_turn", given)
    if opened.is_error:
        # It had its narration, and is finished now.
        return "finished"
    await call(client, "finish_turn", narration=NARRATION)
    return "continued" if standing else "begun again"


async def say_again(client: Client) -> str:
    """Say the same again, without a look at the briefing."""
    opened = await client.call_tool("begin_turn", {"say": SAID})
    if opened.is_error:
        return "finished"
    rounds = (opened.structured_content or {})["rounds"]
    await call(client, "finish_turn", narration=NARRATION)
    return "continued" if rounds else "begun again"


async def say_something_else(client: Client) -> str:
    """Say something else, without a look at the briefing."""
    opened = await call(client, "begin_turn", say=OTHER)
    await call(client, "finish_turn", narration=LATER)
    return "abandoned" if "abandoned" in opened else "begun"


async def finish_blindly(client: Client) -> str:
    """Finish whatever is open."""
    done = await client.call_tool("finish_turn", {"narration": NARRATION})
    if not done.is_error:
        return "finished"
    await call(client, "begin_turn", say=SAID)
    await call(client, "finish_turn", narration=NARRATION)
    return "begun again"


WAYS = (follow_briefing, say_again, say_something_else, finish_blindly)
