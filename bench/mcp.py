"""A turn told over MCP, less its calls on the session, and less the same calls to empty tools of the SDK.

Everything runs in this process. The calls on the session are timed within the turn, so that no two long times
are compared. The empty tools have the same schemas and give the same answers, and each is called after the
same call on another session: a processor that has just judged a turn has forgotten the SDK. So what the SDK
and its client do cancels out, and the work of our face is left. The first request is measured with processes,
beside the import of the SDK and the first choices of a game.
"""

import asyncio
import inspect
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TypeAlias

import mcp_types as types
from mcp import Client
from mcp.server import Server

from bench.figures import Timings, at_most, report
from bench.start import GAME, ROOT, run_out, wait_for
from talewright.bootstrap import open_lobby
from talewright.bootstrap.mcp_launcher import McpCommandOptions, find_token, open_server
from talewright.play.campaign_view import Viewer
from talewright.play.master_desk import OutsideTurnView, ProposedCall
from talewright.play.session import Stamp
from talewright.play.sessions.store_master import StoreMasterDesk
from talewright.play.sessions.store_session import StoreSession

ROUNDS = 9
TURNS = 5
"""Turns of each way in one round."""

FIRST_ROUNDS = 5
TURN_MILLISECONDS_MAX = 2.0
FIRST_RATIO_MAX = 1.2
NARRATION = "Behind the door the fog speaks. " * 20
UPDATES: Mapping[str, Any] = {"updates": [{"op": "inc", "path": "gold", "value": 1, "reason": "found"}]}
SAID = "I listen at the door."

Answers: TypeAlias = dict[str, types.CallToolResult]


Step: TypeAlias = tuple[str, Mapping[str, Any]]


def list_steps(operation: str, said: str) -> tuple[Step, ...]:
    """The calls of one turn: begin it, propose a change, tell it."""
    return (
        ("begin_turn", {"operation_id": operation, "say": said}),
        ("propose_updates", UPDATES),
        ("finish_turn", {"narration": NARRATION}),
    )


async def tell_by_mcp(client: Client, campaign: str, operation: str, said: str = SAID) -> Answers:
    """One turn over MCP; what was answered."""
    where: dict[str, Any] = {"campaign": campaign}
    answers: Answers = {}
    for name, arguments in list_steps(operation, said):
        answers[name] = result = await client.call_tool(name, {**where, **arguments})
        assert not result.is_error, result
        where["turn"] = where.get("turn") or result.structured_content["turn"]
    return answers


async def tell_apart(session: StoreSession, empty: Client, operation: str, said: str = SAID) -> float:
    """The same calls on a session, each followed by one to an empty tool; the seconds of the latter."""
    where: dict[str, Any] = {"campaign": "none"}
    seconds = 0.0
    for name, arguments in list_steps(operation, said):
        where["turn"] = await call_session(session, name, where.get("turn", ""), operation, said)
        start = process_time()
        await empty.call_tool(name, {**where, **arguments})
        seconds += process_time() - start
    return seconds


async def call_session(session: StoreSession, name: str, handle: str, operation: str, said: str) -> str:
    """What a tool calls on a session; the handle of the turn."""
    desk = session.master
    await session.follow()
    match name:
        case "begin_turn":
            await session.view()
            opened = await desk.begin(said, Stamp(operation))
            assert isinstance(opened, OutsideTurnView)
            return opened.handle
        case "propose_updates":
            await desk.propose(handle, (ProposedCall(name, UPDATES),))
        case _:
            await desk.finish(handle, NARRATION)
            await desk.turns.afterwards.rest()
            await session.view()
    return handle


class Timed:
    """A lobby, a session or a desk whose async calls are timed."""

    def __init__(self, inner: Any, clock: "CallClock") -> None:
        self._inner = inner
        self._clock = clock

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name == "master":
            return Timed(found, self._clock)
        return partial(self._call, found) if inspect.iscoroutinefunction(found) else found

    async def _call(self, method: Callable[..., Awaitable[Any]], *arguments: Any, **named: Any) -> Any:
        start = process_time()
        result = await method(*arguments, **named)
        if isinstance(self._inner, StoreMasterDesk):
            # The work that follows a turn is the session's, too.
            await self._inner.turns.afterwards.rest()
        self._clock.seconds += process_time() - start
        return Timed(result, self._clock) if isinstance(result, StoreSession) else result


@dataclass
class CallClock:
    """The CPU that calls on a session have taken."""

    seconds: float = 0.0

    def take(self) -> float:
        """What has been added since the last time."""
        seconds, self.seconds = self.seconds, 0.0
        return seconds


def make_empty_server(tools: list[types.Tool], answers: Answers) -> Server[Any]:
    """A server of the SDK whose tools do nothing, and give these answers."""

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        return answers[params.name]

    return Server("empty", on_list_tools=list_tools, on_call_tool=call_tool)


async def measure_turns(folder: Path) -> list[float]:
    """Milliseconds of CPU in a turn beyond the session and the SDK, one figure a round."""
    clock = CallClock()
    async with AsyncExitStack() as stack:
        lobby: Any = Timed(open_lobby(folder, git=False, language="en"), clock)
        asked = McpCommandOptions(role=Viewer.MASTER, saves=folder, game=GAME, git=False)
        server = await open_server(lobby, asked, find_token({"TALEWRIGHT_TOKEN": "bench-0123456789abcdef"}))
        client = await stack.enter_async_context(Client(server))
        tools = (await client.list_tools()).tools
        started = await client.call_tool("start_campaign", {"operation_id": "bench", "language": "en"})
        campaign = started.structured_content["campaign"]
        answers = await tell_by_mcp(client, campaign, "opening", "")
        empty = await stack.enter_async_context(Client(make_empty_server(tools, answers)))
        await empty.list_tools()
        session = await open_lobby(folder, git=False).begin(GAME, "en", "apart", role=Viewer.MASTER)
        await tell_apart(session, empty, "opening", "")
        rounds: list[dict[str, float]] = []
        for number in range(ROUNDS):
            clock.take()
            whole = bare = 0.0
            for turn in range(TURNS):
                start = process_time()
                await tell_by_mcp(client, campaign, f"turn-{number}-{turn}")
                whole += process_time() - start
                bare += await tell_apart(session, empty, f"turn-{number}-{turn}")
            seconds = {"whole turn": whole, "on the session": clock.take(), "to empty tools": bare}
            rounds.append({name: one * 1000 / TURNS for name, one in seconds.items()})
        await session.close()
    for name in rounds[0]:
        print(f"  {name}: {statistics.median(one[name] for one in rounds):.2f} ms of CPU a turn")
    return [one["whole turn"] - one["on the session"] - one["to empty tools"] for one in rounds]


def ask_first(command: tuple[str, ...], environment: dict[str, str]) -> float:
    """Seconds until a server over stdio has answered its first request."""
    meta = {types.PROTOCOL_VERSION_META_KEY: "2026-07-28", types.CLIENT_CAPABILITIES_META_KEY: {}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}
    start = perf_counter()
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        taken = perf_counter() - start
        process.communicate()
    assert answer["result"]["tools"], answer
    return taken


def measure_first_request(folder: Path) -> Timings:
    """Processes: the first request, the import of the SDK, and the first choices."""
    environment = {
        **{key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"},
        "TALEWRIGHT_HOME": str(folder / "home"),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "PYTHONPATH": str(ROOT / "src"),
    }
    talewright = (sys.executable, "-m", "talewright")
    play = (*talewright, "play", GAME, "--language", "en", "--no-git", "--new")
    cases: dict[str, Callable[[], float]] = {
        "first request": partial(ask_first, (*talewright, "mcp", "--game", GAME, "--no-git"), environment),
        "import mcp": partial(run_out, (sys.executable, "-c", "import mcp"), environment),
        "first choices": partial(wait_for, "1. ", play, environment),
    }
    for case in cases.values():
        # The first round writes the bytecode and the compiled game, and is not counted.
        case()
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(FIRST_ROUNDS):
        for name, case in cases.items():
            seconds[name].append(case())
    return Timings(seconds)


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        beyond = asyncio.run(measure_turns(Path(name) / "saves"))
        first = measure_first_request(Path(name))
    for case in first.seconds:
        print(f"  {case}: {1000 * first.median(case):.0f} ms")
    sums = zip(first.seconds["import mcp"], first.seconds["first choices"], strict=True)
    pairs = zip(first.seconds["first request"], map(sum, sums), strict=True)
    ratio = statistics.median(one / both for one, both in pairs)
    return report(
        [
            at_most("mcp_turn_cpu_ms", statistics.median(beyond), TURN_MILLISECONDS_MAX),
            at_most("mcp_first_request_vs_import_and_choices", ratio, FIRST_RATIO_MAX),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
