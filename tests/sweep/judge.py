"""Whatever is proposed, no invalid state: generated games, generated moves, an independent validator.

The validator is built from the exported JSON Schema and the patches are replayed by an independent
library, so neither shares a line with the rules it checks.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

import hypothesis
import jsonpatch
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from talewright.common.json_values import Json
from talewright.kernel.conditions.conditions import parse_condition, parse_expression
from talewright.kernel.game import DerivedSlot, Game
from talewright.kernel.judging.move_resolution import JudgedStep, judge, settle
from talewright.kernel.judging.moves import Move, Op, Update
from talewright.kernel.slots.engine_slots import with_engine_root
from talewright.kernel.slots.slot_types import Carry, Layout, Policy, Slot, SlotKind, inherit, member
from talewright.kernel.state.changes import apply, invert, to_operation
from talewright.kernel.state.state import Position, State, begin
from talewright.kernel.story.triggers import Trigger
from tests.kernel.state_schema import state_schema

T = TypeVar("T")

FULL_COUNT = 200_000
CHUNK = 2_000

NAMES = ("hp", "gold", "flags", "time", "list", "bag", "雾", "a~b", "c")
WORDS = ("", "north", "south", "旧怀表", "x" * 30, "\ud800", "\x00", "null")
CAUSES = ("model", "player", "scene:s", "trigger:t", "system:s")

NUMBERS = (0, 1, -1, 7, 50, 119, 2**53 - 1, 2**53, -(2**53), 10**400, 0.5, -0.0, 1e308, 3.0)
NOT_NUMBERS = (float("nan"), float("inf"), float("-inf"))
CONDITIONS = ("total > 10", "pulse >= 0", "turn > 0 and pulse < 5", "not (total == 3)")
ODD_PATHS = ("", ".", "/", "a..b", "/~2", "_engine.ending", "_engine", "x" * 600, "pulse.0")


TOTAL = Slot(kind=SlotKind.INTEGER, default=0, minimum=0, maximum=1000, derived="pulse * 3 / 2")


class Tape:
    """Bytes from Hypothesis, read as decisions: quick to draw, and it shrinks as bytes do."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def below(self, limit: int) -> int:
        self._at += 1
        return self._data[self._at % len(self._data)] % limit

    def one_in(self, chances: int) -> bool:
        return self.below(chances) == 0

    def pick(self, options: Sequence[T]) -> T:
        return options[(self.below(256) * 256 + self.below(256)) % len(options)]


def make_value(tape: Tape, depth: int = 2) -> Any:
    match tape.below(9 if depth else 6):
        case 0:
            return None
        case 1:
            return tape.one_in(2)
        case 2:
            return tape.below(120) - 5
        case 3:
            return tape.pick(NUMBERS if tape.below(4) else NOT_NUMBERS)
        case 4 | 5:
            return tape.pick(WORDS)
        case 6:
            return [make_value(tape, depth - 1) for _ in range(tape.below(4))]
        case _:
            keys = (*NAMES, "day", "hour", "minute", "", "k" * 200)
            return {tape.pick(keys): make_value(tape, depth - 1) for _ in range(tape.below(4))}


def make_number_slot(tape: Tape) -> Slot:
    low = None if tape.one_in(2) else tape.below(30) - 20
    high = None if tape.one_in(2) else tape.below(90) + 10
    span = range(0 if low is None else low, (50 if high is None else high) + 1)
    return Slot(
        kind=tape.pick([SlotKind.INTEGER, SlotKind.NUMBER]),
        default=tape.pick(span),
        minimum=low,
        maximum=high,
        clamp=tape.one_in(2),
        policy=tape.pick([Policy.ANY, Policy.ANY, Policy.INC_DEC_ONLY, Policy.SET_ONLY]),
        max_step=tape.below(30) if tape.one_in(3) else None,
        nullable=tape.one_in(4),
    )


def make_clock(tape: Tape) -> Slot:
    hour = Slot(
        kind=SlotKind.INTEGER,
        default=20,
        minimum=tape.pick([None, 0]),
        maximum=tape.pick([None, 24]),
        clamp=tape.one_in(2),
        carry=tape.pick([None, Carry("day", 24)]),
    )
    minute = Slot(kind=SlotKind.INTEGER, default=10, carry=Carry("hour", 60))
    day = Slot(kind=SlotKind.INTEGER, default=1)
    return Slot(kind=SlotKind.OBJECT, fields={"day": day, "hour": hour, "minute": minute})


def make_slot(tape: Tape, depth: int = 3) -> Slot:
    return replace(_make_slot(tape, depth), readonly=tape.one_in(8), secret=tape.one_in(8))


def _make_slot(tape: Tape, depth: int) -> Slot:
    match tape.below(9 if depth else 5):
        case 0 | 1:
            return make_number_slot(tape)
        case 2:
            return Slot(kind=SlotKind.BOOLEAN, default=tape.one_in(2))
        case 3:
            return Slot(kind=SlotKind.STRING, default="north", max_length=tape.below(25) + 5)
        case 4:
            return Slot(kind=SlotKind.ENUM, enum_values=("north", "south"), default="north")
        case 5:
            return make_clock(tape)
        case 6:
            element = make_slot(tape, depth - 1)
            nullable = tape.one_in(3)
            return Slot(
                kind=SlotKind.LIST, element=element, default=[], max_items=tape.below(5), nullable=nullable
            )
        case _:
            fields = {tape.pick(NAMES): make_slot(tape, depth - 1) for _ in range(tape.below(4))}
            slot = Slot(kind=SlotKind.OBJECT, fields=fields, default={}, nullable=tape.one_in(4))
            if tape.one_in(2):
                return slot
            return replace(slot, values=make_slot(tape, depth - 1), max_items=tape.below(4))


def targets_of(layout: Layout) -> list[tuple[str, Slot]]:
    """Where something can be written, dotted and as pointers, elements and new members included."""
    found: list[tuple[str, Slot]] = []
    for path, slot in layout.walk():
        if path[0] == "_engine":
            continue
        text = "/" + "/".join(key.replace("~", "~0") for key in path)
        found.append((text, slot))
        if "~" not in text:
            found.append((".".join(path), slot))
        for key in ("0", "1", "new", "k" * 200):
            inner = member(slot, key)
            if inner is not None:
                found.append((f"{text}/{key}", inner))
    return found


def make_fitting(tape: Tape, slot: Slot) -> Any:
    """A value its slot could take."""
    match slot.kind:
        case SlotKind.INTEGER | SlotKind.NUMBER:
            return tape.below(130) - 20
        case SlotKind.BOOLEAN:
            return tape.one_in(2)
        case SlotKind.ENUM | SlotKind.STRING:
            return tape.pick(["north", "south"])
        case SlotKind.LIST:
            assert slot.element is not None
            return [make_fitting(tape, slot.element) for _ in range(tape.below(3))]
        case SlotKind.OBJECT:
            made = {key: make_fitting(tape, inner) for key, inner in slot.fields.items() if tape.below(3)}
            if slot.values is not None and tape.one_in(2):
                made[tape.pick(["new", "0"])] = make_fitting(tape, slot.values)
            return made


OPS_BY_KIND = {
    SlotKind.INTEGER: (Op.SET, Op.INC, Op.DEC),
    SlotKind.NUMBER: (Op.SET, Op.INC, Op.DEC),
    SlotKind.BOOLEAN: (Op.SET, Op.TOGGLE),
    SlotKind.LIST: (Op.SET, Op.PUSH, Op.PUSH),
}


def make_sound_update(tape: Tape, path: str, slot: Slot) -> Update:
    """Something its writer could mean."""
    op = tape.pick(OPS_BY_KIND.get(slot.kind, (Op.SET,)))
    if tape.one_in(5):
        op = tape.pick((Op.INSERT, Op.DELETE))
    if op is Op.PUSH:
        assert slot.element is not None
        return Update(op, path, make_fitting(tape, slot.element))
    if op in (Op.INC, Op.DEC):
        return Update(op, path, tape.below(90))
    return Update(op, path, make_fitting(tape, slot))


def make_game(tape: Tape) -> tuple[Game, list[tuple[str, Slot]]]:
    roots = {tape.pick(NAMES): make_slot(tape) for _ in range(tape.below(5) + 1)}
    roots["total"] = replace(TOTAL, clamp=tape.one_in(2))
    roots["pulse"] = Slot(kind=SlotKind.NUMBER, default=1, minimum=-50, maximum=10**6, clamp=tape.one_in(2))
    layout = with_engine_root(Layout({name: inherit(slot) for name, slot in roots.items()}))
    targets = targets_of(layout)
    triggers = tuple(
        Trigger(
            f"t{number}",
            parse_condition(tape.pick(CONDITIONS), layout),
            tuple(make_update(tape, targets) for _ in range(tape.below(4))),
            once=tape.one_in(2),
        )
        for number in range(tape.below(4))
    )
    game = Game(
        id="g",
        version="1",
        language="en",
        languages=("en",),
        layout=layout,
        initial={**layout.defaults(), "total": 1},
        derived=(DerivedSlot(("total",), parse_expression("pulse * 3 / 2", layout)),),
        triggers=triggers,
    )
    return game, targets


def make_update(tape: Tape, targets: Sequence[tuple[str, Slot]]) -> Update:
    """Mostly something a writer could mean; now and then something nobody should."""
    path, slot = tape.pick(targets)
    if tape.below(4):
        return make_sound_update(tape, path, slot)
    path = tape.pick(ODD_PATHS) if tape.one_in(3) else path
    return Update(tape.pick(list(Op)), path, make_value(tape))


Answers: TypeAlias = "list[tuple[str, list[Move]]]"


def make_play(data: bytes) -> tuple[Game, Answers]:
    """Read a game and the answers given in it from bytes."""
    tape = Tape(data)
    game, targets = make_game(tape)
    answers: Answers = [
        (tape.pick(CAUSES), [make_update(tape, targets) for _ in range(tape.below(4) + 1)])
        for _ in range(tape.below(4) + 1)
    ]
    return game, answers


class NoChance:
    def draw(self, sides: int, why: str = "") -> int:
        raise AssertionError("nothing here rolls")


def check_play(game: Game, answers: Answers) -> None:
    """Play the answers; every state on the way must be valid, and every change must come undone."""
    validator = Draft202012Validator(state_schema(game.layout))
    position = begin(game)
    validator.validate(position.state.document)
    for cause, moves in answers:
        step = judge(game, position, moves, cause, NoChance())
        if step.mends:
            assert step.position.state.digest == position.state.digest
            assert not step.changes
        check_step(position, step, validator)
        settled = settle(game, step.position, NoChance())
        check_step(step.position, settled, validator)
        position = settled.position


def check_step(before: Position, step: JudgedStep, validator: Draft202012Validator) -> None:
    after = step.position.state
    validator.validate(after.document)
    assert State(apply(before.state.document, step.changes), 0).digest == after.digest
    assert State(apply(after.document, invert(step.changes)), 0).digest == before.state.digest
    patched: dict[str, Json] = jsonpatch.apply_patch(
        before.state.document, [to_operation(change) for change in step.changes]
    )
    assert State(patched, 0).digest == after.digest


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Check `count` generated plays."""
    done = 0

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.generate, hypothesis.Phase.shrink],
    )
    @hypothesis.given(st.binary(min_size=100, max_size=700))
    def check(data: bytes) -> None:
        nonlocal done
        done += 1
        if progress and done % 100 == 0:
            progress(done)
        check_play(*make_play(data))

    print(f"judge: seed {seed}")
    check()
    return done
