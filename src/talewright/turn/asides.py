"""Asides: background results taken up as the first changes of a turn.

An aside that no system understands any more is taken up as nothing, so that it is not looked at again.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from talewright.chronicle.records import Aside
from talewright.kernel.documents import Json
from talewright.kernel.engine_slots import ENGINE_ROOT
from talewright.kernel.moves import ENGINE, Op, Update
from talewright.kernel.resolution import carry_out
from talewright.kernel.table import Table
from talewright.turn.working import Working

ERRAND = "errand"
"""An aside that answers a system's errand: `{kind, system, errand, answer}`."""

UNANSWERED = "unanswered"
"""An aside that says what an errand has cost which nobody could answer; it changes nothing."""

SUMMARY = "summary"
"""An aside that condenses what lies behind: `{kind, text}`."""


def take_up(working: Working, asides: Sequence[Aside]) -> None:
    """Let finished asides change the working state."""
    for aside in asides:
        # The memory is the engine's own: what a system makes of an answer cannot reach it.
        cause = ENGINE if aside.body.get("kind") == SUMMARY else f"aside:{aside.id}"
        working.take(carry_out(working.game, working.position, _updates(working, aside.body), cause))
        working.asides.append(aside.id)


def _updates(working: Working, body: Mapping[str, Json]) -> Sequence[Update]:
    if body.get("kind") == SUMMARY:
        return (Update(Op.SET, f"{ENGINE_ROOT}.summary", body.get("text")),)
    table = Table(working.game, working.position)
    for system in working.game.systems:
        if body.get("kind") == ERRAND and system.name == body.get("system"):
            return system.take(cast(str, body.get("errand")), body.get("answer"), table.sight(system))
    return ()
