"""Scenes: where the player is, and the tags that help or hinder there.

Who is present is not written here; that follows from the people themselves.
"""

from talewright.kernel.judging.moves_and_rulings import Op, Update, mend
from talewright.kernel.system import Grant
from talewright.systems.spiral.arguments import Said
from talewright.systems.spiral.limits import NAME_LENGTH_MAX, SCENE_TAGS_MAX
from talewright.systems.spiral.people import follow
from talewright.systems.spiral.places import note_place
from talewright.systems.spiral.slots import SCENE
from talewright.systems.spiral.standing import Standing
from talewright.systems.spiral.tags import add_to, read_list, take_away

COLOURS = ("positive", "negative")
OPERATIONS = ("set", "add", "remove")


def update_scene(said: Said, standing: Standing) -> Grant:
    """Change the scene: first what is set, then what goes, then what comes."""
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
