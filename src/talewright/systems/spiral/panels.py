"""Panels: what the player sees beside the story: the day, resist, tags, the scene, clocks they may know of.

Of other people only names and clocks of those met, never what they want.
"""

from collections.abc import Iterable

from talewright.kernel.system import Lines, Meter, Panel
from talewright.systems.spiral.calendar import label_of
from talewright.systems.spiral.standing import Member, Standing
from talewright.systems.spiral.tags import read_list
from talewright.systems.spiral.words.words import Words

FULL, EMPTY = "●", "○"


def panels_of(standing: Standing, words: Words, trouble: str) -> tuple[Panel, ...]:
    """Everything to be drawn, in order."""
    if not standing.is_set_up:
        return _tell_sheet(standing, words)
    label = words.translate_label(label_of(standing, standing.segment), standing.segment)
    left, most = standing.resist
    player = standing.player
    parts: list[Meter | Lines] = [Meter(words.resist, left, most)]
    parts += _list(words.glitches, standing.glitches, "· ")
    parts += _list(words.tags, read_list(player["inherent_tags"]), "+ ")
    parts += _list(words.conditions, standing.conditions, "- ")
    parts += _list(words.rules, [trouble] if trouble else (), "! ")
    panels = [Panel("spiral", words.moment.format(day=standing.day, label=label), tuple(parts))]
    panels += _tell_scene(standing.scene, words)
    panels += _tell_companion(standing, words)
    panels += _tell_clocks(standing, words)
    return tuple(panels)


def to_dots(value: int, maximum: int) -> str:
    """A small count as dots: as many as there can be, the first of them full."""
    return FULL * value + EMPTY * (maximum - value)


def _list(label: str, words: Iterable[str], sign: str) -> list[Lines]:
    lines = tuple(sign + word for word in words)
    return [Lines(label, lines)] if lines else []


def _tell_scene(scene: Member, words: Words) -> list[Panel]:
    positive = [f"+ {tag}" for tag in read_list(scene["positive_tags"])]
    negative = [f"- {tag}" for tag in read_list(scene["negative_tags"])]
    location = str(scene["location"])
    if not (location or positive or negative):
        return []
    return [Panel("scene", words.scene, (Lines(location, (*positive, *negative)),))]


def _tell_companion(standing: Standing, words: Words) -> list[Panel]:
    companion = standing.companion
    if companion is None:
        return []
    lines = (str(companion["concept"]), *(f"+ {tag}" for tag in read_list(companion["inherent_tags"])))
    return [Panel("companion", words.companion, (Lines(str(companion["name"]), lines),))]


def _tell_clocks(standing: Standing, words: Words) -> list[Panel]:
    lines = []
    for person in standing.people.values():
        clock, full = person["clock"], person["clock_max"]
        if person["met"] is True and isinstance(clock, int) and isinstance(full, int):
            lines.append(f"{person['name']} {to_dots(clock, full)}")
    return [Panel("clocks", words.clocks, (Lines(words.clocks, tuple(lines)),))] if lines else []


def _tell_sheet(standing: Standing, words: Words) -> tuple[Panel, ...]:
    """What has been agreed so far, while a campaign is made ready."""
    player = standing.player
    parts = [
        Lines(label, (str(value),))
        for label, value in (
            (words.genre, standing.meta["genre"]),
            (words.name, player["name"]),
            (words.concept, player["concept"]),
        )
        if value
    ]
    parts += _list(words.tags, read_list(player["inherent_tags"]), "+ ")
    sheet = (Panel("spiral", words.making, tuple(parts)),) if parts else ()
    return (*sheet, *_tell_companion(standing, words))
