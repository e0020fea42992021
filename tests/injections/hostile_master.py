"""A hostile game master at the tools of the MCP server: calls in any order, with any handle, full of poison.

Each sequence has two campaigns of its own, a third that it may not touch, and a second master whose handles
it has got hold of. After every call the records say whether anything happened that the call may not do.
"""

import asyncio
import json
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from mcp.shared.exceptions import MCPError
from mcp_types import CallToolRequestParams, CallToolResult

from talewright.chronicle.records import Commit
from talewright.play.campaign_view import Viewer
from talewright.play.error_codes import ENGINE_ERROR
from talewright.play.export.campaign_story import tell_story
from talewright.play.export.markdown_story import to_markdown
from talewright.play.history.campaign_history import read_history
from talewright.play.sessions.news_watch import NewsWatch
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.play.verify.campaign_replay import replay
from talewright.play.verify.campaign_verification import verify
from talewright.turn.game_editions import Edition
from talewright.turn.records.commit_body import OUTSIDE, read_body
from talewright.turn.steps.recalling import recall
from tests.injections.obedience import HARMLESS
from tests.injections.outside_attacks import (
    BROKEN,
    SAID,
    Attack,
    Poisoner,
    find_decided,
    hide_inn,
    make_attacked_inn,
)
from tests.injections.referee import find_offences
from tests.injections.tool_callers import NO_USER, Reach, ToolCaller, make_service, reach_directly, text_of
from tests.injections.watching import Received
from tests.play.making import make_lobby
from tests.play.scenes import room

CALLS = 12
"""In one sequence, besides those that get a turn told at all."""

FOREIGN = "test-1"
"""A campaign of another game."""

FAR_SECONDS = 7_200
"""Longer than any turn is held open."""

GUIDING = re.compile(
    "must be|needs|it takes|there (is|are)|only one of|fewer words|other words|Say something|"
    "waits for the player|tell|give"
)
"""What a refusal says that has no hint of its own: what would be accepted."""

GAME_TOOLS = ("listen", "engrave", "whisper", "wager", "cast", "ask", "propose_updates", "end_game")


class Clock:
    """Moves by a second whenever it is looked at, and far when told."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> str:
        self.moment += timedelta(seconds=1)
        return self.moment.isoformat().replace("+00:00", "Z")

    def leap(self) -> None:
        """Let every open turn expire."""
        self.moment += timedelta(seconds=FAR_SECONDS)


@dataclass
class Siege(Attack):
    """What came of one sequence of calls."""

    calls: int = 0
    codes: set[str] = field(default_factory=set)
    """Of the refusals."""


@dataclass
class Handles:
    """Every handle that a master has seen."""

    open: dict[str, str] = field(default_factory=dict)
    """By campaign."""

    old: list[str] = field(default_factory=list)


class HostileMaster:
    """Calls tools in any order."""

    def __init__(
        self, lobby: StoreLobby, service: ToolCaller, stranger: ToolCaller, rng: random.Random, siege: Siege
    ) -> None:
        self._lobby, self._service, self._stranger = lobby, service, stranger
        self._rng = rng
        self.siege = siege
        self.poisoner = Poisoner(rng, make_attacked_inn(), siege)
        self.handles = Handles()
        self.campaigns: list[str] = []
        self._operations: list[str] = ["op"]

    async def begin_campaigns(self) -> None:
        """Two campaigns, each asked for twice."""
        for operation in ("one", "two"):
            made = [await self.call("start_campaign", {"operation_id": operation}) for _ in range(2)]
            names = {str(self._data(one)["campaign"]) for one in made}
            assert len(names) == 1, names
            self.campaigns += names
        assert len(set(self.campaigns)) == 2, self.campaigns
        for campaign in self.campaigns:
            await self.tell(campaign, "")

    async def tell(self, campaign: str, said: str = SAID, words: str = "") -> None:
        """Tell a turn as one should, with a wager on some words; a decision may be in the way."""
        operation, given = self._new_operation(), {"say": said} if said else {}
        await self._begin(campaign, operation, given)
        handle = self.handles.open.get(campaign)
        if handle is not None:
            where = {"campaign": campaign, "turn": handle}
            if words:
                await self.call("wager", {**where, "words": words})
            done = await self.call("finish_turn", {**where, "narration": HARMLESS})
            self.siege.told += done is not None and not done.is_error
            if self._rng.random() < 0.3:
                # The same once more, although it is finished.
                await self._begin(campaign, operation, given)

    async def attack(self) -> None:
        """One call, or a few that belong together."""
        rng, poison = self._rng, self.poisoner
        campaign, handle = self._campaign(), self._handle()
        where = {"campaign": campaign, "turn": handle}
        match rng.randrange(12):
            case 0:
                await self._begin(campaign, self._operation(), self._input())
            case 1 | 2 | 3:
                name = rng.choice(GAME_TOOLS) if rng.random() < 0.95 else poison.words("tool name")
                arguments = cast(Mapping[str, Any], poison.arguments(name))
                await self.call(name, self._spoil({**arguments, **where}))
            case 4 | 5:
                await self.call("finish_turn", self._spoil({**where, **self._telling()}))
            case 6:
                for _ in range(2):
                    await self.call("finish_turn", {**where, "narration": HARMLESS})
            case 7:
                await self.call("abandon_turn", self._spoil(where))
            case 8:
                summary = {"campaign": campaign, "summary": poison.words("summary")}
                await self.call("submit_summary", self._spoil(summary))
                answer = {"campaign": campaign, "system": "oracle", "id": "rumour"}
                await self.call("submit_answer", self._spoil({**answer, "answer": poison.words("handed in")}))
            case 9:
                since = rng.choice((-1, 0, 1, 10**9, -(10**9)))
                await self.call("briefing", self._spoil({"campaign": campaign, "since": since}))
            case 10:
                await self.tell(rng.choice(self.campaigns))
            case _:
                # A decision of the player, and an answer to it that is none.
                campaign = rng.choice(self.campaigns)
                await self.tell(campaign, words="the colour of the heron")
                await self._begin(campaign, self._new_operation(), self._input())

    async def call(
        self, name: str, arguments: Mapping[str, Any], service: ToolCaller | None = None
    ) -> CallToolResult | None:
        """One call; afterwards only what it may change has changed."""
        siege = self.siege
        siege.calls += 1
        before = await self._count()
        try:
            params = CallToolRequestParams.model_construct(name=name, arguments=dict(arguments))
            result = await (service or self._service).call(NO_USER, params)
        except MCPError as error:
            if not GUIDING.search(str(error)):
                siege.errors.append(f"{name}: {error}")
            result = None
        except Exception as error:
            siege.errors.append(f"{name}: {type(error).__name__}: {str(error)[:200]}")
            result = None
        assert result is None or isinstance(result, CallToolResult)
        await self._examine(name, arguments, result, before)
        return result

    async def _examine(
        self, name: str, arguments: Mapping[str, Any], result: CallToolResult | None, before: dict[str, int]
    ) -> None:
        siege, refused = self.siege, result is None or result.is_error
        more = {one: n - before.get(one, 0) for one, n in (await self._count()).items()}
        grown = {one: n for one, n in more.items() if n}
        allowed = {str(arguments.get("campaign")): 1} if name == "finish_turn" and not refused else {}
        if name == "start_campaign" and not refused:
            allowed = dict.fromkeys((one for one in grown if one not in before), 1)
        if any(n > allowed.get(one, 0) for one, n in grown.items()):
            siege.offences.append(f"{name} has changed {grown}")
        if result is None or not result.is_error:
            return
        siege.refused += 1
        error = json.loads(text_of(result))["error"]
        if error["code"] == ENGINE_ERROR or not (error["hint"] or GUIDING.search(error["message"])):
            siege.errors.append(f"{name}: {error}")
        siege.codes.add(error["code"])

    async def _count(self) -> dict[str, int]:
        """How many turns each campaign has."""
        counts = {}
        for one in await self._lobby.campaigns():
            book = await self._lobby.store.open(one.name)
            counts[one.name] = (await book.look()).sequence + 1
        return counts

    async def _begin(self, campaign: Any, operation: Any, given: Mapping[str, Any]) -> None:
        arguments = {"campaign": campaign, "operation_id": operation, **given}
        # Sometimes another master comes first; then its handle is known.
        stranger = self._stranger if self._rng.random() < 0.1 else None
        result = await self.call("begin_turn", arguments, stranger)
        if result is None or result.is_error:
            return
        handle = str(self._data(result)["turn"])
        if stranger is None:
            self.handles.open[campaign] = handle
        self.handles.old.append(handle)

    def _data(self, result: CallToolResult | None) -> Mapping[str, Any]:
        assert result is not None
        assert not result.is_error, text_of(result)
        return cast(Mapping[str, Any], result.structured_content)

    def _new_operation(self) -> str:
        self._operations.append(f"op-{len(self._operations)}")
        return self._operations[-1]

    def _operation(self) -> str:
        rng = self._rng
        if rng.random() < 0.5:
            return self._new_operation()
        return rng.choice(self._operations) if rng.random() < 0.7 else self.poisoner.words("operation")

    def _campaign(self) -> str:
        rng = self._rng
        if rng.random() < 0.85:
            return rng.choice(self.campaigns)
        return rng.choice((FOREIGN, "inn-9", "", "../inn", self.poisoner.words("campaign")))

    def _handle(self) -> str:
        """An open one, one of the other campaign, an old one, one of a stranger, a forged one, or none."""
        rng, known = self._rng, [*self.handles.open.values(), *self.handles.old]
        if rng.random() < 0.6 and self.handles.open:
            return rng.choice(list(self.handles.open.values()))
        handle = rng.choice(known) if known else ""
        return rng.choice((handle, handle, handle[:-4], handle.swapcase(), self.poisoner.words("handle")))

    def _input(self) -> dict[str, Any]:
        """What a player is said to do: all kinds, sometimes several at once."""
        rng, poison = self._rng, self.poisoner
        kinds: dict[str, Any] = {
            "say": rng.choice((SAID, poison.words("say"))),
            "choose": rng.choice(("sit", poison.words("choice"))),
            "answer": {"option": rng.choice(("yes", "no")), "note": poison.words("decision note")},
        }
        return self._spoil(
            {name: kinds[name] for name in rng.sample(sorted(kinds), rng.choice((1, 1, 1, 2)))}
        )

    def _telling(self) -> dict[str, Any]:
        rng, poison = self._rng, self.poisoner
        told: dict[str, Any] = {"narration": rng.choice((HARMLESS, poison.words("narration")))}
        if rng.random() < 0.5:
            told["choices"] = cast(Mapping[str, Any], poison.arguments("offer_choices"))["choices"]
        if rng.random() < 0.5:
            told["facts"] = [poison.words("fact") for _ in range(rng.choice((1, 3, 30)))]
        return told

    def _spoil(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Sometimes something is missing, too much, too large or of another kind."""
        rng, spoilt = self._rng, dict(arguments)
        if rng.random() < 0.75:
            return spoilt
        name = rng.choice(sorted(spoilt))
        match rng.randrange(4):
            case 0:
                del spoilt[name]
            case 1:
                spoilt[self.poisoner.words("argument")] = 1
            case 2:
                spoilt[name] = "x" * 300_000
            case _:
                spoilt[name] = rng.choice((*BROKEN, None, 7, True, [spoilt[name]], {"a": spoilt[name]}))
        return spoilt


def besiege(seed: str, reach: Reach | None = None) -> Siege:
    """One sequence of calls, and everything that is wrong after it; `reach` may go through a client."""
    return asyncio.run(_besiege(seed, reach or reach_directly))


async def _besiege(seed: str, reach: Reach) -> Siege:
    rng, siege, clock, edition = random.Random(seed), Siege(seed), Clock(), make_attacked_inn()
    other = replace(room(), digest="d2", form="d2")
    lobby = replace(make_lobby(edition, other, seed=rng.randrange(10**6), language="en"), now=clock)
    await (await lobby.begin("test", "en", FOREIGN)).close()
    stranger = await make_service(lobby, Viewer.MASTER, b"s" * 32)
    async with reach(lobby) as service:
        master = HostileMaster(lobby, service, stranger, rng, siege)
        await master.begin_campaigns()
        players = [await lobby.open(campaign) for campaign in master.campaigns]
        lives = [player.watch(after=0) for player in players]
        for _ in range(CALLS):
            if rng.random() < 0.05:
                clock.leap()
            for player in players:
                decisions = (await player.view()).decisions
                if decisions and rng.random() < 0.3:
                    await player.answer(decisions[0].id, rng.choice(decisions[0].options)[0])
            await master.attack()
    await _look(lobby, edition, master, list(zip(players, lives, strict=True)))
    return siege


async def _look(
    lobby: StoreLobby, edition: Edition, master: HostileMaster, players: list[tuple[StoreSession, NewsWatch]]
) -> None:
    """Everything that a player and a companion can read, searched; and what the rules say of it all."""
    siege, received = master.siege, Received()
    companion = await make_service(lobby, Viewer.PLAYER, b"p" * 32)
    for campaign, (player, live) in zip(master.campaigns, players, strict=True):
        received.add(await player.view(), *await player.past.turns(20), *await player.past.tree(every=True))
        for name in ("gold", "mood", "journal", "bag", "guest", "oracle", "plan", "plot", "_engine"):
            received.add(*await player.past.why(name))
        for tool in ("view", "story"):
            params = CallToolRequestParams(name=tool, arguments={"campaign": campaign})
            result = await companion.call(NO_USER, params)
            assert isinstance(result, CallToolResult)
            received.add(text_of(result))
        book = player.seat.road.book
        commits = [record async for record in book.records() if isinstance(record, Commit)]
        siege.offences += await _judge(player, commits)
        received.add(to_markdown(await tell_story(player.seat.games, await read_history(book))))
        await player.close()
        received.add(*[news async for news in live])
    own = "\n".join(master.poisoner.own)
    siege.leaks += [leak for leak in hide_inn(edition).find(received.texts) if leak not in own]


async def _judge(player: StoreSession, commits: list[Commit]) -> list[str]:
    """Whatever the rules do not allow, asked of the referee and of the proof."""
    road = player.seat.road
    first = make_attacked_inn().game.initial
    position = (await recall(road, player.seat.branch)).position
    found = find_offences(first, position.state.document, commits) + find_decided(commits)
    for commit in commits:
        body = read_body(commit.body)
        if body.told == OUTSIDE and '"answer"' in json.dumps(body.input):
            found.append(f"a master has answered for the player in {commit.version}")
    report, again = await verify(road.book, secret=b"s" * 32), await replay(road.book)
    return [*found, *map(str, report.violations), *map(str, again.mismatches)]
