"""Casts: who plays what: a game, its player, and the turns that go before, for each of the three contracts.

The sentences are the player's own; the model has never seen them.
"""

from dataclasses import dataclass, field, replace

from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Usage
from talewright.llm.requests import ToolCall
from talewright.providers.scripted import ScriptedReply
from tests.models.games import CARDS, PATCH, SMALL, TOOLS
from tests.models.grammars import spell_patch
from tests.models.playing import Lead
from tests.models.tellers import CALLING, FREE, HELD, SPELLED, Spell

USED = Usage(10, 5)


@dataclass(frozen=True, slots=True)
class Cast:
    """One game as it is played here."""

    game: str
    profile: Profile
    sayings: tuple[str, ...]
    every: int = 0
    """Every so many turns the player says something of their own; otherwise they choose."""

    lead: Lead = field(default_factory=Lead)
    spell: Spell | None = None
    """The grammar that the model is held to, where a schema cannot do that."""


def _call(name: str, arguments: str) -> ScriptedReply:
    return ScriptedReply("", (ToolCall(f"call-{name}", name, arguments),), USED)


LOCKBOX_LEAD = Lead(
    ("I put my ear to the box.", "I turn the middle dial to one.", "I try the lid."),
    (
        ScriptedReply("The lamp throws three small shadows, one for each dial.", usage=USED),
        _call("listen", '{"note": ""}'),
        ScriptedReply("You hold your breath. Not one of the dials knocks.", usage=USED),
        _call("turn_dial", '{"dial": "middle", "digit": 1}'),
        ScriptedReply("The middle dial turns stiffly and stops at one.", usage=USED),
        _call("pull", '{"note": ""}'),
        ScriptedReply("The lid stays where it is.", usage=USED),
    ),
)

LANTERN_SAYINGS = (
    "I sing to the river for a while.",
    "I ask the lamp how it slept.",
    "I count the stars I can see.",
    "I wait and listen for footsteps.",
)
LANTERN = Cast(CARDS, HELD, LANTERN_SAYINGS)
LANTERN_FREE = Cast(CARDS, FREE, LANTERN_SAYINGS)
CHAPEL = Cast(PATCH, SPELLED, ("I listen at the door.",), spell=spell_patch)
FERRY = Cast(SMALL, HELD, ("I wait.",))
FERRY_FREE = Cast(SMALL, replace(FREE, output_tokens_max=20), ("I wait.",))
LOCKBOX = Cast(
    TOOLS,
    CALLING,
    (
        "I listen at the box.",
        "I turn the left dial to four.",
        "I pull at the lid.",
        "I turn the right dial to seven.",
        "I listen once more.",
        "I look around the attic.",
        "I turn the middle dial to two.",
        "I pull at the lid again.",
    ),
    lead=LOCKBOX_LEAD,
)
