"""Fakes: a session and a lobby that only remember what they are asked, and show what they are given.

No engine stands behind them; the face is tried out alone.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace

from talewright.errors import TalewrightError
from talewright.play.campaign_past import (
    CardTrend,
    ComparisonView,
    InspectionView,
    Provenance,
    StoryStatistics,
    TreePage,
    TreeRow,
    VariableTrail,
)
from talewright.play.campaign_view import (
    CardView,
    ChangeView,
    ChoiceView,
    DecisionView,
    PanelView,
    RollView,
    StatusView,
    TurnView,
    View,
    Viewer,
)
from talewright.play.lobby import CampaignDetails, CampaignInfo, ExportForm, GameInfo, SessionOptions
from talewright.play.master_desk import MasterDesk
from talewright.play.news import CommittedNews, DeltaNews, News, ResetNews
from talewright.play.session import InputResult, ResultKind, Stamp, StreamedSession
from talewright.play.session_roles import RoleError

OPERATION = "op"
"""The operation whose end every turn of a fake session tells."""

COMMITTED = InputResult(ResultKind.COMMITTED, operation_id=OPERATION)

TURN = TurnView(
    commit="c1",
    version=3,
    said="Pay her",
    narration="She counts the coins.\n\nThe door closes.",
    rolls=(RollView("2d6 (3, 4) = 7: success", 7),),
    changes=(
        ChangeView("suspicion", "Suspicion 20 -> 30 (seen at the plant)"),
        ChangeView("truth", "Known + He went down."),
    ),
    events=("Somebody follows you.",),
)

VIEW = View(
    campaign="mist-1",
    game="mist",
    title="Mist Harbor",
    language="en",
    viewer=Viewer.PLAYER,
    branch="main",
    head="c1",
    version=3,
    turn=TURN,
    status=(
        StatusView("Life", "80/100", "-5"),
        StatusView("Energy", "10/100", critical=True),
        StatusView("At", "the pier", "the bar -> the pier"),
    ),
    cards=(
        CardView("suspicion", "Suspicion", "bar", ("30/100",), "How many eyes.", "+10", 30, 0, 100),
        CardView("trust", "Trust", "plain", ("4",), "", "", 4, -10, 10),
        CardView("bag", "Pockets", "list", ("watch", "knife"), "What you carry.", "+knife"),
        CardView("known", "Known", "list", ("He went down.",), "", "+He went down."),
    ),
    panels=(PanelView("odds", "Skills", ("climb 40%",)),),
    choices=(
        ChoiceView("in", "Go in", "It is dark.", "medium"),
        ChoiceView("wait", "Wait"),
        ChoiceView("jump", "Jump", "", "high"),
    ),
    marks=("pier",),
)

DECISION = DecisionView(
    "check", "Climb the wall?", ("Two dice, 8 or more.",), (("yes", "Roll"), ("no", "Let it be"))
)


@dataclass
class FakePast:
    """What a fake session tells of the past."""

    session: "FakeSession"

    async def turns(self, count: int = 10, before: str = "", first: int = 0) -> tuple[TurnView, ...]:
        self.session.calls.append(("history", count))
        return self.session.told

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
        self.session.calls.append(("why", variable))
        return self.session.causes

    async def trail(self, variable: str) -> VariableTrail | None:
        raise NotImplementedError

    async def tree(self, *, every: bool = False) -> tuple[TreeRow, ...]:
        raise NotImplementedError

    async def compare(self, one: str, other: str) -> ComparisonView:
        raise NotImplementedError

    async def inspect(self, commit: str) -> InspectionView:
        raise NotImplementedError


@dataclass
class FakeSession(StreamedSession):
    """Shows one view after the other, and gives one result after the other."""

    views: list[View] = field(default_factory=lambda: [VIEW])
    results: list[InputResult] = field(default_factory=list)
    news: list[News] = field(default_factory=list)
    """What is heard during the next turn."""

    calls: list[tuple[object, ...]] = field(default_factory=list)
    told: tuple[TurnView, ...] = ()
    causes: tuple[Provenance, ...] = ()
    closed: bool = False
    opening: "asyncio.Future[InputResult] | None" = None
    hangs: bool = False
    """Whether turns run until they are stopped."""

    _heard: asyncio.Event = field(default_factory=asyncio.Event)
    _stopped: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def role(self) -> Viewer:
        return Viewer.PLAYER

    @property
    def master(self) -> MasterDesk:
        raise RoleError("a player has no desk")

    async def view(self) -> View:
        return self.views[0]

    async def _turn(self, *call: object) -> InputResult:
        self.calls.append(call)
        self._heard.set()
        await asyncio.sleep(0)
        if self.hangs:
            await self._stopped.wait()
            return InputResult(ResultKind.FAILED, "cancelled", "Stopped.")
        result = self.results.pop(0) if self.results else COMMITTED
        if len(self.views) > 1:
            self.views.pop(0)
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
        await self._turn("undo", turns)
        return self.views[0]

    async def fork(self, commit: str = "", name: str = "") -> View:
        raise NotImplementedError

    async def switch(self, branch: str) -> View:
        raise NotImplementedError

    async def mark(self, name: str) -> None:
        self.calls.append(("mark", name))

    async def load(self, name: str) -> View:
        await self._turn("load", name)
        return self.views[0]

    @property
    def past(self) -> "FakePast":
        return FakePast(self)

    async def watch(self, after: int = -1) -> AsyncIterator[News]:
        await self._heard.wait()
        for one in self.news:
            yield one
        yield News(99, CommittedNews(4, "c2"), "main", OPERATION)
        await asyncio.Event().wait()

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

    infos: Sequence[GameInfo] = (GameInfo("mist", "Mist Harbor", ("zh-CN", "en"), "shipped"),)
    saved: Sequence[CampaignInfo] = ()
    session: FakeSession = field(default_factory=FakeSession)
    calls: list[tuple[str, ...]] = field(default_factory=list)

    async def games(self) -> tuple[GameInfo, ...]:
        return tuple(self.infos)

    async def campaigns(self) -> tuple[CampaignInfo, ...]:
        return tuple(self.saved)

    async def begin(
        self,
        game: str,
        language: str = "",
        campaign: str = "",
        role: Viewer = Viewer.PLAYER,
        options: SessionOptions | None = None,
        operation_id: str = "",
    ) -> FakeSession:
        self.calls.append(("begin", game, language, campaign))
        return self.session

    async def open(
        self, campaign: str, role: Viewer = Viewer.PLAYER, options: SessionOptions | None = None
    ) -> FakeSession:
        self.calls.append(("open", campaign))
        return self.session

    async def details(self, campaign: str) -> CampaignDetails:
        raise NotImplementedError

    async def bring_in(self, data: bytes, campaign: str = "", file_name: str = "") -> str:
        raise NotImplementedError

    async def write_out(self, campaign: str, form: ExportForm) -> bytes:
        raise NotImplementedError

    async def remove(self, campaign: str) -> str:
        raise NotImplementedError


def delta(text: str) -> News:
    return News(1, DeltaNews(text))


def reset(text: str) -> News:
    return News(2, ResetNews(text))


def elsewhere(head: str, narration: str = "Elsewhere.") -> View:
    """The view after another turn."""
    return replace(VIEW, head=head, version=4, turn=TurnView(head, 4, "", narration))
