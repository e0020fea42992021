"""The cover builder: checks the picture of a game, its dials and its colours, and adds it to the catalogue.

It decides nothing about how a picture is drawn.
"""

from talewright.common.colors import AA_CONTRAST, BLACK, WHITE, find_contrast, make_readable
from talewright.kernel.slots.slot_types import NUMERIC, Slot, describe_slot
from talewright.kernel.state.state_paths import Path, dotted
from talewright.kernel.story.game_cover import (
    COLORS,
    DIALS,
    MOTIF,
    PLACE,
    THEMES,
    CoverDial,
    find_dial_range,
    write_dials,
)
from talewright.pack.build.build_context import BuildContext
from talewright.pack.faults import FaultCode
from talewright.pack.files.yaml_nodes import MapNode
from talewright.pack.schema.cover_fields import MOTIF_DIALS, CoverSource, DialSource, ThemeSource
from talewright.pack.schema.record_form import SourceRecord

GROUNDS, INKS = ("paper", "raised"), ("ink", "quiet", "accent")

LIGHT_MIN, DARK_MIN = 15.0, 12.0
"""The least contrast of paper with black in the light theme, and with white in the dark one: good, bad and
risky have colours of their own, which must be readable on the paper of every game.
"""


def read_cover(cover: CoverSource | None, work: BuildContext) -> None:
    """Add the cover of a game to the catalogue."""
    if cover is None:
        return
    note = work.catalogue.note
    note(MOTIF, cover.motif)
    for key, color in zip(COLORS, (cover.sky, cover.light, cover.ground), strict=True):
        note(key, color.lower())
    sides = ((cover.light_theme, BLACK, LIGHT_MIN, "light"), (cover.dark_theme, WHITE, DARK_MIN, "dark"))
    for key, (theme, far, least, kind) in zip(THEMES, sides, strict=True):
        if theme is not None:
            _check_theme(theme, far, least, kind, work)
            note(key, " ".join(getattr(theme, role).lower() for role in (*GROUNDS, *INKS)))
    found = (_read_dial(cover, name, dial, work) for name, dial in cover.dials.items())
    note(DIALS, write_dials(tuple(dial for dial in found if dial is not None)))
    place = _find_open_slot(cover, "place", cover.where, work) if cover.where else None
    if place is not None:
        note(PLACE, dotted(place[0]))


def _check_theme(theme: ThemeSource, far: str, least: float, kind: str, work: BuildContext) -> None:
    """Report colours that cannot be read on each other, at the colour to change."""
    for ground in GROUNDS:
        if _has_faults(theme, ground):
            continue
        color = getattr(theme, ground)
        if (contrast := find_contrast(color, far)) < least:
            end = "black" if far == BLACK else "white"
            message = (
                f"`{ground}` is not {kind} enough: {contrast:.1f}:1 against {end}, {least:.0f}:1 is needed"
            )
            suggestion = f'Write `"{make_readable(color, far, least)}"`, or another {kind} colour.'
            work.fault_list.report(FaultCode.LOW_CONTRAST, theme.place(ground), message, suggestion)
            continue
        for ink in INKS:
            if not _has_faults(theme, ink):
                _check_ink(theme, ink, ground, work)


def _check_ink(theme: ThemeSource, ink: str, ground: str, work: BuildContext) -> None:
    color, below = getattr(theme, ink), getattr(theme, ground)
    contrast = find_contrast(color, below)
    if contrast < AA_CONTRAST:
        # Rounded down: 4.47 must not read as 4.5.
        told = int(contrast * 100) / 100
        message = f"`{ink}` on `{ground}` has a contrast of {told}:1; text needs {AA_CONTRAST}:1"
        fit = make_readable(make_readable(color, theme.paper), theme.raised)
        suggestion = f'Write `"{fit}"`, or change `{ground}`.'
        work.fault_list.report(FaultCode.LOW_CONTRAST, theme.place(ink), message, suggestion)


def _has_faults(record: SourceRecord, name: str) -> bool:
    return name in record.broken


def _read_dial(cover: CoverSource, name: str, dial: DialSource, work: BuildContext) -> CoverDial | None:
    if "motif" in cover.broken:
        return None
    known = MOTIF_DIALS[cover.motif]
    if name not in known:
        dials = cover.node.entries["dials"]
        assert isinstance(dials, MapNode)
        place = dials.key_place(name)
        message = f"the motif `{cover.motif}` has no dial `{name}`"
        work.fault_list.report(
            FaultCode.UNKNOWN_FIELD, place, message, work.fault_list.suggest(name, known, "dials")
        )
        return None
    found = _find_open_slot(dial, "value", dial.value, work)
    if found is None:
        return None
    path, slot = found
    usual = find_dial_range(slot)
    if usual is None and slot.kind not in NUMERIC:
        message = f"a dial cannot show `{dial.value}`, which is {describe_slot(slot)}"
        suggestion = "Use a number, a truth value, an enum, a list, or an object of truth values."
        work.fault_list.report(FaultCode.BAD_DIAL, dial.place("value"), message, suggestion)
        return None
    low = dial.low if dial.low is not None or usual is None else usual[0]
    high = dial.high if dial.high is not None or usual is None else usual[1]
    if low is None or high is None or low == high:
        message = f"`{dial.value}` has no range for the dial"
        suggestion = "Write `from` and `to`, two different numbers, or give the variable `min` and `max`."
        work.fault_list.report(FaultCode.BAD_DIAL, dial.place("value"), message, suggestion)
        return None
    return CoverDial(name, path, low, high)


def _find_open_slot(
    source: SourceRecord, name: str, text: str, work: BuildContext
) -> tuple[Path, Slot] | None:
    """The slot at a path in a field, if players may see it; None after a fault."""
    found = work.place_slot(source, name, text)
    if found is None:
        return None
    path = found[0]
    above = [work.ground.layout.find(path[:depth]) for depth in range(1, len(path) + 1)]
    if any(slot is None or slot.hidden or slot.secret for slot in above):
        message = f"players must not see `{text}`, and the cover would show it"
        suggestion = "Use a value that is neither `hidden` nor `secret`."
        work.fault_list.report(FaultCode.BAD_DIAL, source.place(name), message, suggestion)
        return None
    return found
