"""The Session port: somebody in one role at one campaign. Everything it gives out is made for that role.

It is implemented in `local`; nothing is decided here.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Protocol

from talewright.play.campaign_past import CampaignPast
from talewright.play.campaign_view import View, Viewer
from talewright.play.input_results import InputResult, ResultKind, Stamp
from talewright.play.master_desk import MasterDesk
from talewright.play.news import News

__all__ = [
    "InputResult",
    "OpeningSession",
    "ResultKind",
    "RoleSession",
    "Session",
    "Stamp",
    "wait_for_opening",
]


class OpeningSession(Protocol):
    """A session that may begin with a turn of its own."""

    @property
    def opening(self) -> "asyncio.Future[InputResult] | None":
        """The turn that opens the story, or the phase it stands in; None where none was due.

        It is taken while the session is there already, and told by the news. Inputs wait for it.
        """


class RoleSession(Protocol):
    """A session with the role it was opened in."""

    @property
    def role(self) -> Viewer:
        """For whom everything is made; what a role may do stands in `session_roles`."""

    @property
    def master(self) -> MasterDesk:
        """Where a game master outside tells turns; a RoleError where the session was not opened as master."""


class Session(OpeningSession, RoleSession, Protocol):
    """Somebody at one campaign. A RoleError meets whoever asks for what the role may not do."""

    async def view(self) -> View:
        """Where it stands."""

    async def say(self, text: str, stamp: Stamp | None = None) -> InputResult:
        """Take a turn with words of one's own."""

    async def choose(self, choice: str, stamp: Stamp | None = None) -> InputResult:
        """Take a turn with one of the choices."""

    async def answer(
        self, decision: str, option: str, note: str = "", stamp: Stamp | None = None
    ) -> InputResult:
        """Take a turn by answering a decision."""

    async def go_on(self, stamp: Stamp | None = None) -> InputResult:
        """Another answer with no input; or, after a crash, the turn that was not finished."""

    async def retry(self, text: str = "", stamp: Stamp | None = None) -> InputResult:
        """The last turn once more, with other words if any are given; the old one stays in the tree."""

    async def undo(self, turns: int = 1) -> View:
        """Go back; nothing is deleted."""

    async def fork(self, commit: str = "", name: str = "") -> View:
        """Begin a branch at a commit (or here) and go on there."""

    async def switch(self, branch: str) -> View:
        """Go on where another branch stands."""

    async def mark(self, name: str) -> None:
        """Give this place a name."""

    async def load(self, name: str) -> View:
        """Go on from a mark, on a branch of its own."""

    @property
    def past(self) -> CampaignPast:
        """What has happened so far."""

    def watch(self, after: int = -1) -> AsyncIterator[News]:
        """News from now on; with a number, first what was committed since."""

    async def cancel(self) -> None:
        """Stop the turn that is running, if one is."""

    async def close(self) -> None:
        """Leave; the campaign is safe."""


async def wait_for_opening(session: OpeningSession) -> InputResult | None:
    """Wait until the turn that opens a session is over; what it came to, or None where there was none."""
    # Whoever gives up waiting does not stop the turn; that is what `cancel` is for.
    return None if session.opening is None else await asyncio.shield(session.opening)
