"""Worlds: random layouts and documents for sweeps over expressions.

Values fit their slots here; `spoil` is for those who must bear with anything.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from talewright.common.json_values import Json
from talewright.kernel.slots.slot_types import Carry, Layout, Slot, SlotKind
from talewright.kernel.state.documents import normal_number
from talewright.kernel.state.state_paths import Path

NAMES: Final = ("hp", "x", "flags", "time", "len", "雾港", "é_1", "हिन्दी", "_a", "a0", "turns", "Or")
MEMBERS: Final = (*NAMES, "and", "not", "in", "true", "0", "12", "turn", "0a", "max")
TEXTS: Final = (
    "",
    "a",
    "b",
    "rope",
    "dock",
    "码头",
    "it's",
    'say "x"',
    "back\\slash",
    "line\nbreak",
    "\t",
    "🕯",
)
EDGE_NUMBERS: Final = (2**53 - 1, 1 - 2**53, 2**52, 0.1, 0.5, -0.25, 1e-300, 5e-324, 1e15 + 0.5)
CROWD: Final = 10_001
"""Elements of the largest lists."""

_LEAVES: Final = (
    SlotKind.INTEGER,
    SlotKind.INTEGER,
    SlotKind.NUMBER,
    SlotKind.BOOLEAN,
    SlotKind.BOOLEAN,
    SlotKind.ENUM,
    SlotKind.STRING,
)
_HOLDERS: Final = (SlotKind.LIST, SlotKind.LIST, SlotKind.OBJECT, SlotKind.OBJECT)


@dataclass(frozen=True, slots=True)
class World:
    """A layout with what can be read in it."""

    layout: Layout
    places: tuple[tuple[Path, Slot], ...]
    """Readable paths, some of them through lists and open objects."""

    def choose(self, rng: random.Random, *kinds: SlotKind) -> tuple[Path, Slot] | None:
        """A place of one of these kinds, if there is one."""
        fitting = [place for place in self.places if place[1].kind in kinds]
        return rng.choice(fitting) if fitting else None


def random_world(rng: random.Random, size: int) -> World:
    """The slots of a small game with so many roots."""
    roots = {name: random_slot(rng, 2) for name in rng.sample(NAMES, size)}
    layout = Layout(roots)
    return World(layout, tuple(_places((), roots, rng)))


def random_document(rng: random.Random, world: World) -> dict[str, Json]:
    """A state that fits."""
    return {name: random_value(rng, slot) for name, slot in world.layout.roots.items()}


def random_slot(rng: random.Random, depth: int) -> Slot:
    """A slot of any kind, nested at most so deep."""
    kind = rng.choice(_LEAVES if depth == 0 or rng.random() < 0.6 else _HOLDERS)
    nullable = rng.random() < 0.15
    bare = Slot(kind=kind, nullable=nullable)
    match kind:
        case SlotKind.INTEGER | SlotKind.NUMBER:
            bare = _random_range(rng, kind, nullable)
        case SlotKind.ENUM:
            texts = [text for text in TEXTS if text]
            bare = Slot(
                kind=kind, nullable=nullable, enum_values=tuple(rng.sample(texts, rng.randrange(1, 4)))
            )
        case SlotKind.LIST:
            element = random_slot(rng, depth - 1)
            bare = Slot(kind=kind, nullable=nullable, element=element, max_items=CROWD)
        case SlotKind.OBJECT:
            fields = {name: random_slot(rng, depth - 1) for name in rng.sample(MEMBERS, rng.randrange(4))}
            values = random_slot(rng, depth - 1) if not fields or rng.random() < 0.3 else None
            bare = Slot(kind=kind, nullable=nullable, fields=fields, values=values, max_items=5)
        case _:
            pass
    default = None if nullable and rng.random() < 0.5 else random_value(rng, bare)
    return _with_default(bare, default)


def random_value(rng: random.Random, slot: Slot) -> Json:
    """A value that a slot admits."""
    if slot.nullable and rng.random() < 0.3:
        return None
    match slot.kind:
        case SlotKind.INTEGER | SlotKind.NUMBER:
            return _random_number(rng, slot)
        case SlotKind.BOOLEAN:
            return rng.random() < 0.5
        case SlotKind.ENUM:
            return rng.choice(slot.enum_values)
        case SlotKind.STRING:
            return rng.choice(TEXTS)
        case SlotKind.LIST:
            assert slot.element
            return [random_value(rng, slot.element) for _ in range(rng.randrange(4))]
        case SlotKind.OBJECT:
            document = {name: random_value(rng, inner) for name, inner in slot.fields.items()}
            if slot.values:
                for name in rng.sample(MEMBERS, rng.randrange(3)):
                    document.setdefault(name, random_value(rng, slot.values))
            return document


def spoil(rng: random.Random, document: Json) -> Json:
    """The document with something in it that no slot would admit, or with something gone."""
    if isinstance(document, dict) and document and rng.random() < 0.8:
        name = rng.choice(list(document))
        if rng.random() < 0.3:
            return {key: value for key, value in document.items() if key != name}
        return {**document, name: spoil(rng, document[name])}
    if isinstance(document, list) and document and rng.random() < 0.6:
        return [spoil(rng, document[0]), *document[1:]]
    return rng.choice((None, True, 0, 3, 0.5, "", "a", [], {}, [1, True, None], {"a": 1}))


def _random_range(rng: random.Random, kind: SlotKind, nullable: bool) -> Slot:
    if kind is SlotKind.INTEGER and rng.random() < 0.1:
        return Slot(kind=kind, nullable=nullable, carry=Carry(into="", at=rng.randrange(1, 8)))
    low = rng.choice((None, None, -5, 0, 1))
    high = None if rng.random() < 0.3 else (low or 0) + rng.choice((0, 1, 5, 100))
    if kind is SlotKind.NUMBER and low is not None and high is not None and rng.random() < 0.5:
        return Slot(kind=kind, nullable=nullable, minimum=low + 0.5, maximum=high + 0.75)
    return Slot(kind=kind, nullable=nullable, minimum=low, maximum=high)


def _random_number(rng: random.Random, slot: Slot) -> int | float:
    low = -(2**53) + 1 if slot.lowest is None else slot.lowest
    high = 2**53 - 1 if slot.highest is None else slot.highest
    candidates = [low, high, *range(-6, 10), *EDGE_NUMBERS, low + 0.5, high - 0.125, 2.5]
    normal = (normal_number(number) for number in candidates)
    fitting = [number for number in normal if number is not None and low <= number <= high]
    if slot.kind is SlotKind.INTEGER:
        fitting = [number for number in fitting if isinstance(number, int)]
    return rng.choice(fitting)


def _with_default(bare: Slot, default: Json) -> Slot:
    values = {name: getattr(bare, name) for name in bare.__slots__}
    return Slot(**{**values, "default": default})


def _places(above: Path, members: dict[str, Slot], rng: random.Random) -> Iterator[tuple[Path, Slot]]:
    for name, slot in members.items():
        path = (*above, name)
        yield path, slot
        beneath = dict(slot.fields)
        if slot.values:
            beneath |= {key: slot.values for key in rng.sample(MEMBERS, 2) if key not in beneath}
        if slot.element:
            beneath |= dict.fromkeys(("0", str(rng.randrange(4))), slot.element)
        yield from _places(path, beneath, rng)
