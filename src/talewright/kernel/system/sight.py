"""Sight: what a system is shown when it is called: the state, past turns, a reply that is not yet accepted.

A system gets all it needs as an argument; there is nothing else it could ask.
"""

from collections.abc import Mapping
from dataclasses import field

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.chance import Draw
from talewright.kernel.judging.moves import Call
from talewright.kernel.state.changes import Change
from talewright.kernel.story.game_texts import NO_TEXTS, Texts
from talewright.kernel.system.system_files import AuthorFiles


@frozen
class Sight:
    """The information a system gets when it is called."""

    document: Mapping[str, Json]
    turn: int
    files: AuthorFiles = field(default_factory=dict)

    dice: frozenset[int | str] | None = None
    """The dice this game allows; None allows all."""

    language: str = "en"
    """The language of those who read its output: narrator or player."""

    texts: Texts = NO_TEXTS
    """The author's texts, for displaying values of the state. Never stored."""

    away_minutes: int = 0
    """How long nobody had played when the current turn began, by the clock; recorded with the turn."""

    engine: int | None = None
    """The engine number of the turn; None for that of this program."""

    def since(self, engine: int) -> bool:
        """Whether the turn follows rules that came with an engine number: older turns are judged as then."""
        return self.engine is None or self.engine >= engine


@frozen
class ProposedTelling:
    """A reply before it is accepted."""

    prose: str
    calls: tuple[Call, ...] = ()
    draws: tuple[Draw, ...] = ()
    granted: tuple[Call, ...] = ()
    """Calls granted earlier in the same turn."""

    final: bool = True
    """Whether it would end its turn; otherwise the caller continues after reading the results."""


@frozen
class PastTurn:
    """A finished turn, as systems see it."""

    version: int
    input: str
    narration: str
    changes: tuple[Change, ...] = ()
    draws: tuple[Draw, ...] = ()
    messages: tuple[Json, ...] = ()
    """The messages as exchanged, without context: `{role: user, content}`, `{role: assistant, content,
    calls}` and `{role: tool, name, content, ...}`."""

    rolls: tuple[Json, ...] = ()
    """The rolls as recorded: `{kind: roll, text, total, ...}`, `{kind: trial, ...}` for a tool that a scene
    called, and `{kind: call, tool, result}` for any other call."""

    at: str = ""
    """When it was finished, as an ISO 8601 date and time."""
