"""Layouts: all slots of a game under their roots, the author's, the systems' and the engine's.

A variable that could not be made is named, so that nobody complains of its absence a second time.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from talewright.kernel.conditions.expression_tree import RESERVED_WORDS
from talewright.kernel.slots.engine_slots import with_engine_root
from talewright.kernel.slots.slot_types import Layout, Slot, inherit
from talewright.kernel.system import System
from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.files.nodes import ListNode, MapNode, ScalarNode
from talewright.pack.library import report_double
from talewright.pack.rules.slots import Above, make_slot
from talewright.pack.sources.game import GameSource
from talewright.pack.sources.variables import VariableSource
from talewright.pack.sources.words import MEMBER_PATTERN

PATCH, VERSION = "patch", "version"
"""The contract whose answers hold a JSON Patch, and where such a patch finds the version of the state."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The slots that conditions and updates stand on."""

    layout: Layout
    unsure: frozenset[str]
    """Roots that the author declared and that have a fault."""

    blind: bool = False
    """Whether a variable has no name that could be read, so that any unknown one may be meant."""


def make_ground(game: GameSource, systems: Sequence[System], desk: Desk) -> Ground:
    """Make the slots of a game."""
    foreign = {name: system for system in systems for name in system.slots()}
    roots: dict[str, Slot] = {}
    first: dict[str, VariableSource] = {}
    clashing: set[str] = set()
    for variable in game.variables:
        if variable.id in first:
            clashing.add(variable.id)
            report_double(variable.id, variable.node, first[variable.id].node, desk)
            continue
        first[variable.id] = variable
        if variable.id in RESERVED_WORDS:
            _report_reserved(variable, "a word of the condition language", desk)
        elif variable.id in foreign:
            clashing.add(variable.id)
            _report_reserved(variable, f"a name of the system `{foreign[variable.id].name}`", desk)
        elif game.contract == PATCH and variable.id == VERSION:
            # No patch could reach such a variable.
            _report_reserved(variable, "where a patch finds the version of the state", desk)
        else:
            slot = make_slot(variable, variable.id, Above(), desk)
            if slot is not None:
                roots[variable.id] = inherit(slot)
    for system in systems:
        roots.update({name: inherit(slot) for name, slot in system.slots().items()})
    written, blind = _written_roots(game)
    unsure = frozenset(written - roots.keys() | clashing)
    return Ground(with_engine_root(Layout(roots)), unsure, blind)


def _report_reserved(variable: VariableSource, why: str, desk: Desk) -> None:
    message = f"`{variable.id}` is {why}"
    desk.report(Code.RESERVED_NAME, variable.place("id"), message, f"Call it `{variable.id}_value`.")


def _written_roots(game: GameSource) -> tuple[set[str], bool]:
    """The ids of all variables, those included that could not be read; and whether there are further ones."""
    written = game.node.entries.get("variables")
    if not isinstance(written, ListNode):
        return set(), written is not None or "variables" in game.broken
    nodes = [item.entries.get("id") if isinstance(item, MapNode) else None for item in written.items]
    names = {node.text for node in nodes if isinstance(node, ScalarNode)}
    blind = any(not isinstance(node, ScalarNode) for node in nodes)
    return names, blind or any(not re.fullmatch(MEMBER_PATTERN, name) for name in names)
