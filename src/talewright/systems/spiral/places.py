"""Places: where the scene has been, remembered so that each has a page of its own.

A place is known by its name's slug. It holds no secrets.
"""

import re

from talewright.kernel.judging.moves_and_rulings import Op, Update
from talewright.kernel.state.documents import Json
from talewright.kernel.state.state_paths import pointer
from talewright.systems.spiral.limits import DAYS_MAX, PLACES_MAX, SLUG_LENGTH_MAX
from talewright.systems.spiral.slots import OWN
from talewright.systems.spiral.standing import Member, Standing
from talewright.systems.spiral.tags import fold, read_list

_GAPS = re.compile(r"[\W_]+")


def to_slug(name: str) -> str:
    """A name as a file may have it: words of letters and digits with dashes between them."""
    return _GAPS.sub("-", fold(name)).strip("-")[:SLUG_LENGTH_MAX].strip("-")


def note_place(standing: Standing, scene: Member) -> tuple[Update, ...]:
    """Remember the place of a scene, as it is now."""
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
