"""The remote Session: one role in one campaign on a server.

Inputs carry an id that is made here, so they can be sent again after a broken connection. Only `cancel` stops
a turn: closing the session or losing the connection does not.
"""

import asyncio
from collections.abc import Callable

from talewright.errors import TalewrightError
from talewright.play.campaign_view import View
from talewright.play.error_codes import ENGINE_ERROR
from talewright.play.input_results import InputResult, OperationView, ResultKind, Stamp
from talewright.play.played_turn import StreamedSession
from talewright.play.session_roles import SessionRight, check_right
from talewright.remote.campaign_requests import CampaignRequests, read_one
from talewright.remote.remote_master import RemoteMasterDesk
from talewright.remote.remote_navigation import RemoteNavigation

OPENING_HEADER = "talewright-opening"
"""The header that names the operation of the running turn that opens the story or its current phase."""

_CANCELLED = "cancelled"


class RemoteSession(RemoteNavigation, StreamedSession):
    """A FollowingSession over HTTP."""

    def __init__(
        self, requests: CampaignRequests, view: View, new_id: Callable[[], str], opening: str = ""
    ) -> None:
        super().__init__(requests, view)
        self._new_id = new_id
        self.opening: asyncio.Future[InputResult] | None = None
        """The turn that opens the story or its current phase; None if none was due."""

        if opening:
            self.opening = asyncio.create_task(self._wait_for_opening(opening))

    @property
    def master(self) -> RemoteMasterDesk:
        """The desk of an external game master. Raises RoleError for all other roles."""
        check_right(self.role, SessionRight.TELL)
        return RemoteMasterDesk(self.requests, self._new_id)

    async def say(self, text: str, stamp: Stamp | None = None) -> InputResult:
        """Take a turn with free text."""
        return await self._take("say", stamp, text=text)

    async def choose(self, choice: str, stamp: Stamp | None = None) -> InputResult:
        """Take a turn with one of the choices."""
        return await self._take("choose", stamp, choice=choice)

    async def answer(
        self, decision: str, option: str, note: str = "", stamp: Stamp | None = None
    ) -> InputResult:
        """Take a turn by answering a decision."""
        return await self._take("answer", stamp, decision=decision, option=option, note=note)

    async def go_on(self, stamp: Stamp | None = None) -> InputResult:
        """Take a turn without an input, or finish the interrupted one."""
        return await self._take("go_on", stamp)

    async def retry(self, text: str = "", stamp: Stamp | None = None) -> InputResult:
        """Take the last turn again, with other words if given."""
        return await self._take("retry", stamp, text=text)

    async def skip(self) -> None:
        """Continue the running turn without the model."""
        check_right(self.role, SessionRight.PLAY)
        await self.requests.ask("POST", "skip")

    async def cancel(self) -> None:
        """Stop the running turn, if any."""
        await self.requests.ask("POST", "cancel")

    async def find_operation(self, operation_id: str) -> OperationView | None:
        """What the server knows about an operation; None if it was never accepted."""
        return await self.requests.find_operation(operation_id)

    async def close(self) -> None:
        """Close the session; a running turn continues on the server."""
        self.news.close()
        if self.opening is not None and not self.opening.done():
            self.opening.cancel()
            await asyncio.wait([self.opening])

    async def _take(self, kind: str, stamp: Stamp | None, **members: str) -> InputResult:
        check_right(self.role, SessionRight.PLAY)
        stamp = stamp or Stamp(self._new_id())
        await self.news.settle()
        body = {"kind": kind, "operation_id": stamp.operation_id, "base": stamp.base, **members}
        return await self.requests.take_turn(body, stamp.operation_id)

    async def _wait_for_opening(self, operation_id: str) -> InputResult:
        """The result of the opening; after a server restart, that of the opening it then starts."""
        requests = self.requests
        try:
            while True:
                result = await requests.find_result(operation_id)
                if result is not None:
                    return result
                answer = await requests.ask("GET", "view")
                view = read_one(View, answer)
                operation_id = answer.headers.get(OPENING_HEADER, "")
                if not operation_id:
                    return InputResult(ResultKind.COMMITTED, commit=view.head, repeated=True)
        except TalewrightError as error:
            return InputResult(ResultKind.FAILED, ENGINE_ERROR, error.message)
        except asyncio.CancelledError:
            # Only closing the session cancels this; the waiting caller gets this result.
            return InputResult(ResultKind.FAILED, _CANCELLED)
