"""The first visit: no key, no model, and a game at once; the guided way to a model stands beside it.

Closing it leads to the lobby; it is not shown again once something was played or set up.
"""

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from talewright.faces.tui.hall.asking import draw_buttons
from talewright.faces.tui.hall.host import host_of, rooms_of
from talewright.faces.tui.hall.keybar import KeyBar
from talewright.faces.tui.hall.prose import Prose
from talewright.faces.tui.hall.threshold import Threshold
from talewright.faces.tui.hall.trouble import tell_trouble
from talewright.faces.tui.hall.working import work
from talewright.faces.tui.keys import bind
from talewright.faces.tui.lobby.dialogs import pick_language
from talewright.faces.tui.lobby.rows import draw_game
from talewright.faces.tui.safety import safe_line
from talewright.faces.tui.setup.keys import FIRST
from talewright.faces.tui.setup.setup_screen import SetupScreen
from talewright.faces.tui.words.lobby import lobby_words
from talewright.faces.tui.words.setup import setup_words
from talewright.play.lobby import GameInfo

WIDE_COLUMNS = 90
"""From this width on the two ways stand side by side."""


class FirstRunScreen(Threshold):
    """A welcome. The app shows it once the rooms are entered, over the lobby."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE_COLUMNS, "-wide")]  # noqa: RUF012 - as Textual has it
    BINDINGS = bind(FIRST)
    DEFAULT_CSS = """
    FirstRunScreen {
        & > #head { height: 1; padding: 0 2; text-style: bold; color: $primary; }
        & > #ways { layout: vertical; height: 1fr; }
        & .way { border: round $border-blurred; padding: 0 1; border-title-color: $foreground; }
        & #play { height: 1fr; border: round $primary; border-title-color: $primary; }
        & #model { height: auto; }
        & #games {
            border: none; padding: 0; height: 1fr; background: transparent;
            text-wrap: nowrap; text-overflow: ellipsis;
        }
        & .text { color: $text-muted; height: auto; }
        &.-wide > #ways { layout: horizontal; }
        &.-wide #play { width: 3fr; }
        &.-wide #model { width: 2fr; height: 1fr; padding: 0 1; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._games: tuple[GameInfo, ...] = ()

    def compose(self) -> ComposeResult:
        words = setup_words(host_of(self).language)
        play = Vertical(
            Prose(Content(words.first_play_text), classes="text"),
            OptionList(id="games", markup=False),
            id="play",
            classes="way",
        )
        model = Vertical(
            Prose(Content(words.first_model_text), classes="text"),
            draw_buttons(("set-up", words.first_model_do, False)),
            id="model",
            classes="way",
        )
        play.border_title, model.border_title = Content(words.first_play), Content(words.first_model)
        yield Static(Content(words.first_title), id="head")
        yield Prose(Content(words.first_text), id="told")
        yield Container(play, model, id="ways")
        yield KeyBar()

    def on_mount(self) -> None:
        """Find the games that need no model."""
        self.query_one(KeyBar).show(FIRST, host_of(self).language)
        self.query_one("#games").focus()
        work(self, self._load, "lists")

    def on_screen_resume(self) -> None:
        """Whoever comes back from the table wants the lobby."""
        if self.left:
            self.dismiss(None)

    async def _load(self) -> None:
        language = host_of(self).language
        words, games = lobby_words(language), self.query_one("#games", OptionList)
        try:
            found = await rooms_of(self).lobby.games()
        except Exception as error:
            self.tell(tell_trouble(error, words.wrong, words.wrong_hint))
            return
        self._games = tuple(game for game in found if not game.needs_model)
        options = [Option(draw_game(game, words)) for game in self._games]
        games.set_options(options or [Option(Content(setup_words(language).first_no_games), disabled=True)])
        games.highlighted = 0 if options else None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Begin it, in the language of the face where the game has it."""
        game, language = self._games[event.option_index], host_of(self).language
        lobby, told = rooms_of(self).lobby, setup_words(language).first_beginning
        spoken = pick_language(game.languages, language)
        self.enter(lambda: lobby.begin(game.id, spoken), told.format(title=safe_line(game.title)))

    def on_button_pressed(self) -> None:
        """The guided way."""
        self.action_set_up()

    def action_enter(self) -> None:
        """As Enter on the list does, for whoever clicks the bar."""
        self.query_one("#games", OptionList).action_select()

    def action_set_up(self) -> None:
        """The guided way; with a model one comes to the lobby."""
        self.app.push_screen(SetupScreen(), self._come_back)

    def _come_back(self, kept: bool | None) -> None:
        if kept:
            self.dismiss(None)

    def action_back(self) -> None:
        """Stop what is being opened, or look around first."""
        if self._entering is not None:
            self.action_stop()
        else:
            self.dismiss(None)
