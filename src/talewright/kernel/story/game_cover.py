"""The cover of a game: its motif, its colours, and the values that move the motif's dials.

It is presentation: no rule reads it. A compiled game keeps it among its texts, under the keys below, so that
a game without a cover stays what it was.
"""

import json
import math
from collections.abc import Mapping

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.slots.slot_types import NUMERIC, Slot, SlotKind
from talewright.kernel.state.state_paths import Path, PathError, parse_path
from talewright.kernel.story.game_texts import Texts

MOTIF, COLORS = "cover.motif", ("cover.sky", "cover.light", "cover.ground")
THEMES = ("cover.light_theme", "cover.dark_theme")
"""The colours of a theme, separated by spaces, in the order of `ROLES`."""

DIALS, PLACE = "cover.dials", "cover.place"
ROLES = ("paper", "raised", "ink", "quiet", "accent")
"""What a colour of a theme is for."""


@frozen
class CoverDial:
    """A part of a motif that moves with a value: 0 at `low`, 1 at `high`."""

    name: str
    path: Path
    low: float
    high: float


@frozen
class GameCoverRules:
    """What the author decided about the cover; empty parts were left open."""

    motif: str = ""
    colors: tuple[str, ...] = ()
    """Of sky, light and ground."""

    light_theme: tuple[str, ...] = ()
    dark_theme: tuple[str, ...] = ()
    dials: tuple[CoverDial, ...] = ()
    place: Path = ()
    """The value that says where the player is."""


def read_cover_rules(texts: Texts) -> GameCoverRules:
    """The cover of a compiled game."""
    light, dark = (tuple(texts.find(key).split()) for key in THEMES)
    return GameCoverRules(
        texts.find(MOTIF),
        tuple(filter(None, map(texts.find, COLORS))),
        light,
        dark,
        read_dials(texts.find(DIALS)),
        _read_place(texts.find(PLACE)),
    )


def write_dials(dials: tuple[CoverDial, ...]) -> str:
    """Dials as a text of the catalogue."""
    rows = [[dial.name, list(dial.path), dial.low, dial.high] for dial in dials]
    return json.dumps(rows) if rows else ""


def read_dials(text: str) -> tuple[CoverDial, ...]:
    """The dials of such a text. Imported games may hold anything, and then they have no dials."""
    try:
        rows = [CoverDial(name, tuple(path), low, high) for name, path, low, high in json.loads(text or "[]")]
    except (ValueError, TypeError, RecursionError):
        return ()
    return tuple(dial for dial in rows if _is_whole(dial))


def _is_whole(dial: CoverDial) -> bool:
    numbers: tuple[object, ...] = (dial.low, dial.high)
    words: tuple[object, ...] = (dial.name, *dial.path)
    ends = all(isinstance(end, int | float) and math.isfinite(end) for end in numbers)
    return ends and dial.low != dial.high and all(isinstance(one, str) for one in words)


def _read_place(text: str) -> Path:
    try:
        return parse_path(text) if text else ()
    except PathError:
        return ()


def find_dial_range(slot: Slot) -> tuple[float, float] | None:
    """What a value measures at the two ends of a dial; None if nothing says so.

    A list counts its elements, an object its members that are true, an enum its values in their order.
    """
    if slot.kind in NUMERIC and slot.lowest is not None and slot.highest is not None:
        return slot.lowest, slot.highest
    if slot.kind is SlotKind.BOOLEAN:
        return 0, 1
    if slot.kind is SlotKind.ENUM:
        return 0, max(len(slot.enum_values) - 1, 1)
    if slot.kind is SlotKind.LIST:
        known = slot.element.enum_values if slot.element is not None else ()
        return 0, max(len(known) or slot.max_items, 1)
    if slot.kind is SlotKind.OBJECT and slot.fields and slot.values is None:
        marks = all(one.kind is SlotKind.BOOLEAN for one in slot.fields.values())
        return (0, len(slot.fields)) if marks else None
    return None


def turn_dial(dial: CoverDial, slot: Slot, value: Json) -> float:
    """Where a dial stands, from 0 to 1."""
    share = (_measure(slot, value) - dial.low) / (dial.high - dial.low)
    return round(min(max(share, 0.0), 1.0), 3)


def _measure(slot: Slot, value: Json) -> float:
    match value:
        case bool() | int() | float():
            return float(value)
        case str():
            return slot.enum_values.index(value) if value in slot.enum_values else 0
        case list():
            return len(value)
        case Mapping():
            return sum(inner is True for inner in value.values())
        case _:
            return 0
