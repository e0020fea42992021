"""The Dialect port: one way in which a model may answer, and the answer its reader makes of a reply.

A dialect reads and describes; the kernel judges what it read. An answer with flaws is still an answer: what
could be read stands in it, so that a repair can keep it.
"""

from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.judging.moves_and_rulings import Call, Flaw, Move
from talewright.kernel.state.state import Position
from talewright.kernel.story.scenes_and_endings import Risk
from talewright.kernel.story.triggers import Event
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Piece
from talewright.llm.requests import Schema, ToolSpec


@frozen
class SuggestedChoice:
    """One thing the model suggests the player might do."""

    id: str
    label: str
    hint: str = ""
    risk: Risk = Risk.LOW
    tags: tuple[str, ...] = ()


@frozen
class ModelAnswer:
    """A reply, read."""

    prose: str = ""
    """The narration, exactly what the deltas of the reader add up to."""

    moves: tuple[Move, ...] = ()
    """What the model wants to happen. In the tools dialect these are its calls, in order."""

    choices: tuple[SuggestedChoice, ...] = ()
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


@frozen
class AnswerGround:
    """What an answer is read against."""

    game: Game
    position: Position
    language: str = "en"
    """In which demands and rules are worded: `en` or `zh-CN`."""

    used_operations: frozenset[str] = frozenset()
    """Names of bundles already used on this branch."""

    tools: tuple[str, ...] = ()
    """The tools that may be called now."""

    moves_only: bool = False
    """Whether this is the first ask of `moves_first`: moves and no telling."""

    updates_only: bool = False
    """Whether this answer repairs the updates of a narration that stands: its own prose is passed over."""


class AnswerReader(Protocol):
    """Reads one reply while it arrives."""

    def feed(self, chunk: Piece) -> str:
        """Take a chunk; give the narration that may be shown now. Never raises."""

    def finish(self) -> ModelAnswer:
        """The whole answer, once no chunk will follow. Never raises."""


class Dialect(Protocol):
    """One way of answering."""

    @property
    def name(self) -> str:
        """How `game.yaml` calls it."""

    def rules(self, game: Game, language: str) -> str:
        """What the model is told once about how to answer: the same bytes for a game and language."""

    def schema(self, ground: AnswerGround, profile: Profile) -> Schema | None:
        """The JSON Schema of an answer, narrowed to what the model accepts; None where the form is free."""

    def tools(self, ground: AnswerGround, profile: Profile) -> tuple[ToolSpec, ...]:
        """The tools to send along."""

    def reader(self, ground: AnswerGround) -> AnswerReader:
        """A reader for one reply."""

    def demand(self, flaws: tuple[Flaw, ...], ground: AnswerGround) -> str:
        """What a repair says to the model: what was wrong and what is wanted now."""
