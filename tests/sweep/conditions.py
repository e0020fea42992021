"""Random programs: the kernel's conditions and the naive oracle must agree on every one.

Each program is read from text, and asked of several documents, some of them spoilt.
"""

import random
from collections.abc import Callable
from typing import Final

from talewright.common.json_values import Json, equal
from talewright.kernel.conditions.conditions import (
    FUEL_MAX,
    Condition,
    Expression,
    parse_condition,
    parse_expression,
)
from talewright.kernel.conditions.expression_json import tree_to_json
from talewright.kernel.conditions.expression_parser import EXPRESSION_LENGTH_MAX, NODES_MAX
from talewright.kernel.conditions.expression_tree import ExpressionError
from talewright.kernel.slots.slot_types import Layout, SlotKind
from tests.sweep.naive_conditions import NoAnswerError, Oracle, Program
from tests.sweep.programs import ALIKE, BOOLEAN, Writer, nodes_in, reads_of, render
from tests.sweep.worlds import World, random_document, random_value, random_world, spoil

FULL_COUNT = 1_000_000

PROGRAMS_PER_WORLD = 40
DOCUMENTS_PER_WORLD = 6
ROOTS = 7
DOCUMENTS_PER_PROGRAM = 3
DEPTH: Final = (1, 2, 2, 3, 3, 4)


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Check so many programs; AssertionError names the seed and the program."""
    done = 0
    while done < count:
        rng = random.Random(f"{seed} {done}")
        world = random_world(rng, ROOTS)
        documents = [random_document(rng, world) for _ in range(DOCUMENTS_PER_WORLD)]
        for _ in range(min(PROGRAMS_PER_WORLD, count - done)):
            _check_one(rng, world, documents, f"seed {seed}, world {done - done % PROGRAMS_PER_WORLD}")
            done += 1
        if progress:
            progress(done)
    return done


def _check_one(rng: random.Random, world: World, documents: list[dict[str, Json]], where: str) -> None:
    writer = Writer(rng, world)
    if rng.random() < 0.05:
        _check_refused(render(rng, writer.nonsense()), world, where)
        return
    if rng.random() < 0.002:
        _check_fuel(rng, writer, documents, where)
        return
    kinds = BOOLEAN if rng.random() < 0.75 else rng.choice(ALIKE)
    program, text = _short_program(rng, writer, kinds)
    read: Callable[[str, Layout], Condition | Expression]
    read = parse_condition if kinds == BOOLEAN else parse_expression
    try:
        formula = read(text, world.layout)
    except ExpressionError as error:
        raise AssertionError(f"{where}: {text!r} was refused: {error} (column {error.column})") from error
    assert formula.reads == frozenset(reads_of(program)), f"{where}: {text!r} reads {formula.reads}"
    if rng.random() < 0.1:
        formula = type(formula).restore(
            text, tree_to_json(formula.tree), map(list, formula.reads), world.layout
        )
    for document in rng.sample(documents, DOCUMENTS_PER_PROGRAM):
        turn = rng.choice((0, 1, 2, 100))
        _compare(formula, program, world, document, turn, where)
        spoilt = spoil(rng, document)
        if isinstance(spoilt, dict):
            _compare(formula, program, world, spoilt, turn, where)


def _check_fuel(rng: random.Random, writer: Writer, documents: list[dict[str, Json]], where: str) -> None:
    """A program that takes all of its fuel, or one element more."""
    lists = [(name, slot) for name, slot in writer.world.layout.roots.items() if slot.element]
    if not lists:
        return
    name, slot = rng.choice(lists)
    assert slot.element
    looks = rng.choice((1, 2, 4))
    program = writer.crowd(name, slot, looks)
    text = render(rng, program)
    size = FUEL_MAX // looks + rng.randrange(2)
    document = {**rng.choice(documents), name: [random_value(rng, slot.element)] * size}
    _compare(parse_condition(text, writer.world.layout), program, writer.world, document, 1, where)


def _short_program(rng: random.Random, writer: Writer, kinds: tuple[SlotKind, ...]) -> tuple[Program, str]:
    """A program within the limits of the language."""
    while True:
        program = writer.write(kinds, rng.choice(DEPTH))
        text = render(rng, program)
        if len(text) <= EXPRESSION_LENGTH_MAX and nodes_in(program) <= NODES_MAX:
            return program, text


def _check_refused(text: str, world: World, where: str) -> None:
    column = 0
    try:
        parse_expression(text, world.layout)
    except ExpressionError as error:
        column = error.column
    assert 1 <= column <= len(text) + 1, f"{where}: {text!r} should be refused, at a column of it"


def _compare(
    formula: Condition | Expression,
    program: Program,
    world: World,
    document: dict[str, Json],
    turn: int,
    where: str,
) -> None:
    """The kernel and the oracle must give the same."""
    try:
        expected = Oracle(world.layout, document, turn).ask(program)
    except NoAnswerError:
        expected = None
    answer: Json
    if isinstance(formula, Condition):
        answer, expected = formula.holds(document, turn), expected is True
    else:
        answer = formula.value(document, turn)
    same = type(answer) is type(expected) and equal(answer, expected)
    assert same, (
        f"{where}: {formula.source!r} gives {answer!r}, not {expected!r}, on {document!r} in turn {turn}"
    )
