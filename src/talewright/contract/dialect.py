"""The Dialect port: one way in which a model may answer, with its reader, its schema and its demands.

A dialect reads and describes; the kernel judges what it read.
"""

from dataclasses import dataclass
from typing import Protocol

from talewright.contract.answers import Answer
from talewright.kernel.game import Game
from talewright.kernel.judging.moves_and_rulings import Flaw
from talewright.kernel.state.state import Position
from talewright.llm.chunks import Piece
from talewright.llm.profiles import Profile
from talewright.llm.tools import Schema, ToolSpec


@dataclass(frozen=True, slots=True)
class Ground:
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


class Reader(Protocol):
    """Reads one reply while it arrives."""

    def feed(self, chunk: Piece) -> str:
        """Take a chunk; give the narration that may be shown now. Never raises."""

    def finish(self) -> Answer:
        """The whole answer, once no chunk will follow. Never raises."""


class Dialect(Protocol):
    """One way of answering."""

    @property
    def name(self) -> str:
        """How `game.yaml` calls it."""

    def rules(self, game: Game, language: str) -> str:
        """What the model is told once about how to answer: the same bytes for a game and language."""

    def schema(self, ground: Ground, profile: Profile) -> Schema | None:
        """The JSON Schema of an answer, narrowed to what the model accepts; None where the form is free."""

    def tools(self, ground: Ground, profile: Profile) -> tuple[ToolSpec, ...]:
        """The tools to send along."""

    def reader(self, ground: Ground) -> Reader:
        """A reader for one reply."""

    def demand(self, flaws: tuple[Flaw, ...], ground: Ground) -> str:
        """What a repair says to the model: what was wrong and what is wanted now."""
