"""Asides: background results taken up as the first changes of a turn.

An aside that no system understands any more is taken up as nothing, so that it is not looked at again.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from talewright.chronicle.records import Aside
from talewright.kernel.judging.move_resolution import carry_out
from talewright.kernel.judging.moves_and_rulings import Update
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.documents import Json
from talewright.turn.memory import take_summary
from talewright.turn.working import Working

ERRAND = "errand"
"""An aside that answers a system's errand: `{kind, system, errand, answer}`."""

UNANSWERED = "unanswered"
"""An aside that says what an errand has cost which nobody could answer; it changes nothing."""

SUMMARY = "summary"
"""An aside that condenses what lies behind: `{kind, text, from, upto}`. Its text stands for all that lies
behind and for the turns `from` .. `upto`, which were the oldest of the window."""


def take_up(working: Working, asides: Sequence[Aside]) -> None:
    """Let finished asides change the working state."""
    for aside in asides:
        if aside.body.get("kind") == SUMMARY:
            _take_summary(working, aside)
        else:
            updates = _updates(working, aside.body)
            working.take(carry_out(working.game, working.position, updates, f"aside:{aside.id}"))
        working.asides.append(aside.id)


def _take_summary(working: Working, aside: Aside) -> None:
    """Cut the window to what a summary leaves; one that was made for another window comes too late."""
    window = working.window
    since, upto = aside.body.get("from", window.first), aside.body.get("upto")
    if since == window.first:
        first = upto + 1 if isinstance(upto, int) else window.first
        take_summary(working, aside.body.get("text"), first, {"by": "model", "aside": aside.id})


def _updates(working: Working, body: Mapping[str, Json]) -> Sequence[Update]:
    table = WorkingState(working.game, working.position)
    for system in working.game.systems:
        if body.get("kind") == ERRAND and system.name == body.get("system"):
            return system.take(cast(str, body.get("errand")), body.get("answer"), table.sight(system))
    return ()
