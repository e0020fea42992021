"""Tool descriptions: the moves of the world as a model sees them.

Their names and members are those of the original design. Only their form is here; what they do is in `moves`.
"""

from talewright.common.json_values import Json
from talewright.kernel.system import Tool
from talewright.systems.world.slots import DESCRIPTION_LENGTH_MAX, FACT_LENGTH_MAX, NAME_LENGTH_MAX

MOVE, ADVANCE, DISCOVER = "moveToLocation", "advanceTime", "discoverCharacter"
NOTE_FACT, ASK = "noteFact", "askCharacter"

TICKS_STEP_MAX = 10_000
"""Ticks that pass in one call."""

COMPANIONS_MAX = 12
"""People named in one call."""


def _text(about: str, length: int = NAME_LENGTH_MAX) -> Json:
    return {"type": "string", "description": about, "maxLength": length}


def _names(about: str) -> Json:
    return {"type": "array", "items": {"type": "string"}, "maxItems": COMPANIONS_MAX, "description": about}


def _form(required: tuple[str, ...], **properties: Json) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


_TIME = _text("What time it is afterwards, in a few words; empty to leave it to the clock.")

ALL_TOOLS = (
    Tool(
        MOVE,
        "Call this when the player goes to another place. The result says who is there.",
        _form(
            ("destination", "narrativeTime", "accompaniedBy"),
            destination=_text("Where to."),
            narrativeTime=_TIME,
            accompaniedBy=_names("The people here who come along."),
        ),
        own=True,
    ),
    Tool(
        ADVANCE,
        "Call this when time passes: a long talk, waiting, sleep.",
        _form(
            ("narrativeTime", "ticks"),
            narrativeTime=_TIME,
            ticks={"type": "number", "minimum": 1, "maximum": TICKS_STEP_MAX},
        ),
        own=True,
    ),
    Tool(
        DISCOVER,
        "Call this before you name somebody new, hidden or improvised.",
        _form(
            ("characterName", "introduction", "goals"),
            characterName=_text("Their name."),
            introduction=_text("Who they are, in one sentence.", DESCRIPTION_LENGTH_MAX),
            goals=_text("What they want.", DESCRIPTION_LENGTH_MAX),
        ),
        must_see=False,
        own=True,
    ),
    Tool(
        NOTE_FACT,
        "Call this when something becomes known that will matter. By default everybody present knows it.",
        _form(
            ("fact",),
            fact=_text("One sentence.", FACT_LENGTH_MAX),
            witnesses=_names("Who witnessed it, if not everybody here."),
            told_by=_text("Who tells it, if it is told and not witnessed."),
            told_to=_names("Who is told, if not everybody here."),
        ),
        must_see=False,
    ),
    Tool(
        ASK,
        "Call this when the player asks somebody here what they know. The result is what they say.",
        _form(
            ("characterName", "topic"), characterName=_text("Whom."), topic=_text("About what; may be empty.")
        ),
    ),
)
