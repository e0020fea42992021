"""Tool descriptions: name, arguments and words of every move of the spiral.

Schemas define the arguments; the rules decide what is granted.
"""

from collections.abc import Mapping

from talewright.common.json_values import Json
from talewright.kernel.system import Tool, ToolWork
from talewright.systems.spiral.moves.player_sheet import PURPOSES
from talewright.systems.spiral.moves.scratchpad import OPERATIONS
from talewright.systems.spiral.slots import CLOCK_MAX, DISPOSITIONS, INHERENT_MAX, SCENE_TAGS_MAX

ROLL_CHECK = "roll_check"
ADD_GLITCH, FLUSH_GLITCHES, SPEND_RESIST = "add_glitch", "flush_glitches", "spend_resist"
UPDATE_SCENE, UPDATE_PLAYER = "update_scene", "update_player"
CREATE_NPC, UPDATE_NPC = "create_npc", "update_npc"
ADVANCE_TIME, SCRATCHPAD = "advance_time", "scratchpad"
SET_GENRE, SET_CHARACTER, SET_COMPANION = "set_genre", "set_character", "set_companion"
FINISH_SETUP = "finish_setup"


def _text(about: str) -> dict[str, Json]:
    return {"type": "string", "description": about}


def _whole(about: str, low: int | None = None, high: int | None = None) -> dict[str, Json]:
    bounds = {"minimum": low, "maximum": high}
    return {"type": "integer", "description": about, **{k: v for k, v in bounds.items() if v is not None}}


def _tags(about: str) -> dict[str, Json]:
    return {"type": "array", "items": {"type": "string"}, "description": about}


def _choice(about: str, *words: str) -> dict[str, Json]:
    return {"type": "string", "enum": list(words), "description": about}


def _truth(about: str) -> dict[str, Json]:
    return {"type": "boolean", "description": about}


def _tool(
    name: str,
    about: str,
    members: Mapping[str, Json],
    *required: str,
    work: ToolWork = ToolWork.UPDATING,
    must_see: bool = False,
    terms: tuple[str, ...] = (),
    own: bool = False,
) -> Tool:
    schema: dict[str, Json] = {"type": "object", "properties": dict(members), "additionalProperties": False}
    if required:
        schema["required"] = list(required)
    return Tool(name, about, schema, must_see, work, terms=terms, own=own)


_SHEET: Mapping[str, Json] = {
    "name": _text("What they are called."),
    "concept": _text("Who they are, in a line."),
    "inherent_tags": _tags(f"Three to five tags of a few words each; at most {INHERENT_MAX}."),
}
_NPC_ID = _text("The id of somebody of the world.")
_GOAL = _text("A deed with an end, which can be reached without the player and would matter.")

PLAY_TOOLS = (
    _tool(
        ROLL_CHECK,
        "Propose a roll. The player confirms, contests or withdraws on a card; then the game rolls. "
        "Stop after calling it.",
        {
            "action_dice": _whole("1, and one for each of action_tags.", 0),
            "danger_dice": _whole("One for each glitch, and one for each other of danger_tags.", 0),
            "context": _text("What is tried and what is at stake, in a few words; the player reads it."),
            "action_tags": _tags(
                "Tags that help, as they stand in the state: inherent, scene positive, companion's, "
                "weaknesses of people present."
            ),
            "danger_tags": _tags(
                "Tags that hinder: scene negative, conditions that bear on it, strengths of people "
                "present who oppose. Glitches count by themselves."
            ),
        },
        "action_dice",
        "danger_dice",
        "context",
        work=ToolWork.ROLLING,
        must_see=True,
        terms=("action_dice", "danger_dice"),
    ),
    _tool(
        ADD_GLITCH,
        "Give the player a glitch, after a roll that says so.",
        {
            "tag": _text("Two to five words: something a camera could see, which points forward."),
        },
        "tag",
    ),
    _tool(FLUSH_GLITCHES, "Clear all glitches; they are returned, to be told.", {}),
    _tool(
        SPEND_RESIST,
        "Spend resist for the player, who has decided it: 1 keeps away the glitch of this "
        "turn's roll, 2 clear a condition in the morning.",
        {
            "purpose": _choice("What for.", *PURPOSES),
            "condition": _text("The condition to clear."),
        },
        "purpose",
    ),
    _tool(
        UPDATE_SCENE,
        f"Change the scene; at most {SCENE_TAGS_MAX} tags of each colour.",
        {
            "location": _text("Where the player is now."),
            "set_positive": _tags("All tags that help here, instead of those there were."),
            "set_negative": _tags("All tags that hinder here, instead of those there were."),
            "add_positive": _tags("More that help."),
            "add_negative": _tags("More that hinder."),
            "remove_positive": _tags("Some that help no more."),
            "remove_negative": _tags("Some that hinder no more."),
        },
        own=True,
    ),
    _tool(
        UPDATE_PLAYER,
        "Change what lasts about the player.",
        {
            "add_inherent": _tags("Tags that are now part of who they are."),
            "remove_inherent": _tags("Tags that are so no more."),
            "add_condition": _tags("What went wrong for good, after a roll that says so."),
            "remove_condition": _tags(
                "Conditions that the story has ended; granted only where the rules say `conditions: story`. "
                "Elsewhere they leave with spend_resist."
            ),
            "remove_glitch": _text("The one glitch that goes, after a 6."),
        },
        own=True,
    ),
    _tool(
        CREATE_NPC,
        "Create somebody who will be met again, or a faction.",
        {
            "id": _text("A short name in kebab-case, such as zogar-sag."),
            "name": _SHEET["name"],
            "concept": _SHEET["concept"],
            "positive_tags": _tags("What they are strong in; danger dice when they oppose the player."),
            "negative_tags": _tags("What they are weak in; action dice for whoever uses it."),
            "disposition": _choice("How they stand to the player.", *DISPOSITIONS),
            "goal": _GOAL,
            "clock_max": _whole("Steps to the goal; typically 4.", 1, CLOCK_MAX),
        },
        "id",
        "name",
        "concept",
        "positive_tags",
        "negative_tags",
        "disposition",
        "goal",
        "clock_max",
        own=True,
    ),
    _tool(
        UPDATE_NPC,
        "Change somebody: goal, clock, tags, and whether they are in the scene.",
        {
            "id": _NPC_ID,
            "disposition": _choice("How they stand to the player.", *DISPOSITIONS),
            "goal": _GOAL,
            "clock_delta": _whole("Steps forward, or back where it is negative; kept within the clock."),
            "active": _truth("Whether they share the scene."),
            "add_positive": _tags("More strengths."),
            "remove_positive": _tags("Strengths that are gone."),
            "add_negative": _tags("More weaknesses."),
            "remove_negative": _tags("Weaknesses that are gone."),
        },
        "id",
        own=True,
    ),
    _tool(
        ADVANCE_TIME,
        "Go on to the next segment of the day, when the player goes to a place that matters "
        "or a botch throws them there.",
        {
            "reason": _text("Why time goes on."),
        },
        "reason",
        must_see=True,
        own=True,
    ),
    _tool(
        SCRATCHPAD,
        "Your hidden notes in Markdown, by `## ` sections.",
        {
            "operation": _choice("write replaces, append adds at the end.", *OPERATIONS),
            "section": {"type": ["string", "null"], "description": "The section's name; null for the whole."},
            "content": {"type": ["string", "null"], "description": "What to write or append."},
        },
        "operation",
        work=ToolWork.CONSULTING,
        must_see=True,
    ),
)
"""The ten tools of play."""

SETUP_TOOLS = (
    _tool(
        SET_GENRE,
        "Take down the world and its tone.",
        {
            "genre": _text("In one sentence."),
        },
        "genre",
    ),
    _tool(SET_CHARACTER, "Take down the player's character.", _SHEET, "name", "concept", "inherent_tags"),
    _tool(
        SET_COMPANION,
        "Take down a companion whom you play, or that there is none.",
        {
            **_SHEET,
            "none": _truth("True where nobody goes along; then nothing else is needed."),
        },
    ),
    _tool(
        FINISH_SETUP, "End the preparation: the player has said yes to the sheet, and the world is made.", {}
    ),
)
"""The tools for setting up a campaign."""

ALL_TOOLS = (*PLAY_TOOLS, *SETUP_TOOLS)
MEMBERS: Mapping[str, tuple[str, ...]] = {
    tool.name: tuple(tool.parameters["properties"])  # type: ignore[call-overload, index, arg-type]  # `_tool` made it
    for tool in ALL_TOOLS
}
"""The arguments of each tool."""

IN_PLAY = frozenset(tool.name for tool in PLAY_TOOLS)
IN_SETUP = frozenset(tool.name for tool in SETUP_TOOLS) | {SCRATCHPAD, CREATE_NPC, UPDATE_NPC, UPDATE_SCENE}
