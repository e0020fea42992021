"""Fakes for the terminal face: a session, a past, a lobby and a desk that remember what they are asked.

No engine stands behind them; a screen is tried out alone.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from talewright.errors import TalewrightError
from talewright.faces.tui.launch_preferences import (
    Preferences,
    TerminalLaunch,
    TerminalServices,
    TerminalStartRequest,
)
from talewright.play.campaign_past import (
    CardTrend,
    ComparisonView,
    InspectionPart,
    InspectionView,
    Provenance,
    StoryStatistics,
    TreePage,
    TreeRow,
    VariableTrail,
)
from talewright.play.campaign_view import TurnView, View, Viewer
from talewright.play.lobby import CampaignDetails, CampaignInfo, ExportForm, GameInfo, SessionOptions
from talewright.play.master_desk import MasterDesk
from talewright.play.model_choices import NO_MODEL, ModelCandidate, ModelChoice, ModelSource, TrialView
from talewright.play.news import ActivityNews, DeltaNews, News, ResetNews
from talewright.play.session import InputResult, ResultKind, Stamp, StreamedSession
from talewright.play.session_roles import RoleError
from tests.faces.tui.samples import DECISION, TURN, TURNS, VIEW, after

__all__ = [
    "COMMITTED",
    "DECISION",
    "TURN",
    "TURNS",
    "VIEW",
    "FakeDesk",
    "FakeHouse",
    "FakeLobby",
    "FakePast",
    "FakeSession",
    "after",
    "delta",
    "doing",
    "reset",
]

COMMITTED = InputResult(ResultKind.COMMITTED)


@dataclass
class FakePast:
    """What a fake session tells of the past."""

    told: tuple[TurnView, ...] = TURNS
    calls: list[tuple[object, ...]] = field(default_factory=list)
    causes: tuple[Provenance, ...] = (
        Provenance(3, "Suspicion 20 -> 30", "the storyteller", "seen at the plant", "Pay her"),
        Provenance(0, "Suspicion: 20", "how the game begins"),
    )
    rows: tuple[TreeRow, ...] = (
        TreeRow(0, "c1", 1, "", "The mist comes in.", at="2031-01-01T10:00:00Z"),
        TreeRow(0, skipped=3),
        TreeRow(0, "c2", 2, "step 2", "The road goes on, 2."),
        TreeRow(1, "d3", 3, "Run", "You run.", ("branch-1",), forks=True),
        TreeRow(0, "c3", 3, "Pay her", "She counts the coins twice.", ("main",), ("pier",), here=True),
    )

    async def turns(self, count: int = 10, before: str = "", first: int = 0) -> tuple[TurnView, ...]:
        self.calls.append(("turns", count, before))
        commits = [turn.commit for turn in self.told]
        told = self.told[: commits.index(before)] if before in commits else self.told
        return told[-count:] if count else ()

    async def turn(self, commit: str) -> TurnView | None:
        raise NotImplementedError

    async def tree_page(
        self, count: int, first: int = -1, around: str = "", *, every: bool = False
    ) -> TreePage:
        raise NotImplementedError

    async def trends(self, turns: int = 24) -> tuple[CardTrend, ...]:
        raise NotImplementedError

    async def statistics(self) -> StoryStatistics:
        raise NotImplementedError

    async def why(self, variable: str) -> tuple[Provenance, ...]:
        self.calls.append(("why", variable))
        return self.causes

    async def trail(self, variable: str) -> VariableTrail | None:
        self.calls.append(("trail", variable))
        if variable == "nothing":
            return None
        return VariableTrail("Suspicion", ((0, 20.0), (2, 25.0), (3, 30.0)), self.causes, 0, 100)

    async def tree(self, *, every: bool = False) -> tuple[TreeRow, ...]:
        self.calls.append(("tree", every))
        return tuple(row for row in self.rows if not (every and row.skipped))

    async def compare(self, one: str, other: str) -> ComparisonView:
        self.calls.append(("compare", one, other))
        run = TurnView("d3", 3, "Run", "You run.")
        return ComparisonView(2, (TURN,), (run,), ("Suspicion 30 -> 20",))

    async def inspect(self, commit: str) -> InspectionView:
        self.calls.append(("inspect", commit))
        parts = (
            InspectionPart("sections", ("world: 320 tokens", "state: 90 tokens")),
            InspectionPart("reply", ('{"narrative": "She counts"}',), {"narrative": "She counts"}),
            InspectionPart("cost", ("1,200 tokens in, 180 out",), {"tokens": 1380}),
        )
        return InspectionView(3, commit, parts)


@dataclass
class FakeSession(StreamedSession):
    """Shows one view after the other, and gives one result after the other."""

    views: list[View] = field(default_factory=lambda: [VIEW])
    results: list[InputResult] = field(default_factory=list)
    news: list[News] = field(default_factory=list)
    """What is heard during the next turn."""

    calls: list[tuple[object, ...]] = field(default_factory=list)
    past: FakePast = field(default_factory=FakePast)
    closed: bool = False
    opening: "asyncio.Future[InputResult] | None" = None
    hangs: bool = False
    """Whether turns run until they are stopped."""

    _heard: "asyncio.Queue[News]" = field(default_factory=asyncio.Queue)
    _stopped: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def role(self) -> Viewer:
        return Viewer.PLAYER

    @property
    def master(self) -> MasterDesk:
        raise RoleError("a player has no desk")

    async def view(self) -> View:
        return self.views[0]

    def _next(self) -> View:
        if len(self.views) > 1:
            self.views.pop(0)
        return self.views[0]

    async def _turn(self, *call: object) -> InputResult:
        self.calls.append(call)
        for one in self.news:
            self._heard.put_nowait(one)
        self.news = []
        await asyncio.sleep(0)
        if self.hangs:
            await self._stopped.wait()
            return InputResult(ResultKind.FAILED, "cancelled", "Stopped. Nothing has changed.")
        result = self.results.pop(0) if self.results else COMMITTED
        self._next()
        return result

    async def say(self, text: str, stamp: Stamp | None = None) -> InputResult:
        if text == "error":
            raise TalewrightError("the disk is full", "Make room.")
        if text == "bug":
            raise ZeroDivisionError("by a dragon")
        return await self._turn("say", text)

    async def choose(self, choice: str, stamp: Stamp | None = None) -> InputResult:
        return await self._turn("choose", choice)

    async def answer(
        self, decision: str, option: str, note: str = "", stamp: Stamp | None = None
    ) -> InputResult:
        return await self._turn("answer", decision, option, note)

    async def go_on(self, stamp: Stamp | None = None) -> InputResult:
        return await self._turn("go_on")

    async def retry(self, text: str = "", stamp: Stamp | None = None) -> InputResult:
        return await self._turn("retry", text)

    async def undo(self, turns: int = 1) -> View:
        self.calls.append(("undo", turns))
        return self._next()

    async def fork(self, commit: str = "", name: str = "") -> View:
        self.calls.append(("fork", commit, name))
        return self._next()

    async def switch(self, branch: str) -> View:
        self.calls.append(("switch", branch))
        return self._next()

    async def mark(self, name: str) -> None:
        self.calls.append(("mark", name))

    async def load(self, name: str) -> View:
        self.calls.append(("load", name))
        return self._next()

    async def watch(self, after: int = -1) -> AsyncIterator[News]:
        while True:
            yield await self._heard.get()

    async def skip(self) -> None:
        self.calls.append(("skip",))
        self._stopped.set()

    async def cancel(self) -> None:
        self.calls.append(("cancel",))
        self._stopped.set()

    async def close(self) -> None:
        self.closed = True


@dataclass
class FakeLobby:
    """Games and campaigns that are only names."""

    infos: tuple[GameInfo, ...] = (
        GameInfo("mist", "Mist Harbor", ("zh-CN", "en"), "shipped", "noir, restrained", 20),
        GameInfo("lantern", "The Lantern Road", ("en",), "shipped", "wonder", 0, needs_model=True),
    )
    saved: tuple[CampaignInfo, ...] = (
        CampaignInfo("mist-1", "mist", "Mist Harbor", "en", "2031-01-02T10:00:00Z"),
        CampaignInfo("mist-2", "mist", "雾港回声", "zh-CN", "2031-01-01T10:00:00Z", damaged=True),
    )
    session: FakeSession = field(default_factory=FakeSession)
    calls: list[tuple[object, ...]] = field(default_factory=list)
    trouble: TalewrightError | None = None
    """What goes wrong with everything but the lists."""

    def _note(self, *call: object) -> None:
        self.calls.append(call)
        if self.trouble is not None:
            raise self.trouble

    async def games(self) -> tuple[GameInfo, ...]:
        return self.infos

    async def campaigns(self) -> tuple[CampaignInfo, ...]:
        return self.saved

    async def begin(
        self,
        game: str,
        language: str = "",
        campaign: str = "",
        role: Viewer = Viewer.PLAYER,
        options: SessionOptions | None = None,
        operation_id: str = "",
    ) -> FakeSession:
        self._note("begin", game, language, campaign)
        return self.session

    async def open(
        self, campaign: str, role: Viewer = Viewer.PLAYER, options: SessionOptions | None = None
    ) -> FakeSession:
        self._note("open", campaign)
        return self.session

    async def details(self, campaign: str) -> CampaignDetails:
        self._note("details", campaign)
        return CampaignDetails(campaign, 3, "The door closes behind you.", "llama3.2", 0.0123, 1380)

    async def bring_in(self, data: bytes, campaign: str = "", file_name: str = "") -> str:
        self._note("bring_in", data, campaign, file_name)
        return campaign or "brought-1"

    async def write_out(self, campaign: str, form: ExportForm) -> bytes:
        self._note("write_out", campaign, form)
        return b"a campaign"

    async def remove(self, campaign: str) -> str:
        self._note("remove", campaign)
        self.saved = tuple(one for one in self.saved if one.name != campaign)
        return f"the bin: {campaign}"


@dataclass
class FakeDesk:
    """Models that only have names."""

    known: tuple[ModelChoice, ...] = (
        ModelChoice("local", "llama3.2", "on this machine", "free"),
        ModelChoice(
            "cloud", "big-model", "at a service", "about $0.002 a turn", "its key is missing", "Set it."
        ),
    )
    usual: str = NO_MODEL
    found: tuple[ModelSource, ...] = (ModelSource("ollama", "Ollama", True, ("llama3.2", "qwen3")),)
    offered: tuple[ModelSource, ...] = (
        ModelSource("openai", "OpenAI", False, ("gpt-mini",), "OPENAI_API_KEY"),
    )
    trial: TrialView = field(default_factory=lambda: TrialView(True, "Hello.", "", 0.4, "free"))
    calls: list[tuple[object, ...]] = field(default_factory=list)

    def in_language(self, language: str) -> "FakeDesk":
        return self

    async def choices(self) -> tuple[ModelChoice, ...]:
        return self.known

    async def chosen(self, campaign: str = "", game: str = "") -> str:
        self.calls.append(("chosen", campaign, game))
        return self.usual

    async def choose(self, name: str, campaign: str = "") -> None:
        self.calls.append(("choose", name, campaign))
        self.usual = name

    async def local(self) -> tuple[ModelSource, ...]:
        return self.found

    async def services(self) -> tuple[ModelSource, ...]:
        return self.offered

    async def at_address(self, base_url: str) -> ModelSource:
        self.calls.append(("at_address", base_url))
        if "://" not in base_url:
            raise TalewrightError(
                "this is not the address of a server", "Write it like http://127.0.0.1:8080/v1."
            )
        return ModelSource("", "my.host", False, ("mine",), "MY_KEY", base_url=base_url, needs_key=False)

    async def test(self, candidate: ModelCandidate) -> TrialView:
        self.calls.append(("test", candidate))
        return self.trial

    async def find_abilities(
        self, candidate: ModelCandidate, progress: Callable[[str, int, int], None]
    ) -> str:
        return ""

    def skip_question(self) -> None:
        self.calls.append(("skip_question",))

    async def keep(self, candidate: ModelCandidate) -> str:
        self.calls.append(("keep", candidate))
        return f"{candidate.model} tells from now on."


@dataclass
class FakeHouse:
    """A door with fakes behind it, and what was kept."""

    lobby: FakeLobby = field(default_factory=FakeLobby)
    desk: FakeDesk = field(default_factory=FakeDesk)
    kept: list[Preferences] = field(default_factory=list)
    closed: bool = False

    def door(
        self,
        wishes: TerminalStartRequest | None = None,
        preferences: Preferences | None = None,
        *,
        first_run: bool = False,
    ) -> TerminalLaunch:
        async def close() -> None:
            self.closed = True

        return TerminalLaunch(
            enter=lambda: TerminalServices(self.lobby, self.desk, close),
            preferences=preferences or Preferences(language="en", animations=False),
            keep=self.kept.append,
            wishes=wishes or TerminalStartRequest(),
            first_run=first_run,
        )


def delta(text: str) -> News:
    return News(1, DeltaNews(text))


def reset(text: str) -> News:
    return News(2, ResetNews(text))


def doing(text: str) -> News:
    return News(3, ActivityNews("telling", text))
