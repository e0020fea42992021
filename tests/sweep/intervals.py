"""Random judgements: what is said to hold always or never must do so in every state that is tried.

Judging is done without states, asking by `conditions`, which has a sweep of its own.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from talewright.common.json_values import Json
from talewright.kernel.conditions.conditions import parse_condition, parse_expression
from talewright.kernel.conditions.expression_parser import EXPRESSION_LENGTH_MAX, NODES_MAX
from talewright.kernel.conditions.expression_tree import TURN
from talewright.kernel.conditions.satisfiability import Outlook, judge_possible, possible_values
from talewright.kernel.conditions.value_domains import (
    ChoiceDomain,
    ContentsDomain,
    Domain,
    NumberDomain,
    TextDomain,
    domain_of_value,
    join,
)
from talewright.kernel.state.state_paths import Path
from tests.sweep.programs import ALIKE, BOOLEAN, Writer, nodes_in, render
from tests.sweep.worlds import World, random_document, random_value, random_world

FULL_COUNT = 200_000

PROGRAMS_PER_WORLD = 40
DOCUMENTS_PER_WORLD = 12
ROOTS = 3
TURN_MAX = 3


@dataclass
class Tally:
    """How often each outlook was given."""

    outlooks: dict[Outlook, int] = field(default_factory=lambda: dict.fromkeys(Outlook, 0))


def run(
    count: int, seed: int, progress: Callable[[int], None] | None = None, tally: Tally | None = None
) -> int:
    """Check so many judgements; AssertionError names the seed and the program."""
    done = 0
    while done < count:
        rng = random.Random(f"{seed} {done}")
        world = random_world(rng, ROOTS)
        facts, documents = _known_documents(rng, world)
        where = f"seed {seed}, world {done}"
        for _ in range(min(PROGRAMS_PER_WORLD, count - done)):
            outlook = _check_one(rng, world, facts, documents, where)
            if tally:
                tally.outlooks[outlook] += 1
            done += 1
        if progress:
            progress(done)
    return done


def _known_documents(rng: random.Random, world: World) -> tuple[Mapping[Path, Domain], list[dict[str, Json]]]:
    """States, and facts that hold in all of them: one root has two values only, and the turn a few."""
    documents = [random_document(rng, world) for _ in range(DOCUMENTS_PER_WORLD)]
    if rng.random() < 0.5:
        return {}, documents
    name, slot = rng.choice(list(world.layout.roots.items()))
    values = random_value(rng, slot), random_value(rng, slot)
    documents = [{**document, name: rng.choice(values)} for document in documents]
    known = join(domain_of_value(values[0]), domain_of_value(values[1]))
    return {(name,): known, TURN: NumberDomain(0, TURN_MAX, whole=True)}, documents


def _check_one(
    rng: random.Random,
    world: World,
    facts: Mapping[Path, Domain],
    documents: list[dict[str, Json]],
    where: str,
) -> Outlook:
    kinds = BOOLEAN if rng.random() < 0.8 else rng.choice(ALIKE)
    program = Writer(rng, world).write(kinds, rng.choice((1, 2, 2, 3)))
    text = render(rng, program)
    if len(text) > EXPRESSION_LENGTH_MAX or nodes_in(program) > NODES_MAX:
        return Outlook.UNKNOWN
    if kinds != BOOLEAN:
        expression = parse_expression(text, world.layout)
        domain = possible_values(expression.tree, world.layout, facts)
        for document in documents:
            value = expression.value(document, rng.randrange(TURN_MAX + 1))
            assert value is None or contains(domain, value), (
                f"{where}: {text!r} gives {value!r}, not in {domain}"
            )
        return Outlook.UNKNOWN
    condition = parse_condition(text, world.layout)
    outlook = judge_possible(condition.tree, world.layout, facts)
    for document in documents:
        held = condition.holds(document, rng.randrange(TURN_MAX + 1))
        wrong = Outlook.NEVER if held else Outlook.ALWAYS
        assert outlook is not wrong, (
            f"{where}: {text!r} is said to hold {outlook}, facts {facts}, on {document}"
        )
    return outlook


def contains(domain: Domain | None, value: Json) -> bool:
    """Whether a value stands in a domain."""
    match domain:
        case None:
            return False
        case NumberDomain():
            if isinstance(value, bool) or not isinstance(value, int | float):
                return False
            return domain.low <= value <= domain.high and not (domain.whole and isinstance(value, float))
        case ChoiceDomain():
            return isinstance(value, bool | str) and any(
                value == known and type(value) is type(known) for known in domain.values
            )
        case TextDomain():
            return isinstance(value, str) and len(value) <= domain.length_max
        case ContentsDomain():
            if not isinstance(value, list | dict) or not domain.size_min <= len(value) <= domain.size_max:
                return False
            known = all(element is None or contains(domain.items, element) for element in value)
            return known and all(key in value for key in domain.always)
