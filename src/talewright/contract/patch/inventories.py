"""Inventories: lists of things with an `id` and a `qty`, and the rules by which a patch may touch them.

A rule answers with what is wrong and what to write instead; it changes nothing and judges no value.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from talewright.kernel.slots.slot_types import NUMERIC, TEXTUAL, Layout, Slot, member
from talewright.kernel.state.documents import ABSENT, Absent, Json, equal, find, quote_value
from talewright.kernel.state.state_paths import Path, pointer

INDEX_TITLE = "[INVENTORY_INDEX_BY_ID]"


def is_inventory(slot: Slot | None) -> bool:
    """Whether a slot is a list of things with an `id` and a `qty`. What is secret is nobody's to know."""
    if slot is None or slot.element is None or slot.secret:
        return False
    name, count = slot.element.fields.get("id"), slot.element.fields.get("qty")
    if name is None or name.secret or count is None:
        return False
    return name.kind in TEXTUAL and count.kind in NUMERIC


def index_by_id(document: Mapping[str, Json], layout: Layout) -> str:
    """Where each thing of each inventory stands, as the prompt tells it; empty where a game has none."""
    index = {
        pointer(path): _number_things(things)
        for root, slot in layout.roots.items()
        for path, things in _find_inventories(slot, document[root], (root,))
    }
    return f"{INDEX_TITLE}\n{json.dumps(index, ensure_ascii=False)}" if index else ""


def check_write(
    path: Path, value: Json, document: Mapping[str, Json], layout: Layout, *, adding: bool = False
) -> str:
    """What the rules have against a value at a path, added or put in the place of another; else nothing."""
    slot, above, above_that = (layout.find(path[: len(path) - steps]) for steps in range(3))
    if is_inventory(above):
        things = find(document, path[:-1])
        if not isinstance(things, list) or not isinstance(value, dict):
            return ""  # Not a thing: the slots have more to say about it.
        return _check_new(path, value, things) if adding else _check_other(path, value, things)
    if is_inventory(above_that):
        return _check_member(path, value, find(document, path))
    if slot is not None and _replaces_inventory(slot, value, find(document, path)):
        return f"{pointer(path)} has an inventory in it; add, replace and remove its things one by one"
    return ""


def _check_new(path: Path, thing: Mapping[str, Json], things: Sequence[Json]) -> str:
    place, name = pointer(path[:-1]), thing.get("id")
    if path[-1] != "-":
        return f"a new thing goes to the end: add it at {place}/-"
    known = _number_things(things)
    if isinstance(name, str) and name in known:
        return f"{quote_value(name)} is there already: replace {place}/{known[name]}/qty"
    if _is_none(thing.get("qty")):
        return f"a qty of {quote_value(thing.get('qty'))} is nothing: leave {quote_value(name)} out"
    return ""


def _check_other(path: Path, thing: Mapping[str, Json], things: Sequence[Json]) -> str:
    place, there = pointer(path), find(things, path[-1:])
    if isinstance(there, dict) and not equal(there.get("id"), thing.get("id")):
        return (
            f"{place} is {quote_value(there.get('id'))} and things keep their places: "
            f"remove it and add {quote_value(thing.get('id'))} at {pointer(path[:-1])}/-"
        )
    if _is_none(thing.get("qty")):
        return f"a qty of {quote_value(thing.get('qty'))} is nothing: remove {place}"
    return ""


def _check_member(path: Path, value: Json, there: Json | Absent) -> str:
    thing = pointer(path[:-1])
    if path[-1] == "id" and there is not ABSENT and not equal(there, value):
        wanted = quote_value(value)
        return f"{thing} is {quote_value(there)} and stays it: remove it, and add {wanted} at the end with -"
    if path[-1] == "qty" and _is_none(value):
        return f"a qty of {quote_value(value)} is nothing: remove {thing}"
    return ""


def _is_none(count: Json) -> bool:
    return isinstance(count, int | float) and not isinstance(count, bool) and count <= 0


def _replaces_inventory(slot: Slot, value: Json, there: Json | Absent) -> bool:
    """Whether a value holds another inventory where one stands already."""
    if there is ABSENT or equal(there, value):
        return False
    if is_inventory(slot):
        return True
    return any(
        _replaces_inventory(below, inner, find(there, (key,)))
        for key, inner in _list_members(value)
        if (below := member(slot, key)) is not None
    )


def _find_inventories(slot: Slot, value: Json, path: Path) -> Iterator[tuple[Path, Sequence[Json]]]:
    if is_inventory(slot) and isinstance(value, list):
        yield path, value
        return
    for key, inner in _list_members(value):
        below = member(slot, key)
        assert below is not None
        yield from _find_inventories(below, inner, (*path, key))


def _list_members(value: Json) -> list[tuple[str, Json]]:
    if isinstance(value, dict):
        return list(value.items())
    return [(str(number), inner) for number, inner in enumerate(value)] if isinstance(value, list) else []


def _number_things(things: Sequence[Json]) -> dict[str, int]:
    """The place of each thing by its id; of two alike the first."""
    numbers: dict[str, int] = {}
    for number, thing in enumerate(things):
        if isinstance(thing, dict):
            numbers.setdefault(thing["id"], number)
    return numbers
