"""The two shelves of the lobby: they are filled from the Lobby port, the details of campaigns one by one.

They show what there is and say what was taken; nothing is begun or changed here.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList

from talewright.errors import TalewrightError
from talewright.faces.tui.hall.working import work
from talewright.faces.tui.lobby.rows import draw_campaign, draw_game
from talewright.faces.tui.lobby.shelf import Book, Shelf
from talewright.faces.tui.words.lobby import LobbyWords
from talewright.play.lobby import CampaignDetails, CampaignInfo, GameInfo, Lobby

WIDE_COLUMNS = 90
"""From this width on the two shelves stand side by side."""


class Shelves(Container):
    """Games and campaigns; side by side where the screen is wide."""

    DEFAULT_CSS = """
    Shelves {
        layout: vertical;
        height: 1fr;
        &.side { layout: horizontal; }
        &.side > #games { width: 2fr; }
        &.side > #campaigns { width: 3fr; }
    }
    """

    class Taken(Message):
        """Somebody pressed Enter on a game or a campaign, or clicked it twice."""

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
        """Side by side where there is room."""
        self.set_class(event.size.width >= WIDE_COLUMNS, "side")

    def compose(self) -> ComposeResult:
        campaigns, games = Shelf(id="campaigns"), Shelf(id="games")
        campaigns.border_title = Content(self._words.campaigns)
        games.border_title = Content(self._words.games)
        yield campaigns
        yield games

    @property
    def game(self) -> GameInfo | None:
        """The game under the cursor."""
        return self._games.get(self.query_one("#games", Shelf).picked)

    @property
    def campaign(self) -> CampaignInfo | None:
        """The campaign under the cursor."""
        return self._campaigns.get(self.query_one("#campaigns", Shelf).picked)

    async def load(self, lobby: Lobby) -> None:
        """Fill both shelves, then find the details of every campaign, the last played first."""
        games, campaigns = await lobby.games(), await lobby.campaigns()
        words = self._words
        self._games = {game.id: game for game in games}
        self._campaigns = {info.name: info for info in campaigns}
        self.query_one("#games", Shelf).fill(
            [Book(game.id, draw_game(game, words)) for game in games], words.no_games
        )
        self.query_one("#campaigns", Shelf).fill([self._draw(info) for info in campaigns], words.no_campaigns)
        if not self._loaded:
            self._loaded = True
            self.query_one("#campaigns" if campaigns else "#games").focus()
        work(self, partial(self._read_details, lobby, campaigns), "details")

    async def _read_details(self, lobby: Lobby, campaigns: tuple[CampaignInfo, ...]) -> None:
        shelf = self.query_one("#campaigns", Shelf)
        for info in campaigns:
            try:
                self._details[info.name] = await lobby.details(info.name)
            except TalewrightError as error:
                shelf.redraw(self._draw(info, error.message))
            else:
                shelf.redraw(self._draw(info))

    def _draw(self, info: CampaignInfo, trouble: str = "") -> Book:
        details = self._details.get(info.name)
        return Book(info.name, draw_campaign(info, details, self._words, self._now(), trouble))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Say what was taken."""
        event.stop()
        what = self.campaign if event.option_list.id == "campaigns" else self.game
        if what is not None:
            self.post_message(self.Taken(what))
