"""Command palette: find any command of a screen by name or keyword, in any language.

Commands are only rows here; the app and the screens run them. Textual's own commands are left out.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from typing import Protocol, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.screen import Screen

from talewright.common.frozen_values import frozen
from talewright.common.language_tags import pick_language
from talewright.common.word_catalogues import interface_languages, native_name
from talewright.faces.tui.key_bindings import PALETTE, KeyBinding
from talewright.faces.tui.launch_preferences import Preferences
from talewright.faces.tui.words.shared_words import SharedWords, shared_words


@frozen
class PaletteCommand:
    """One command."""

    title: str
    help: str
    action: str
    """A Textual action; without a namespace it belongs to the screen."""

    listed: bool = True
    """Whether it is listed before the player types."""

    also: tuple[str, ...] = ()
    """Other words that find it."""


class PaletteHost(Protocol):
    """What the palette needs from the app."""

    def commands_at(self, screen: Screen[object]) -> Iterable[PaletteCommand]:
        """The commands of a screen, the most useful first."""

    def run_action(self, action: str, default_namespace: Screen[object]) -> Awaitable[bool]:
        """Run an action."""


class PaletteCommands(Provider):
    """Finds commands for the palette."""

    async def discover(self) -> Hits:
        """All listed commands, in order."""
        for command, run in self._commands():
            if command.listed:
                yield DiscoveryHit(command.title, run, help=command.help)

    async def search(self, query: str) -> Hits:
        """Commands that match the query, in any language."""
        matcher = self.matcher(query)
        for command, run in self._commands():
            if (score := matcher.match(command.title)) > 0:
                yield Hit(score, matcher.highlight(command.title), run, help=command.help)
            elif (score := max(map(matcher.match, command.also), default=0)) > 0:
                yield Hit(score, command.title, run, help=command.help)

    def _commands(self) -> Iterator[tuple[PaletteCommand, Callable[[], Awaitable[bool]]]]:
        host = cast(PaletteHost, self.app)
        for command in host.commands_at(self.screen):
            yield command, partial(host.run_action, command.action, self.screen)


def list_commands(
    keys: Iterable[KeyBinding], preferences: Preferences, language: str
) -> Iterator[PaletteCommand]:
    """All commands in the player's language, then in the others (found by search, but not listed)."""
    rows = [key for key in keys if key.action and key is not PALETTE]
    spoken = shared_words(language)
    yield from _name_commands(rows, preferences, spoken, listed=True)
    for other in interface_languages():
        if other != spoken.language:
            yield from _name_commands(rows, preferences, shared_words(other), listed=False)


def _find_theme_keywords() -> tuple[str, ...]:
    return tuple(
        word for language in interface_languages() for word in shared_words(language).theme_keywords.split()
    )


def _name_commands(
    keys: Iterable[KeyBinding], preferences: Preferences, words: SharedWords, *, listed: bool
) -> Iterator[PaletteCommand]:
    for key in keys:
        does = key.does(words.language)
        if does:
            # Keywords cover all languages, so only one of the commands needs them.
            also = key.keywords() if listed else ()
            yield PaletteCommand(does[:1].upper() + does[1:], key.written, key.action, listed, also)
    for name, label in words.themes.items():
        if name != preferences.theme:
            title = words.theme.format(name=label)
            # As with keys, the keywords of all languages belong to one of the commands.
            also = _find_theme_keywords() if listed else ()
            yield PaletteCommand(title, words.theme_help, f"app.prefer_theme({name!r})", listed, also)
    preferred = pick_language(preferences.language, interface_languages())
    for other in interface_languages():
        if other != preferred:
            title = words.languages.format(name=native_name(other))
            yield PaletteCommand(title, words.language_help, f"app.prefer_language({other!r})", listed)
    title = words.animations_off if preferences.animations else words.animations_on
    yield PaletteCommand(title, words.animations_help, "app.toggle_animations", listed)
    title = words.inspector_off if preferences.inspector else words.inspector_on
    yield PaletteCommand(title, words.inspector_help, "app.toggle_inspector", listed)
