"""Panels: what the player sees next to the story: day, resist, tags, scene, known clocks.

For other people it shows only the names and clocks of those met, never their goals.
"""

from collections.abc import Iterable

from talewright.kernel.panel_parts import Lines, Meter, Panel
from talewright.systems.spiral import spiral_labels
from talewright.systems.spiral.moves.day_advance import show_moment
from talewright.systems.spiral.spiral_labels import show, show_all, show_person
from talewright.systems.spiral.spiral_state import SpiralState
from talewright.systems.spiral.tags import read_list
from talewright.systems.spiral.words.phrases import SpiralPhrases

FULL, EMPTY = "●", "○"


def panels_of(standing: SpiralState, words: SpiralPhrases, trouble: str) -> tuple[Panel, ...]:
    """All panels, in order."""
    if not standing.is_set_up:
        return _tell_sheet(standing, words)
    left, most = standing.resist
    parts: list[Meter | Lines] = [Meter(words.resist, left, most)]
    parts += _list(words.glitches, show_all(standing, spiral_labels.GLITCHES, standing.glitches), "· ")
    parts += _list(words.tags, _show_inherent(standing), "+ ")
    parts += _list(words.conditions, show_all(standing, spiral_labels.CONDITIONS, standing.conditions), "- ")
    parts += _list(words.rules, [trouble] if trouble else (), "! ")
    panels = [Panel("spiral", show_moment(standing, standing.day, standing.segment, words), tuple(parts))]
    panels += _tell_scene(standing, words)
    panels += _tell_companion(standing, words)
    panels += _tell_clocks(standing, words)
    return tuple(panels)


def to_dots(value: int, maximum: int) -> str:
    """A small count as dots: as many as the maximum, the first `value` of them filled."""
    return FULL * value + EMPTY * (maximum - value)


def _list(label: str, words: Iterable[str], sign: str) -> list[Lines]:
    lines = tuple(sign + word for word in words)
    return [Lines(label, lines)] if lines else []


def _show_inherent(standing: SpiralState) -> tuple[str, ...]:
    return show_all(standing, spiral_labels.INHERENT, read_list(standing.player["inherent_tags"]))


def _tell_scene(standing: SpiralState, words: SpiralPhrases) -> list[Panel]:
    scene = standing.scene
    helps = show_all(standing, spiral_labels.HELPS, read_list(scene["positive_tags"]))
    hinders = show_all(standing, spiral_labels.HINDERS, read_list(scene["negative_tags"]))
    location = show(standing, spiral_labels.LOCATION, scene["location"])
    if not (location or helps or hinders):
        return []
    lines = (*(f"+ {tag}" for tag in helps), *(f"- {tag}" for tag in hinders))
    return [Panel("scene", words.scene, (Lines(location, lines),))]


def _tell_companion(standing: SpiralState, words: SpiralPhrases) -> list[Panel]:
    companion = standing.companion
    if companion is None:
        return []
    tags = show_all(standing, spiral_labels.COMPANION_TAGS, read_list(companion["inherent_tags"]))
    concept = show(standing, spiral_labels.COMPANION_CONCEPT, companion["concept"])
    name = show(standing, spiral_labels.COMPANION_NAME, companion["name"])
    return [Panel("companion", words.companion, (Lines(name, (concept, *(f"+ {tag}" for tag in tags))),))]


def _tell_clocks(standing: SpiralState, words: SpiralPhrases) -> list[Panel]:
    lines = []
    for name, person in standing.people.items():
        clock, full = person["clock"], person["clock_max"]
        if person["met"] is True and isinstance(clock, int) and isinstance(full, int):
            lines.append(f"{show_person(standing, name, 'name')} {to_dots(clock, full)}")
    return [Panel("clocks", words.clocks, (Lines("", tuple(lines)),))] if lines else []


def _tell_sheet(standing: SpiralState, words: SpiralPhrases) -> tuple[Panel, ...]:
    """What has been agreed so far, during setup."""
    player = standing.player
    parts = [
        Lines(label, (show(standing, place, value),))
        for label, place, value in (
            (words.genre, spiral_labels.GENRE, standing.meta["genre"]),
            (words.name, spiral_labels.NAME, player["name"]),
            (words.concept, spiral_labels.CONCEPT, player["concept"]),
        )
        if value
    ]
    parts += _list(words.tags, _show_inherent(standing), "+ ")
    sheet = (Panel("spiral", words.making, tuple(parts)),) if parts else ()
    return (*sheet, *_tell_companion(standing, words))
