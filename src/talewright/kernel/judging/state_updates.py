"""State updates: set, inc, push and the other operations, each granted with its changes or refused.

A refused update has no effect, whoever proposed it.
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from talewright.common.json_values import Json, equal, quote_value
from talewright.common.work_meter import COPIED_PER_STEP, count_work
from talewright.kernel.judging.moves import ENGINE, PROPOSERS, Op, Update
from talewright.kernel.judging.rulings import Granted, Refusal, Refused, drop, mend
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import (
    LISTED_MAX,
    NUMERIC,
    Policy,
    Slot,
    SlotKind,
    default_of,
    describe_slot,
    member,
)
from talewright.kernel.slots.value_validation import carry_depth, carry_over, check_open_keys, fit, fit_number
from talewright.kernel.state.documents import ABSENT, DECIMALS_MAX, find, normal_number
from talewright.kernel.state.state_paths import Path, PathError, dotted, index_of, parse_path

UPDATE_STEPS = 20
"""Steps of work to judge an update, apart from the size of its value and of its surroundings."""


def judge_update(table: WorkingState, update: Update, cause: str) -> Granted | Refused:
    """Judge one update on the working state and record its changes there."""
    count_work(UPDATE_STEPS)
    mark = table.mark()
    try:
        path, slot = _locate(table, update.path, cause, update.op)
        _Writer(table, update.reason, cause).do(update.op, path, slot, update.value)
    except Refusal as refusal:
        table.back(mark)
        return Refused(update, refusal.grade, refusal.reason)
    return Granted(update, tuple(table.changes[mark[1] :]))


def _locate(table: WorkingState, text: str, cause: str, op: Op) -> tuple[Path, Slot]:
    try:
        path = parse_path(text)
    except PathError as error:
        raise mend(str(error)) from None
    slot = table.game.layout.find(path)
    proposed = cause in PROPOSERS
    if slot is None:
        raise mend(_no_such_place(table, path, proposed))
    if path[0] == ENGINE_ROOT and cause != ENGINE:
        raise drop(f"{ENGINE_ROOT} belongs to the engine")
    if slot.derived and op is not Op.TEST:
        raise drop(f"{dotted(path)} is computed and cannot be written")
    if proposed and (slot.secret or (slot.readonly and op is not Op.TEST)):
        raise drop(f"{dotted(path)} is not yours to write")
    return path, slot


def _no_such_place(table: WorkingState, path: Path, proposed: bool) -> str:
    known: Path = path
    slot = None
    while known and slot is None:
        known = known[:-1]
        slot = table.game.layout.find(known)
    fields = table.game.layout.roots if slot is None else slot.fields
    names = [
        name for name, inner in fields.items() if not (proposed and inner.secret) and name != ENGINE_ROOT
    ]
    listed = ", ".join(names[:LISTED_MAX]) + (" ..." if len(names) > LISTED_MAX else "")
    owner = dotted(known) if known else "the state"
    return f"there is no {quote_value(dotted(path))}; {owner} has {listed or 'no members'}"


class _Writer:
    """Carries out one update: all its changes share the same reason and cause."""

    def __init__(self, table: WorkingState, reason: str, cause: str) -> None:
        self.table = table
        self.reason = reason
        self.cause = cause
        self.proposed = cause in PROPOSERS

    def do(self, op: Op, path: Path, slot: Slot, value: Json) -> None:
        match op:
            case Op.SET:
                self.set(path, slot, value)
            case Op.INC | Op.DEC:
                self.shift(path, slot, value, 1 if op is Op.INC else -1)
            case Op.PUSH | Op.REMOVE:
                self.amend(path, slot, value, op)
            case Op.TOGGLE:
                self.toggle(path, slot)
            case Op.INSERT:
                self.insert(path, slot, value)
            case Op.DELETE:
                self.delete(path)
            case Op.TEST:
                self.test(path, value)
            case _:
                assert_never(op)

    def set(self, path: Path, slot: Slot, value: Json) -> None:
        if slot.policy is Policy.INC_DEC_ONLY:
            raise drop(f"{dotted(path)} may only go up or down (inc, dec)")
        current = self.table.draft.read(path)
        if current is ABSENT:
            self.insert(path, slot, value)
        elif slot.kind is SlotKind.OBJECT and isinstance(current, Mapping) and isinstance(value, Mapping):
            self.set_members(path, slot, current, value)
        elif slot.kind in NUMERIC and value is not None:
            self.put_number(path, slot, current, value)
        else:
            self.put(path, slot, value)

    def put(self, path: Path, slot: Slot, value: Json) -> None:
        fitted = fit(slot, value, dotted(path), proposed=self.proposed)
        if self.proposed and _is_guarded(slot):
            raise drop(
                f"{dotted(path)} holds members that are not yours to write; change its elements singly"
            )
        self.table.replace(path, fitted.value, self.reason, self.cause, clamped=fitted.clamped)

    def set_members(
        self, path: Path, slot: Slot, current: Mapping[str, Json], value: Mapping[str, Json]
    ) -> None:
        """Judge each member separately; unnamed fields stay, unnamed open members are removed."""
        open_keys = [key for key in value if key not in slot.fields]
        if open_keys:
            check_open_keys(slot, open_keys, dotted(path))
        count_work(len(current) + len(value))
        for key in current:
            if key not in slot.fields and key not in value:
                self.table.remove((*path, key), self.reason, self.cause)
        for key in sorted(value, key=lambda key: carry_depth(slot, key)):
            inner = member(slot, key)
            assert inner is not None
            if inner.derived or (self.proposed and (inner.readonly or inner.secret)):
                if not equal(current.get(key), value[key]):
                    raise drop(f"{dotted((*path, key))} is not yours to write")
                continue
            self.set((*path, key), inner, value[key])

    def shift(self, path: Path, slot: Slot, value: Json, sign: int) -> None:
        name = dotted(path)
        if slot.kind not in NUMERIC:
            raise mend(f"{name} is {describe_slot(slot)}; inc and dec are for numbers")
        if slot.policy is Policy.SET_ONLY:
            raise drop(f"{name} may only be set")
        amount = (
            normal_number(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
        )
        if amount is None or amount < 0:
            raise mend(f"inc and dec take a number of 0 or more, not {quote_value(value)}")
        current = self.table.draft.read(path)
        if current is None:
            raise mend(f"{name} is null; set it first")
        # A missing member of an open object reads as its default, so start from there.
        start = default_of(slot) if current is ABSENT else current
        assert isinstance(start, int | float)
        if current is ABSENT:
            self.insert(path, slot, start + sign * amount)
        else:
            self.put_number(path, slot, start, start + sign * amount)

    def put_number(self, path: Path, slot: Slot, current: Json, value: Json) -> None:
        """Write a number, limited to its largest step and carried over or clamped."""
        value, held = self.hold_step(path, slot, current, value)
        if slot.carry is None:
            fitted = fit_number(slot, value, dotted(path))
            self.table.replace(path, fitted.value, self.reason, self.cause, clamped=held or fitted.clamped)
            return
        above = path[:-1]
        parent = self.table.game.layout.find(above)
        siblings = self.table.draft.peek(above)
        assert parent is not None
        assert isinstance(siblings, Mapping)
        count_work(len(siblings))
        members = {**siblings, path[-1]: fit_number(slot, value, dotted(path)).value}
        clamped = carry_over(parent, members, dotted(above)) or held
        for key in members:
            self.table.replace((*above, key), members[key], self.reason, self.cause, clamped=clamped)

    def hold_step(self, path: Path, slot: Slot, current: Json, value: Json) -> tuple[Json, bool]:
        """Limit a number to the slot's largest step from its value at the start of this judgement."""
        if slot.max_step is None or isinstance(value, bool) or not isinstance(value, int | float):
            return value, False
        if normal_number(value) is None:
            return value, False
        origin = find(self.table.base, path)
        if isinstance(origin, bool) or not isinstance(origin, int | float):
            origin = current
        if not isinstance(origin, int | float) or round(abs(value - origin), DECIMALS_MAX) <= slot.max_step:
            return value, False
        if not slot.clamp:
            raise mend(f"{dotted(path)} moves by at most {slot.max_step} in one answer, from {origin}")
        return (origin + slot.max_step if value > origin else origin - slot.max_step), True

    def amend(self, path: Path, slot: Slot, value: Json, op: Op) -> None:
        name = dotted(path)
        current = self.table.draft.peek(path)
        if slot.kind is not SlotKind.LIST or not isinstance(current, Sequence) or isinstance(current, str):
            raise mend(f"{name} is {describe_slot(slot)}; push and remove are for lists")
        if op is Op.PUSH:
            self.insert_element((*path, str(len(current))), slot, value, len(current))
            return
        count_work(len(current))
        for number, element in enumerate(current):
            if equal(element, value):
                self.table.remove((*path, str(number)), self.reason, self.cause)
                return
        raise mend(f"{name} has nothing equal to {quote_value(value)}")

    def toggle(self, path: Path, slot: Slot) -> None:
        current = self.table.draft.peek(path)
        if slot.kind is not SlotKind.BOOLEAN or not isinstance(current, bool):
            raise mend(f"{dotted(path)} is {describe_slot(slot)}; toggle is for true and false")
        self.table.replace(path, not current, self.reason, self.cause)

    def insert(self, path: Path, slot: Slot, value: Json) -> None:
        above, key = path[:-1], path[-1]
        owner = self.table.game.layout.find(above)
        siblings = self.table.draft.peek(above)
        if owner is not None and owner.kind is SlotKind.LIST and isinstance(siblings, Sequence):
            self.insert_element(path, owner, value, len(siblings))
            return
        if owner is None or not isinstance(siblings, Mapping):
            raise mend(f"nothing can be inserted at {dotted(path)}")
        if key in siblings:
            raise mend(f"{dotted(path)} is there already; set it")
        count_work(len(siblings) // COPIED_PER_STEP)
        others = len(siblings) - len(siblings.keys() & owner.fields.keys())
        check_open_keys(owner, [key], dotted(above), others)
        fitted = fit(slot, value, dotted(path), proposed=self.proposed)
        self.table.add(path, fitted.value, self.reason, self.cause, clamped=fitted.clamped)

    def insert_element(self, path: Path, owner: Slot, value: Json, size: int) -> None:
        name = dotted(path[:-1])
        if index_of(path[-1], size + 1) is None:
            raise mend(f"{name} has {size} elements; there is no place {quote_value(path[-1])}")
        if size >= owner.max_items:
            raise mend(f"{name} is full: {describe_slot(owner)}")
        assert owner.element is not None
        fitted = fit(owner.element, value, dotted(path), proposed=self.proposed)
        self.table.add(path, fitted.value, self.reason, self.cause, clamped=fitted.clamped)

    def delete(self, path: Path) -> None:
        owner = self.table.game.layout.find(path[:-1])
        if owner is None or path[-1] in owner.fields:
            raise mend(f"{dotted(path)} always exists and cannot be deleted")
        if self.table.draft.peek(path) is ABSENT:
            raise mend(f"there is nothing at {dotted(path)}")
        self.table.remove(path, self.reason, self.cause)

    def test(self, path: Path, value: Json) -> None:
        current = self.table.draft.peek(path)
        if current is ABSENT or not equal(current, value):
            found = "nothing" if current is ABSENT else quote_value(current)
            raise mend(f"{dotted(path)} was expected to be {quote_value(value)}; it is {found}")


def _is_guarded(slot: Slot) -> bool:
    """Whether proposers may not write something beneath a slot."""
    inner = [*slot.fields.values(), *filter(None, (slot.values, slot.element))]
    return any(part.readonly or part.secret or part.derived or _is_guarded(part) for part in inner)
