"""Possible updates: what a model may change right now, place by place, as the kernel would grant it.

For short answers whose form is enforced: a small model writes whatever its form allows, so the form allows
only valid updates. Every candidate is judged on a scratch state, which is then discarded.
"""

from collections.abc import Iterator
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.contract.answer_schema import list_places
from talewright.contract.dialect import AnswerGround
from talewright.kernel.judging.moves import MODEL, Op, Update
from talewright.kernel.judging.rulings import Granted
from talewright.kernel.judging.state_updates import judge_update
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.slot_types import NUMERIC, Slot, SlotKind
from talewright.kernel.state.documents import find
from talewright.kernel.state.state_paths import Path, dotted, parse_path

UPDATES_LISTED_MAX = 60
"""Updates a form may list; those of later places are left out."""

VALUES_MAX = 12
"""Values of one update; later ones are left out."""

STEPS = (1, 2, 3, 5, 10, 15, 20, 30)
"""By how much a number may change at once."""

STEP_SHARE = 0.1
"""At most this share of a number's range, but always at least one."""

TEXT_LENGTH_MAX = 40
"""Characters of a text that a model may write into the state."""


@frozen
class PossibleUpdate:
    """One operation on one place, with the values that would be granted."""

    op: Op
    path: Path
    values: tuple[Json, ...] = ()
    """Empty if any text is accepted."""

    @property
    def place(self) -> str:
        """The path with dots."""
        return dotted(self.path)


def list_possible(ground: AnswerGround, ops: frozenset[Op]) -> tuple[PossibleUpdate, ...]:
    """The updates that would be granted now, of these operations, in the order of the places.

    None if the author has already decided what happens: a small model would only add noise to it.
    """
    if ground.settled:
        return ()
    table = WorkingState(ground.game, ground.position)
    found: list[PossibleUpdate] = []
    for place in list_places(ground.game):
        path = parse_path(place.path)
        now = find(ground.position.state.document, path)
        for op, values in _list_candidates(place.slot, cast(Json, now)):
            # A number that can be counted up or down is not set as well.
            counted = op is Op.SET and any(one.path == path for one in found)
            if op not in ops or counted:
                continue
            # To test whether any text is accepted, one of the maximum length is tried.
            tried = ("a" * TEXT_LENGTH_MAX,) if values is None else values
            granted = tuple(value for value in tried if _is_granted(table, Update(op, place.path, value)))
            if granted:
                found.append(PossibleUpdate(op, path, () if values is None else granted[:VALUES_MAX]))
    return tuple(found[:UPDATES_LISTED_MAX])


def _is_granted(table: WorkingState, update: Update) -> bool:
    mark = table.mark()
    ruling = judge_update(table, update, MODEL)
    made = table.changes[mark[1] :]
    # A value that would be clamped has no effect of its own.
    exact = bool(made) and not any(change.clamped for change in made)
    table.back(mark)
    return isinstance(ruling, Granted) and exact


def _list_candidates(slot: Slot, now: Json) -> Iterator[tuple[Op, tuple[Json, ...] | None]]:
    """Operations with the values to try; None for any text."""
    if slot.kind in NUMERIC:
        steps = _list_steps(slot)
        yield Op.INC, steps
        yield Op.DEC, steps
        known = now if isinstance(now, int | float) else 0
        yield Op.SET, tuple(known + sign * step for step in steps for sign in (1, -1))
    elif slot.kind is SlotKind.BOOLEAN:
        yield Op.SET, (not now,)
    elif slot.kind is SlotKind.ENUM:
        yield Op.SET, tuple(value for value in slot.enum_values if value != now)
    elif slot.kind is SlotKind.STRING:
        yield Op.SET, None
    elif slot.element is not None:
        yield from _list_elements(slot.element, now if isinstance(now, list) else [])


def _list_elements(element: Slot, now: list[Json]) -> Iterator[tuple[Op, tuple[Json, ...] | None]]:
    """Values that may be added to a list or removed from it; none for lists of objects."""
    if element.kind is SlotKind.ENUM:
        yield Op.PUSH, tuple(value for value in element.enum_values if value not in now)
    elif element.kind is SlotKind.STRING:
        yield Op.PUSH, None
    texts = tuple(one for one in now if isinstance(one, str) and len(one) <= TEXT_LENGTH_MAX)
    if texts:
        yield Op.REMOVE, texts


def _list_steps(slot: Slot) -> tuple[int, ...]:
    low, high = slot.lowest, slot.highest
    most = STEPS[-1] if low is None or high is None else max(1, int((high - low) * STEP_SHARE))
    return tuple(step for step in STEPS if step <= most)
