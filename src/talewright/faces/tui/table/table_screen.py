"""Table screen: the table at the size of the terminal, and what typing and clicking on it do.

Key actions are in `table_actions`; what is typed, chosen or answered becomes an input or an action.
"""

from dataclasses import replace
from typing import Final

from textual import events, on
from textual.app import ComposeResult
from textual.widgets import Input

from talewright.faces.tui.app_port import table_host_of
from talewright.faces.tui.key_bindings import (
    CARDS,
    HELP,
    PALETTE,
    QUIT,
    RETRY,
    SKIP,
    TABLE_KEYS,
    TREE,
    UNDO,
    KeyBinding,
    bind,
)
from talewright.faces.tui.table.activity_line import ActivityLine
from talewright.faces.tui.table.cards_panel import CardsPanel
from talewright.faces.tui.table.choice_list import ChoiceList
from talewright.faces.tui.table.decision_card import AnswerList, DecisionCard
from talewright.faces.tui.table.input_area import PlayerLine, read_number
from talewright.faces.tui.table.table_actions import TableActions
from talewright.faces.tui.table.table_layout import (
    ROOMY_COLUMNS,
    SHORT_ROWS,
    TALL_ROWS,
    WIDE_COLUMNS,
    TableLayout,
)
from talewright.faces.tui.table.table_offers import ENDING, UNFINISHED, FaceCardOption
from talewright.faces.tui.table.turn_control import TurnControl
from talewright.faces.tui.widgets.key_bar import KeyBar
from talewright.play.session import wait_for_opening
from talewright.play.session_inputs import AnswerDecision, Choose, GoOn, Say

BAR: Final[tuple[KeyBinding, ...]] = (
    HELP,
    replace(PALETTE, shown="^p"),
    CARDS,
    replace(UNDO, shown="^z"),
    replace(RETRY, shown="^r"),
    TREE,
    replace(QUIT, shown="^q"),
)
"""The keys at the lower edge, the most useful first; where there is no room for all, the last one stays."""


class AnsweringScreen(TableActions):
    """A session screen whose choices and cards can be answered."""

    async def on_key(self, event: events.Key) -> None:
        """Outside of text fields, treat a number as a choice and start a line with any other character.

        Enter scrolls on when nothing else handles it.
        """
        if self.turns is None:
            return
        if isinstance(self.focused, Input):
            # A text field keeps its characters; this one was typed just before the line got the focus.
            if event.is_printable and event.character and self.focused is self.board.line:
                self.board.hand.type(event.character)
                event.stop()
            return
        if event.key == "enter" and event.key not in self.active_bindings:
            await self._read_on()
            event.stop()
        if not event.character:
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
            if not self.board.hand.busy:
                self.board.line.reject()
            return
        self.board.line.clear()
        number = read_number(event.text)
        if number is None or not self.board.hand.take(number):
            self.board.line.remember(event.text)
            self.take(Say(event.text))

    @on(ChoiceList.Chosen)
    def _choose(self, event: ChoiceList.Chosen) -> None:
        self.take(Choose(event.choice), event.label)

    @on(DecisionCard.Answered)
    async def _answer(self, event: DecisionCard.Answered) -> None:
        if event.decision not in (UNFINISHED, ENDING):
            self.take(AnswerDecision(event.decision, event.option, event.note), event.label)
            return
        if event.decision == ENDING and self.board.story.unseen:
            self.board.activity.remark(self.board.words.read_first)
            return
        match FaceCardOption(event.option):
            case FaceCardOption.GO_ON:
                self.take(GoOn(), self.board.view.unfinished if self.board.view is not None else "")
            case FaceCardOption.LEAVE:
                self.board.leave_unfinished()
            case FaceCardOption.AGAIN:
                if self.board.view is not None:
                    self.leave(table_host_of(self).play_again(self.board.view))
            case FaceCardOption.TREE:
                self.action_tree(untaken=True)
            case FaceCardOption.UNDO:
                self.action_undo()
            case FaceCardOption.LOBBY:
                self.action_lobby()

    @on(AnswerList.KeptFromEnter)
    async def _keep_from_enter(self, event: AnswerList.KeptFromEnter) -> None:
        """Scroll to the end on Enter; at the end, still start nothing new."""
        if self.board.story.unseen:
            await self._read_on()
        else:
            self.board.activity.remark(self.board.words.press_number.format(number=event.number))

    @on(ActivityLine.Waiting)
    def _offer_skip(self, event: ActivityLine.Waiting) -> None:
        language = self.turns.language if self.turns is not None else ""
        self.query_one(KeyBar).show((SKIP, *BAR) if event.can_skip else BAR, language)

    @on(CardsPanel.Collapsed)
    def _keep_folded(self, event: CardsPanel.Collapsed) -> None:
        host = table_host_of(self)
        host.keep(replace(host.preferences, folded=" ".join(sorted(event.collapsed))))

    @on(CardsPanel.Picked)
    def _show_card(self, event: CardsPanel.Picked) -> None:
        cards = self.board.view.cards if self.board.view is not None else ()
        meanings = {card.variable: card.description for card in cards}
        table_host_of(self).show_card(self.session, event.variable, meanings.get(event.variable, ""))


PAGE_SHARE: Final = 0.8
"""How much of the story's height one page scrolls."""


class TableScreen(AnsweringScreen):
    """One player in one campaign."""

    BINDINGS = bind(TABLE_KEYS)
    DEFAULT_CSS = """
    TableScreen { background: $background; }
    TableScreen KeyBar { height: 1; padding: 0 2; }
    """

    _on_cards = False
    """Whether the cards are the open tab on a narrow terminal."""

    _told_in = ""

    def compose(self) -> ComposeResult:
        """The keys; the layout follows once its contents are known."""
        yield KeyBar(one_line=True)

    async def on_mount(self) -> None:
        """Subscribe to events first, then read the current view."""
        news = self.session.watch()
        view = await self.session.view()
        self._told_in = view.language
        animations = table_host_of(self).preferences.animations
        await self.mount(TableLayout(self.language, animations=animations), before=0)
        self.query_one(KeyBar).show(BAR, self.language)
        preferences = table_host_of(self).preferences
        self.query_one(CardsPanel).collapsed = frozenset(preferences.folded.split())
        self.query_one(CardsPanel).described = preferences.descriptions
        self.turns = TurnControl(self.session, self.board, self.language, self._look_again)
        self.fit_in()
        await self.turns.open(view)
        self.run_worker(self.turns.hearing.listen(news), group="news", exit_on_error=False)
        opening = self.session.opening
        if opening is not None and not opening.done() and self.turns.claim():
            shown = self.turns.take(GoOn(), turn=wait_for_opening(self.session))
            self.run_worker(shown, group="turn", exit_on_error=False)
        self.board.hand.focus_line()

    async def wait_for_turn(self) -> None:
        """Wait until the running turn, if any, is shown."""
        for worker in [one for one in self.app.workers if one.group == "turn"]:
            await worker.wait()

    def add_note(self, text: str) -> None:
        """Add a note at the end of the story, and leave the newest turn in view."""
        self.board.story.note(text)
        self.board.call_after_refresh(self.board.show_newest, warn=False)

    def speak(self, language: str) -> None:
        """Use the words of a language."""
        self.board.speak(language)
        self.query_one(KeyBar).show(BAR, language)
        if self.turns is not None:
            self.turns.language = language

    def follow_preferences(self) -> None:
        """Apply the player's current preferences."""
        animations = table_host_of(self).preferences.animations
        self.board.activity.animations = self.board.story.animations = animations
        # A full redraw would also scroll to the newest change, whatever the player is looking at.
        if self.turns is not None and self.turns.language != self.language:
            self.speak(self.language)
        self.fit_in()

    @property
    def language(self) -> str:
        """The player's preferred language, or that of the story."""
        return table_host_of(self).preferences.language or self._told_in

    def on_resize(self) -> None:
        """Arrange everything for the new size."""
        if self.turns is not None:
            self.fit_in()

    def fit_in(self) -> None:
        """Arrange everything: cards next to the story, or as a tab."""
        width, height = self.app.size
        narrow, board = width < WIDE_COLUMNS, self.board
        self._on_cards = self._on_cards and narrow
        board.set_class(width >= ROOMY_COLUMNS, "-roomy")
        board.set_class(not table_host_of(self).preferences.cards_open and not narrow, "-no-cards")
        tall, short = height >= TALL_ROWS, height <= SHORT_ROWS
        board.fit_in(narrow=narrow, on_cards=self._on_cards, tall=tall, short=short)

    def action_cards(self) -> None:
        """Show or hide the cards; on a narrow terminal they are a tab."""
        if self.app.size.width < WIDE_COLUMNS:
            self._on_cards = not self._on_cards
        else:
            preferences = table_host_of(self).preferences
            table_host_of(self).keep(replace(preferences, cards_open=not preferences.cards_open))
        self.fit_in()

    def action_describe(self) -> None:
        """Show or hide the descriptions of cards; show the cards first if none is visible."""
        panel, host = self.query_one(CardsPanel), table_host_of(self)
        shown = panel.region.width > 0
        if not shown:
            self.action_cards()
        if shown or not panel.described:
            panel.describe(not panel.described)
            host.keep(replace(host.preferences, descriptions=panel.described))

    def action_scroll_story(self, pages: int) -> None:
        """Scroll the story up or down, wherever the focus is."""
        panel = self.query_one(CardsPanel) if self._on_cards else self.board.story
        panel.scroll_relative(y=pages * max(1, int(panel.size.height * PAGE_SHARE)), animate=False)

    def action_stop(self) -> None:
        """Leave the tab of the cards; otherwise stop the running turn, or clear the line."""
        running = self.turns is not None and self.turns.running
        if self._on_cards:
            self.action_cards()
            if not running:
                self.board.hand.focus_line()
                return
        super().action_stop()

    def _look_again(self) -> None:
        if self.turns is not None:
            self.run_worker(self.turns.look_again(), group="looking", exclusive=True, exit_on_error=False)
