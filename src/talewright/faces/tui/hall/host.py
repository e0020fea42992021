"""The host: what the screens around the table ask of the app they stand in.

A port, so that no screen imports the app; nothing here holds anything.
"""

from typing import Protocol, cast

from textual.message_pump import MessagePump

from talewright.faces.tui.door import Rooms
from talewright.faces.tui.preferences import Preferences
from talewright.play.session import Session


class Host(Protocol):
    """The app, as a screen sees it."""

    @property
    def rooms(self) -> Rooms | None:
        """What lies behind the door; None before it is entered."""

    @property
    def language(self) -> str:
        """Of the face's own words."""

    @property
    def preferences(self) -> Preferences:
        """What the player prefers."""

    def keep(self, preferences: Preferences) -> None:
        """Keep what the player prefers."""

    async def open_table(self, session: Session) -> None:
        """Sit down at a campaign."""


def host_of(node: MessagePump) -> Host:
    """The host of a screen or a widget."""
    return cast(Host, node.app)


def rooms_of(node: MessagePump) -> Rooms:
    """The rooms, where a screen is only shown after they were entered."""
    rooms = host_of(node).rooms
    assert rooms is not None
    return rooms
