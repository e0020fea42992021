"""Campaign setup: a world and a character created in conversation, and the phase before play.

The tools here record what was agreed. Setup ends only once the world can be played. Play starts with a turn
of its own, the opening scene, unless an authored scene has narrated it.
"""

from collections.abc import Iterator

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.judging.rulings import mend
from talewright.kernel.system import Grant, Phase
from talewright.systems.spiral.moves import scratchpad
from talewright.systems.spiral.moves.day_advance import start_segment
from talewright.systems.spiral.moves.spiral_arguments import SpiralArguments
from talewright.systems.spiral.rulebook import SpiralRulebook
from talewright.systems.spiral.slots import (
    COMPANION,
    INHERENT_MAX,
    META,
    NAME_LENGTH_MAX,
    OWN,
    PLAYER,
    TEXT_LENGTH_MAX,
)
from talewright.systems.spiral.spiral_state import SpiralState
from talewright.systems.spiral.tags import add_to, read_list
from talewright.systems.spiral.tool_descriptions import IN_PLAY, IN_SETUP
from talewright.systems.spiral.words.phrases import SpiralPhrases

TAGS_WANTED = (3, 5)
"""How many tags a character should start with; fewer or more cause a warning."""

NPCS_WANTED = 2
"""People with clocks that a world needs before play starts."""

SECTIONS_WANTED = ("Principles", "Active Threads", "Opening Scene")
"""Required sections of the scratchpad."""


def set_genre(said: SpiralArguments, standing: SpiralState) -> Grant:
    """Record the kind of story."""
    genre = said.text("genre", TEXT_LENGTH_MAX, "the world and its tone, in a sentence")
    return Grant((Update(Op.SET, f"{META}.genre", genre), _touch(standing)), {"genre": genre})


def set_character(said: SpiralArguments, standing: SpiralState) -> Grant:
    """Record who the player is."""
    sheet = _read_sheet(said)
    updates = [Update(Op.SET, f"{PLAYER}.{name}", value) for name, value in sheet.items()]
    result: dict[str, Json] = {"player": {**standing.player, **sheet}}
    warning = warn(len(read_list(sheet["inherent_tags"])))
    if warning:
        result["warning"] = warning
    return Grant((*updates, _touch(standing)), result)


def set_companion(said: SpiralArguments, standing: SpiralState) -> Grant:
    """Record the companion, or that there is none."""
    asked = Update(Op.SET, f"{OWN}.companion_asked", True)
    if said.has("none") and said.truth("none"):
        return Grant((Update(Op.SET, COMPANION, None), asked, _touch(standing)), {"gm_pc": None})
    companion: dict[str, Json] = {**_read_sheet(said), "glitch_tags": [], "conditions": []}
    return Grant((Update(Op.SET, COMPANION, companion), asked, _touch(standing)), {"gm_pc": companion})


def finish_setup(standing: SpiralState) -> Grant:
    """End the setup, once there is something to play and the player has seen the sheet."""
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


def find_missing(standing: SpiralState) -> Iterator[str]:
    """What a world still lacks, and the tool that adds it."""
    player = standing.player
    if not standing.meta["genre"]:
        yield "what kind of story it is (set_genre)"
    if not (player["name"] and player["concept"] and player["inherent_tags"]):
        yield "the player's character (set_character)"
    if standing.own["companion_asked"] is not True:
        yield "whether somebody goes along (set_companion, with none: true for nobody)"
    if standing.own["sheet_turn"] == standing.turn:
        yield "the player's yes to the sheet, which this turn has changed (show it, wait for the answer)"
    there = scratchpad.section_names(str(standing.own["scratchpad"]))
    for name in SECTIONS_WANTED:
        if name not in there or not scratchpad.read_section(str(standing.own["scratchpad"]), name):
            yield f"the section `{name}` (scratchpad)"
    if len(standing.people) < NPCS_WANTED:
        yield f"{NPCS_WANTED} people or factions with goals, now {len(standing.people)} (create_npc)"


def warn(count: int) -> str:
    """A warning about the number of tags; empty if it is fine."""
    fewest, most = TAGS_WANTED
    if count < fewest:
        return f"Few tags ({count}): the dice will be hard. Warn the player, then let them choose."
    if count > most:
        return f"Many tags ({count}): {fewest} to {most} are usual. Ask which ones matter."
    return ""


def _read_sheet(said: SpiralArguments) -> dict[str, Json]:
    tags = add_to([], said.tags("inherent_tags"), f"{said.tool}: `inherent_tags`", INHERENT_MAX)
    if not tags:
        raise mend(f"{said.tool} needs `inherent_tags`: a list of {TAGS_WANTED[0]} to {TAGS_WANTED[1]} tags")
    return {
        "name": said.text("name", NAME_LENGTH_MAX, "what they are called"),
        "concept": said.text("concept", TEXT_LENGTH_MAX, "who they are, in a line"),
        "inherent_tags": tags,
    }


def _touch(standing: SpiralState) -> Update:
    """Record that the sheet has changed since the player last saw it."""
    return Update(Op.SET, f"{OWN}.sheet_turn", standing.turn)


SETUP, PLAY = "setup", "play"


def phase_of(standing: SpiralState, rules: SpiralRulebook, words: SpiralPhrases) -> Phase:
    """The current phase."""
    if standing.is_set_up:
        return Phase(PLAY, tools=IN_PLAY, text=rules.text, opens=standing.own["opened"] is not True)
    return Phase(SETUP, tools=IN_SETUP, text=words.setup)
