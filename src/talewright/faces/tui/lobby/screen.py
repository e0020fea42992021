"""The lobby screen: games on one shelf, campaigns on the other, and the keys that act on them.

It opens sessions and hands them to the app; it never plays.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from talewright.faces.tui.hall.host import host_of, rooms_of
from talewright.faces.tui.hall.keybar import KeyBar
from talewright.faces.tui.hall.threshold import Threshold
from talewright.faces.tui.hall.trouble import tell_trouble
from talewright.faces.tui.hall.working import work
from talewright.faces.tui.keys import bind
from talewright.faces.tui.lobby.deeds import DEEDS, ask_beginning, bring_in
from talewright.faces.tui.lobby.keys import BAR, LOBBY
from talewright.faces.tui.lobby.shelf import Shelf
from talewright.faces.tui.lobby.shelves import Shelves
from talewright.faces.tui.safety import safe_line
from talewright.faces.tui.setup.setup_screen import SetupScreen
from talewright.faces.tui.words.lobby import lobby_words
from talewright.play.lobby import CampaignInfo, GameInfo


def local_now() -> datetime:
    """The time where the player is."""
    return datetime.now().astimezone()


class LobbyScreen(Threshold):
    """Where games are begun and gone on with. The app calls `action_reload` once the rooms are entered."""

    BINDINGS = bind(LOBBY)
    DEFAULT_CSS = """
    LobbyScreen > #head { height: 1; padding: 0 2; }
    """

    def __init__(self, now: Callable[[], datetime] = local_now) -> None:
        super().__init__()
        self._now = now
        self._words = lobby_words("")

    def compose(self) -> ComposeResult:
        self._words = lobby_words(host_of(self).language)
        yield Static(Content.styled(self._words.title, "bold $primary"), id="head")
        yield Static(Content(self._words.opening), id="told")
        yield Shelves(self._words, self._now)
        yield KeyBar()

    def on_screen_resume(self) -> None:
        """Look again what there is."""
        self.follow_preferences()

    def follow_preferences(self) -> None:
        """Speak the language of now, and look again what there is."""
        self.call_later(self._speak)

    async def _speak(self) -> None:
        # While it is composed anew there is nothing to write the lists into.
        if lobby_words(host_of(self).language) is not self._words:
            await self.recompose()
        self.action_reload()

    def action_reload(self) -> None:
        """Look again what there is; before the rooms are entered there is nothing."""
        self.query_one(KeyBar).show(BAR, host_of(self).language)
        if host_of(self).rooms is not None:
            work(self, self._load, "lists")

    async def _load(self) -> None:
        try:
            await self.query_one(Shelves).load(rooms_of(self).lobby)
        except Exception as error:
            self.tell(tell_trouble(error, self._words.wrong, self._words.wrong_hint))
        else:
            if str(self.query_one("#told", Static).content) == self._words.opening:
                self.tell(Content(self._words.subtitle))

    def on_shelves_taken(self, event: Shelves.Taken) -> None:
        """Go on with a campaign, or ask how to begin a game."""
        match event.what:
            case GameInfo() as game:
                self._begin(game)
            case CampaignInfo(name=name):
                told = self._words.going_on.format(campaign=safe_line(name))
                self.enter(lambda: rooms_of(self).lobby.open(name), told)

    def action_enter(self) -> None:
        """As Enter on a shelf does, for whoever clicks the bar."""
        shelf = self.focused if isinstance(self.focused, Shelf) else self.query_one("#campaigns", Shelf)
        shelf.action_select()

    def action_new(self) -> None:
        """Begin a campaign of the game under the cursor."""
        game = self.query_one(Shelves).game
        if game is None:
            self.tell(Content(self._words.pick_game))
        else:
            self._begin(game)

    def _begin(self, game: GameInfo) -> None:
        async def ask() -> None:
            wish = await ask_beginning(self, game, self._words)
            if wish is not None:
                told = self._words.beginning.format(title=safe_line(game.title))
                lobby = rooms_of(self).lobby
                self.enter(
                    lambda: lobby.begin(wish.game, wish.language, wish.name),
                    f"{told}\n{self._words.first_turn}",
                )

        work(self, ask, "asking")

    def action_do(self, deed: str) -> None:
        """Do something with the campaign under the cursor: `model`, `export` or `delete`."""
        info = self.query_one(Shelves).campaign
        if info is None:
            self.tell(Content(self._words.pick_campaign))
        else:
            self._run(partial(DEEDS[deed], self, info, self._words))

    def action_import(self) -> None:
        """Bring in a save game."""
        self._run(partial(bring_in, self, self._words))

    def action_set_up(self) -> None:
        """Set up a model."""
        self.app.push_screen(SetupScreen())

    def _run(self, deed: Callable[[], Awaitable[Content | None]]) -> None:
        async def run() -> None:
            try:
                told = await deed()
            except Exception as error:
                told = tell_trouble(error, self._words.wrong, self._words.wrong_hint)
            if told is not None:
                self.tell(told)
                self.action_reload()

        work(self, run, "asking")
