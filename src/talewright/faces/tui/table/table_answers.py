"""Table answers: what is typed, chosen or answered at the table becomes an input or an action.

`table_offers` says what there is to answer. Keys that act wherever the focus is are in `table_screen`.
"""

from dataclasses import replace

from textual import events, on
from textual.containers import Vertical
from textual.widgets import Input

from talewright.faces.tui.app_port import table_host_of
from talewright.faces.tui.table.cards_panel import CardsPanel
from talewright.faces.tui.table.choice_list import ChoiceList
from talewright.faces.tui.table.decision_card import AnswerList, DecisionCard
from talewright.faces.tui.table.input_area import PlayerLine, read_number
from talewright.faces.tui.table.table_actions import TableActions
from talewright.faces.tui.table.table_layout import TableLayout
from talewright.faces.tui.table.table_offers import ENDING, UNFINISHED, FaceCardOption
from talewright.faces.tui.table.turn_workers import TurnWorkers
from talewright.play.session import Session
from talewright.play.session_inputs import AnswerDecision, Choose, GoOn, Say


class TableAnswers(Vertical):
    """Around the table: takes the messages of its widgets."""

    DEFAULT_CSS = """
    TableAnswers { height: 1fr; }
    """

    def __init__(self, session: Session, board: TableLayout) -> None:
        super().__init__(board)
        self._session = session
        self._board = board
        self._workers: TurnWorkers | None = None
        self._actions: TableActions | None = None

    def connect(self, workers: TurnWorkers, actions: TableActions) -> None:
        """Say who takes turns and acts. Before, there is no story that anyone could answer to."""
        self._workers, self._actions = workers, actions

    async def take_key(self, event: events.Key) -> None:
        """Outside of text fields, treat a number as a choice and start a line with any other character.

        Enter scrolls on when nothing else handles it.
        """
        screen, hand = self.screen, self._board.hand
        if isinstance(screen.focused, Input):
            # A text field keeps its characters; this one was typed just before the line got the focus.
            if event.is_printable and event.character and screen.focused is self._board.line:
                hand.type(event.character)
                event.stop()
            return
        if event.key == "enter" and event.key not in screen.active_bindings:
            await self._read_on()
            event.stop()
        if not event.character:
            return
        number = read_number(event.character)
        if number and hand.take(number):
            event.stop()
        elif event.is_printable and event.key not in screen.active_bindings:
            hand.type(event.character)
            event.stop()

    @on(PlayerLine.Numbered)
    def _take_number(self, event: PlayerLine.Numbered) -> None:
        self._board.hand.take(event.number)

    @on(PlayerLine.ReadingOn)
    async def _read_on(self) -> None:
        await self.screen.run_action("scroll_story(1)")

    @on(PlayerLine.Commanding)
    def _command(self) -> None:
        self.app.action_command_palette()

    @on(PlayerLine.Said)
    def _say(self, event: PlayerLine.Said) -> None:
        board, line = self._board, self._board.line
        if (refusal := board.hand.refuse(event.text)) is not None:
            board.activity.remark(refusal)
            if not board.hand.busy:
                line.reject()
            return
        line.clear()
        number = read_number(event.text)
        if self._workers is not None and (number is None or not board.hand.take(number)):
            line.remember(event.text)
            self._workers.take(Say(event.text))

    @on(ChoiceList.Chosen)
    def _choose(self, event: ChoiceList.Chosen) -> None:
        if self._workers is not None:
            self._workers.take(Choose(event.choice), event.label)

    @on(DecisionCard.Answered)
    def _answer(self, event: DecisionCard.Answered) -> None:
        board = self._board
        if self._workers is None:
            return
        if event.decision not in (UNFINISHED, ENDING):
            self._workers.take(AnswerDecision(event.decision, event.option, event.note), event.label)
        elif event.decision == ENDING and board.story.unseen:
            board.activity.remark(board.words.read_first)
        else:
            self._answer_face(FaceCardOption(event.option), self._workers)

    def _answer_face(self, option: FaceCardOption, workers: TurnWorkers) -> None:
        """Do what the player answered to one of the interface's own cards."""
        board, actions = self._board, self._actions
        assert actions is not None, "connected together with the workers"
        match option:
            case FaceCardOption.GO_ON:
                workers.take(GoOn(), board.view.unfinished if board.view is not None else "")
            case FaceCardOption.LEAVE:
                board.leave_unfinished()
            case FaceCardOption.AGAIN:
                actions.play_again()
            case FaceCardOption.TREE:
                actions.tree(untaken=True)
            case FaceCardOption.UNDO:
                actions.undo()
            case FaceCardOption.LOBBY:
                actions.lobby()

    @on(AnswerList.KeptFromEnter)
    async def _keep_from_enter(self, event: AnswerList.KeptFromEnter) -> None:
        """Scroll to the end on Enter; at the end, still start nothing new."""
        board = self._board
        if board.story.unseen:
            await self._read_on()
        else:
            board.activity.remark(board.words.press_number.format(number=event.number))

    @on(CardsPanel.Collapsed)
    def _keep_folded(self, event: CardsPanel.Collapsed) -> None:
        host = table_host_of(self)
        host.keep(replace(host.preferences, folded=" ".join(sorted(event.collapsed))))

    @on(CardsPanel.Picked)
    def _show_card(self, event: CardsPanel.Picked) -> None:
        cards = self._board.view.cards if self._board.view is not None else ()
        meanings = {card.variable: card.description for card in cards}
        table_host_of(self).show_card(self._session, event.variable, meanings.get(event.variable, ""))
