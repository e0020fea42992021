"""Open decisions: calls that wait for the player, remembered in the state until they are answered.

Only the call is kept. Its card is made anew by judging the call again.
"""

import json
from collections.abc import Mapping

from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep, carry_out
from talewright.kernel.judging.moves_and_rulings import ENGINE, Call, Op, Update, Waiting
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.state import Position, canonical
from talewright.kernel.state.state_paths import pointer


def keep_waiting_call(game: Game, position: Position, waiting: Waiting) -> JudgedStep:
    """Remember a call that waits."""
    assert isinstance(waiting.move, Call)
    call: dict[str, str] = {
        "tool": waiting.move.tool,
        "arguments": canonical(waiting.move.arguments).decode(),
    }
    return carry_out(game, position, (Update(Op.INSERT, _place(waiting.need.id), call),), ENGINE)


def drop_waiting_call(game: Game, position: Position, decision: str) -> JudgedStep:
    """Forget a call that has been answered."""
    return carry_out(game, position, (Update(Op.DELETE, _place(decision)),), ENGINE)


def waiting_calls(position: Position) -> dict[str, Call]:
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
