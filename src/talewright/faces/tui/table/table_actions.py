"""Table actions: what the keys at the table do to the story: undo, retry, save, load, tree, inspect, leave.

All of them are in the palette too. Two actions never run at once. The layout of the table is elsewhere.
"""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Final, cast

from textual.screen import Screen
from textual.worker import Worker

from talewright.faces.tui.app_port import table_host_of
from talewright.faces.tui.safe_content import plain
from talewright.faces.tui.table.turn_control import TurnControl
from talewright.faces.tui.table.turn_workers import TurnWorkers
from talewright.faces.tui.widgets.dialogs import Menu, Question
from talewright.faces.tui.words.shared_words import shared_words
from talewright.play.session_inputs import GoOn, Load, Retry, Undo, would_repeat

SAID_LENGTH_MAX: Final = 2_000
"""Maximum length of a text typed into the retry dialog, in characters."""


class TableActions:
    """The key actions of one table."""

    def __init__(self, screen: Screen[None], turns: TurnControl, workers: TurnWorkers) -> None:
        self._screen = screen
        self._turns = turns
        self._workers = workers
        self._board = turns.board

    def undo(self) -> None:
        """Undo the last turn."""
        if self._workers.claim():
            self._workers.go(Undo())

    def go_on(self) -> None:
        """Continue the story without an input."""
        self._workers.take(GoOn())

    def retry(self) -> None:
        """Play the last turn again: with the text in the line, with another, or with the same."""
        self._ask(self._retry)

    def mark(self) -> None:
        """Save this place under a name."""
        self._ask(self._mark)

    def load(self) -> None:
        """Return to a saved place."""
        self._ask(self._load)

    def tree(self, untaken: bool = False) -> None:
        """Open the story tree, and go where the player chooses."""
        self._ask(partial(self._show_tree, untaken))

    def inspect(self) -> None:
        """Inspect the last turn."""
        view, board, host = self._board.view, self._board, table_host_of(self._screen)
        if not host.preferences.inspector:
            board.activity.remark(board.words.inspector_hidden)
        elif view is None or view.turn is None:
            board.activity.remark(board.words.needs_turn)
        else:
            host.show_inspector(self._turns.session, view.turn.commit)

    def lobby(self) -> None:
        """Return to the lobby."""
        self._workers.leave(table_host_of(self._screen).leave_table())

    def play_again(self) -> None:
        """Start the same game again as a new campaign."""
        if self._board.view is not None:
            self._workers.leave(table_host_of(self._screen).play_again(self._board.view))

    def _ask(self, question: Callable[[], Coroutine[None, None, None]]) -> Worker[None]:
        """Ask the player something, on top of the table."""
        return self._screen.run_worker(question, group="asking", exclusive=True)

    async def _retry(self) -> None:
        view, words, line = self._board.view, self._board.words, self._board.line
        if view is None or view.read_only:
            return
        other = Retry("" if line.is_free else line.value.strip())
        if would_repeat(other, view):
            self._board.activity.remark(words.retry_same)
            return
        if other.text:
            if self._workers.claim():
                line.put_away()
                self._workers.begin(other)
            return
        said = view.turn.said if view.turn is not None else ""
        question = Question(
            plain(words.retry_title),
            plain(said),
            words.retry_label,
            words.retry_hint,
            words.retry_do,
            shared_words(self._turns.language).cancel,
            length_max=SAID_LENGTH_MAX,
        )
        text = await self._screen.app.push_screen_wait(question) if view.free_text else ""
        if text is not None:
            self._workers.take(Retry(text))

    async def _mark(self) -> None:
        words = self._board.words
        question = Question(
            plain(words.mark_title),
            plain(""),
            words.mark_label,
            words.mark_hint,
            words.mark_do,
            shared_words(self._turns.language).cancel,
        )
        name = await self._screen.app.push_screen_wait(question)
        if name:
            await self._turns.mark(name)

    async def _load(self) -> None:
        words = self._board.words
        marks = (await self._turns.session.view()).marks
        if not marks:
            self._board.activity.remark(words.no_marks)
            return
        menu = Menu(plain(words.load_title), [plain(name) for name in marks])
        # It returns None when the player cancels, whatever its type says.
        which = cast(int | None, await self._screen.app.push_screen_wait(menu))
        if which is not None and self._workers.claim():
            self._workers.go(Load(marks[which]))

    async def _show_tree(self, untaken: bool) -> None:
        wish = await table_host_of(self._screen).show_tree(self._turns.session, untaken=untaken)
        if wish is not None and self._workers.claim():
            self._workers.go(wish)
