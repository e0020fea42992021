"""Actions: what the keys at the table do.

Each is also in the palette, and all that can be clicked comes to one of them. How the table looks is not
their business.
"""

from typing import assert_never, cast

from textual import work

from talewright.faces.tui.hall.asking import Menu, Question
from talewright.faces.tui.past.wishes import GoTo, Switch, Undo
from talewright.faces.tui.safety import plain
from talewright.faces.tui.table.deeds import GoOn, Retry
from talewright.faces.tui.table.host import host_of
from talewright.faces.tui.table.seat import Seat
from talewright.faces.tui.words.shared import shared_words


class TableActions(Seat):
    """A seat with keys."""

    def action_undo(self) -> None:
        """Take back the last turn."""
        if self.claim():
            self.go(self.session.undo())

    def action_go_on(self) -> None:
        """Let the story go on without a word."""
        self.take(GoOn())

    @work(group="asking", exclusive=True)
    async def action_retry(self) -> None:
        """The last turn once more, with other words or the same."""
        view, words = self.board.view, self.board.words
        if view is None or view.read_only:
            return
        said = view.turn.said if view.turn is not None else ""
        common = shared_words(self.turns.language if self.turns is not None else "")
        question = Question(
            plain(words.retry_title),
            plain(said),
            words.retry_label,
            words.retry_hint,
            common.ok,
            common.cancel,
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
                common.ok,
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
            self.go(self.session.load(marks[which]))

    @work(group="asking", exclusive=True)
    async def action_tree(self) -> None:
        """Look at the tree of the campaign, and go where the player points."""
        wish = await host_of(self).show_tree(self.session)
        if wish is None or not self.claim():
            return
        match wish:
            case Undo(turns):
                self.go(self.session.undo(turns))
            case GoTo(commit, name):
                self.go(self.session.fork(commit, name))
            case Switch(branch):
                self.go(self.session.switch(branch))
            case _:
                assert_never(wish)

    def action_inspect(self) -> None:
        """Look into the last turn."""
        view = self.board.view
        if not host_of(self).preferences.inspector:
            self.board.activity.remark(self.board.words.inspector_hidden)
        elif view is None or view.turn is None:
            self.board.activity.remark(self.board.words.needs_turn)
        else:
            host_of(self).show_inspector(self.session, view.turn.commit)

    def action_lobby(self) -> None:
        """Back to the lobby."""
        self.leave(host_of(self).leave_table())

    def action_stop(self) -> None:
        """Stop the turn that runs; or else come back to the line."""
        if self.turns is not None and self.turns.running:
            self.board.activity.tell(self.board.words.stopping)
            self.run_worker(self.session.cancel(), group="stopping", exclusive=True, exit_on_error=False)
        else:
            self.board.hand.focus_line()
