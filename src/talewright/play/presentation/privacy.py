"""Privacy: what a viewer may see of a state, decided by the slots alone.

Values without a slot are visible only to those who see everything. No words are made here.
"""

from collections.abc import Mapping
from dataclasses import replace

from talewright.common.json_values import Json, equal
from talewright.kernel.game import Game
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import Slot, SlotKind, member
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT, Absent
from talewright.kernel.state.state_paths import Path, parse_pointer
from talewright.play.campaign_view import Viewer

SEES_HIDDEN = frozenset({Viewer.MASTER, Viewer.AUTHOR, Viewer.OPERATOR})
SEES_SECRET = frozenset({Viewer.AUTHOR, Viewer.OPERATOR})


def may_see(slot: Slot, viewer: Viewer) -> bool:
    """Whether a slot is visible to a viewer; its parents are not checked."""
    if slot.secret:
        return viewer in SEES_SECRET
    return not slot.hidden or viewer in SEES_HIDDEN


def visible_path(game: Game, path: Path, viewer: Viewer) -> bool:
    """Whether a viewer may see a path: nothing private on the way to it, and a slot at its end."""
    return visible_slot(game, path, viewer) is not None


def visible_slot(game: Game, path: Path, viewer: Viewer) -> Slot | None:
    """The slot at a path; None if there is none or something on the way is private."""
    if not path or (path[0] == ENGINE_ROOT and viewer not in SEES_SECRET):
        return None
    slot = game.layout.roots.get(path[0])
    for key in path[1:]:
        if slot is None or not may_see(slot, viewer):
            return None
        slot = member(slot, key)
    return slot if slot is not None and may_see(slot, viewer) else None


def prune(slot: Slot, value: Json, viewer: Viewer) -> Json | Absent:
    """A value without its private members; absent if all of it is private."""
    if not may_see(slot, viewer):
        return ABSENT
    if isinstance(value, Mapping):
        members = ((key, _prune_inner(member(slot, key), inner, viewer)) for key, inner in value.items())
        return {key: inner for key, inner in members if inner is not ABSENT}
    if isinstance(value, list):
        elements = (_prune_inner(slot.element, inner, viewer) for inner in value)
        return [inner for inner in elements if inner is not ABSENT]
    return value


def _prune_inner(slot: Slot | None, value: Json, viewer: Viewer) -> Json | Absent:
    # A value that the slot does not describe may be anything, so it is hidden.
    return ABSENT if slot is None else prune(slot, value, viewer)


def prune_change(game: Game, change: Change, viewer: Viewer) -> Change | None:
    """A change as a viewer may see it; None if nothing of it is visible."""
    slot = visible_slot(game, parse_pointer(change.path), viewer)
    if slot is None:
        return None
    value = change.value if change.value is ABSENT else prune(slot, change.value, viewer)
    was = change.was if change.was is ABSENT else prune(slot, change.was, viewer)
    if value is not ABSENT and was is not ABSENT and equal(value, was):
        return None
    return replace(change, value=value, was=was)


def is_list_element(game: Game, path: Path) -> bool:
    """Whether the last key of a path is a list index."""
    above = game.layout.find(path[:-1])
    return above is not None and above.kind is SlotKind.LIST
