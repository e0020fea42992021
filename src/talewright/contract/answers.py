"""Answers: what a reader makes of a model's reply, the same for every dialect.

An answer with flaws is still an answer: what could be read stands in it, so that a repair can keep it.
"""

from dataclasses import dataclass

from talewright.kernel.judging.moves_and_rulings import Call, Flaw, Move
from talewright.kernel.state.documents import Json
from talewright.kernel.story.scenes_and_endings import Risk
from talewright.kernel.story.triggers import Event


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing the model suggests the player might do."""

    id: str
    label: str
    hint: str = ""
    risk: Risk = Risk.LOW
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply, read."""

    prose: str = ""
    """The narration, exactly what the deltas of the reader add up to."""

    moves: tuple[Move, ...] = ()
    """What the model wants to happen. In the tools dialect these are its calls, in order."""

    choices: tuple[Offer, ...] = ()
    facts: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    """What the model reports besides; they change nothing."""

    flaws: tuple[Flaw, ...] = ()
    """Empty, or only soft ones: the answer stands as far as its form goes."""

    prose_stands: bool = False
    """Whether the narration is whole and good even if the rest is flawed: a repair then asks for the rest
    alone."""

    operation_id: str = ""
    """The name the model gave its bundle, where the dialect has one."""

    mechanics: Json = None
    """What the model said about odds, where the dialect has such a member."""

    refused_calls: tuple[tuple[Call, str], ...] = ()
    """Calls that cannot be judged at all, and what would be accepted: no such tool, arguments that do not
    fit its schema."""

    @property
    def hard_flaws(self) -> tuple[Flaw, ...]:
        """The flaws that must be mended."""
        return tuple(flaw for flaw in self.flaws if not flaw.soft)
