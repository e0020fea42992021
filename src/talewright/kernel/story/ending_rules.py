"""Ending rules: which ending holds, who may end a game, and when a finale opens.

`move_resolution` handles the routes of an open finale; all wording is in the game's texts.
"""

from talewright.kernel.judging.moves import ENGINE, End
from talewright.kernel.judging.rulings import Grade, Granted, Refused
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state_paths import pointer
from talewright.kernel.story.endings import Ending, Outcome
from talewright.kernel.story.triggers import Event

GAME_OVER = "game_over"
FINALE = "finale"

OPEN_FINALE = pointer((ENGINE_ROOT, "finale"))
"""Where the state stores which finale is open."""


def judge_end(table: WorkingState, move: End) -> Granted | Refused:
    game = table.game
    kinds = {ending.id: ending.kind for ending in game.endings if not ending.finale}
    if game.model_may_end:
        kinds |= {route.ending: route.kind for ending in game.endings for route in ending.finale}
    if move.ending not in kinds:
        return Refused(move, Grade.DROP, f"there is no ending {move.ending!r}; there is {', '.join(kinds)}")
    holds = any(
        ending.id == move.ending and ending.when.holds(table.document, table.turn) for ending in game.endings
    )
    if not holds and not game.model_may_end:
        return Refused(move, Grade.DROP, f"the condition of the ending {move.ending!r} does not hold")
    return Granted(move, declare_end(table, move.ending, kinds[move.ending]))


def declare_end(table: WorkingState, ending: str, kind: Outcome) -> tuple[Change, ...]:
    """Record that the game is over."""
    before = len(table.changes)
    table.replace((ENGINE_ROOT, "ending"), ending, "", ENGINE)
    table.replace((ENGINE_ROOT, "outcome"), kind.value, "", ENGINE)
    table.events.append(Event(GAME_OVER, f"ending.{ending}", ENGINE))
    return tuple(table.changes[before:])


def end_if_due(table: WorkingState) -> None:
    """End the game with the first ending that holds, or open its finale."""
    if table.draft.peek((ENGINE_ROOT, "ending")):
        return
    for number in sorted(table.endings):
        ending = table.game.endings[number]
        if not ending.finale:
            declare_end(table, ending.id, ending.kind)
            return
        if not table.draft.peek((ENGINE_ROOT, "finale")):
            _open_finale(table, ending)
            return


def _open_finale(table: WorkingState, ending: Ending) -> None:
    table.replace((ENGINE_ROOT, "finale"), ending.id, "", ENGINE)
    table.events.append(Event(FINALE, f"finale.{ending.id}", ENGINE))
