"""Table screen: one player in one campaign, from opening the story to leaving it.

It puts the parts of the table together: `table_layout`, `table_answers`, `table_actions` and `turn_control`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from textual import events, on
from textual.app import ComposeResult
from textual.screen import Screen

from talewright.common.frozen_values import frozen
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
from talewright.faces.tui.table.table_actions import TableActions
from talewright.faces.tui.table.table_answers import TableAnswers
from talewright.faces.tui.table.table_layout import TableLayout, TableTabs
from talewright.faces.tui.table.turn_control import TurnControl
from talewright.faces.tui.table.turn_workers import TurnWorkers
from talewright.faces.tui.widgets.key_bar import KeyBar
from talewright.play.session import Session, wait_for_opening
from talewright.play.session_inputs import GoOn

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


@frozen
class OpenTable:
    """The parts of a table whose story is open."""

    turns: TurnControl
    workers: TurnWorkers
    actions: TableActions
    answers: TableAnswers
    tabs: TableTabs


class TableAction:
    """An action of the screen, under the name that Textual looks for; a part of the table carries it out."""

    def __init__(self, find: Callable[[OpenTable], Callable[..., None]]) -> None:
        self._find = find

    def __get__(self, screen: "TableScreen | None", owner: object) -> Callable[..., None]:
        """The method of the part; all keys are disabled until there is one."""
        if screen is None or screen.parts is None:
            return _do_nothing
        return self._find(screen.parts)


def _do_nothing() -> None:
    """There is no story yet that an action could be about."""


class TableScreen(Screen[None]):
    """One player in one campaign."""

    BINDINGS = bind(TABLE_KEYS)
    DEFAULT_CSS = """
    TableScreen { background: $background; }
    TableScreen KeyBar { height: 1; padding: 0 2; }
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.parts: OpenTable | None = None
        """None until the story is open."""

        self._told_in = ""

    action_undo = TableAction(lambda parts: parts.actions.undo)
    action_go_on = TableAction(lambda parts: parts.actions.go_on)
    action_retry = TableAction(lambda parts: parts.actions.retry)
    action_mark = TableAction(lambda parts: parts.actions.mark)
    action_load = TableAction(lambda parts: parts.actions.load)
    action_tree = TableAction(lambda parts: parts.actions.tree)
    action_inspect = TableAction(lambda parts: parts.actions.inspect)
    action_lobby = TableAction(lambda parts: parts.actions.lobby)
    action_skip = TableAction(lambda parts: parts.workers.skip)
    action_cards = TableAction(lambda parts: parts.tabs.toggle_cards)
    action_describe = TableAction(lambda parts: parts.tabs.toggle_descriptions)
    action_scroll_story = TableAction(lambda parts: parts.tabs.scroll)

    def action_stop(self) -> None:
        """Leave the tab of the cards; otherwise stop the running turn, or clear the line."""
        if self.parts is None:
            return
        if self.parts.tabs.on_cards:
            self.parts.tabs.toggle_cards()
            if not self.parts.turns.running:
                self.board.hand.focus_line()
                return
        self.parts.workers.stop()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Disable all keys until the story is open."""
        return self.parts is not None

    def compose(self) -> ComposeResult:
        """The keys; the layout follows once its contents are known."""
        yield KeyBar(one_line=True)

    async def on_mount(self) -> None:
        """Subscribe to events first, then read the current view."""
        news = self.session.watch()
        view = await self.session.view()
        self._told_in = view.language
        preferences = table_host_of(self).preferences
        board = TableLayout(self.language, animations=preferences.animations)
        answers = TableAnswers(self.session, board)
        await self.mount(answers, before=0)
        self.query_one(KeyBar).show(BAR, self.language)
        cards = self.query_one(CardsPanel)
        cards.collapsed = frozenset(preferences.folded.split())
        cards.described = preferences.descriptions
        turns = TurnControl(self.session, board, self.language, lambda: workers.look_again())
        workers = TurnWorkers(self, turns)
        actions = TableActions(self, turns, workers)
        answers.connect(workers, actions)
        self.parts = OpenTable(turns, workers, actions, answers, TableTabs(board))
        self.parts.tabs.fit_in()
        await turns.open(view)
        self.run_worker(turns.hearing.listen(news), group="news", exit_on_error=False)
        opening = self.session.opening
        if opening is not None and not opening.done() and turns.claim():
            shown = turns.take(GoOn(), turn=wait_for_opening(self.session))
            self.run_worker(shown, group="turn", exit_on_error=False)
        board.hand.focus_line()

    async def wait_for_turn(self) -> None:
        """Wait until the running turn, if any, is shown."""
        for worker in [one for one in self.app.workers if one.group == "turn"]:
            await worker.wait()

    async def on_key(self, event: events.Key) -> None:
        """Take a key that no widget took."""
        if self.parts is not None:
            await self.parts.answers.take_key(event)

    @on(ActivityLine.Waiting)
    def _offer_skip(self, event: ActivityLine.Waiting) -> None:
        language = self.turns.language if self.turns is not None else ""
        self.query_one(KeyBar).show((SKIP, *BAR) if event.can_skip else BAR, language)

    @property
    def board(self) -> TableLayout:
        """The layout of the table."""
        return self.query_one(TableLayout)

    @property
    def turns(self) -> TurnControl | None:
        """Takes the turns; None until the story is open."""
        return self.parts.turns if self.parts is not None else None

    @property
    def language(self) -> str:
        """The player's preferred language, or that of the story."""
        return table_host_of(self).preferences.language or self._told_in

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
        self.on_resize()

    def on_resize(self) -> None:
        """Arrange everything for the new size."""
        if self.parts is not None:
            self.parts.tabs.fit_in()
