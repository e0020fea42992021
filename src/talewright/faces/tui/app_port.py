"""App port: what screens need from the app, and the results of the story tree.

Protocols, so that no screen has to import the app.
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
"""The ways to leave the tree; comparison and inspector open on top of it."""


class AppPort(Protocol):
    """What a screen needs from the app."""

    @property
    def rooms(self) -> TerminalServices | None:
        """The services of the program; None until they are loaded."""

    @property
    def language(self) -> str:
        """The language of the interface."""

    @property
    def preferences(self) -> Preferences:
        """The player's preferences."""

    def keep(self, preferences: Preferences) -> None:
        """Save the player's preferences."""

    async def open_table(self, session: Session) -> None:
        """Open the table of a campaign."""


def host_of(node: MessagePump) -> AppPort:
    """The app of a screen or a widget."""
    return cast(AppPort, node.app)


def services_of(node: MessagePump) -> TerminalServices:
    """The services, for screens shown only after loading."""
    rooms = host_of(node).rooms
    assert rooms is not None
    return rooms


class TableAppPort(Protocol):
    """What the table needs from the app."""

    @property
    def preferences(self) -> Preferences:
        """The player's preferences."""

    def keep(self, preferences: Preferences) -> None:
        """Save the player's preferences."""

    def show_card(self, session: Session, variable: str, meaning: str) -> None:
        """Show what a card means, and the history of its value."""

    async def show_tree(self, session: Session, *, untaken: bool) -> TreeDeparture | None:
        """Show the story tree, optionally with choices not taken; return where the player wants to go."""

    def show_inspector(self, session: Session, commit: str) -> None:
        """Show everything recorded about a turn."""

    async def leave_table(self) -> None:
        """Return to the lobby; the campaign is saved."""

    async def play_again(self, view: View) -> None:
        """Start the same game again as a new campaign."""


def table_host_of(node: MessagePump) -> TableAppPort:
    """The app of a screen."""
    return cast(TableAppPort, node.app)


def run_in_background(
    node: DOMNode, job: Callable[[], Coroutine[None, None, None]], group: str
) -> Worker[None]:
    """Run a job in the background. It is called only when it starts, so a replaced job never runs at all."""
    return node.run_worker(job, group=group, exclusive=True, exit_on_error=False)
