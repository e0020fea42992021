"""The Dialect port: one format in which a model may answer, and the parsed answer.

A dialect reads and describes; the kernel judges what it read. An answer with flaws is still an answer: it
contains what could be read, so that a repair can keep it.
"""

from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import Call, Move
from talewright.kernel.judging.rulings import Flaw
from talewright.kernel.state.state import Position
from talewright.kernel.story.scene_rules import current_scene, offered
from talewright.kernel.story.scenes import Risk
from talewright.kernel.story.triggers import Event
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Piece
from talewright.llm.requests import Schema, ToolSpec


@frozen
class SuggestedChoice:
    """One action the model suggests to the player."""

    id: str
    label: str
    hint: str = ""
    risk: Risk = Risk.LOW
    tags: tuple[str, ...] = ()


@frozen
class ModelAnswer:
    """A parsed reply."""

    prose: str = ""
    """The narration: the concatenation of the reader's deltas. If the reply reached its length limit, it may
    end earlier, at the last whole sentence.
    """

    moves: tuple[Move, ...] = ()
    """What the model wants to happen. In the tools dialect these are its calls, in order."""

    choices: tuple[SuggestedChoice, ...] = ()
    facts: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    """Further events the model reports; they change nothing."""

    flaws: tuple[Flaw, ...] = ()
    """Empty, or only soft ones: the form of the answer is acceptable."""

    prose_stands: bool = False
    """Whether the narration is complete and good even if the rest is flawed: a repair then asks for the rest
    only.
    """

    operation_id: str = ""
    """The id the model gave its bundle, in dialects that have one."""

    mechanics: Json = None
    """What the model said about odds, in dialects that have such a member."""

    refused_calls: tuple[tuple[Call, str], ...] = ()
    """Calls that cannot be judged, with what would be accepted: an unknown tool, or arguments that do not fit
    its schema.
    """

    @property
    def hard_flaws(self) -> tuple[Flaw, ...]:
        """The flaws that must be fixed."""
        return tuple(flaw for flaw in self.flaws if not flaw.soft)


@frozen
class AnswerGround:
    """The context an answer is read against."""

    game: Game
    position: Position
    language: str = "en"
    """The language of demands and rules: `en` or `zh-CN`."""

    used_operations: frozenset[str] = frozenset()
    """Bundle ids already used on this branch."""

    tools: tuple[str, ...] = ()
    """The tools that may be called now."""

    moves_only: bool = False
    """Whether this is the first request of `moves_first`: moves without narration."""

    short: bool = False
    """Whether answers have the short form for slow and small models, which omits what is already given."""

    settled: bool = False
    """Whether the author's updates already carried out the player's choice; a short answer then only narrates
    it.
    """

    updates_only: bool = False
    """Whether this answer only repairs the updates of an accepted narration: its own prose is ignored."""

    reasons: bool = False
    """Whether an external game master answers, who must give a reason for every change of its own."""

    @property
    def author_offers(self) -> bool:
        """Whether the scene has choices of its own; a short answer may then leave out others.

        A small model's own choices would lead the player away from the story and take half of its time.
        """
        scene = current_scene(self.game, self.position)
        return self.short and scene is not None and bool(offered(scene, self.position))


IN_CIRCLES = Flaw("the answer repeats the same words again and again; say it once, then go on and end")
"""The flaw of an answer that was stopped because it went round in circles."""


class AnswerReader(Protocol):
    """Reads one reply while it arrives."""

    def feed(self, chunk: Piece) -> str:
        """Take a chunk; return the narration that may be shown now. Never raises."""

    def finish(self) -> ModelAnswer:
        """The whole answer, once all chunks have arrived. Never raises."""


class Dialect(Protocol):
    """One answer format."""

    @property
    def name(self) -> str:
        """Its name in `game.yaml`."""

    def rules(self, game: Game, language: str, profile: Profile | None = None) -> str:
        """The instructions on how to answer, given once: the same bytes for a game, language and profile."""

    def grammar(self, ground: AnswerGround, profile: Profile) -> str:
        """The grammar of an answer, in the notation of llama.cpp; empty if there is none for this model."""

    def schema(self, ground: AnswerGround, profile: Profile) -> Schema | None:
        """The JSON Schema of an answer, narrowed to what the model accepts; None if the form is free."""

    def tools(self, ground: AnswerGround, profile: Profile) -> tuple[ToolSpec, ...]:
        """The tools to send along."""

    def reader(self, ground: AnswerGround) -> AnswerReader:
        """A reader for one reply."""

    def demand(self, flaws: tuple[Flaw, ...], ground: AnswerGround) -> str:
        """The text of a repair: what was wrong and what is wanted now."""


def has_authored_choices(game: Game) -> bool:
    """Whether scenes of a game offer choices."""
    return any(scene.choices for scene in game.scenes.values())
