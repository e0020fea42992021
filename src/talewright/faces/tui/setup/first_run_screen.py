"""First-run screen: play a game without a key or a model, or open the setup wizard.

Closing it leads to the lobby. It is not shown again once something was played or set up.
"""

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from talewright.faces.tui.app_port import host_of, run_in_background, services_of
from talewright.faces.tui.key_bindings import FIRST_RUN_KEYS, bind
from talewright.faces.tui.lobby.campaign_dialogs import pick_game_language
from talewright.faces.tui.lobby.lobby_lists import ROOMY_LINES
from talewright.faces.tui.lobby.lobby_rows import draw_game
from talewright.faces.tui.safe_content import describe_error, safe_line
from talewright.faces.tui.setup.setup_wizard import SetupScreen
from talewright.faces.tui.widgets.dialogs import draw_buttons
from talewright.faces.tui.widgets.key_bar import KeyBar
from talewright.faces.tui.widgets.opening_screen import OpeningScreen
from talewright.faces.tui.widgets.text_wrap import WrappedText, WrappedVisual
from talewright.faces.tui.words.lobby_words import lobby_words
from talewright.faces.tui.words.setup_words import setup_words
from talewright.play.lobby import GameInfo

WIDE_COLUMNS = 90
"""From this width on, the two options are side by side."""


class FirstRunScreen(OpeningScreen):
    """The welcome screen. The app shows it over the lobby once startup has finished."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE_COLUMNS, "-wide")]  # noqa: RUF012 - as Textual has it
    BINDINGS = bind(FIRST_RUN_KEYS)
    DEFAULT_CSS = """
    FirstRunScreen {
        & > #head { height: 1; padding: 0 2; text-style: bold; color: $primary; }
        & > #ways { layout: vertical; height: 1fr; }
        & .way { border: round $border-blurred; padding: 0 1; border-title-color: $foreground; }
        & #play { height: 1fr; border: round $primary; border-title-color: $primary; }
        & #model { height: auto; }
        & #games {
            border: none; padding: 0; height: 1fr; background: transparent;
            scrollbar-size-vertical: 1; scrollbar-gutter: stable;
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
            WrappedText(Content(words.first_play_text), classes="text"),
            OptionList(id="games", markup=False),
            id="play",
            classes="way",
        )
        model = Vertical(
            WrappedText(Content(words.first_model_text), classes="text"),
            draw_buttons(("set-up", words.first_model_do, False)),
            id="model",
            classes="way",
        )
        play.border_title, model.border_title = Content(words.first_play), Content(words.first_model)
        yield Static(Content(words.first_title), id="head")
        yield WrappedText(Content(words.first_text), id="told")
        yield Container(play, model, id="ways")
        yield KeyBar()

    def on_mount(self) -> None:
        """List the games that need no model."""
        self.query_one(KeyBar).show(FIRST_RUN_KEYS, host_of(self).language)
        self.query_one("#games").focus()
        run_in_background(self, self._load, "lists")

    def on_screen_resume(self) -> None:
        """Go to the lobby when the player returns from the table."""
        if self.left:
            self.dismiss(None)

    async def _load(self) -> None:
        language = host_of(self).language
        words, games = lobby_words(language), self.query_one("#games", OptionList)
        try:
            found = await services_of(self).lobby.games()
        except Exception as error:
            self.tell(describe_error(error, words.wrong, words.wrong_hint))
            return
        self._games = tuple(game for game in found if not game.needs_model)
        spare = self.app.size.height < ROOMY_LINES
        options = [Option(WrappedVisual(draw_game(game, words, spare=spare))) for game in self._games]
        games.set_options(options or [Option(Content(setup_words(language).first_no_games), disabled=True)])
        games.highlighted = 0 if options else None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Start the game, in the language of the interface where the game has it."""
        game, language = self._games[event.option_index], host_of(self).language
        lobby, told = services_of(self).lobby, setup_words(language).first_beginning
        spoken = pick_game_language(game.languages, language)
        self.enter(lambda: lobby.begin(game.id, spoken), told.format(title=safe_line(game.title)))

    def on_button_pressed(self) -> None:
        """Open the setup wizard."""
        self.action_set_up()

    def action_enter(self) -> None:
        """Do what Enter does on the list, for clicks on the key bar."""
        self.query_one("#games", OptionList).action_select()

    def action_set_up(self) -> None:
        """Open the setup wizard; continue to the lobby once a model is set up."""
        self.app.push_screen(SetupScreen(), self._come_back)

    def _come_back(self, kept: bool | None) -> None:
        if kept:
            self.dismiss(None)

    def action_back(self) -> None:
        """Cancel what is being opened, or go to the lobby."""
        if self._entering is not None:
            self.action_stop()
        else:
            self.dismiss(None)
