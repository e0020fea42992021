"""The seat: a screen at which one session is played, one thing at a time.

It begins turns and journeys and makes sure that two never run at once; what begins them is said elsewhere.
"""

from collections.abc import Awaitable

from textual import work
from textual.screen import Screen

from talewright.faces.tui.table.board import Board
from talewright.faces.tui.table.deeds import Deed
from talewright.faces.tui.table.host import host_of
from talewright.faces.tui.table.turns import LEAVING, Turns
from talewright.play.campaign_view import View
from talewright.play.session import Session


class Seat(Screen[None]):
    """One player at one campaign."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.turns: Turns | None = None
        """None until the story is open."""

    @property
    def board(self) -> Board:
        """What lies on the table."""
        return self.query_one(Board)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Before the story is open no key does anything."""
        return self.turns is not None

    def take(self, deed: Deed) -> None:
        """Take a turn, unless one is being taken."""
        if self.claim():
            self._take(deed)

    def claim(self) -> bool:
        """Whether something new can begin; if so, nothing else can until it has ended."""
        if self.turns is not None and self.turns.claim():
            return True
        self.board.activity.remark(self.board.words.busy)
        return False

    @work(group="turn", exit_on_error=False)
    async def _take(self, deed: Deed) -> None:
        assert self.turns is not None
        result = await self.turns.take(deed)
        if result is not None and result.reason == LEAVING:
            self.leave(host_of(self).leave_table())

    def go(self, going: Awaitable[View]) -> None:
        """Go elsewhere in the campaign; whoever asks has claimed it."""
        assert self.turns is not None
        self.run_worker(self.turns.go(going), group="turn", exit_on_error=False)

    def leave(self, leaving: Awaitable[None]) -> None:
        """Leave this screen for another."""
        # The app's worker: one of this screen would have to end before the screen can, and wait for itself.
        self.app.run_worker(self._try_to_leave(leaving), group="leaving", exclusive=True, exit_on_error=False)

    async def _try_to_leave(self, leaving: Awaitable[None]) -> None:
        try:
            await leaving
        except Exception as error:
            if self.turns is not None and self.is_attached:
                self.turns.tell_trouble(error)
