"""Decisions kept: calls that wait for the player, remembered in the state until they are answered.

Only the call is kept. Its card is made anew by judging the call again.
"""

import json
from collections.abc import Mapping

from talewright.kernel.engine_slots import ENGINE_ROOT
from talewright.kernel.game import Game
from talewright.kernel.moves import ENGINE, Call, Op, Update
from talewright.kernel.paths import pointer
from talewright.kernel.positions import Position
from talewright.kernel.resolution import Step, carry_out
from talewright.kernel.rulings import Waiting
from talewright.kernel.state import canonical


def hold(game: Game, position: Position, waiting: Waiting) -> Step:
    """Remember a call that waits."""
    assert isinstance(waiting.move, Call)
    call: dict[str, str] = {
        "tool": waiting.move.tool,
        "arguments": canonical(waiting.move.arguments).decode(),
    }
    return carry_out(game, position, (Update(Op.INSERT, _place(waiting.need.id), call),), ENGINE)


def release(game: Game, position: Position, decision: str) -> Step:
    """Forget a call that has been answered."""
    return carry_out(game, position, (Update(Op.DELETE, _place(decision)),), ENGINE)


def held(position: Position) -> dict[str, Call]:
    """The calls that wait, by the id of what they wait for."""
    memory = position.state.document[ENGINE_ROOT]
    assert isinstance(memory, Mapping)
    decisions = memory["decisions"]
    assert isinstance(decisions, Mapping)
    return {name: _call(name, waiting) for name, waiting in decisions.items()}


def _call(name: str, waiting: object) -> Call:
    assert isinstance(waiting, Mapping)
    return Call(waiting["tool"], json.loads(waiting["arguments"]), id=name)


def _place(decision: str) -> str:
    return pointer((ENGINE_ROOT, "decisions", decision))
