"""Requests about one campaign: their paths, the role they are sent for, and how their answers are read.

`server_connection` sends them.
"""

from collections.abc import Mapping
from typing import TypeVar
from urllib.parse import quote

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.play.campaign_view import Viewer
from talewright.play.input_results import InputResult, OperationState, OperationView
from talewright.play.wire.view_codec import Sendable, WireError, from_wire
from talewright.remote.server_connection import (
    BrokenConnectionError,
    ServerAnswer,
    ServerConnection,
    ServerRequest,
    UnreachableServerError,
    check_answer,
)

T = TypeVar("T", bound=Sendable)

WAIT_SECONDS = 30
"""How long the server waits for the end of a turn before it answers; then it is asked again."""

MOVED, RUNNING = "moved", "turn_running"
SUBMITS_MAX = 32
"""How often an input is resent because the server no longer knows it, for example after a restart."""

_ACCEPTED, _UNKNOWN, _CONFLICT = 202, 404, 409


def read_one(kind: type[T], answer: ServerAnswer) -> T:
    """The value of an answer."""
    return from_wire(kind, answer.read())


def read_many(kind: type[T], answer: ServerAnswer) -> tuple[T, ...]:
    """The values of an answer that is a list."""
    raw = answer.read()
    if not isinstance(raw, list):
        raise WireError("the server's answer must be a list")
    return tuple(from_wire(kind, one) for one in raw)


def quote_segment(name: str) -> str:
    """A name as one segment of a path; `.` and `..` are escaped, because they would change the path."""
    return quote(name, safe="") if name.strip(".") else name.replace(".", "%2E")


@frozen
class CampaignRequests:
    """One campaign on a server, for one role."""

    connection: ServerConnection
    campaign: str
    role: Viewer
    language: str = ""
    """The player's language; empty for the campaign's."""

    @property
    def query(self) -> dict[str, str]:
        """The parameters of every query."""
        return make_query(self.role, self.language)

    def path(self, route: str) -> str:
        """The path of a route of this campaign."""
        base = f"/campaigns/{quote_segment(self.campaign)}"
        return f"{base}/{route}" if route else base

    async def ask(
        self,
        method: str,
        route: str,
        body: Json = None,
        *,
        query: Mapping[str, str] | None = None,
        repeatable: bool = True,
        wait_seconds: int = 0,
        expected: tuple[int, ...] = (),
    ) -> ServerAnswer:
        """Send a request and return its answer."""
        waiting = {"wait": str(wait_seconds)} if wait_seconds else {}
        return await self.connection.send(
            ServerRequest(
                method,
                self.path(route),
                {**self.query, **(query or {}), **waiting},
                body,
                repeatable=repeatable,
                wait_seconds=wait_seconds,
                expected=expected,
            )
        )

    async def take_turn(self, body: Mapping[str, Json], operation_id: str) -> InputResult:
        """Submit an input and wait for its result, even if the connection breaks or the server restarts."""
        submits = 0
        while submits < SUBMITS_MAX:
            answer = await self._ask_once("POST", "turns", body, expected=(_CONFLICT,))
            if answer is not None and answer.status == _CONFLICT:
                if not _is_running(answer):
                    return read_moved(answer)
                # The server has waited for the other turn already, and does so again.
                await self.connection.sleep(self.connection.retry.first_seconds)
                continue
            submits += 1
            result = await self.find_result(operation_id, answer)
            if result is not None:
                return result
        raise UnreachableServerError(
            "the server keeps losing this input", "Continue the campaign later; the input may be saved."
        )

    async def find_result(self, operation_id: str, answer: ServerAnswer | None = None) -> InputResult | None:
        """The result of an operation; None if its input has to be sent again, for example after a server
        restart.

        If it is unknown what became of an input, ask first: one that failed must not run twice.
        """
        while True:
            route = f"operations/{quote_segment(operation_id)}"
            if answer is None:
                answer = await self.ask("GET", route, expected=(_UNKNOWN,))
            if answer.status == _UNKNOWN:
                return None
            if answer.status != _ACCEPTED:
                return read_one(InputResult, answer)
            operation = read_one(OperationView, answer)
            if operation.state is OperationState.WAITING:
                return None
            # A turn without an input may continue a waiting input, under that input's operation.
            operation_id = operation.operation_id or operation_id
            route = f"operations/{quote_segment(operation_id)}"
            answer = await self._ask_once("GET", route, expected=(_UNKNOWN,))
            if answer is not None and answer.status == _ACCEPTED:
                # A server may answer before the turn has ended.
                await self.connection.sleep(self.connection.retry.first_seconds)

    async def find_operation(self, operation_id: str) -> OperationView | None:
        """What the server knows about an operation now; None if it was never accepted."""
        route = f"operations/{quote_segment(operation_id)}"
        answer = await self.ask("GET", route, expected=(_UNKNOWN,))
        if answer.status == _UNKNOWN:
            return None
        if answer.status == _ACCEPTED:
            return read_one(OperationView, answer)
        return OperationView(operation_id, OperationState.ENDED, read_one(InputResult, answer))

    async def _ask_once(
        self, method: str, route: str, body: Json = None, *, expected: tuple[int, ...] = ()
    ) -> ServerAnswer | None:
        """Let the server wait for the end of a turn; None if the connection broke meanwhile."""
        try:
            return await self.ask(
                method, route, body, repeatable=False, wait_seconds=WAIT_SECONDS, expected=expected
            )
        except BrokenConnectionError:
            return None


def _is_running(answer: ServerAnswer) -> bool:
    """Whether an input was refused because another turn is running."""
    raw = answer.read()
    return isinstance(raw, Mapping) and raw.get("code") == RUNNING


def read_moved(answer: ServerAnswer) -> InputResult:
    """The result of an input that was meant for an earlier turn; raises RemoteError for other conflicts."""
    raw = answer.read()
    if not isinstance(raw, Mapping) or raw.get("code") != MOVED or "result" not in raw:
        check_answer(answer)
    assert isinstance(raw, Mapping)
    return from_wire(InputResult, raw["result"])


def make_query(role: Viewer, language: str = "") -> dict[str, str]:
    """The parameters of every query: for whom the answer is made."""
    query = {} if role is Viewer.PLAYER else {"role": role.value}
    return {**query, "language": language} if language else query
