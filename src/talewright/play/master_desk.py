"""The MasterDesk port: how a game master outside tells turns of a campaign, in values a wire can carry.

The game master proposes; the rules decide. Calls name an open turn by its handle, never by a connection.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.play.input_results import InputResult, Stamp


@frozen
class BriefSectionView:
    """One part of what a narrator knows."""

    name: str
    text: str
    is_new: bool = True
    """Whether it was not so at the version that was asked about."""


@frozen
class ToolView:
    """Something that may be called."""

    name: str
    description: str
    parameters: Mapping[str, Json] = field(default_factory=dict)
    """JSON Schema of the arguments."""


@frozen
class ErrandView:
    """A question that waits for an answer; the next turn takes the answer up."""

    system: str
    id: str
    question: str
    answer_schema: Json = None


@frozen
class BriefView:
    """All that a game master needs to tell the next turn."""

    version: int
    """Ask with it next time to see what is new since."""

    sections: tuple[BriefSectionView, ...]
    tools: tuple[ToolView, ...]
    errands: tuple[ErrandView, ...] = ()
    summary: str = ""
    """How a summary that is due is asked for; empty where none is."""


@frozen
class OutsideTurnView:
    """A turn that waits to be told."""

    handle: str
    """Names the open turn in every further call; whoever has it may tell the turn."""

    said: str
    """The player's input in words."""

    results: tuple[Json, ...] = ()
    """What the input has brought about already: rolls, results of calls that had waited for the player."""

    rounds: int = 0
    """How many rounds have been handed in already."""


@frozen
class ProposedCall:
    """A call of a tool."""

    name: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    id: str = ""
    """Names its result; empty lets it be numbered."""


@frozen
class CallResultView:
    """What came of a call."""

    id: str
    name: str
    text: str
    """JSON: the result, or an error that says what would be accepted."""

    refused: bool = False


@frozen
class RoundView:
    """What came of what was handed in."""

    results: tuple[CallResultView, ...] = ()
    flaws: tuple[str, ...] = ()
    """What is wrong with it; then nothing of it has happened, and it can be handed in otherwise."""

    result: InputResult | None = None
    """How the turn ended, where it has."""


class MasterDesk(Protocol):
    """Where a game master outside works."""

    async def brief(self, since: int = -1) -> BriefView:
        """What a narrator would be given now; with a version, what is new since is marked."""

    async def begin(
        self, text: str, stamp: Stamp | None = None, holder: str = ""
    ) -> OutsideTurnView | InputResult:
        """Open a turn with the player's words; without any, the opening, or a turn without an input.

        The same stamp is the same turn. `holder` is known to whoever may go on with it; empty lets one be
        made.
        """

    async def choose(
        self, choice: str, stamp: Stamp | None = None, holder: str = ""
    ) -> OutsideTurnView | InputResult:
        """Open a turn with one of the choices on the table."""

    async def answer(
        self, decision: str, option: str, note: str = "", stamp: Stamp | None = None, holder: str = ""
    ) -> OutsideTurnView | InputResult:
        """Open a turn with the player's answer to a decision."""

    async def propose(
        self, handle: str, calls: tuple[ProposedCall, ...], answers: Mapping[str, Json] | None = None
    ) -> RoundView:
        """Have calls judged; `answers` are those to errands that calls have waited for."""

    async def finish(
        self, handle: str, narration: str, calls: tuple[ProposedCall, ...] = (), facts: tuple[str, ...] = ()
    ) -> RoundView:
        """Tell the turn and make it part of the story; with flaws it stays open."""

    async def give_up(self, handle: str) -> None:
        """Let an open turn go."""

    async def hand_in_answer(self, system: str, errand: str, answer: Json) -> None:
        """Answer an errand of the brief."""

    async def hand_in_summary(self, text: str) -> None:
        """Hand in the summary that the brief asks for."""
