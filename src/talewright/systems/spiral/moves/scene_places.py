"""Scene places: where the player is, the tags there, and where the scene has been.

Who is present is derived from the people themselves. A place holds no secrets.
"""

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.judging.rulings import mend
from talewright.kernel.state.state_paths import pointer
from talewright.kernel.system import Grant
from talewright.systems.spiral.moves.npcs import follow
from talewright.systems.spiral.moves.spiral_arguments import SpiralArguments
from talewright.systems.spiral.slots import DAYS_MAX, NAME_LENGTH_MAX, OWN, PLACES_MAX, SCENE, SCENE_TAGS_MAX
from talewright.systems.spiral.spiral_state import Member, SpiralState
from talewright.systems.spiral.tags import add_to, read_list, take_away, to_slug


def note_place(standing: SpiralState, scene: Member) -> tuple[Update, ...]:
    """Record the place of a scene as it is now."""
    slug = to_slug(str(scene["location"]))
    places = standing.own["places"]
    if not slug or not isinstance(places, dict):
        return ()
    tags: dict[str, Json] = {
        "positive_tags": list(read_list(scene["positive_tags"])),
        "negative_tags": list(read_list(scene["negative_tags"])),
    }
    arrived = standing.own["here"] != slug
    here = (Update(Op.SET, f"{OWN}.here", slug),) if arrived else ()
    known = places.get(slug)
    if isinstance(known, dict):
        visits = min(known["visits"] + arrived, DAYS_MAX)
        place = {**known, **tags, "visits": visits}
        changed = (Update(Op.SET, _path(slug), place),) if place != known else ()
        return (*changed, *here)
    oldest = next(iter(places), "") if len(places) >= PLACES_MAX else ""
    room = (Update(Op.DELETE, _path(oldest)),) if oldest else ()
    first: dict[str, Json] = {
        "name": scene["location"],
        "first_day": standing.day,
        "first_segment": standing.segment,
        "visits": 1,
        **tags,
    }
    return (*room, Update(Op.INSERT, _path(slug), first), *here)


def _path(slug: str) -> str:
    return pointer((OWN, "places", slug))


COLOURS = ("positive", "negative")
OPERATIONS = ("set", "add", "remove")


def update_scene(said: SpiralArguments, standing: SpiralState) -> Grant:
    """Change the scene: first set, then remove, then add."""
    scene = dict(standing.scene)
    named = [f"{operation}_{colour}" for operation in OPERATIONS for colour in COLOURS]
    if not any(said.has(name) for name in ("location", *named)):
        raise mend(f"update_scene changes something: location, {', '.join(named)}")
    if said.has("location"):
        scene["location"] = said.text("location", NAME_LENGTH_MAX, "the name of the place")
    for colour in COLOURS:
        member, about = f"{colour}_tags", f"update_scene: `{{}}_{colour}`"
        tags = list(read_list(scene[member]))
        if said.has(f"set_{colour}"):
            tags = add_to([], said.tags(f"set_{colour}"), about.format("set"), SCENE_TAGS_MAX)
        tags = take_away(tags, said.tags(f"remove_{colour}"), about.format("remove"))
        scene[member] = add_to(tags, said.tags(f"add_{colour}"), about.format("add"), SCENE_TAGS_MAX)
    updates = [
        Update(Op.SET, f"{SCENE}.{member}", scene[member])
        for member in ("location", "positive_tags", "negative_tags")
        if scene[member] != standing.scene[member]
    ]
    updates += note_place(standing, scene)
    updates += follow(standing, str(scene["location"]))
    return Grant(tuple(updates), {"scene": scene})
