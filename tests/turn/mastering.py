"""A game master outside, for tests: moves as values instead of calls with JSON arguments."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from talewright.common.json_values import Json
from talewright.contract.tools.engine_tools import OFFER_CHOICES, PROPOSE_UPDATES
from talewright.kernel.judging.moves import Call, Update
from talewright.llm.requests import ToolCall
from talewright.turn.game_master.master_rounds import OutsideRound
from talewright.turn.game_master.master_turn import (
    OpenedTurn,
    RoundResult,
    begin_outside,
    finish,
    propose,
)
from talewright.turn.inputs.player_inputs import Input
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import Committed

REASON = "as it happens"
"""Why a game master changes something, where a test does not care."""


def to_calls(moves: Sequence[Call | Update], choices: Sequence[str] = ()) -> tuple[ToolCall, ...]:
    """Moves and offers as a game master hands them in."""
    made = [
        ToolCall(move.id or f"c{number}", move.tool, json.dumps(dict(move.arguments)))
        for number, move in enumerate(moves)
        if isinstance(move, Call)
    ]
    updates = [
        {"op": move.op.value, "path": move.path, "value": move.value, "reason": move.reason or REASON}
        for move in moves
        if isinstance(move, Update)
    ]
    if updates:
        made.append(ToolCall("updates", PROPOSE_UPDATES, json.dumps({"updates": updates})))
    if choices:
        offers = [{"id": label.lower(), "label": label} for label in choices]
        made.append(ToolCall("offers", OFFER_CHOICES, json.dumps({"choices": offers})))
    return tuple(made)


@dataclass(frozen=True)
class Master:
    """Whoever tells one open turn."""

    road: Road
    opened: OpenedTurn

    async def propose(
        self, moves: Sequence[Call | Update], answers: Mapping[str, Json] | None = None
    ) -> RoundResult:
        """Have moves judged."""
        return await self.hand_in(OutsideRound(to_calls(moves), answers or {}))

    async def hand_in(self, handed_in: OutsideRound) -> RoundResult:
        """Have a round judged as it is."""
        return await propose(self.road, self.opened.handle, handed_in)

    async def tell(
        self, text: str, choices: Sequence[str] = (), facts: Sequence[str] = ()
    ) -> Committed | RoundResult:
        """Tell the turn."""
        handed_in = OutsideRound(to_calls((), choices), text=text, facts=tuple(facts))
        return await finish(self.road, self.opened.handle, handed_in)

    async def finish(self, text: str, choices: Sequence[str] = ()) -> Committed:
        """Tell a turn that must stand."""
        done = await self.tell(text, choices)
        assert isinstance(done, Committed), done
        return done


async def begin_master(
    road: Road, branch: str, given: Input, operation: str, base: str = "", holder: str = ""
) -> Master:
    """Open a turn that must open."""
    opened = await begin_outside(road, branch, given, operation, base, holder)
    assert isinstance(opened, OpenedTurn), opened
    return Master(road, opened)
