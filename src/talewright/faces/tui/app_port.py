"""App port: what screens ask of the app they stand in, and where the tree of turns leads back to.

A port, so that no screen imports the app; nothing here holds anything.
"""

from collections.abc import Callable, Coroutine
from typing import Protocol, TypeAlias, cast

from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.worker import Worker

from talewright.faces.tui.launch_preferences import Preferences, TerminalServices
from talewright.play.campaign_view import View
from talewright.play.session import Session
from talewright.play.session_inputs import Fork, Switch, Undo

TreeDeparture: TypeAlias = Undo | Fork | Switch
"""What the tree is left with; the two others are seen on top of it."""


class AppPort(Protocol):
    """The app, as a screen sees it."""

    @property
    def rooms(self) -> TerminalServices | None:
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


def host_of(node: MessagePump) -> AppPort:
    """The host of a screen or a widget."""
    return cast(AppPort, node.app)


def services_of(node: MessagePump) -> TerminalServices:
    """The rooms, where a screen is only shown after they were entered."""
    rooms = host_of(node).rooms
    assert rooms is not None
    return rooms


class TableAppPort(Protocol):
    """The app, as the table sees it."""

    @property
    def preferences(self) -> Preferences:
        """What the player prefers."""

    def keep(self, preferences: Preferences) -> None:
        """Keep what the player prefers."""

    def show_card(self, session: Session, variable: str, meaning: str) -> None:
        """Show what a card means, and how it came to stand where it stands."""

    async def show_tree(self, session: Session, *, untaken: bool) -> TreeDeparture | None:
        """Show the tree of the campaign, with what was not taken if wanted; where the player wants to go."""

    def show_inspector(self, session: Session, commit: str) -> None:
        """Show all that is recorded of a turn."""

    async def leave_table(self) -> None:
        """Back to the lobby; the campaign is safe."""

    async def play_again(self, view: View) -> None:
        """The same game from the beginning, as a new campaign."""


def table_host_of(node: MessagePump) -> TableAppPort:
    """The host of a screen."""
    return cast(TableAppPort, node.app)


def run_in_background(
    node: DOMNode, job: Callable[[], Coroutine[None, None, None]], group: str
) -> Worker[None]:
    """Let a job run; it is called only when its turn comes, so that one which is replaced never began."""
    return node.run_worker(job, group=group, exclusive=True, exit_on_error=False)
