"""The Session port: one player at one campaign, and what an input came to, safe to send twice.

It is implemented in `local`; nothing is decided here.
"""

import asyncio
from collections.abc import AsyncIterator
from enum import StrEnum
from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.play.campaign_past import CampaignPast
from talewright.play.campaign_view import View, Viewer
from talewright.play.news import News


@frozen
class Stamp:
    """What makes an input safe to send twice."""

    operation_id: str
    base: str = ""
    """The head the player saw; empty takes the head as it is."""


class ResultKind(StrEnum):
    """What an input came to."""

    COMMITTED = "committed"
    UNSPENT = "unspent"
    DEGRADED = "degraded"
    FAILED = "failed"


@frozen
class InputResult:
    """What an input came to, in words for the player."""

    kind: ResultKind
    reason: str = ""
    """A code out of `play.error_codes`; empty where the turn is committed."""

    message: str = ""
    """In the player's language."""

    commit: str = ""
    repeated: bool = False
    text: str = ""
    """The player's own words, where they are given back to be put another way."""

    operation_id: str = ""
    """Of the turn whose end the news tell; empty where they tell none, as of what was never accepted."""


class OpeningSession(Protocol):
    """A session that may begin with a turn of its own."""

    @property
    def opening(self) -> "asyncio.Future[InputResult] | None":
        """The turn that opens the story, or the phase it stands in; None where none was due.

        It is taken while the session is there already, and told by the news. Inputs wait for it.
        """


class Session(OpeningSession, Protocol):
    """One player at one campaign."""

    async def view(self, viewer: Viewer = Viewer.PLAYER) -> View:
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

    def watch(self, viewer: Viewer = Viewer.PLAYER, after: int = -1) -> AsyncIterator[News]:
        """News from now on; with a number, first what was committed since."""

    async def cancel(self) -> None:
        """Stop the turn that is running, if one is."""

    async def close(self) -> None:
        """Leave; the campaign is safe."""


async def wait_for_opening(session: OpeningSession) -> InputResult | None:
    """Wait until the turn that opens a session is over; what it came to, or None where there was none."""
    # Whoever gives up waiting does not stop the turn; that is what `cancel` is for.
    return None if session.opening is None else await asyncio.shield(session.opening)
