"""The MasterDesk port: lets an external game master narrate turns of a campaign; all values can be sent as
JSON.

The game master proposes; the rules decide. Calls name an open turn by its handle, never by a connection.
"""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Protocol, TypeAlias

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.play.campaign_view import DecisionView, View
from talewright.play.input_results import InputResult, Stamp

MASTER_OPERATION_LENGTH_MAX = 39
"""As in `turn.turn_limits`, which is not loaded before a terminal's first paint; a test compares them."""

PAST_TURN = "turn "
"""The start of the name of a section with one past turn, as in `turn.game_master.master_brief`."""


@frozen
class BriefSectionView:
    """One part of what a narrator knows."""

    name: str
    text: str
    is_new: bool = True
    """Whether it is new since the version given."""


@frozen
class ToolView:
    """A tool that may be called."""

    name: str
    description: str
    parameters: Mapping[str, Json] = field(default_factory=dict)
    """JSON Schema of the arguments."""


@frozen
class ErrandView:
    """A question that waits for an answer; the next turn uses the answer."""

    system: str
    id: str
    question: str
    answer_schema: Json = None


@frozen
class OpenTurnView:
    """The open turn of a campaign."""

    operation_id: str
    said: str
    """The player's input in words."""

    until: str
    """When its lease ends: ISO 8601 in UTC."""

    input: Mapping[str, Json] = field(default_factory=dict)
    """The player's input as it is recorded."""

    rounds: int = 0
    handle: str = ""
    """Names it in further calls; empty if someone else holds it."""

    is_told: bool = False
    """Whether its narration is stored: the next `finish` commits it."""


HolderOf: TypeAlias = Callable[[str], str]
"""The name under which a caller holds the turn of an operation; remote desks leave it to their server."""


@frozen
class BriefView:
    """Everything that a game master needs to narrate the next turn."""

    version: int
    """Pass it next time to see what is new since then."""

    sections: tuple[BriefSectionView, ...]
    tools: tuple[ToolView, ...]
    errands: tuple[ErrandView, ...] = ()
    summary: str = ""
    """The instructions for a summary that is due; empty if none is."""

    open_turn: OpenTurnView | None = None


@frozen
class OutsideTurnView:
    """A turn that waits to be narrated."""

    handle: str
    """Names the open turn in every further call; whoever has it may narrate the turn."""

    said: str
    """The player's input in words."""

    results: tuple[Json, ...] = ()
    """Results so far: rolls, and results of calls that were waiting for the player."""

    rounds: int = 0
    """How many rounds have been submitted already."""

    situation: tuple[BriefSectionView, ...] = ()
    """Where the input, and the rounds, have led: the author's passages, the scene that opens, the state."""

    decisions: tuple[DecisionView, ...] = ()
    """What the player must answer once the turn is finished."""


@frozen
class ProposedCall:
    """A tool call."""

    name: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    id: str = ""
    """Names its result; empty to have it numbered."""


@frozen
class CallResultView:
    """The result of a call."""

    id: str
    name: str
    text: str
    """JSON: the result, or an error that says what is accepted."""

    refused: bool = False


@frozen
class RoundView:
    """The result of a round."""

    results: tuple[CallResultView, ...] = ()
    flaws: tuple[str, ...] = ()
    """What is wrong with it; then none of it has happened, and it can be submitted again in another form."""

    result: InputResult | None = None
    """The result of the turn, if it has ended."""

    changed: str = ""
    """What is different after the calls, such as the place and the people there; empty if nothing is."""


def drop_markers(text: str) -> str:
    """A text for an assistant, without markers of chat templates; models that we ask get it likewise."""
    from talewright.prompt.past_turns_part import disarm

    return disarm(text)


def write_handle(branch: str, operation_id: str, holder: str) -> str:
    """The handle of a turn as one word; `holder` proves whose turn it is."""
    parts = json.dumps([branch, operation_id, holder])
    return base64.urlsafe_b64encode(parts.encode()).decode()


class MasterDesk(Protocol):
    """The interface for an external game master."""

    async def player_view(self) -> View:
        """What the player sees now, and nothing more: a game master may show it to them."""

    async def brief(self, since: int = -1, holder_of: HolderOf | None = None) -> BriefView:
        """What a narrator would be given now; with a version, marks what is new since then."""

    async def open_turn(self, holder_of: HolderOf | None = None) -> OpenTurnView | None:
        """The open turn of the campaign, whichever branch it is on; None if there is none."""

    async def release(self, operation_id: str) -> None:
        """End the open turn of an operation, whoever holds it; if it has its narration, commit it.

        Only for the game master's own turn, or if the player has confirmed it.
        """

    async def begin(
        self, text: str, stamp: Stamp | None = None, holder: str = ""
    ) -> OutsideTurnView | InputResult:
        """Open a turn with the player's words; without any, the opening, or a turn without an input.

        The same stamp means the same turn. Whoever knows `holder` may continue the turn; if it is empty, one
        is generated.
        """

    async def choose(
        self, choice: str, stamp: Stamp | None = None, holder: str = ""
    ) -> OutsideTurnView | InputResult:
        """Open a turn with one of the offered choices."""

    async def answer(
        self,
        decision: str,
        option: str,
        note: str = "",
        stamp: Stamp | None = None,
        holder: str = "",
        *,
        by_player: bool = False,
    ) -> OutsideTurnView | InputResult:
        """Open a turn with the player's answer to a decision.

        An answer passed on by the game master is refused with the reason `player_decides`, unless the game
        says `decisions: relayed`; then the record says that it was passed on. `by_player` is for a face that
        has asked the player itself.
        """

    async def propose(
        self, handle: str, calls: tuple[ProposedCall, ...], answers: Mapping[str, Json] | None = None
    ) -> RoundView:
        """Submit calls to the rules; `answers` are for errands that calls were waiting for."""

    async def finish(
        self, handle: str, narration: str, calls: tuple[ProposedCall, ...] = (), facts: tuple[str, ...] = ()
    ) -> RoundView:
        """Narrate the turn and commit it; with flaws it stays open."""

    async def give_up(self, handle: str) -> None:
        """Abandon an open turn."""

    async def hand_in_answer(self, system: str, errand: str, answer: Json) -> None:
        """Answer an errand of the brief."""

    async def hand_in_summary(self, text: str) -> None:
        """Submit the summary that the brief asks for."""
