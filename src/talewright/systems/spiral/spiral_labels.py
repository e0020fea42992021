"""Labels: the display names of tags, places and people, in the campaign's language.

For display only: what is stored, compared and counted is always the value in the state.
"""

from collections.abc import Iterable, Iterator

from talewright.systems.spiral.slots import COMPANION, META, NPCS, PLAYER, SCENE
from talewright.systems.spiral.spiral_state import Member, SpiralState, present
from talewright.systems.spiral.tags import fold, read_list

GLITCHES, CONDITIONS, INHERENT = f"{PLAYER}.glitch_tags", f"{PLAYER}.conditions", f"{PLAYER}.inherent_tags"
NAME, CONCEPT = f"{PLAYER}.name", f"{PLAYER}.concept"
GENRE, SEGMENT_LABELS = f"{META}.genre", f"{META}.segment_labels"
LOCATION = f"{SCENE}.location"
HELPS, HINDERS = f"{SCENE}.positive_tags", f"{SCENE}.negative_tags"
COMPANION_NAME, COMPANION_CONCEPT = f"{COMPANION}.name", f"{COMPANION}.concept"
COMPANION_TAGS = f"{COMPANION}.inherent_tags"
"""Places of the state whose values an author can label, as `value.<place>.<value>`."""


def show(standing: SpiralState, place: str, value: object) -> str:
    """The label of a value; the value itself if the author gave it none."""
    return standing.texts.value(place, str(value))


def show_all(standing: SpiralState, place: str, tags: Iterable[str]) -> tuple[str, ...]:
    """The labels of the tags of a list."""
    return tuple(show(standing, place, tag) for tag in tags)


def show_person(standing: SpiralState, name: str, member: str) -> str:
    """The label of a person's member, such as their name; `name` is the id."""
    return show(standing, f"{NPCS}.{name}.{member}", standing.people[name][member])


def show_whereabouts(standing: SpiralState, name: str) -> str:
    """Where a person was seen last: the place's own name, if the scene has ever been there."""
    places = standing.own["places"]
    known = places.get(str(standing.people[name]["last_location"])) if isinstance(places, dict) else None
    if isinstance(known, dict):
        return show(standing, LOCATION, known["name"])
    return show_person(standing, name, "last_location")


def list_called(standing: SpiralState) -> Iterator[tuple[str, str]]:
    """Every tag that can be a die and every name the player sees, with its label."""
    for place, tags in _list_places(standing):
        yield from zip(tags, show_all(standing, place, tags), strict=True)


def show_dice(standing: SpiralState, tags: Iterable[str]) -> tuple[str, ...]:
    """The labels of tags that count in a check, whichever list of the state they are in."""
    called: dict[str, str] = {}
    for tag, label in list_called(standing):
        called.setdefault(fold(tag), label)
    return tuple(called.get(fold(tag), tag) for tag in tags)


def _list_places(standing: SpiralState) -> Iterator[tuple[str, tuple[str, ...]]]:
    player, scene, companion = standing.player, standing.scene, standing.companion
    yield INHERENT, read_list(player["inherent_tags"])
    yield HELPS, read_list(scene["positive_tags"])
    if companion is not None:
        yield COMPANION_TAGS, read_list(companion["inherent_tags"])
        yield COMPANION_NAME, (str(companion["name"]),)
    yield GLITCHES, standing.glitches
    yield HINDERS, read_list(scene["negative_tags"])
    yield CONDITIONS, standing.conditions
    yield LOCATION, (str(scene["location"]),)
    for name, person in present(standing):
        yield from _list_person(name, person)


def _list_person(name: str, person: Member) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield f"{NPCS}.{name}.negative_tags", read_list(person["negative_tags"])
    yield f"{NPCS}.{name}.positive_tags", read_list(person["positive_tags"])
    yield f"{NPCS}.{name}.name", (str(person["name"]),)
