"""The remote MasterDesk: lets an external game master narrate turns of a campaign on a server.

The server derives who holds an open turn from the token and the operation id.
"""

from collections.abc import Callable, Mapping

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.play.campaign_view import View
from talewright.play.input_results import InputResult, Stamp
from talewright.play.master_desk import (
    BriefView,
    HolderOf,
    OpenTurnView,
    OutsideTurnView,
    ProposedCall,
    RoundView,
)
from talewright.play.wire.view_codec import from_wire, to_wire
from talewright.remote.campaign_requests import CampaignRequests, read_one
from talewright.remote.server_connection import ServerAnswer


@frozen
class RemoteMasterDesk:
    """A MasterDesk over HTTP."""

    requests: CampaignRequests
    new_id: Callable[[], str]

    async def brief(self, since: int = -1, holder_of: HolderOf | None = None) -> BriefView:
        """What a narrator would be given now; with a version, marks what is new since then."""
        query = {"since": str(since)} if since >= 0 else {}
        return read_one(BriefView, await self.requests.ask("GET", "master/brief", query=query))

    async def open_turn(self, holder_of: HolderOf | None = None) -> OpenTurnView | None:
        """The open turn of the campaign, whichever branch it is on; None if there is none."""
        return (await self.brief()).open_turn

    async def release(self, operation_id: str) -> None:
        """End the open turn of an operation, whoever holds it."""
        await self._send("release", {"operation_id": operation_id})

    async def player_view(self) -> View:
        """What the player sees now, and nothing more."""
        return read_one(View, await self.requests.ask("GET", "master/player-view"))

    async def begin(
        self, text: str, stamp: Stamp | None = None, holder: str = ""
    ) -> OutsideTurnView | InputResult:
        """Open a turn with the player's words; without any, the opening, or a turn without an input."""
        return await self._open(stamp, {"kind": "say", "text": text})

    async def choose(
        self, choice: str, stamp: Stamp | None = None, holder: str = ""
    ) -> OutsideTurnView | InputResult:
        """Open a turn with one of the offered choices."""
        return await self._open(stamp, {"kind": "choose", "choice": choice})

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
        """Open a turn with the player's answer to a decision; a server does not rely on `by_player`."""
        given = {"kind": "answer", "decision": decision, "option": option, "note": note}
        return await self._open(stamp, given)

    async def propose(
        self, handle: str, calls: tuple[ProposedCall, ...], answers: Mapping[str, Json] | None = None
    ) -> RoundView:
        """Submit calls to the rules; `answers` are for errands that calls were waiting for."""
        body: dict[str, Json] = {
            "turn": handle,
            "calls": [to_wire(call) for call in calls],
            "answers": dict(answers or {}),
        }
        return read_one(RoundView, await self._send("calls", body))

    async def finish(
        self, handle: str, narration: str, calls: tuple[ProposedCall, ...] = (), facts: tuple[str, ...] = ()
    ) -> RoundView:
        """Narrate the turn and commit it; with flaws it stays open."""
        body: dict[str, Json] = {
            "turn": handle,
            "narration": narration,
            "calls": [to_wire(call) for call in calls],
            "facts": list(facts),
        }
        return read_one(RoundView, await self._send("finish", body))

    async def give_up(self, handle: str) -> None:
        """Abandon an open turn."""
        await self._send("abandon", {"turn": handle})

    async def hand_in_answer(self, system: str, errand: str, answer: Json) -> None:
        """Answer an errand of the brief."""
        await self._send("answers", {"system": system, "errand": errand, "answer": answer})

    async def hand_in_summary(self, text: str) -> None:
        """Submit the summary that the brief asks for."""
        await self._send("summary", {"text": text})

    async def _send(self, route: str, body: Json) -> ServerAnswer:
        return await self.requests.ask("POST", f"master/{route}", body, repeatable=False)

    async def _open(self, stamp: Stamp | None, given: Mapping[str, Json]) -> OutsideTurnView | InputResult:
        stamp = stamp or Stamp(self.new_id())
        body = {**given, "operation_id": stamp.operation_id, "base": stamp.base}
        raw = (await self.requests.ask("POST", "master/turns", body)).read()
        opened = isinstance(raw, Mapping) and "handle" in raw
        return from_wire(OutsideTurnView, raw) if opened else from_wire(InputResult, raw)
