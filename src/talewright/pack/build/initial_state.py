"""The initial state: the document that a new campaign starts with, and the order of derived slots.

Triggers that fire at once are not applied here.
"""

import math
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from talewright.common.json_values import Json
from talewright.kernel.conditions.conditions import Expression, parse_expression
from talewright.kernel.conditions.expression_tree import ExpressionError
from talewright.kernel.game import DerivedSlot
from talewright.kernel.slots.slot_types import Slot, SlotKind, default_of
from talewright.kernel.slots.value_validation import fit
from talewright.kernel.state.state_paths import Path, dotted
from talewright.pack.build.build_context import BuildContext
from talewright.pack.build.slot_defaults import fit_first
from talewright.pack.faults import FaultCode
from talewright.pack.files.yaml_nodes import MapNode, ScalarNode
from talewright.pack.schema.game_fields import GameSource
from talewright.pack.schema.variable_fields import SlotSource

FIRST_TURN = 1


def read_derived(game: GameSource, work: BuildContext) -> tuple[DerivedSlot, ...]:
    """All derived slots, in an order in which each comes after those it reads."""
    nodes = dict(_written(game))
    found: dict[Path, Expression] = {}
    for path, slot in work.ground.layout.walk():
        if not slot.derived:
            continue
        try:
            found[path] = parse_expression(slot.derived, work.ground.layout, slot)
        except ExpressionError as error:
            if path not in nodes:
                raise
            work.report_expression(nodes[path], error)
    return _in_order(found, nodes, work)


def build_initial_document(
    game: GameSource, derived: Sequence[DerivedSlot], work: BuildContext
) -> dict[str, Json]:
    """The initial document: defaults, then `initial_state`, then derived values."""
    layout = work.ground.layout
    document = layout.defaults()
    written = game.node.entries.get("initial_state")
    for name in game.initial_state if isinstance(written, MapNode) else ():
        assert isinstance(written, MapNode)
        slot = layout.roots.get(name)
        if slot is None or slot.derived:
            _report_unset(name, slot, written, work)
            continue
        first = fit_first(slot, written.entries[name], name, work.fault_list)
        if first is not None:
            document[name] = first[0]
    for each in derived:
        slot = layout.find(each.path)
        assert slot is not None
        value = each.expression.value(document, FIRST_TURN)
        if slot.kind is SlotKind.INTEGER and isinstance(value, float):
            value = math.floor(value)
        _put(document, each.path, fit(slot, default_of(slot) if value is None else value, "").value)
    return document


def _report_unset(name: str, slot: Slot | None, written: MapNode, work: BuildContext) -> None:
    if slot is not None:
        message, suggestion = f"`{name}` is computed and cannot have an initial value", "Delete the line."
        work.fault_list.report(FaultCode.BAD_VALUE, written.key_place(name), message, suggestion)
    elif not work.is_unsure(name):
        roots = [root for root in work.ground.layout.roots if not root.startswith("_")]
        suggestion = work.fault_list.suggest(name, roots, "variables")
        work.fault_list.report(
            FaultCode.UNKNOWN_PATH, written.key_place(name), f"there is no `{name}`", suggestion
        )


def _written(game: GameSource) -> list[tuple[Path, ScalarNode]]:
    """Every derived expression, with the path of its slot."""
    found: list[tuple[Path, ScalarNode]] = []

    def look(source: SlotSource, path: Path) -> None:
        if source.derived is not None:
            found.append((path, source.derived))
        for key, member in source.fields.items():
            look(member, (*path, key))

    for variable in game.variables:
        look(variable, (variable.id,))
    return found


def _in_order(
    found: Mapping[Path, Expression], nodes: Mapping[Path, ScalarNode], work: BuildContext
) -> tuple[DerivedSlot, ...]:
    beneath: dict[Path, list[Path]] = {}
    for path in found:
        for size in range(1, len(path) + 1):
            beneath.setdefault(path[:size], []).append(path)
    # Lists, not sets: changes are recorded in this order, so it must be the same in every process.
    graph: dict[Path, list[Path]] = {}
    for path, expression in found.items():
        needed = graph.setdefault(path, [])
        for read in sorted(expression.reads):
            needed += beneath.get(read, ())
            needed += (read[:size] for size in range(1, len(read)) if read[:size] in found)
    try:
        return tuple(DerivedSlot(path, found[path]) for path in TopologicalSorter(graph).static_order())
    except CycleError as error:
        circle: list[Path] = error.args[1][:0:-1]
        path = next(path for path in found if path in circle)
        start = circle.index(path)
        names = map(dotted, [*circle[start:], *circle[:start], path])
        message = f"{dotted(path)} is computed from itself: {' from '.join(names)}"
        work.fault_list.report(
            FaultCode.BAD_DERIVED, nodes[path].place, message, "Compute one of them without the others."
        )
        return ()


def _put(document: dict[str, Json], path: Path, value: Json) -> None:
    holder = document
    for key in path[:-1]:
        inner = holder[key]
        if not isinstance(inner, dict):
            return
        holder = inner
    holder[path[-1]] = value
