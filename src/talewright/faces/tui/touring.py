"""Touring: the part of the app that shows its screens: the past on top of the table, and the keys of each.

Which screens there are is known once they are loaded; until then there is only the title.
"""

from typing import TYPE_CHECKING

from textual.screen import Screen

from talewright.faces.tui.door import Door
from talewright.faces.tui.habits import HabitualApp
from talewright.faces.tui.keys import EVERYWHERE, Key
from talewright.faces.tui.words.shared import shared_words

if TYPE_CHECKING:
    from talewright.faces.tui.past.wishes import Departure
    from talewright.faces.tui.places import Places
    from talewright.faces.tui.table.screen import TableScreen
    from talewright.play.session import Session


class TouringApp(HabitualApp):
    """An app that knows its way around."""

    def __init__(self, door: Door) -> None:
        super().__init__(door)
        self.places: Places | None = None
        """All screens but the title; None until they are loaded."""

    def show_card(self, session: "Session", variable: str) -> None:
        """Show how a card came to stand where it stands."""
        if self.places is not None:
            self.push_screen(self.places.make_card(session.past, variable, self.language_at(self.screen)))

    async def show_tree(self, session: "Session") -> "Departure | None":
        """Show the tree of the campaign; where the player wants to go from it."""
        assert self.places is not None
        return await self.push_screen_wait(self.places.make_tree(session.past, self.language_at(self.screen)))

    def show_inspector(self, session: "Session", commit: str) -> None:
        """Show all that is recorded of a turn."""
        if self.places is not None:
            self.push_screen(self.places.make_inspector(session.past, commit, self.language_at(self.screen)))

    def tables(self) -> "list[TableScreen]":
        """The tables at which the player sits: one, or none."""
        table = self.places.table if self.places is not None else None
        return [screen for screen in self.screen_stack if table is not None and isinstance(screen, table)]

    def follow_preferences(self) -> None:
        """Let table and lobby do as the player prefers now; other screens look when they are seen again."""
        for table in self.tables():
            table.follow_preferences()
        if self.places is not None and self.places.lobby.is_attached:
            self.places.lobby.follow_preferences()

    def language_at(self, screen: Screen[object]) -> str:
        """At the table the language of the campaign, unless the player prefers one."""
        tables = self.tables()
        return tables[-1].language if tables else self.language

    def keys_of(self, screen: Screen[object]) -> tuple[tuple[str, tuple[Key, ...]], ...]:
        """What can be pressed on a screen, in chapters."""
        language = self.language_at(screen)
        if self.places is None:
            return ((shared_words(language).help_everywhere, EVERYWHERE),)
        return self.places.list_keys(screen, language)
