"""Turn workers: start turns in the background of the table's screen, one at a time, and skip or stop them.

`turn_control` takes a turn and shows it; here it only gets a worker.
"""

from collections.abc import Awaitable

from textual.screen import Screen

from talewright.faces.tui.app_port import table_host_of
from talewright.faces.tui.table.turn_control import LEAVING, TurnControl
from talewright.play.session_inputs import Navigation, PlayerInput


class TurnWorkers:
    """The workers of one table."""

    def __init__(self, screen: Screen[None], turns: TurnControl) -> None:
        self._screen = screen
        self._turns = turns

    def take(self, given: PlayerInput, label: str = "") -> None:
        """Take a turn unless one is in progress; `label` is the text of the offer the player chose."""
        if self.claim():
            self.begin(given, label)

    def claim(self) -> bool:
        """Reserve the table for a new action; return False if something is in progress."""
        if self._turns.claim():
            return True
        board = self._turns.board
        board.activity.remark(board.words.busy)
        return False

    def begin(self, given: PlayerInput, label: str = "") -> None:
        """Take a turn; the caller has claimed the table."""
        self._screen.run_worker(self._take(given, label), group="turn", exit_on_error=False)

    async def _take(self, given: PlayerInput, label: str) -> None:
        result = await self._turns.take(given, label)
        if result is not None and result.reason == LEAVING:
            self.leave(table_host_of(self._screen).leave_table())

    def go(self, where: Navigation) -> None:
        """Go to another turn or branch; the caller has claimed the table."""
        self._screen.run_worker(self._turns.go(where), group="turn", exit_on_error=False)

    def look_again(self) -> None:
        """Show the current state after the story continued elsewhere."""
        looking = self._turns.look_again()
        self._screen.run_worker(looking, group="looking", exclusive=True, exit_on_error=False)

    def skip(self) -> None:
        """Finish the running turn without the model."""
        activity, words = self._turns.board.activity, self._turns.board.words
        if not self._turns.running:
            activity.remark(words.skip_nothing)
        elif not activity.can_skip:
            activity.remark(words.skip_not)
        else:
            activity.tell(words.skipping)
            self._stop(self._turns.session.skip())

    def stop(self) -> None:
        """Stop the running turn; otherwise return to the line, and clear it."""
        board = self._turns.board
        if self._turns.running:
            board.activity.tell(board.words.stopping)
            self._stop(self._turns.session.cancel())
        else:
            board.hand.focus_line()
            board.line.put_away()

    def _stop(self, stopping: Awaitable[None]) -> None:
        self._screen.run_worker(stopping, group="stopping", exclusive=True, exit_on_error=False)

    def leave(self, leaving: Awaitable[None]) -> None:
        """Leave this screen for another."""
        # A worker of the app: one of this screen would have to end before the screen can, and would wait for
        # itself.
        self._screen.app.run_worker(
            self._try_to_leave(leaving), group="leaving", exclusive=True, exit_on_error=False
        )

    async def _try_to_leave(self, leaving: Awaitable[None]) -> None:
        try:
            await leaving
        except Exception as error:
            if self._screen.is_attached:
                self._turns.tell_trouble(error)
