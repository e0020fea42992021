"""Resolution: moves in, rulings and the next position out.

An answer is all or nothing: while one of its moves must be mended or waits, nothing of it happens.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from talewright.kernel.calls import cause_of, judge_call
from talewright.kernel.cascade import run_triggers
from talewright.kernel.chance import Chance
from talewright.kernel.changes import Change
from talewright.kernel.documents import Json
from talewright.kernel.endings import Ending, Outcome, Route
from talewright.kernel.engine_slots import ENGINE_ROOT
from talewright.kernel.game import Game
from talewright.kernel.moves import ENGINE, Call, End, Move, Update
from talewright.kernel.positions import Position
from talewright.kernel.rulings import Grade, Granted, Refused, Ruling, Waiting
from talewright.kernel.table import Table
from talewright.kernel.triggers import Event
from talewright.kernel.updates import judge_update

GAME_OVER = "game_over"
FINALE = "finale"
REJECTED_UPDATE = "rejected_update"
"""Types of the engine's own events."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one judgement made of a position."""

    position: Position
    rulings: tuple[Ruling, ...] = ()
    changes: tuple[Change, ...] = ()
    events: tuple[Event, ...] = ()

    @property
    def mends(self) -> tuple[Refused, ...]:
        """The refusals worth asking again for; with any of them nothing has happened."""
        return tuple(r for r in self.rulings if isinstance(r, Refused) and r.grade is Grade.MEND)

    @property
    def waits(self) -> tuple[Waiting, ...]:
        """The moves that wait for an answer; with any of them nothing has happened."""
        return tuple(r for r in self.rulings if isinstance(r, Waiting))


def judge(
    game: Game,
    position: Position,
    moves: Sequence[Move],
    cause: str,
    chance: Chance,
    answers: Mapping[str, Json] | None = None,
) -> Step:
    """Judge the moves of one answer against a position."""
    table = Table(game, position)
    if len(moves) > game.limits.moves_max:
        reason = f"an answer has at most {game.limits.moves_max} moves; this one has {len(moves)}"
        return Step(position, tuple(Refused(move, Grade.MEND, reason) for move in moves))
    rulings = tuple(_judge_move(table, move, cause, chance, answers or {}) for move in moves)
    step = Step(position, rulings)
    return step if step.mends or step.waits else _close(table, rulings)


def carry_out(game: Game, position: Position, updates: Sequence[Update], cause: str) -> Step:
    """Make an author's updates, each on its own: one that does not fit is told and left out."""
    table = Table(game, position)
    return _close(table, tuple(judge_update(table, update, cause) for update in updates))


def carry_out_call(game: Game, position: Position, call: Call, chance: Chance) -> Step:
    """Make an author's call of a system; one that is refused is told and left out."""
    table = Table(game, position)
    ruling = judge_call(table, call, chance, {})
    if isinstance(ruling, Waiting):
        # A scene goes on at once: there is nobody who could answer between a choice and what comes of it.
        reason = f"{call.tool!r} waits for an answer, and a trial is decided at once"
        ruling = Refused(call, Grade.MEND, reason)
    return _close(table, (ruling,))


def settle(game: Game, position: Position, chance: Chance) -> Step:
    """What follows by itself once the moves of a turn are made: ticks, triggers, endings."""
    table = Table(game, position)
    for system in game.systems:
        for update in system.tick(table.sight(system), chance):
            table.rulings.append(judge_update(table, update, cause_of(system)))
    table.refresh()
    run_triggers(table)
    _end(table)
    return _close(table, tuple(table.rulings))


def conclude(game: Game, position: Position, route: Route, cause: str) -> Step:
    """Take a route of a finale: its updates are made and its ending is the end."""
    table = Table(game, position)
    rulings = tuple(judge_update(table, update, cause) for update in route.updates)
    _declare_end(table, route.ending, route.kind)
    return _close(table, rulings)


def _judge_move(table: Table, move: Move, cause: str, chance: Chance, answers: Mapping[str, Json]) -> Ruling:
    if table.draft.peek((ENGINE_ROOT, "ending")):
        return Refused(move, Grade.DROP, "the game is over")
    match move:
        case Update():
            return judge_update(table, move, cause)
        case Call():
            return judge_call(table, move, chance, answers)
        case End():
            return _judge_end(table, move)
        case _:
            assert_never(move)


def _judge_end(table: Table, move: End) -> Granted | Refused:
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
    return Granted(move, _declare_end(table, move.ending, kinds[move.ending]))


def _declare_end(table: Table, ending: str, kind: Outcome) -> tuple[Change, ...]:
    """Write down that the game is over."""
    before = len(table.changes)
    table.replace((ENGINE_ROOT, "ending"), ending, "", ENGINE)
    table.replace((ENGINE_ROOT, "outcome"), kind.value, "", ENGINE)
    table.events.append(Event(GAME_OVER, f"ending.{ending}", ENGINE))
    return tuple(table.changes[before:])


def _end(table: Table) -> None:
    """The first ending that holds ends the game, or opens its finale."""
    if table.draft.peek((ENGINE_ROOT, "ending")):
        return
    for number in sorted(table.endings):
        ending = table.game.endings[number]
        if not ending.finale:
            _declare_end(table, ending.id, ending.kind)
            return
        if not table.draft.peek((ENGINE_ROOT, "finale")):
            _open_finale(table, ending)
            return


def _open_finale(table: Table, ending: Ending) -> None:
    table.replace((ENGINE_ROOT, "finale"), ending.id, "", ENGINE)
    table.events.append(Event(FINALE, f"finale.{ending.id}", ENGINE))


def _close(table: Table, rulings: tuple[Ruling, ...]) -> Step:
    for ruling in rulings:
        if isinstance(ruling, Refused):
            table.events.append(Event(REJECTED_UPDATE, ruling.reason, ENGINE))
    table.refresh()
    return Step(table.position(), rulings, tuple(table.changes), tuple(table.events))
