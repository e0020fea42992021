"""Table actions: what the keys at the table do: undo, retry, save, load, tree, inspect, stop, leave.

Each is also in the palette. Two never run at once. How the table looks is not their business.
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
"""Characters of other words for a turn that can be typed in a box."""


class SessionScreen(Screen[None]):
    """One player at one campaign."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.turns: TurnControl | None = None
        """None until the story is open."""

    @property
    def board(self) -> TableLayout:
        """What lies on the table."""
        return self.query_one(TableLayout)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Before the story is open no key does anything."""
        return self.turns is not None

    def take(self, given: PlayerInput, label: str = "") -> None:
        """Take a turn, unless one is being taken; the label is what the player read of it on the table."""
        if self.claim():
            self._take(given, label)

    def claim(self) -> bool:
        """Whether something new can begin; if so, nothing else can until it has ended."""
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
        """Go elsewhere in the campaign; whoever asks has claimed it."""
        assert self.turns is not None
        self.run_worker(self.turns.go(where), group="turn", exit_on_error=False)

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


class TableActions(SessionScreen):
    """A session screen with keys."""

    def action_undo(self) -> None:
        """Take back the last turn."""
        if self.claim():
            self.go(Undo())

    def action_go_on(self) -> None:
        """Let the story go on without a word."""
        self.take(GoOn())

    @work(group="asking", exclusive=True)
    async def action_retry(self) -> None:
        """The last turn once more: with the words in the line, or with others, or with the same."""
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
        """Give this place a name."""
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
        """Go to a place that has a name."""
        words = self.board.words
        marks = (await self.session.view()).marks
        if not marks:
            self.board.activity.remark(words.no_marks)
            return
        menu = Menu(plain(words.load_title), [plain(name) for name in marks])
        # It comes back with None where the player leaves it, whatever its type says.
        which = cast(int | None, await self.app.push_screen_wait(menu))
        if which is not None and self.claim():
            self.go(Load(marks[which]))

    @work(group="asking", exclusive=True)
    async def action_tree(self, untaken: bool = False) -> None:
        """Look at the tree of the campaign, and go where the player points."""
        wish = await table_host_of(self).show_tree(self.session, untaken=untaken)
        if wish is not None and self.claim():
            self.go(wish)

    def action_inspect(self) -> None:
        """Look into the last turn."""
        view = self.board.view
        if not table_host_of(self).preferences.inspector:
            self.board.activity.remark(self.board.words.inspector_hidden)
        elif view is None or view.turn is None:
            self.board.activity.remark(self.board.words.needs_turn)
        else:
            table_host_of(self).show_inspector(self.session, view.turn.commit)

    def action_lobby(self) -> None:
        """Back to the lobby."""
        self.leave(table_host_of(self).leave_table())

    def action_skip(self) -> None:
        """Go on with the turn that runs without the model."""
        activity, words = self.board.activity, self.board.words
        if self.turns is None or not self.turns.running:
            activity.remark(words.skip_nothing)
        elif not activity.can_skip:
            activity.remark(words.skip_not)
        else:
            activity.tell(words.skipping)
            self.run_worker(self.session.skip(), group="stopping", exclusive=True, exit_on_error=False)

    def action_stop(self) -> None:
        """Stop the turn that runs; or else come back to the line, and clear it."""
        if self.turns is not None and self.turns.running:
            self.board.activity.tell(self.board.words.stopping)
            self.run_worker(self.session.cancel(), group="stopping", exclusive=True, exit_on_error=False)
        else:
            self.board.hand.focus_line()
            self.board.line.put_away()
