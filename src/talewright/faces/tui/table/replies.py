"""Replies: what is done about whatever is typed, chosen, answered and picked on the board.

Each comes to a deed or to one of the actions; nothing is drawn here.
"""

from dataclasses import replace

from textual import events, on
from textual.widgets import Input

from talewright.faces.tui.table.actions import TableActions
from talewright.faces.tui.table.cards import CardsPanel
from talewright.faces.tui.table.choices import ChoiceList
from talewright.faces.tui.table.decisions import DecisionCard
from talewright.faces.tui.table.deeds import Answer, Choose, GoOn, Say
from talewright.faces.tui.table.host import host_of
from talewright.faces.tui.table.line import PlayerLine, read_number
from talewright.faces.tui.table.offers import ENDING, UNFINISHED, Offered


class Replies(TableActions):
    """A seat whose board is answered."""

    def on_key(self, event: events.Key) -> None:
        """Wherever the focus is but in a field, a number is a choice, and other signs begin a line."""
        if self.turns is None or isinstance(self.focused, Input) or not event.character:
            return
        number = read_number(event.character)
        if number and self.board.hand.take(number):
            event.stop()
        elif event.is_printable and event.key not in self.active_bindings:
            self.board.hand.type(event.character)
            event.stop()

    @on(PlayerLine.Numbered)
    def _take_number(self, event: PlayerLine.Numbered) -> None:
        self.board.hand.take(event.number)

    @on(PlayerLine.ReadingOn)
    async def _read_on(self) -> None:
        await self.run_action("scroll_story(1)")

    @on(PlayerLine.Commanding)
    def _command(self) -> None:
        self.app.action_command_palette()

    @on(PlayerLine.Said)
    def _say(self, event: PlayerLine.Said) -> None:
        if (refusal := self.board.hand.refuse(event.text)) is not None:
            self.board.activity.remark(refusal)
            return
        self.board.line.clear()
        number = read_number(event.text)
        if number is None or not self.board.hand.take(number):
            self.board.line.remember(event.text)
            self.take(Say(event.text))

    @on(ChoiceList.Chosen)
    def _choose(self, event: ChoiceList.Chosen) -> None:
        self.take(Choose(event.choice, event.label))

    @on(DecisionCard.Answered)
    async def _answer(self, event: DecisionCard.Answered) -> None:
        if event.decision not in (UNFINISHED, ENDING):
            self.take(Answer(event.decision, event.option, event.note, event.label))
            return
        match Offered(event.option):
            case Offered.GO_ON:
                self.take(GoOn(self.board.view.unfinished if self.board.view is not None else ""))
            case Offered.LEAVE:
                self.board.leave_unfinished()
            case Offered.AGAIN:
                if self.board.view is not None:
                    self.leave(host_of(self).play_again(self.board.view))
            case Offered.TREE:
                self.action_tree()
            case Offered.UNDO:
                self.action_undo()
            case Offered.LOBBY:
                self.action_lobby()

    @on(CardsPanel.Collapsed)
    def _keep_folded(self, event: CardsPanel.Collapsed) -> None:
        host = host_of(self)
        host.keep(replace(host.preferences, folded=" ".join(sorted(event.collapsed))))

    @on(CardsPanel.Picked)
    def _show_card(self, event: CardsPanel.Picked) -> None:
        host_of(self).show_card(self.session, event.variable)
