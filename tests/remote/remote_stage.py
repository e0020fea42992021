"""The remote stage: performs a play through a real server, by the remote lobby, with its news cut.

What the play expects is checked on the record, as everywhere else, and compared with the news.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.play.campaign_view import Viewer
from talewright.play.master_desk import OutsideTurnView, ProposedCall
from talewright.play.news import CommittedNews, DeltaNews, News, ResetNews
from talewright.play.session import InputResult, ResultKind, Stamp, wait_for_opening
from talewright.play.session_inputs import submit_input
from talewright.play.sessions.session_turns import OPENS
from talewright.remote.remote_lobby import RemoteLobby
from talewright.remote.remote_session import RemoteSession
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, Opening, Say
from talewright.turn.steps.recalling import recall_at
from talewright.turn.turn_outcomes import Committed, Degraded, Failed, Outcome, OutcomeReason, Unspent
from tests.faces.http.serving import TOKEN
from tests.plays.expectations import compare
from tests.plays.scripts import Fork, Play, Turn
from tests.plays.stage import Reopen, Screen, Stage, Told, read_move
from tests.remote.cut_streams import CuttingTransport
from tests.turn.mastering import to_calls

NEWS_SECONDS_MAX = 30.0


class RemoteStage(Stage):
    """A performance through a server."""

    def __init__(self, play: Play, reopen: Reopen, cues: Path, url: str) -> None:
        super().__init__(play, reopen, between=True, prepared=0)
        self._cues = cues
        self.transport = CuttingTransport()
        self._url = url
        self._lobby = RemoteLobby(url, TOKEN, self.transport)
        self._sessions: dict[Viewer, RemoteSession] = {}
        self._watch: AsyncIterator[News] | None = None
        self._marks: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        """What the news told of each turn, by its commit."""

        self._ahead: Commit | None = None
        """A turn that the session has taken by itself, because a phase opened; the play asks for it next."""

    def use_transport(self, transport: CuttingTransport) -> None:
        """Send requests another way, before the first."""
        self.transport = transport
        self._lobby = RemoteLobby(self._url, TOKEN, transport)

    async def close(self) -> None:
        """Close all connections."""
        for session in self._sessions.values():
            await session.close()
        await self._lobby.close()

    async def book(self) -> CampaignBook:
        """The open campaign; the server has it under the name of its play."""
        if self._book is None:
            self._book = await (await self._reopen()).open(self._play.name)
        return self._book

    def _announce(self, number: int) -> None:
        """Tell the server which turn is next; it may be reading at this moment."""
        written = self._cues.with_suffix(".new")
        written.write_text(json.dumps([self._play.name, number]), encoding="utf-8")
        written.replace(self._cues)

    async def _session(self, role: Viewer = Viewer.PLAYER) -> RemoteSession:
        if role not in self._sessions:
            session = self._sessions[role] = await self._lobby.open(self._play.name, role)
            if self._watch is None:
                self._watch = session.watch(0)
        return self._sessions[role]

    async def _standing(self) -> tuple[str, int]:
        if self._ahead is None:
            return await super()._standing()
        before = await (await self.book()).read(self._ahead.parent)
        return before.state_digest, before.version

    async def _take(self, turn: Turn, operation: str, screen: Screen) -> Outcome:
        if self._ahead is not None:
            taken, self._ahead = Committed(self._ahead), None
            return taken
        await self._leave()
        self._announce(self._play.turns.index(turn))
        if turn.outside is not None:
            result = await self._tell_outside(turn, operation)
        elif isinstance(turn.given, Opening):
            result = await self._open_story()
        else:
            result = await submit_input(await self._session(), turn.given, Stamp(operation))
        await self._hear(result, screen)
        outcome = await self._read_outcome(result)
        if isinstance(outcome, Committed) and outcome.commit.operation_id == f"{operation}{OPENS}":
            self._ahead = outcome.commit
            return Committed(await (await self.book()).read(outcome.commit.parent))
        return outcome

    async def _open_story(self) -> InputResult:
        """The result of the turn that opens the session."""
        opened = await wait_for_opening(await self._session())
        assert opened is not None
        return opened

    async def _tell_outside(self, turn: Turn, operation: str) -> InputResult:
        desk = (await self._session(Viewer.MASTER)).master
        stamp = Stamp(operation)
        match turn.given:
            case Say(text):
                opened = await desk.begin(text, stamp)
            case Choose(choice):
                opened = await desk.choose(choice, stamp)
            case AnswerDecision(decision, option, note):
                opened = await desk.answer(decision, option, note, stamp)
            case _:
                opened = await desk.begin("", stamp)
        if not isinstance(opened, OutsideTurnView):
            return opened
        for raw in turn.outside or ():
            calls = to_calls([read_move(raw)])
            proposed = tuple(ProposedCall(one.name, json.loads(one.arguments), one.id) for one in calls)
            await desk.propose(opened.handle, proposed)
        told = await desk.finish(opened.handle, turn.replies[0].text if turn.replies else "")
        assert told.result is not None, told
        return told.result

    async def _hear(self, result: InputResult, screen: Screen) -> None:
        """Follow the news until they report the end of a turn."""
        if not result.operation_id and not result.commit:
            return
        assert self._watch is not None
        ended = False
        texts: dict[str, str] = {}
        async with asyncio.timeout(NEWS_SECONDS_MAX):
            while not ended:
                news = await anext(self._watch)
                match news.event:
                    case DeltaNews(text):
                        texts[news.operation_id] = texts.get(news.operation_id, "") + text
                        screen.everything.append(text)
                    case ResetNews(text):
                        texts[news.operation_id] = text
                        screen.everything.append(text)
                    case CommittedNews(_, commit):
                        self._texts[commit] = texts.get(news.operation_id, "")
                        ended = commit == result.commit
                    case _:
                        ended = news.ends_turn and news.operation_id == result.operation_id

    async def _read_outcome(self, result: InputResult) -> Outcome:
        reason = OutcomeReason(result.reason) if result.reason else OutcomeReason.ERROR
        match result.kind:
            case ResultKind.COMMITTED:
                return Committed(await (await self.book()).read(result.commit))
            case ResultKind.UNSPENT:
                return Unspent(reason)
            case ResultKind.DEGRADED:
                return Degraded(reason)
            case ResultKind.FAILED:
                return Failed(reason)

    async def _check(self, turn: Turn, outcome: Outcome, screen: Screen, before: tuple[str, int]) -> None:
        # What the models were asked is known in the other process only.
        expected = replace(turn.expected, asked=(), unasked=(), condensed=())
        if self._ahead is None:
            await super()._check(replace(turn, expected=expected, mark=""), outcome, screen, before)
        else:
            assert isinstance(outcome, Committed)
            recalled = await recall_at(await self._road(Screen()), outcome.commit.id)
            compare(expected, recalled.body, recalled.position.state.document)
            self.told.append(Told(turn, recalled.head, recalled.body))
        if isinstance(outcome, Committed):
            await self._check_text(turn, outcome.commit)
        await self._leave()

    async def _check_text(self, turn: Turn, commit: Commit) -> None:
        session = next(iter(self._sessions.values()))
        told = (await session.past.turns(2))[-1 if self._ahead is None else 0]
        assert (told.commit, told.narration) == (commit.id, self._texts[commit.id])
        assert told.narration == self.told[-1].body.narration
        if turn.mark:
            await session.mark(turn.mark)
            self._marks[turn.mark] = commit.id

    async def _go_back(self, turns: int) -> None:
        if turns:
            await (await self._session()).undo(turns)

    async def _go_elsewhere(self, fork: Fork | None, branch: str) -> None:
        if fork is not None:
            await (await self._session()).fork(self._marks[fork.mark], fork.branch)
            self._branch = fork.branch
        elif branch:
            await (await self._session()).switch(branch)
            self._branch = branch
