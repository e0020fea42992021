"""Slot types: the typed places of a state, and the layout that finds them by path.

A slot says which values are allowed. It never holds a value of a running game.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import assert_never

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.state.state_paths import Path, is_index

STRING_LENGTH_MAX = 2_000
"""Characters in one string of a state, unless its slot sets another limit."""

LIST_ITEMS_MAX = 500
"""Elements of one list, or keys of one open object, unless its slot sets another limit."""

OPEN_KEY_LENGTH_MAX = 100
"""Characters in a key of an open object."""


class SlotKind(StrEnum):
    """What a slot holds."""

    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    ENUM = "enum"
    STRING = "string"
    LIST = "list"
    OBJECT = "object"


NUMERIC = frozenset({SlotKind.NUMBER, SlotKind.INTEGER})
TEXTUAL = frozenset({SlotKind.STRING, SlotKind.ENUM})


class Policy(StrEnum):
    """How a value may change; it applies to every writer."""

    ANY = "any"
    INC_DEC_ONLY = "inc_dec_only"
    SET_ONLY = "set_only"


@frozen
class Carry:
    """Overflow: a minute at 60 becomes an hour, and below zero borrows one."""

    into: str
    """The sibling that receives the overflow, or is borrowed from."""

    at: int
    """The first value that is too large; the slot then holds 0 .. at - 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One typed place in the state."""

    kind: SlotKind
    default: Json = None
    minimum: int | float | None = None
    maximum: int | float | None = None
    enum_values: tuple[str, ...] = ()
    max_length: int = STRING_LENGTH_MAX
    """Characters of a string."""

    fields: Mapping[str, "Slot"] = field(default_factory=dict)
    """Members that an object always has."""

    values: "Slot | None" = None
    """The slot of further members of an object; None if the object is closed."""

    element: "Slot | None" = None
    """The slot of each element of a list; never None for a list."""

    max_items: int = LIST_ITEMS_MAX
    """Elements of a list, or further members of an open object."""

    nullable: bool = False
    clamp: bool = True
    """Whether a number out of range is clamped to its nearest bound, or refused."""

    readonly: bool = False
    """Whether model and player may not write here; triggers, scenes and systems may."""

    policy: Policy = Policy.ANY
    max_step: int | float | None = None
    """How far one reply may move a number."""

    carry: Carry | None = None
    derived: str = ""
    """The expression this slot is computed from; such a slot cannot be written."""

    hidden: bool = False
    """Visible to the narrator but not to players."""

    secret: bool = False
    """Left out of all views, events, exports and prompts."""

    @property
    def lowest(self) -> int | float | None:
        """The minimum possible value; None if unbounded."""
        return 0 if self.carry else self.minimum

    @property
    def highest(self) -> int | float | None:
        """The maximum possible value; None if unbounded."""
        return self.carry.at - 1 if self.carry else self.maximum


@frozen
class ComputedSlot:
    """A value that conditions can read but no state stores: it is computed whenever it is read."""

    slot: Slot
    """Which values it can have."""

    reads: tuple[Path, ...]
    """What it is computed from; conditions that read it are evaluated again when one of these changes."""

    compute: Callable[[Mapping[str, Json]], Json]
    """A pure function of the document. The value fits the slot."""


@frozen
class Layout:
    """All slots of a game, found by path."""

    roots: Mapping[str, Slot]
    computed: Mapping[Path, ComputedSlot] = field(default_factory=dict, compare=False)
    """Computed values, which conditions can read but nothing can write."""

    def find_readable(self, path: Path) -> Slot | None:
        """The slot that a condition reads at a path, stored or computed; None if there is none."""
        computed = self.computed.get(path)
        return self.find(path) if computed is None else computed.slot

    def find(self, path: Path) -> Slot | None:
        """The slot at a path, through fields, open members and list elements; None if there is none."""
        if not path:
            return None
        slot = self.roots.get(path[0])
        for key in path[1:]:
            if slot is None:
                return None
            slot = member(slot, key)
        return slot

    def walk(self) -> Iterator[tuple[Path, Slot]]:
        """Every slot that has a fixed path, parents before members, in declared order."""
        for name, slot in self.roots.items():
            yield from _walk((name,), slot)

    def defaults(self) -> dict[str, Json]:
        """The document of a new game, before derived slots are computed."""
        return {name: default_of(slot) for name, slot in self.roots.items()}


def member(slot: Slot, key: str) -> Slot | None:
    """The slot one step below another, or None."""
    if slot.kind is SlotKind.OBJECT:
        return slot.fields.get(key, slot.values)
    if slot.kind is SlotKind.LIST and is_index(key):
        return slot.element
    return None


def default_of(slot: Slot) -> Json:
    """A slot's initial value; members that a default leaves out are completed, at any depth."""
    return _complete(slot, slot.default)


def _complete(slot: Slot, value: Json) -> Json:
    if slot.kind is SlotKind.LIST and slot.element is not None and isinstance(value, list):
        return [_complete(slot.element, element) for element in value]
    if slot.kind is not SlotKind.OBJECT or (value is None and slot.nullable):
        return value
    given = value if isinstance(value, Mapping) else {}
    document = {name: _complete(inner, given.get(name, inner.default)) for name, inner in slot.fields.items()}
    for name, inner_value in given.items():
        if name not in document:
            document[name] = _complete(slot.values, inner_value) if slot.values else inner_value
    return document


def _walk(path: Path, slot: Slot) -> Iterator[tuple[Path, Slot]]:
    yield path, slot
    for name, inner in slot.fields.items():
        yield from _walk((*path, name), inner)


def inherit(slot: Slot, above: Slot | None = None) -> Slot:
    """A slot whose members are at least as restricted for readers and writers as the slot itself."""
    if above is not None:
        slot = replace(
            slot,
            readonly=slot.readonly or above.readonly,
            hidden=slot.hidden or above.hidden,
            secret=slot.secret or above.secret,
        )
    return replace(
        slot,
        fields={name: inherit(inner, slot) for name, inner in slot.fields.items()},
        values=None if slot.values is None else inherit(slot.values, slot),
        element=None if slot.element is None else inherit(slot.element, slot),
    )


LISTED_MAX = 12
"""Allowed values listed in one message."""


def describe_slot(slot: Slot) -> str:
    """What a slot accepts, worded for a message."""
    match slot.kind:
        case SlotKind.INTEGER | SlotKind.NUMBER:
            noun = "a whole number" if slot.kind is SlotKind.INTEGER else "a number"
            low, high = slot.lowest, slot.highest
            if low is not None and high is not None:
                return f"{noun} from {low} to {high}"
            if low is not None:
                return f"{noun} of {low} or more"
            return noun if high is None else f"{noun} of {high} or less"
        case SlotKind.BOOLEAN:
            return "true or false"
        case SlotKind.ENUM:
            listed = ", ".join(slot.enum_values[:LISTED_MAX])
            more = len(slot.enum_values) - LISTED_MAX
            return f"one of {listed}" + (f" and {more} more" if more > 0 else "")
        case SlotKind.STRING:
            return f"a text of at most {slot.max_length} characters"
        case SlotKind.LIST:
            return f"a list of at most {slot.max_items} elements"
        case SlotKind.OBJECT:
            return "an object" + (f" with {', '.join(slot.fields)}" if slot.fields else "")
        case _:
            assert_never(slot.kind)
