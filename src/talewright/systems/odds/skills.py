"""Skills: what a player is good at, read from the author's variable `player.skills`.

The numbers are the author's. Nothing is written here.
"""

from collections.abc import Mapping

from talewright.kernel.state.documents import Json, find

SKILLS_PATH = ("player", "skills")

SKILL_SHOWN_MAX = 50
"""Where a meter ends: so much of a skill outweighs the greatest difficulty."""


def find_skill(skills: Mapping[str, int], said: Json) -> str:
    """The skill of a name, whatever its capitals; empty where there is none."""
    if not isinstance(said, str):
        return ""
    plain = said.strip().casefold()
    return next((name for name in skills if name.casefold() == plain), "")


def skills_of(document: Mapping[str, Json]) -> dict[str, int]:
    """Every skill that is a whole number, in the author's order."""
    found = find(document, SKILLS_PATH)
    members = found if isinstance(found, Mapping) else {}
    return {
        name: value
        for name, value in members.items()
        if isinstance(value, int) and not isinstance(value, bool)
    }
