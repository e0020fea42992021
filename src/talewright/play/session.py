"""The Session port: one role in one campaign. Everything it returns is made for that role.

`local` implements it.
"""

import asyncio
from typing import Protocol

from talewright.play.campaign_past import CampaignPast
from talewright.play.campaign_view import View, Viewer
from talewright.play.input_results import InputResult, OperationView, ResultKind, Stamp
from talewright.play.master_desk import MasterDesk
from talewright.play.played_turn import PlayedTurn, StreamedSession

__all__ = [
    "FollowingSession",
    "InputResult",
    "InterruptibleSession",
    "OpeningSession",
    "PlayedTurn",
    "ResultKind",
    "RoleSession",
    "Session",
    "Stamp",
    "StreamedSession",
    "wait_for_opening",
]


class OpeningSession(Protocol):
    """A session that may start with its own turn."""

    @property
    def opening(self) -> "asyncio.Future[InputResult] | None":
        """The turn that opens the story or its current phase; None if none was due.

        It runs after the session is returned, and events report it. Inputs wait for it.
        """


class InterruptibleSession(Protocol):
    """A session whose running turn can be skipped or cancelled."""

    async def skip(self) -> None:
        """Continue the running turn without the model: a scene narrates it at once.

        If no scene can, the turn ends as after `cancel`, and its result says so.
        """

    async def cancel(self) -> None:
        """Stop the running turn, if any."""


class RoleSession(Protocol):
    """A session with the role it was opened in."""

    @property
    def role(self) -> Viewer:
        """Whose view everything is made for; `session_roles` lists what a role may do."""

    @property
    def master(self) -> MasterDesk:
        """The desk of an external game master. Raises RoleError unless the session was opened as master."""


class Session(StreamedSession, OpeningSession, InterruptibleSession, RoleSession, Protocol):
    """One role in one campaign. Methods raise RoleError if the role does not allow the call."""

    async def choose(self, choice: str, stamp: Stamp | None = None) -> InputResult:
        """Take a turn with one of the choices."""

    async def answer(
        self, decision: str, option: str, note: str = "", stamp: Stamp | None = None
    ) -> InputResult:
        """Take a turn by answering a decision."""

    async def go_on(self, stamp: Stamp | None = None) -> InputResult:
        """Take a turn without an input; or, after a crash, finish the interrupted one."""

    async def retry(self, text: str = "", stamp: Stamp | None = None) -> InputResult:
        """Take the last turn again, with other words if given; the old one stays in the tree."""

    async def undo(self, turns: int = 1) -> View:
        """Go back; nothing is deleted."""

    async def fork(self, commit: str = "", name: str = "") -> View:
        """Start a branch at a commit (or here) and continue there."""

    async def switch(self, branch: str) -> View:
        """Continue at the head of another branch."""

    async def mark(self, name: str) -> None:
        """Name the current turn."""

    async def load(self, name: str) -> View:
        """Continue from a mark, on a new branch."""

    @property
    def past(self) -> CampaignPast:
        """The past of the campaign."""


class FollowingSession(Session, Protocol):
    """A session that can keep up with what other processes do."""

    async def follow(self) -> None:
        """Continue on the branch that moved last, whichever session or process moved it."""

    def newest_number(self) -> int:
        """The number to pass to `watch`, now or later, to get everything from now on."""

    async def find_operation(self, operation_id: str) -> OperationView | None:
        """What the record says about an operation of any process; None if it was never accepted."""


async def wait_for_opening(session: OpeningSession) -> InputResult | None:
    """Wait until the opening turn of a session is over; returns its result, or None if there was none."""
    # Cancelling the wait does not stop the turn; `cancel` does.
    return None if session.opening is None else await asyncio.shield(session.opening)
