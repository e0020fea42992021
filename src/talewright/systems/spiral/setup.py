"""Setup: a world and a character, made in conversation before the first turn of play.

The tools here take down what was agreed. They end with a world that can be played, or they do not end.
"""

from collections.abc import Iterator

from talewright.kernel.judging.moves_and_rulings import Op, Update, mend
from talewright.kernel.state.documents import Json
from talewright.kernel.system import Grant
from talewright.systems.spiral import scratchpad
from talewright.systems.spiral.arguments import Said
from talewright.systems.spiral.calendar import start_segment
from talewright.systems.spiral.limits import (
    INHERENT_MAX,
    NAME_LENGTH_MAX,
    NPCS_WANTED,
    TAGS_WANTED,
    TEXT_LENGTH_MAX,
)
from talewright.systems.spiral.slots import COMPANION, META, OWN, PLAYER
from talewright.systems.spiral.standing import Standing
from talewright.systems.spiral.tags import add_to, read_list

SECTIONS_WANTED = ("Principles", "Active Threads", "Opening Scene")
"""Sections of the scratchpad without which there is nothing to open with."""


def set_genre(said: Said, standing: Standing) -> Grant:
    """Take down what kind of story it is."""
    genre = said.text("genre", TEXT_LENGTH_MAX, "the world and its tone, in a sentence")
    return Grant((Update(Op.SET, f"{META}.genre", genre), _touch(standing)), {"genre": genre})


def set_character(said: Said, standing: Standing) -> Grant:
    """Take down who the player is."""
    sheet = _read_sheet(said)
    updates = [Update(Op.SET, f"{PLAYER}.{name}", value) for name, value in sheet.items()]
    result: dict[str, Json] = {"player": {**standing.player, **sheet}}
    warning = warn(len(read_list(sheet["inherent_tags"])))
    if warning:
        result["warning"] = warning
    return Grant((*updates, _touch(standing)), result)


def set_companion(said: Said, standing: Standing) -> Grant:
    """Take down who goes along, or that nobody does."""
    asked = Update(Op.SET, f"{OWN}.companion_asked", True)
    if said.has("none") and said.truth("none"):
        return Grant((Update(Op.SET, COMPANION, None), asked, _touch(standing)), {"gm_pc": None})
    companion: dict[str, Json] = {**_read_sheet(said), "glitch_tags": [], "conditions": []}
    return Grant((Update(Op.SET, COMPANION, companion), asked, _touch(standing)), {"gm_pc": companion})


def finish_setup(standing: Standing) -> Grant:
    """End the preparation, once there is something to play and the player has seen the sheet."""
    missing = list(find_missing(standing))
    if missing:
        raise mend(f"finish_setup: something is missing yet: {'; '.join(missing)}")
    updates = (
        Update(Op.SET, f"{META}.setup_complete", True),
        *start_segment(standing, standing.day, standing.segment),
    )
    result: dict[str, Json] = {"setup_complete": True}
    warning = warn(len(read_list(standing.player["inherent_tags"])))
    if warning:
        result["warning"] = warning
    return Grant(updates, result)


def find_missing(standing: Standing) -> Iterator[str]:
    """What a world still lacks, and the tool that brings it."""
    player = standing.player
    if not standing.meta["genre"]:
        yield "what kind of story it is (set_genre)"
    if not (player["name"] and player["concept"] and player["inherent_tags"]):
        yield "the player's character (set_character)"
    if standing.own["companion_asked"] is not True:
        yield "whether somebody goes along (set_companion, with none: true for nobody)"
    if standing.own["sheet_turn"] == standing.turn:
        yield "the player's yes to the sheet, which this turn has changed (show it, wait for the answer)"
    there = scratchpad.names(str(standing.own["scratchpad"]))
    for name in SECTIONS_WANTED:
        if name not in there or not scratchpad.read(str(standing.own["scratchpad"]), name):
            yield f"the section `{name}` (scratchpad)"
    if len(standing.people) < NPCS_WANTED:
        yield f"{NPCS_WANTED} people or factions with goals, now {len(standing.people)} (create_npc)"


def warn(count: int) -> str:
    """What to tell a player about a number of tags; empty where it is a good one."""
    fewest, most = TAGS_WANTED
    if count < fewest:
        return f"Few tags ({count}): the dice will be hard. Warn the player, then let them choose."
    if count > most:
        return f"Many tags ({count}): {fewest} to {most} are usual. Ask which ones matter."
    return ""


def _read_sheet(said: Said) -> dict[str, Json]:
    tags = add_to([], said.tags("inherent_tags"), f"{said.tool}: `inherent_tags`", INHERENT_MAX)
    if not tags:
        raise mend(f"{said.tool} needs `inherent_tags`: a list of {TAGS_WANTED[0]} to {TAGS_WANTED[1]} tags")
    return {
        "name": said.text("name", NAME_LENGTH_MAX, "what they are called"),
        "concept": said.text("concept", TEXT_LENGTH_MAX, "who they are, in a line"),
        "inherent_tags": tags,
    }


def _touch(standing: Standing) -> Update:
    """Remember that the sheet is not as the player last saw it."""
    return Update(Op.SET, f"{OWN}.sheet_turn", standing.turn)
