"""The host of the table: what its screen asks of the app it stands in.

A port, so that the table imports neither the app nor the screens of the past; nothing here holds anything.
"""

from typing import Protocol, cast

from textual.message_pump import MessagePump

from talewright.faces.tui.past.wishes import Departure
from talewright.faces.tui.preferences import Preferences
from talewright.play.campaign_view import View
from talewright.play.session import Session


class TableHost(Protocol):
    """The app, as the table sees it."""

    @property
    def preferences(self) -> Preferences:
        """What the player prefers."""

    def keep(self, preferences: Preferences) -> None:
        """Keep what the player prefers."""

    def show_card(self, session: Session, variable: str) -> None:
        """Show how a card came to stand where it stands."""

    async def show_tree(self, session: Session) -> Departure | None:
        """Show the tree of the campaign; where the player wants to go from it."""

    def show_inspector(self, session: Session, commit: str) -> None:
        """Show all that is recorded of a turn."""

    async def leave_table(self) -> None:
        """Back to the lobby; the campaign is safe."""

    async def play_again(self, view: View) -> None:
        """The same game from the beginning, as a new campaign."""


def host_of(node: MessagePump) -> TableHost:
    """The host of a screen."""
    return cast(TableHost, node.app)
