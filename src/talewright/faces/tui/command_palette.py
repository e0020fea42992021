"""Command palette: everything that can be done on a screen, found by name or another word, in any language.

Commands are rows; carrying them out is the app's and the screens' business. Nothing of Textual's own is
among them.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from typing import Protocol, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.screen import Screen

from talewright.common.frozen_values import frozen
from talewright.common.language_tags import pick_language
from talewright.faces.tui.key_bindings import PALETTE, KeyBinding
from talewright.faces.tui.launch_preferences import Preferences
from talewright.faces.tui.words.shared_words import SPOKEN, SharedWords, shared_words


@frozen
class PaletteCommand:
    """One command."""

    title: str
    help: str
    action: str
    """As Textual runs it; without a name before the point it is the screen's."""

    listed: bool = True
    """Whether it is there before anything is typed."""

    also: tuple[str, ...] = ()
    """Other words by which it is found."""


class PaletteHost(Protocol):
    """The app, as the palette sees it."""

    def commands_at(self, screen: Screen[object]) -> Iterable[PaletteCommand]:
        """What can be done on a screen, the most useful first."""

    def run_action(self, action: str, default_namespace: Screen[object]) -> Awaitable[bool]:
        """Do it."""


class PaletteCommands(Provider):
    """Finds commands for the palette."""

    async def discover(self) -> Hits:
        """All that are listed, in their order."""
        for command, run in self._commands():
            if command.listed:
                yield DiscoveryHit(command.title, run, help=command.help)

    async def search(self, query: str) -> Hits:
        """Those whose name is like what is typed, in any language."""
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
    """All commands in the player's language, then the same in the others, which are found but not listed."""
    rows = [key for key in keys if key.action and key is not PALETTE]
    spoken = shared_words(language)
    yield from _name_commands(rows, preferences, spoken, listed=True)
    for words in SPOKEN.values():
        if words is not spoken:
            yield from _name_commands(rows, preferences, words, listed=False)


def _name_commands(
    keys: Iterable[KeyBinding], preferences: Preferences, words: SharedWords, *, listed: bool
) -> Iterator[PaletteCommand]:
    for key in keys:
        does = key.does(words.language)
        if does:
            # These words are of all languages; the command is found by them once.
            also = tuple(key.also.split()) if listed else ()
            yield PaletteCommand(does[:1].upper() + does[1:], key.written, key.action, listed, also)
    for name, label in words.themes.items():
        if name != preferences.theme:
            title = words.theme.format(name=label)
            yield PaletteCommand(title, words.theme_help, f"app.prefer_theme({name!r})", listed)
    preferred = pick_language(preferences.language, SPOKEN)
    for other in SPOKEN.values():
        if other.language != preferred:
            title = words.languages.format(name=other.name)
            yield PaletteCommand(
                title, words.language_help, f"app.prefer_language({other.language!r})", listed
            )
    title = words.animations_off if preferences.animations else words.animations_on
    yield PaletteCommand(title, words.animations_help, "app.toggle_animations", listed)
    title = words.inspector_off if preferences.inspector else words.inspector_on
    yield PaletteCommand(title, words.inspector_help, "app.toggle_inspector", listed)
