"""Habits: the part of the app that is the same on every screen: colours, language, palette and help.

What the player prefers is kept through the door; where, is not known here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from textual.app import App
from textual.command import CommandPalette
from textual.filter import LineFilter
from textual.screen import Screen

from talewright.faces.tui.colourless import Colourless
from talewright.faces.tui.door import Door
from talewright.faces.tui.help import Chapter, HelpScreen
from talewright.faces.tui.keys import EVERYWHERE, Key, bind
from talewright.faces.tui.palette import Command, Commands, list_commands
from talewright.faces.tui.preferences import Preferences
from talewright.faces.tui.themes import CONTRAST, THEMES, theme_named
from talewright.faces.tui.words.shared import shared_words, spoken


class HabitualApp(App[int]):
    """An app with the habits of this face."""

    BINDINGS = bind(EVERYWHERE)
    COMMANDS = {Commands}  # noqa: RUF012 - as Textual declares it

    def __init__(self, door: Door) -> None:
        super().__init__()
        self.door = door
        self.preferences = door.preferences
        for name in list(self.available_themes):
            self.unregister_theme(name)
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = _find_theme(door.preferences.theme, self.no_color)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """With NO_COLOR set, no colour goes out."""
        return (Colourless(),) if self.no_color else super().get_line_filters()

    @property
    def language(self) -> str:
        """Of the face's own words, away from the table."""
        wishes = self.door.wishes
        return spoken(self.preferences.language or wishes.language or wishes.locale)

    def keep(self, preferences: Preferences) -> None:
        """Keep what the player prefers, and do so from now on."""
        self.preferences = preferences
        self.theme = _find_theme(preferences.theme, self.no_color)
        try:
            self.door.keep(preferences)
        except Exception as error:
            told = shared_words(self.language).not_kept.format(error=error)
            self.notify(told, severity="warning", markup=False)
        self.follow_preferences()

    def follow_preferences(self) -> None:
        """Let every screen do as the player prefers now."""

    def keys_of(self, screen: Screen[object]) -> tuple[tuple[str, tuple[Key, ...]], ...]:
        """What can be pressed on a screen, in chapters; the app knows its screens."""
        return ()

    def commands_at(self, screen: Screen[object]) -> Iterable[Command]:
        """What the palette offers on a screen."""
        keys = [key for _, rows in self.keys_of(screen) for key in rows]
        return list_commands(keys, self.preferences, self.language_at(screen))

    def language_at(self, screen: Screen[object]) -> str:
        """The language in which a screen speaks."""
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
        chapters = [Chapter(title, keys) for title, keys in self.keys_of(self.screen)]
        self.push_screen(HelpScreen(chapters, language))

    def action_help_quit(self) -> None:
        """ctrl+c leaves nothing; say what does."""
        self.notify(shared_words(self.language_at(self.screen)).leaving, markup=False)

    def action_prefer_theme(self, name: str) -> None:
        """Use other colours."""
        self.keep(replace(self.preferences, theme=name))

    def action_prefer_language(self, language: str) -> None:
        """Speak another language."""
        self.keep(replace(self.preferences, language=language))

    def action_toggle_animations(self) -> None:
        """Let dice roll and signs turn, or not."""
        self.keep(replace(self.preferences, animations=not self.preferences.animations))

    def action_toggle_inspector(self) -> None:
        """Offer the inspector, or not."""
        self.keep(replace(self.preferences, inspector=not self.preferences.inspector))


def _find_theme(name: str, no_color: bool) -> str:
    """The theme that is drawn; without colours it is the one whose grounds are black."""
    return CONTRAST.name if no_color else theme_named(name)
