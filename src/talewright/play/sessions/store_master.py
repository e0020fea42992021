"""The local MasterDesk: lets an external game master narrate turns of a campaign open in this process.

It holds no state: the open turn is stored, and any process may serve the next call.
"""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from talewright.chronicle.store import HeadMovedError
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.work_meter import TooMuchWorkError
from talewright.kernel.story.game_texts import Texts
from talewright.llm.requests import ToolCall, ToolSpec
from talewright.play.campaign_view import View, Viewer
from talewright.play.master_desk import (
    BriefSectionView,
    BriefView,
    CallResultView,
    ErrandView,
    HolderOf,
    OpenTurnView,
    OutsideTurnView,
    ProposedCall,
    RoundView,
    ToolView,
    write_handle,
)
from talewright.play.presentation.choice_wording import show_decisions
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.view_assembly import tell_input
from talewright.play.session import InputResult, Stamp
from talewright.play.sessions.session_navigation import NavigableCampaign
from talewright.play.sessions.session_turns import SessionTurns, word_outcome
from talewright.turn.game_editions import Edition
from talewright.turn.game_master.held_turns import TurnHandle
from talewright.turn.game_master.master_brief import (
    hand_in_answer,
    hand_in_summary,
    list_master_tools,
)
from talewright.turn.game_master.master_rounds import OutsideRound
from talewright.turn.game_master.master_turn import (
    OpenedTurn,
    RoundResult,
    begin_outside,
    brief_now,
    end_open_turn,
    find_open_turn,
    finish,
    give_up,
    propose,
)
from talewright.turn.game_master.open_turn_lease import LeaseError
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, GoOn, Input, Opening, Say, to_json
from talewright.turn.records.commit_body import read_body
from talewright.turn.records.turn_attempts import describe_failure
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import Committed, Outcome
from talewright.turn.turn_signals import name_turn


@frozen
class StoreMasterDesk:
    """A MasterDesk on a session."""

    turns: SessionTurns

    async def brief(self, since: int = -1, holder_of: HolderOf | None = None) -> BriefView:
        """What a narrator would be given now."""
        made = await brief_now(self.turns.road, self.turns.branch, since)
        standing = await self.open_turn(holder_of)
        return BriefView(
            made.version,
            tuple(BriefSectionView(one.name, one.text, one.is_new) for one in made.sections),
            tuple(_view_tool(one) for one in made.tools),
            tuple(
                ErrandView(one.system, one.errand.id, one.errand.question, one.errand.answer_schema)
                for one in made.errands
            ),
            made.summary,
            standing,
        )

    async def open_turn(self, holder_of: HolderOf | None = None) -> OpenTurnView | None:
        """The open turn of the campaign, whichever branch it is on."""
        road, language = self.turns.road, self.turns.language
        found = await find_open_turn(road, self.turns.branch)
        if found is None:
            return None
        before = read_body((await road.book.read(found.head)).body)
        operation, given = found.handle.operation_id, to_json(found.given)
        is_own = holder_of is not None and holder_of(operation) == found.handle.holder
        return OpenTurnView(
            operation,
            tell_input(given, before, language),
            found.until,
            given,
            found.rounds,
            _write_handle(found.handle) if is_own else "",
            found.is_told,
        )

    async def release(self, operation_id: str) -> None:
        """End the open turn of an operation, whoever holds it."""
        found = await find_open_turn(self.turns.road, self.turns.branch)
        if found is None or found.handle.operation_id != operation_id:
            return
        done = await end_open_turn(self._road_of(found.handle.branch, operation_id), found)
        if done is not None and not done.repeated:
            self.turns.afterwards.follow(done.commit)

    async def player_view(self) -> View:
        """What the player sees now."""
        return await NavigableCampaign(self.turns, Viewer.MASTER).view_for(Viewer.PLAYER)

    async def begin(
        self, text: str, stamp: Stamp | None = None, holder: str = ""
    ) -> OutsideTurnView | InputResult:
        """Open a turn with the player's words; empty for the opening or for no input."""
        given: Input = Say(text)
        if not text:
            head = await self.turns.road.book.read(await self.turns.head())
            given = GoOn() if head.parent else Opening()
        return await self._open(given, stamp, holder)

    async def choose(
        self, choice: str, stamp: Stamp | None = None, holder: str = ""
    ) -> OutsideTurnView | InputResult:
        """Open a turn with one of the offered choices."""
        return await self._open(Choose(choice), stamp, holder)

    async def answer(
        self,
        decision: str,
        option: str,
        note: str = "",
        stamp: Stamp | None = None,
        holder: str = "",
        *,
        by_player: bool = False,
    ) -> OutsideTurnView | InputResult:
        """Open a turn with an answer to a decision: given by the player, or passed on by the game master."""
        given = AnswerDecision(decision, option, note, relayed=not by_player)
        return await self._open(given, stamp, holder)

    async def propose(
        self, handle: str, calls: tuple[ProposedCall, ...], answers: Mapping[str, Json] | None = None
    ) -> RoundView:
        """Submit calls to the rules."""
        held = read_handle(handle)
        handed_in = OutsideRound(_write_calls(calls), answers or {})
        return _view_round(await propose(self._road_of(held.branch, held.operation_id), held, handed_in))

    async def finish(
        self, handle: str, narration: str, calls: tuple[ProposedCall, ...] = (), facts: tuple[str, ...] = ()
    ) -> RoundView:
        """Narrate the turn and commit it; with flaws it stays open."""
        held = read_handle(handle)
        handed_in = OutsideRound(_write_calls(calls), text=narration, facts=facts)
        try:
            done = await finish(self._road_of(held.branch, held.operation_id), held, handed_in)
        except (HeadMovedError, TooMuchWorkError) as error:
            return RoundView(result=self._word(describe_failure(error)[0], held.operation_id))
        if isinstance(done, Committed):
            if not done.repeated:
                self.turns.afterwards.follow(done.commit)
            return RoundView(result=self._word(done, held.operation_id))
        return _view_round(done)

    async def give_up(self, handle: str) -> None:
        """Abandon an open turn."""
        held = read_handle(handle)
        await give_up(self._road_of(held.branch, held.operation_id), held)

    async def hand_in_answer(self, system: str, errand: str, answer: Json) -> None:
        """Answer an errand of the brief."""
        await hand_in_answer(self.turns.road, self.turns.branch, system, errand, answer)

    async def hand_in_summary(self, text: str) -> None:
        """Submit the summary that the brief asks for."""
        await hand_in_summary(self.turns.road, self.turns.branch, text)

    async def _open(self, given: Input, stamp: Stamp | None, holder: str) -> OutsideTurnView | InputResult:
        branch, stamp = self.turns.branch, stamp or Stamp(self.turns.road.new_id())
        road = self._road_of(branch, stamp.operation_id)
        try:
            opened = await begin_outside(road, branch, given, stamp.operation_id, stamp.base, holder)
        except (HeadMovedError, TooMuchWorkError) as error:
            return self._word(describe_failure(error)[0], stamp.operation_id)
        if isinstance(opened, OpenedTurn):
            return _view_opened(opened, self.turns.language)
        return self._word(opened, stamp.operation_id)

    def _road_of(self, branch: str, operation_id: str) -> Road:
        """The road of one turn: every signal names the turn, for all watchers."""
        road = self.turns.road
        return replace(road, listener=name_turn(road.listener, branch, operation_id))

    def _word(self, outcome: Outcome, operation_id: str) -> InputResult:
        return replace(word_outcome(outcome, self.turns.language), operation_id=operation_id)


def list_tools(edition: Edition, language: str) -> tuple[ToolView, ...]:
    """Every tool that a game master may ever call in a game."""
    return tuple(_view_tool(one) for one in list_master_tools(edition.game, language))


def _write_handle(handle: TurnHandle) -> str:
    return write_handle(handle.branch, handle.operation_id, handle.holder)


def read_handle(word: str) -> TurnHandle:
    """Parse a handle. Raises LeaseError if it is not one."""
    try:
        branch, operation_id, holder = json.loads(base64.urlsafe_b64decode(word.encode()))
        return TurnHandle(str(branch), str(operation_id), str(holder))
    except (binascii.Error, ValueError, TypeError, RecursionError):
        raise LeaseError(
            "this is no handle of a turn", "Take the handle that beginning a turn gave."
        ) from None


def _write_calls(calls: tuple[ProposedCall, ...]) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(call.id or f"call-{number}", call.name, json.dumps(dict(call.arguments), ensure_ascii=False))
        for number, call in enumerate(calls, 1)
    )


def _view_opened(opened: OpenedTurn, language: str) -> OutsideTurnView:
    return OutsideTurnView(
        _write_handle(opened.handle),
        opened.said,
        opened.results,
        opened.rounds,
        tuple(BriefSectionView(one.name, one.text) for one in opened.situation),
        show_decisions(opened.decisions, Wording(Texts(language), language)),
    )


def _view_tool(tool: ToolSpec) -> ToolView:
    return ToolView(tool.name, tool.description, cast(Mapping[str, Json], tool.parameters))


def _view_round(result: RoundResult) -> RoundView:
    return RoundView(
        tuple(CallResultView(one.call_id, one.name, one.text, one.refused) for one in result.results),
        tuple(flaw.message for flaw in result.flaws),
        changed=result.changed,
    )
