"""Table actions: what the keys at the table do: undo, retry, save, load, tree, inspect, stop, leave.

All of them are in the palette too. Two actions never run at once. The layout of the table is elsewhere.
"""

from collections.abc import Awaitable
from typing import Final, cast

from textual import work
from textual.screen import Screen

from talewright.faces.tui.app_port import table_host_of
from talewright.faces.tui.safe_content import plain
from talewright.faces.tui.table.table_layout import TableLayout
from talewright.faces.tui.table.turn_control import LEAVING, TurnControl
from talewright.faces.tui.widgets.dialogs import Menu, Question
from talewright.faces.tui.words.shared_words import shared_words
from talewright.play.session import Session
from talewright.play.session_inputs import (
    GoOn,
    Load,
    Navigation,
    PlayerInput,
    Retry,
    Undo,
    would_repeat,
)

SAID_LENGTH_MAX: Final = 2_000
"""Maximum length of a text typed into the retry dialog, in characters."""


class SessionScreen(Screen[None]):
    """One player in one campaign."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.turns: TurnControl | None = None
        """None until the story is open."""

    @property
    def board(self) -> TableLayout:
        """The layout of the table."""
        return self.query_one(TableLayout)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Disable all keys until the story is open."""
        return self.turns is not None

    def take(self, given: PlayerInput, label: str = "") -> None:
        """Take a turn unless one is in progress; `label` is the text of the offer the player chose."""
        if self.claim():
            self._take(given, label)

    def claim(self) -> bool:
        """Reserve the table for a new action; return False if something is in progress."""
        if self.turns is not None and self.turns.claim():
            return True
        self.board.activity.remark(self.board.words.busy)
        return False

    @work(group="turn", exit_on_error=False)
    async def _take(self, given: PlayerInput, label: str) -> None:
        assert self.turns is not None
        result = await self.turns.take(given, label)
        if result is not None and result.reason == LEAVING:
            self.leave(table_host_of(self).leave_table())

    def go(self, where: Navigation) -> None:
        """Go to another turn or branch; the caller has claimed the table."""
        assert self.turns is not None
        self.run_worker(self.turns.go(where), group="turn", exit_on_error=False)

    def leave(self, leaving: Awaitable[None]) -> None:
        """Leave this screen for another."""
        # A worker of the app: one of this screen would have to end before the screen can, and would wait for
        # itself.
        self.app.run_worker(self._try_to_leave(leaving), group="leaving", exclusive=True, exit_on_error=False)

    async def _try_to_leave(self, leaving: Awaitable[None]) -> None:
        try:
            await leaving
        except Exception as error:
            if self.turns is not None and self.is_attached:
                self.turns.tell_trouble(error)


class TableActions(SessionScreen):
    """A session screen with key actions."""

    def action_undo(self) -> None:
        """Undo the last turn."""
        if self.claim():
            self.go(Undo())

    def action_go_on(self) -> None:
        """Continue the story without an input."""
        self.take(GoOn())

    @work(group="asking", exclusive=True)
    async def action_retry(self) -> None:
        """Play the last turn again: with the text in the line, with another, or with the same."""
        view, words, line = self.board.view, self.board.words, self.board.line
        if view is None or view.read_only:
            return
        other = Retry("" if line.is_free else line.value.strip())
        if would_repeat(other, view):
            self.board.activity.remark(words.retry_same)
            return
        if other.text:
            if self.claim():
                line.put_away()
                self._take(other, "")
            return
        said = view.turn.said if view.turn is not None else ""
        common = shared_words(self.turns.language if self.turns is not None else "")
        question = Question(
            plain(words.retry_title),
            plain(said),
            words.retry_label,
            words.retry_hint,
            words.retry_do,
            common.cancel,
            length_max=SAID_LENGTH_MAX,
        )
        text = await self.app.push_screen_wait(question) if view.free_text else ""
        if text is not None:
            self.take(Retry(text))

    @work(group="asking", exclusive=True)
    async def action_mark(self) -> None:
        """Save this place under a name."""
        words = self.board.words
        common = shared_words(self.turns.language if self.turns is not None else "")
        name = await self.app.push_screen_wait(
            Question(
                plain(words.mark_title),
                plain(""),
                words.mark_label,
                words.mark_hint,
                words.mark_do,
                common.cancel,
            )
        )
        if name and self.turns is not None:
            await self.turns.mark(name)

    @work(group="asking", exclusive=True)
    async def action_load(self) -> None:
        """Return to a saved place."""
        words = self.board.words
        marks = (await self.session.view()).marks
        if not marks:
            self.board.activity.remark(words.no_marks)
            return
        menu = Menu(plain(words.load_title), [plain(name) for name in marks])
        # It returns None when the player cancels, whatever its type says.
        which = cast(int | None, await self.app.push_screen_wait(menu))
        if which is not None and self.claim():
            self.go(Load(marks[which]))

    @work(group="asking", exclusive=True)
    async def action_tree(self, untaken: bool = False) -> None:
        """Open the story tree, and go where the player chooses."""
        wish = await table_host_of(self).show_tree(self.session, untaken=untaken)
        if wish is not None and self.claim():
            self.go(wish)

    def action_inspect(self) -> None:
        """Inspect the last turn."""
        view = self.board.view
        if not table_host_of(self).preferences.inspector:
            self.board.activity.remark(self.board.words.inspector_hidden)
        elif view is None or view.turn is None:
            self.board.activity.remark(self.board.words.needs_turn)
        else:
            table_host_of(self).show_inspector(self.session, view.turn.commit)

    def action_lobby(self) -> None:
        """Return to the lobby."""
        self.leave(table_host_of(self).leave_table())

    def action_skip(self) -> None:
        """Finish the running turn without the model."""
        activity, words = self.board.activity, self.board.words
        if self.turns is None or not self.turns.running:
            activity.remark(words.skip_nothing)
        elif not activity.can_skip:
            activity.remark(words.skip_not)
        else:
            activity.tell(words.skipping)
            self.run_worker(self.session.skip(), group="stopping", exclusive=True, exit_on_error=False)

    def action_stop(self) -> None:
        """Stop the running turn; otherwise return to the line, and clear it."""
        if self.turns is not None and self.turns.running:
            self.board.activity.tell(self.board.words.stopping)
            self.run_worker(self.session.cancel(), group="stopping", exclusive=True, exit_on_error=False)
        else:
            self.board.hand.focus_line()
            self.board.line.put_away()
