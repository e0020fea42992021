"""The schema of answers: slots that a model may propose to change, inventories, and JSON Schema narrowing.

It never names secret, readonly or derived slots; hidden ones are named, since the narrator sees them.
Narrowing a schema to what a model's profile accepts removes and shortens, and never adds: the readers check
anyway.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from talewright.common.frozen_values import cached_by_identity, frozen
from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import NUMERIC, TEXTUAL, Layout, Policy, Slot, SlotKind, member
from talewright.kernel.state.state_paths import Path, dotted, pointer
from talewright.llm.profiles import AnswerMode, Profile
from talewright.llm.requests import Schema

GAMES_KEPT_MAX = 64
"""Games whose places and instructions are cached."""


@frozen
class WritablePlace:
    """One place a model may write to."""

    path: str
    slot: Slot

    @property
    def is_open(self) -> bool:
        """Whether there are places beneath it whose paths are not known in advance."""
        element = self.slot.element
        return self.slot.values is not None or (
            element is not None and element.kind in (SlotKind.OBJECT, SlotKind.LIST)
        )


@cached_by_identity(GAMES_KEPT_MAX)
def list_places(game: Game) -> tuple[WritablePlace, ...]:
    """Every place with a fixed path that a model may write to, in declared order.

    An object with fixed members is written member by member, so only its members are listed.
    """
    return tuple(
        WritablePlace(dotted(path), slot)
        for path, slot in game.layout.walk()
        if path[0] != ENGINE_ROOT
        and not (slot.secret or slot.readonly or slot.derived)
        and (slot.kind is not SlotKind.OBJECT or slot.values is not None or slot.nullable)
    )


def list_kinds(slot: Slot) -> Iterator[SlotKind]:
    """The kinds of values that a place accepts, including its members and elements."""
    yield slot.kind
    for inner in (*slot.fields.values(), slot.values, slot.element):
        if inner is not None and not inner.secret:
            yield from list_kinds(inner)


def sketch(slot: Slot) -> str:
    """What a place accepts, in language-neutral notation: `integer 0..100`, `docks|harbour`, `[string]`."""
    match slot.kind:
        case SlotKind.INTEGER | SlotKind.NUMBER:
            text = slot.kind.value + _sketch_range(slot)
        case SlotKind.ENUM:
            text = "|".join(slot.enum_values)
        case SlotKind.LIST:
            assert slot.element is not None
            text = "list" if slot.element.secret else f"[{sketch(slot.element)}]"
        case SlotKind.OBJECT:
            text = _sketch_members(slot)
        case _:
            text = slot.kind.value
    return text + ("|null" if slot.nullable else "") + _sketch_policy(slot)


def _sketch_range(slot: Slot) -> str:
    # A slot that carries accepts any number: the overflow goes to its neighbour.
    low, high = (None, None) if slot.carry else (slot.minimum, slot.maximum)
    if low is None and high is None:
        return ""
    return f" {'' if low is None else low}..{'' if high is None else high}"


def _sketch_members(slot: Slot) -> str:
    members = {**slot.fields, "*": slot.values} if slot.values is not None else slot.fields
    shown = [
        f"{name}: {sketch(inner)}"
        for name, inner in members.items()
        if not (inner.secret or inner.readonly or inner.derived)
    ]
    return "{" + ", ".join(shown) + "}"


def _sketch_policy(slot: Slot) -> str:
    match slot.policy:
        case Policy.INC_DEC_ONLY:
            return " (inc, dec)"
        case Policy.SET_ONLY if slot.kind in (SlotKind.INTEGER, SlotKind.NUMBER):
            return " (set)"
        case _:
            return ""


INDEX_TITLE = "[INVENTORY_INDEX_BY_ID]"


def is_inventory(slot: Slot | None) -> bool:
    """Whether a slot is a list of things with an `id` and a `qty`; never for secret slots."""
    if slot is None or slot.element is None or slot.secret:
        return False
    name, count = slot.element.fields.get("id"), slot.element.fields.get("qty")
    if name is None or name.secret or count is None:
        return False
    return name.kind in TEXTUAL and count.kind in NUMERIC


def index_by_id(document: Mapping[str, Json], layout: Layout) -> str:
    """The index of each thing in each inventory, for the prompt; empty if a game has none."""
    index = {
        pointer(path): number_things(things)
        for root, slot in layout.roots.items()
        for path, things in _find_inventories(slot, document[root], (root,))
    }
    return f"{INDEX_TITLE}\n{json.dumps(index, ensure_ascii=False)}" if index else ""


def _find_inventories(slot: Slot, value: Json, path: Path) -> Iterator[tuple[Path, Sequence[Json]]]:
    if is_inventory(slot) and isinstance(value, list):
        yield path, value
        return
    for key, inner in list_members(value):
        below = member(slot, key)
        assert below is not None
        yield from _find_inventories(below, inner, (*path, key))


def list_members(value: Json) -> list[tuple[str, Json]]:
    if isinstance(value, dict):
        return list(value.items())
    return [(str(number), inner) for number, inner in enumerate(value)] if isinstance(value, list) else []


def number_things(things: Sequence[Json]) -> dict[str, int]:
    """The index of each thing by its id; the first if an id occurs twice."""
    numbers: dict[str, int] = {}
    for number, thing in enumerate(things):
        if isinstance(thing, dict):
            numbers.setdefault(thing["id"], number)
    return numbers


_MAPS = frozenset({"properties", "patternProperties", "$defs"})
"""Keywords whose value maps names to schemas."""

_LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
"""Keywords whose value is a list of schemas."""

_SINGLE = frozenset({"items", "additionalProperties", "propertyNames", "not"})
"""Keywords whose value is a schema, or true or false."""

_COUNTS: Mapping[str, str] = {"maxItems": "minItems", "maxProperties": "minProperties"}
"""Keywords for the maximum size of a list or an object, with those for the minimum."""


def narrow_answer(schema: Schema, profile: Profile) -> Schema | None:
    """The schema to send with a request for an answer; None if no form can be enforced.

    A provider that only guarantees some JSON object asks for that instead.
    """
    return None if profile.answer_mode is AnswerMode.FREE else narrow(schema, profile)


def narrow(schema: Schema, profile: Profile) -> Schema:
    """A schema without unsupported keywords; enums, lists and texts as short as the model needs."""
    narrowed: dict[str, object] = {}
    for keyword, value in schema.items():
        if profile.schema_keywords is not None and keyword not in profile.schema_keywords:
            continue
        if keyword == "enum" and isinstance(value, Sequence) and len(value) > profile.enum_values_max:
            continue
        narrowed[keyword] = _narrow_value(keyword, value, profile)
    for keyword, least in _COUNTS.items():
        most, at_least = narrowed.get(keyword), narrowed.get(least, 0)
        if profile.list_items_max is not None and isinstance(most, int) and isinstance(at_least, int):
            narrowed[keyword] = max(at_least, min(most, profile.list_items_max))
    return narrowed


def _narrow_value(keyword: str, value: object, profile: Profile) -> object:
    if keyword in _MAPS and isinstance(value, Mapping):
        return {name: _narrow_part(part, profile) for name, part in value.items()}
    if keyword in _LISTS and isinstance(value, Sequence):
        return [_narrow_part(part, profile) for part in value]
    if keyword in _SINGLE:
        return _narrow_part(value, profile)
    if keyword == "maxLength" and isinstance(value, int):
        return min(value, profile.string_length_max)
    return value


def _narrow_part(part: object, profile: Profile) -> object:
    return narrow(part, profile) if isinstance(part, Mapping) else part
