"""Reachable values: the values that each slot can have in play.

It overestimates: a value that is not among them certainly never occurs.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.conditions.expression_tree import TURN, Comparison, Junction, Node, Not, ValueType
from talewright.kernel.conditions.expression_types import type_of
from talewright.kernel.conditions.satisfiability import Outlook, judge_possible, possible_values
from talewright.kernel.conditions.value_domains import (
    ChoiceDomain,
    ContentsDomain,
    Domain,
    NumberDomain,
    domain_of,
    domain_of_value,
    join,
    join_all,
)
from talewright.kernel.game import DerivedSlot, Game
from talewright.kernel.judging.moves import Op
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import Layout, Slot, SlotKind, default_of
from talewright.kernel.slots.value_validation import fit
from talewright.kernel.state.documents import ABSENT, INTEGER_MAX, find
from talewright.kernel.state.state_paths import Path
from talewright.pack.lint.authored_updates import AuthoredUpdate, AuthoredUpdateIndex, carried

FIRST_TURN = 1

_BOTH = frozenset({True, False})


@frozen
class ReachableValues:
    """The possible values of the slots of a game."""

    facts: dict[Path, Domain]
    """Domains by path, for every slot that exists in every state, and for the turn."""

    unwritten: frozenset[Path]
    """Paths that keep their initial value, because nothing writes them."""


def find_reachable_values(game: Game, deeds: AuthoredUpdateIndex) -> ReachableValues:
    """Compute the possible values of every slot."""
    facts: dict[Path, Domain] = {TURN: NumberDomain(FIRST_TURN, INTEGER_MAX, whole=True)}
    unwritten: set[Path] = set()
    moved = _moved_by_proposers(game.layout)
    for path, slot in _fixed(game.layout):
        if slot.derived:
            continue
        # The updates of a system may change any slot, so nothing is ruled out in a game with systems.
        anything = bool(game.systems) or path in moved or path[0] == ENGINE_ROOT
        if anything or _is_closed_object(slot):
            facts[path] = domain_of(slot)
            continue
        writings = deeds.touching(path)
        if not writings:
            unwritten.add(path)
        first = find(game.initial, path)
        assert first is not ABSENT, "a fixed place always holds something"
        gains = any(above.carry and above.carry.into == path[-1] for above in _siblings(path, game.layout))
        facts[path] = domain_of(slot) if gains and writings else _written(path, slot, first, writings)
    facts.update({path: domain_of(computed.slot) for path, computed in game.layout.computed.items()})
    for derived in game.derived:
        derived_slot = game.layout.find(derived.path)
        assert derived_slot is not None
        facts[derived.path] = _computed(derived, derived_slot, game.layout, facts)
    return ReachableValues(facts, frozenset(unwritten))


def is_total(tree: Node, layout: Layout, facts: Mapping[Path, Domain]) -> bool:
    """Whether an expression certainly has a value in every state."""
    if type_of(tree, layout) is ValueType.BOOLEAN:
        either: Node = Junction("or", (tree, Not(tree)))
    else:
        either = Junction("or", (Comparison("==", tree, tree), Comparison("!=", tree, tree)))
    return judge_possible(either, layout, facts) is Outlook.ALWAYS


def _fixed(layout: Layout) -> list[tuple[Path, Slot]]:
    """Every slot that exists in every state, because nothing above it can be null."""
    fixed: list[tuple[Path, Slot]] = []
    doubtful: set[Path] = set()
    for path, slot in layout.walk():
        if path[:-1] in doubtful:
            doubtful.add(path)
            continue
        fixed.append((path, slot))
        if slot.nullable:
            doubtful.add(path)
    return fixed


def _moved_by_proposers(layout: Layout) -> set[Path]:
    """Paths that the storyteller or the player may change, also through carries."""
    moved: set[Path] = set()
    for path, slot in layout.walk():
        if not (slot.readonly or slot.secret or slot.derived):
            moved.update(carried(path, layout) if slot.carry else (path,))
    return moved


def _siblings(path: Path, layout: Layout) -> Iterable[Slot]:
    above = layout.find(path[:-1])
    return above.fields.values() if above is not None else ()


def _is_closed_object(slot: Slot) -> bool:
    return slot.kind is SlotKind.OBJECT and slot.values is None


def _written(path: Path, slot: Slot, first: Json, writings: list[AuthoredUpdate]) -> Domain:
    """The initial value, and what the authored updates can make of it."""
    domain = domain_of_value(first)
    if slot.carry is not None and writings:
        return domain_of(slot)
    moves: list[AuthoredUpdate] = []
    for writing in writings:
        depth = len(writing.path)
        if writing.path == path and writing.update.op is not Op.SET:
            moves.append(writing)
        elif writing.path != path[:depth]:
            # An element of a list or an open object.
            return domain_of(slot)
        else:
            domain = _join_set(domain, slot, writing.update.value, path[depth:])
    for writing in moves:
        domain = _join_move(domain, slot, writing.update.op, writing.update.value)
    return domain


def _join_set(domain: Domain, slot: Slot, value: Json, rest: Path) -> Domain:
    """Extend a domain by the value that an update sets, directly or in an object above."""
    for key in rest:
        if not isinstance(value, dict) or key not in value:
            return domain
        value = value[key]
    return join(domain, domain_of_value(fit(slot, value, "").value))


def _join_move(domain: Domain, slot: Slot, op: Op, value: Json) -> Domain:
    """Extend a domain by all values that repeating an operation can give."""
    match op, domain:
        case ((Op.INC | Op.DEC), NumberDomain()) if isinstance(value, int | float) and value > 0:
            whole = slot.kind is SlotKind.INTEGER
            if op is Op.INC:
                high = INTEGER_MAX if slot.highest is None else slot.highest
                return replace(domain, high=max(domain.high, high), whole=whole)
            low = -INTEGER_MAX if slot.lowest is None else slot.lowest
            return replace(domain, low=min(domain.low, low), whole=whole)
        case Op.TOGGLE, ChoiceDomain(values=values) if values:
            return replace(domain, values=_BOTH)
        case Op.REMOVE, ContentsDomain():
            return replace(domain, size_min=0)
        case Op.PUSH, ContentsDomain() if slot.element is not None:
            pushed = _join_set(domain_of_value(value), slot.element, value, ())
            items = join_all(known for known in (domain.items, pushed) if known)
            return replace(domain, size_max=slot.max_items, items=items)
        case _:
            return domain


def _computed(derived: DerivedSlot, slot: Slot, layout: Layout, facts: Mapping[Path, Domain]) -> Domain:
    """The possible values of a derived slot; its default replaces an expression without a value."""
    tree = derived.expression.tree
    default = domain_of_value(default_of(slot))
    domain = possible_values(tree, layout, facts)
    if domain is None:
        return default
    doubtful = domain.null or not is_total(tree, layout, facts)
    domain = replace(domain, null=False)
    if isinstance(domain, NumberDomain):
        domain = _brought_into_range(domain, slot)
        # If out of range, a slot that does not clamp has its default.
        doubtful = doubtful or not slot.clamp
    return join(domain, default) if doubtful else domain


def _brought_into_range(domain: NumberDomain, slot: Slot) -> NumberDomain:
    low, high = domain.low, domain.high
    if slot.kind is SlotKind.INTEGER:
        low, high = math.floor(low), math.floor(high)
    for bound, choose in ((slot.lowest, max), (slot.highest, min)):
        if bound is not None:
            low, high = choose(low, bound), choose(high, bound)
    return NumberDomain(low, high, whole=domain.whole or slot.kind is SlotKind.INTEGER)
