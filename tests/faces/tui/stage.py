"""A stage: a small app on which one widget, or the table, is tried out alone.

It keeps what it was asked for, and reads back what stands on the screen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.app import App, ComposeResult
from textual.content import Content
from textual.pilot import Pilot
from textual.widget import Widget

from talewright.faces.tui.app_port import TreeDeparture
from talewright.faces.tui.launch_preferences import Preferences
from talewright.faces.tui.table.table_screen import TableScreen
from talewright.faces.tui.themes import THEMES
from talewright.play.campaign_view import View
from talewright.play.session import Session

SIZE = (100, 30)


class Stage(App[None]):
    """One widget alone."""

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.widget = widget
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name

    def compose(self) -> ComposeResult:
        """Only the widget."""
        yield self.widget


@dataclass(frozen=True, slots=True)
class Asked:
    """What the table asked of its host."""

    what: str
    about: object = ""


class TableStage(App[None]):
    """The table alone, with a host that only remembers."""

    def __init__(self, session: Session, preferences: Preferences | None = None) -> None:
        super().__init__()
        self.preferences = preferences or Preferences(language="en", animations=False)
        self.asked: list[Asked] = []
        self.wish: TreeDeparture | None = None
        self.table = TableScreen(session)
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name

    async def on_mount(self) -> None:
        """Sit down at once."""
        await self.push_screen(self.table)

    def keep(self, preferences: Preferences) -> None:
        """Remember it."""
        self.preferences = preferences
        self.asked.append(Asked("keep", preferences))

    def show_card(self, session: Session, variable: str, meaning: str) -> None:
        """Remember it."""
        self.asked.append(Asked("card", f"{variable}: {meaning}" if meaning else variable))

    async def show_tree(self, session: Session, *, untaken: bool) -> TreeDeparture | None:
        """Remember it, and answer with what was laid ready."""
        self.asked.append(Asked("tree", "untaken" if untaken else ""))
        return self.wish

    def show_inspector(self, session: Session, commit: str) -> None:
        """Remember it."""
        self.asked.append(Asked("inspector", commit))

    async def leave_table(self) -> None:
        """Remember it."""
        self.asked.append(Asked("leave"))

    async def play_again(self, view: View) -> None:
        """Remember it."""
        self.asked.append(Asked("again", view.game))


def read_screen(app: App[None]) -> str:
    """Every row of the screen as it is drawn, without colours."""
    # Textual has no public way to read the screen as text; its own snapshot tests look here too.
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


def plain_lines(lines: Sequence[Content]) -> list[str]:
    """Content without its colours."""
    return [line.plain.rstrip() for line in lines]


async def settle(pilot: Pilot[None], rounds: int = 3) -> None:
    """Let workers, messages and layouts come to rest."""
    for _ in range(rounds):
        busy = [worker for worker in pilot.app.workers if worker.group in ("turn", "asking", "leaving")]
        if busy:
            await pilot.app.workers.wait_for_complete(busy)
        await pilot.pause()
