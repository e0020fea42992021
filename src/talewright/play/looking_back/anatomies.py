"""Anatomies: a turn taken apart: what the model was given and why, what it said, what came of it, the cost.

Only for whoever wrote the game or runs the engine. The secret of chance and keys stand in none of it.
"""

from dataclasses import dataclass, field

from talewright.llm.reply_chunks import Usage
from talewright.play.looking_back.costs import Cost
from talewright.play.looking_back.prefixes import Break
from talewright.prompt.prompt_inspection import PromptInspection


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One call of a tool in a reply, and what came of it."""

    name: str
    arguments: str
    """JSON, as it came."""

    result: str = ""
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """One question to a model, and its answer."""

    purpose: str
    """`tell`, `moves`, `round`, `repair`, or `errand` with its name."""

    model: str
    reply: str
    """The text as it came."""

    stop: str = ""
    """Why the model stopped, where it said so."""

    tools: tuple[ToolUse, ...] = ()
    flaws: tuple[str, ...] = ()
    """What the reader found wrong with it; those that need no repair too."""

    mends: tuple[str, ...] = ()
    """What the next ask wants mended; empty where the answer stands."""

    trouble: str = ""
    """What went wrong on the way, where something did."""

    updates_only: bool = False
    """Whether it mends the updates of an earlier answer, whose narration stands."""

    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Judgement:
    """One ruling: a move, and what the rules made of it."""

    ruling: str
    """`granted`, `refused` or `waiting`."""

    move: str
    reason: str = ""
    """Why it was wanted; of a refused one why it was refused."""

    grade: str = ""
    """Of a refused one: `mend` or `drop`."""

    changes: tuple[str, ...] = ()
    """Each place with what was there and what is there now."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Something that was left out of the prompt, or a place from which on it is another."""

    name: str
    tokens: int | None = None
    """What that saved; None where it saves nothing or nobody counted."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class Given:
    """What the model was given first in a turn."""

    inspection: PromptInspection
    """Sections with tokens and weights, every entry of lore with its reason, and where it is new."""

    before: int | None = None
    """The turn it is compared with."""

    differs: bool = False
    """Whether the record says that it was another prompt, as where the model can read more today."""


@dataclass(frozen=True, slots=True)
class Anatomy:
    """One turn, taken apart."""

    version: int
    commit: str
    told: str
    """Who told it: `model`, `scenes`, `outside`."""

    prompt: Given | None
    """None where no model was asked, or the prompt cannot be made anew."""

    unbuilt: str
    """Why it cannot, where it cannot."""

    cuts: tuple[Cut, ...]
    asks: tuple[Ask, ...]
    rulings: tuple[Judgement, ...]
    cost: Cost
    """Of the try that became the turn."""

    broken: Break | None = None
    """Where the provider had to read again what it had kept."""
