"""Cells of the grid: every fault, at every place, on every wire, once and for good; and what holds in each.

Cells that cannot occur stand with their reasons in `talewright_testkit.fake_provider.fault_plan.IMPOSSIBLE`.
"""

import asyncio
from dataclasses import dataclass
from functools import cache

from talewright.chronicle.records import AttemptVerdict
from talewright.common.word_catalogues import interface_languages
from talewright.play.presentation.words.player_messages import explain
from talewright.turn.records.commit_body import read_usage
from talewright.turn.turn_outcomes import Committed, Degraded
from talewright_testkit.fake_provider.fault_plan import (
    CONTRACT,
    OUTAGES,
    FaultPlace,
    PlacedFault,
    ProviderFault,
    list_cells,
)
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.provider_faults.stage import KEY, LIMITS, PACE, Ending, play
from tests.provider_faults.tales import CARDS, TOOLS, Tale

DRIP_SECONDS = 0.02
OUTAGE_SECONDS = 0.01
"""How long an outage lasts that passes."""

BUSY_SECONDS = 0.8
"""What a busy machine may add to the time of a turn."""

TRANSPORT_COST_MAX = 2.0
"""Times the tokens of an undisturbed turn."""

UNNUMBERED = frozenset({ProviderFault.DUPLICATED, ProviderFault.REORDERED})
"""Chunks bear no numbers on any of the wires: where such a fault leaves a whole answer of the right form,
nobody can notice it. What is committed then is what arrived."""

FATAL = frozenset({ProviderFault.KEY, ProviderFault.MONEY, ProviderFault.MISSING})
"""Faults that no second try can help."""

UNHURRIED = frozenset({ProviderFault.DRIP, *OUTAGES})
"""Faults that take time: whether a further try still fits depends on the machine, and both ends are right."""

STALLS = frozenset({ProviderFault.STALL_FIRST, ProviderFault.STALL})
"""Faults that are noticed early enough for a further try to be told within the turn."""

BUSY_TRIES_MAX = 3
"""How often a stall is played: at a fiftieth of the times, a busy machine may notice it too late."""

HARMLESS = frozenset({ProviderFault.WRONG_USAGE})
UNTOLD_USAGE = frozenset({ProviderFault.WRONG_USAGE, ProviderFault.REFUSAL})
"""Faults with which a vendor does not say, or says wrongly, what it has generated."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell."""

    fault: ProviderFault
    place: FaultPlace
    wire: Wire
    tale: Tale
    at: int = 1
    """Which ask of the turn is struck: the first, or the one after the tools."""

    lasting: bool = False
    """Whether every ask from then on is struck."""

    def __str__(self) -> str:
        often = "for good" if self.lasting else "once"
        return f"{self.wire.value}: {self.fault.value}, {self.place.value}, {self.tale} {self.at}, {often}"

    @property
    def placed(self) -> PlacedFault:
        """The fault as the fake server is told it."""
        seconds = OUTAGE_SECONDS if self.fault in OUTAGES and not self.lasting else None
        return PlacedFault(
            self.fault,
            self.place,
            self.at,
            None if self.lasting else 1,
            retry_after="0.01",
            seconds=DRIP_SECONDS if self.fault is ProviderFault.DRIP else seconds,
        )


def list_grid() -> tuple[Cell, ...]:
    """Every cell that can occur. A card holds no call, and after the tools there is none to be struck."""
    return tuple(
        Cell(fault, place, wire, tale, at, lasting)
        for fault, place, wire in list_cells()
        for tale, at in ((CARDS, 1), (TOOLS, 1), (TOOLS, 2))
        if place is not FaultPlace.TOOL or (tale, at) == (TOOLS, 1)
        for lasting in (False, True)
    )


@cache
def nominal(tale: Tale, wire: Wire) -> Ending:
    """The same turn, undisturbed."""
    ending = asyncio.run(play(tale, wire))
    assert isinstance(ending.outcome, Committed)
    assert ending.narration == tale.narration
    return ending


def check_cell(cell: Cell) -> Ending:
    """Play a cell, and look at what is left of the turn."""
    ending = _check_once(cell)
    if cell.fault in STALLS and not cell.lasting:
        tries = 1
        while not isinstance(ending.outcome, Committed):
            assert tries < BUSY_TRIES_MAX, "a model that hung once was never asked again in time"
            tries += 1
            ending = _check_once(cell)
    return ending


def _check_once(cell: Cell) -> Ending:
    usual = nominal(cell.tale, cell.wire)
    ending = asyncio.run(play(cell.tale, cell.wire, [cell.placed]))
    assert ending.struck, "the fault never struck"
    assert ending.seconds <= LIMITS.turn_seconds_max + BUSY_SECONDS
    match ending.outcome:
        case Committed():
            check_committed(cell, ending, usual)
        case Degraded():
            check_unchanged(ending)
        case _:
            raise AssertionError(ending.outcome)
    check_expected(cell, ending)
    check_cost(cell, ending, usual)
    assert not ending.leaked
    assert KEY not in repr((ending.records, ending.outcome))
    return ending


def check_committed(cell: Cell, ending: Ending, usual: Ending) -> None:
    """The turn is told whole, and what changed is what changes without a fault."""
    assert ending.after.version == ending.before.version + 1
    assert ending.after.digest == usual.after.digest
    assert ending.attempt.verdict is AttemptVerdict.COMMITTED
    assert ending.shown == ending.narration
    if ending.narration == usual.narration:
        return
    assert cell.fault in UNNUMBERED
    assert all(piece.strip() in ending.narration for piece in PACE.pieces(usual.narration))
    assert len(ending.narration) <= len(usual.narration) + PACE.piece_characters


def check_unchanged(ending: Ending) -> None:
    """Nothing has happened, and the player is told so."""
    assert isinstance(ending.outcome, Degraded)
    assert ending.after == ending.before
    assert ending.attempt.verdict is AttemptVerdict.DEGRADED
    assert ending.shown == ""
    for language in interface_languages():
        message = explain(language, ending.outcome.reason, ending.outcome.detail)
        assert message
        # What a server says is for the record; a player gets the engine's own words.
        assert ending.outcome.detail not in message


def check_expected(cell: Cell, ending: Ending) -> None:
    """What passes is survived, and what does not is not hidden."""
    told = isinstance(ending.outcome, Committed)
    if cell.fault in HARMLESS:
        assert told
    elif cell.fault in FATAL or cell.fault is ProviderFault.TOOL_LOOP:
        assert not told
    elif cell.fault in UNNUMBERED or (cell.fault in UNHURRIED | STALLS and not cell.lasting):
        pass
    else:
        assert told is not cell.lasting


def check_cost(cell: Cell, ending: Ending, usual: Ending) -> None:
    """Broken answers cost at most one more, flawed ones as many as there are repairs; the books are right."""
    asks_max = usual.billed * (1 + LIMITS.repairs_max)
    assert ending.billed <= asks_max
    if cell.fault not in CONTRACT | UNNUMBERED:
        assert ending.tokens <= TRANSPORT_COST_MAX * usual.tokens
    recorded = read_usage(ending.attempt.body.get("usage"))
    assert recorded is not None
    if not recorded.estimated and cell.fault not in UNTOLD_USAGE:
        assert recorded == ending.usage


def pick_sample() -> tuple[Cell, ...]:
    """A cell of every fault, and of every second one another that lasts: places, wires and tales vary."""
    picked: list[Cell] = []
    for number, fault in enumerate(ProviderFault):
        for lasting in (False, True)[: 1 + number % 2]:
            fitting = [cell for cell in list_grid() if (cell.fault, cell.lasting) == (fault, lasting)]
            picked.append(fitting[(7 * number + 4 * lasting) % len(fitting)])
    return tuple(picked)
