"""Lobby lists: the list of games and the list of campaigns, filled from the Lobby port.

Details of campaigns are read one by one. A click selects; a double click or Enter opens. Nothing is started
or changed here.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.visual import Visual
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError
from talewright.faces.tui.app_port import run_in_background
from talewright.faces.tui.lobby.lobby_rows import draw_campaign, draw_game
from talewright.faces.tui.widgets.text_wrap import WrappedVisual
from talewright.faces.tui.words.lobby_words import LobbyWords
from talewright.play.lobby import CampaignDetails, CampaignInfo, GameInfo, Lobby

ROOMY_LINES = 24
"""From this height on, entries are separated by a line."""


@frozen
class LobbyListRow:
    """One row of a list."""

    name: str
    drawn: Content


class LobbyList(OptionList):
    """A list of named rows; `picked` is the name of the selected one."""

    DEFAULT_CSS = """
    LobbyList {
        height: 1fr;
        border: round $border-blurred;
        border-title-color: $text-muted;
        text-wrap: nowrap;
        text-overflow: ellipsis;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
        & > .option-list--option-highlighted { background: $foreground 6%; }
        &:focus > .option-list--option-highlighted { background: $block-cursor-background; }
        &:focus { border: round $border; border-title-color: $primary; border-title-style: bold; }
    }
    """

    def __init__(self, *, id: str, wraps: bool = False) -> None:  # noqa: A002 - the name that Textual gives it
        super().__init__(id=id, markup=False)
        self._names: list[str] = []
        self._wraps = wraps
        """Whether long lines wrap instead of being cut."""

    @property
    def picked(self) -> str:
        """The name under the cursor; empty when the list is."""
        at = self.highlighted
        return self._names[at] if at is not None and at < len(self._names) else ""

    def fill(self, books: Sequence[LobbyListRow], empty: str) -> None:
        """Replace the rows; the cursor stays on the same name, or moves to the first."""
        before = self.picked
        self._names = [book.name for book in books]
        self.set_class(not books, "-empty")
        if not books:
            said = Content.styled(empty, "$text-muted")
            self.set_options([Option(WrappedVisual(said), disabled=True)])
            return
        # Separate entries with a line when there is enough room.
        between = (None,) if self.app.size.height >= ROOMY_LINES else ()
        self.set_options(
            [
                part
                for at, book in enumerate(books)
                for part in (*(between if at else ()), Option(self._fold(book.drawn)))
            ]
        )
        self.highlighted = self._names.index(before) if before in self._names else 0

    def _fold(self, drawn: Content) -> Visual:
        return WrappedVisual(drawn) if self._wraps else drawn

    def redraw(self, book: LobbyListRow) -> None:
        """Redraw one row."""
        if book.name in self._names:
            self.replace_option_prompt_at_index(self._names.index(book.name), self._fold(book.drawn))

    async def _on_click(self, event: events.Click) -> None:
        # OptionList opens on the first click; here that would open a campaign the player only wanted to
        # export.
        event.prevent_default()
        at = event.style.meta.get("option")
        if at is None or at >= len(self._names):
            return
        if self.highlighted == at and event.chain > 1:
            self.action_select()
        self.highlighted = at


WIDE_COLUMNS = 90
"""From this width on, the two lists are side by side."""


class LobbyLists(Container):
    """Games and campaigns, side by side when the screen is wide."""

    DEFAULT_CSS = """
    LobbyLists {
        layout: vertical;
        height: 1fr;
        &.side { layout: horizontal; }
        /* Where nothing was begun yet, the games have the room. */
        & > #campaigns.-empty { height: auto; }
        &.side > #campaigns.-empty { height: 1fr; }
        &.side > #games { width: 2fr; }
        &.side > #campaigns { width: 3fr; }
    }
    """

    class Taken(Message):
        """The player pressed Enter on a game or a campaign, or double-clicked it."""

        def __init__(self, what: GameInfo | CampaignInfo) -> None:
            super().__init__()
            self.what = what

    def __init__(self, words: LobbyWords, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._words, self._now = words, now
        self._games: dict[str, GameInfo] = {}
        self._campaigns: dict[str, CampaignInfo] = {}
        self._details: dict[str, CampaignDetails] = {}
        self._loaded = False

    def on_resize(self, event: events.Resize) -> None:
        """Put the lists side by side when there is room."""
        self.set_class(event.size.width >= WIDE_COLUMNS, "side")
        if self._loaded:
            self._show_games()

    def compose(self) -> ComposeResult:
        campaigns, games = LobbyList(id="campaigns"), LobbyList(id="games", wraps=True)
        campaigns.border_title = Content(self._words.campaigns)
        games.border_title = Content(self._words.games)
        yield campaigns
        yield games

    @property
    def game(self) -> GameInfo | None:
        """The game under the cursor."""
        return self._games.get(self.query_one("#games", LobbyList).picked)

    @property
    def campaign(self) -> CampaignInfo | None:
        """The campaign under the cursor."""
        return self._campaigns.get(self.query_one("#campaigns", LobbyList).picked)

    async def load(self, lobby: Lobby) -> None:
        """Fill both lists, then load the details of every campaign, the last played first."""
        games, campaigns = await lobby.games(), await lobby.campaigns()
        words = self._words
        self._games = {game.id: game for game in games}
        self._campaigns = {info.name: info for info in campaigns}
        self._show_games()
        self.query_one("#campaigns", LobbyList).fill(
            [self._draw(info) for info in campaigns], words.no_campaigns
        )
        if not self._loaded:
            self._loaded = True
            self.query_one("#campaigns" if campaigns else "#games").focus()
        run_in_background(self, partial(self._read_details, lobby, campaigns), "details")

    def _show_games(self) -> None:
        words, spare = self._words, self.app.size.height < ROOMY_LINES
        rows = [LobbyListRow(name, draw_game(game, words, spare=spare)) for name, game in self._games.items()]
        self.query_one("#games", LobbyList).fill(rows, words.no_games)

    async def _read_details(self, lobby: Lobby, campaigns: tuple[CampaignInfo, ...]) -> None:
        shelf = self.query_one("#campaigns", LobbyList)
        for info in campaigns:
            try:
                self._details[info.name] = await lobby.details(info.name)
            except TalewrightError as error:
                shelf.redraw(self._draw(info, error.message))
            else:
                shelf.redraw(self._draw(info))

    def _draw(self, info: CampaignInfo, trouble: str = "") -> LobbyListRow:
        details = self._details.get(info.name)
        return LobbyListRow(info.name, draw_campaign(info, details, self._words, self._now(), trouble))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Post Taken for the selected row."""
        event.stop()
        what = self.campaign if event.option_list.id == "campaigns" else self.game
        if what is not None:
            self.post_message(self.Taken(what))
