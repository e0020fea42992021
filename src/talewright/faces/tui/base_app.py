"""Base app: theme, language, command palette, help and preferences, the same on every screen.

The function that saves preferences is passed in at launch.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from textual.app import App
from textual.command import CommandPalette
from textual.filter import LineFilter
from textual.screen import Screen

from talewright.common.word_catalogues import pick_interface_language
from talewright.faces.tui.command_palette import PaletteCommand, PaletteCommands, list_commands
from talewright.faces.tui.eight_bit_colors import EIGHT_BIT, EightBitFilter
from talewright.faces.tui.help_screen import HelpChapter, HelpScreen
from talewright.faces.tui.key_bindings import EVERYWHERE_KEYS, KeyBinding, bind
from talewright.faces.tui.launch_preferences import Preferences, TerminalLaunch
from talewright.faces.tui.themes import CONTRAST, THEMES, NoColorFilter, theme_named
from talewright.faces.tui.words.shared_words import shared_words


class BaseTerminalApp(App[int]):
    """An app with what all screens share."""

    BINDINGS = bind(EVERYWHERE_KEYS)
    COMMANDS = {PaletteCommands}  # noqa: RUF012 - as Textual declares it

    # At the lower edge they would cover the choices.
    CSS = """
    ToastRack { dock: top; align: right top; margin: 2 0 0 0; }
    Toast { width: 38; max-width: 60%; }
    """

    def __init__(self, door: TerminalLaunch) -> None:
        super().__init__()
        self.door = door
        self.preferences = door.preferences
        for name in list(self.available_themes):
            self.unregister_theme(name)
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = _find_theme(door.preferences.theme, self.no_color)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Drop all colours if NO_COLOR is set; on 256-colour terminals, use only their colours."""
        if self.no_color:
            return (NoColorFilter(),)
        reduced = (EightBitFilter(),) if self.console.color_system == EIGHT_BIT else ()
        return (*super().get_line_filters(), *reduced)

    @property
    def language(self) -> str:
        """The language of the interface, except at the table."""
        wishes = self.door.wishes
        return pick_interface_language(self.preferences.language or wishes.language or wishes.locale)

    def keep(self, preferences: Preferences) -> None:
        """Apply the player's preferences and save them."""
        self.preferences = preferences
        self.theme = _find_theme(preferences.theme, self.no_color)
        try:
            self.door.keep(preferences)
        except Exception as error:
            told = shared_words(self.language).not_kept.format(error=error)
            self.notify(told, severity="warning", markup=False)
        self.follow_preferences()

    def follow_preferences(self) -> None:
        """Apply the preferences to every screen."""

    def keys_of(self, screen: Screen[object]) -> tuple[tuple[str, tuple[KeyBinding, ...]], ...]:
        """The keys of a screen, in chapters; subclasses know the screens."""
        return ()

    def commands_at(self, screen: Screen[object]) -> Iterable[PaletteCommand]:
        """The commands the palette offers on a screen."""
        keys = [key for _, rows in self.keys_of(screen) for key in rows]
        return list_commands(keys, self.preferences, self.language_at(screen))

    def language_at(self, screen: Screen[object]) -> str:
        """The language of a screen."""
        return self.language

    def action_command_palette(self) -> None:
        """Open the palette."""
        if not isinstance(self.screen, CommandPalette):
            words = shared_words(self.language_at(self.screen))
            self.push_screen(CommandPalette(placeholder=words.search, id="--command-palette"))

    def action_help(self) -> None:
        """Show every key of this screen."""
        if isinstance(self.screen, HelpScreen):
            return
        language = self.language_at(self.screen)
        chapters = [HelpChapter(title, keys) for title, keys in self.keys_of(self.screen)]
        self.push_screen(HelpScreen(chapters, language))

    def action_help_quit(self) -> None:
        """Say how to quit: ctrl+c does not."""
        self.notify(shared_words(self.language_at(self.screen)).leaving, markup=False)

    def action_prefer_theme(self, name: str) -> None:
        """Switch to another theme."""
        self.keep(replace(self.preferences, theme=name))

    def action_prefer_language(self, language: str) -> None:
        """Switch to another language."""
        self.keep(replace(self.preferences, language=language))

    def action_toggle_animations(self) -> None:
        """Turn animations on or off."""
        self.keep(replace(self.preferences, animations=not self.preferences.animations))

    def action_toggle_inspector(self) -> None:
        """Turn the inspector on or off."""
        self.keep(replace(self.preferences, inspector=not self.preferences.inspector))


def _find_theme(name: str, no_color: bool) -> str:
    """The theme to draw; without colours, the one with black backgrounds."""
    return CONTRAST.name if no_color else theme_named(name)
