"""Inspector screen: everything recorded about one turn, as searchable lines, for authors.

It warns about spoilers before the first use. It is read-only, and sanitizes every string it shows.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static, Tab, Tabs
from textual.widgets.option_list import Option

from talewright.faces.tui.app_port import host_of, run_in_background
from talewright.faces.tui.key_bindings import INSPECTOR_KEYS, bind
from talewright.faces.tui.safe_content import describe_error, safe, safe_line
from talewright.faces.tui.widgets.dialogs import Confirm
from talewright.faces.tui.widgets.key_bar import KeyBar
from talewright.faces.tui.words.history_words import HistoryWords, history_words
from talewright.play.campaign_past import InspectionPart, InspectionView
from talewright.play.campaign_view import Viewer
from talewright.play.lobby import Lobby
from talewright.play.session import Session

LINES_SHOWN_MAX = 1_000
"""How many lines of one part are shown; `talewright inspect` prints them all."""

FOUND = "reverse"


class TurnInspector(Protocol):
    """Reads the record of a turn."""

    async def inspect(self, commit: str) -> InspectionView:
        """Return everything recorded about a turn."""


@dataclass(frozen=True)
class AuthorInspector:
    """Inspects the turns of a player's campaign as its author, in a separate session that takes no turns."""

    lobby: Lobby
    session: Session
    """The player's session."""

    async def inspect(self, commit: str) -> InspectionView:
        """Return everything recorded about a turn."""
        author = await self.lobby.open((await self.session.view()).campaign, Viewer.AUTHOR)
        try:
            return await author.past.inspect(commit)
        finally:
            await author.close()


def name_part(part: InspectionPart, words: HistoryWords) -> str:
    """Return the title of a part."""
    return words.parts.get(part.name, safe_line(part.name))


def read_lines(part: InspectionPart, raw: bool, words: HistoryWords) -> tuple[str, ...]:
    """Return the lines of a part, described in words or, where `raw` is available, as recorded."""
    if raw and part.raw is not None:
        text = json.dumps(part.raw, indent=2, ensure_ascii=False)
    else:
        text = "\n".join(part.lines)
    lines = safe(text).split("\n") if text else [words.empty]
    more = len(lines) - LINES_SHOWN_MAX
    return (*lines[:LINES_SHOWN_MAX], *((words.left_out.format(count=more),) if more > 0 else ()))


def mark(line: str, sought: str) -> Content:
    """Highlight the search text in a line."""
    content, low, wanted = Content(line), line.casefold(), sought.casefold()
    # Case folding can change a length (ß, for example). The line still matches, but nothing is highlighted.
    if not wanted or len(low) != len(line):
        return content
    at = low.find(wanted)
    while at >= 0:
        content = content.stylize(FOUND, at, at + len(wanted))
        at = low.find(wanted, at + len(wanted))
    return content


def find_lines(lines: Sequence[str], sought: str) -> tuple[int, ...]:
    """Find the lines that contain a text, ignoring case."""
    wanted = sought.casefold()
    return tuple(at for at, line in enumerate(lines) if wanted in line.casefold()) if wanted else ()


def step_to(found: Sequence[int], at: int, step: int) -> int:
    """Return the index within `found` of the next match from a line on, wrapping around at the end."""
    if step > 0:
        return next((place for place, line in enumerate(found) if line >= at), 0)
    return next((place for place in range(len(found) - 1, -1, -1) if found[place] <= at), len(found) - 1)


class InspectorScreen(Screen[None]):
    """The parts of a turn as tabs, with their lines in a searchable list."""

    BINDINGS = bind(INSPECTOR_KEYS)
    DEFAULT_CSS = """
    InspectorScreen {
        & > #head { height: 1; padding: 0 2; text-wrap: nowrap; text-overflow: ellipsis; }
        & > OptionList, & > OptionList:focus {
            height: 1fr; max-height: 1fr; border: none; padding: 0 2; background: transparent;
            scrollbar-size-vertical: 1;
        }
        & > #search { display: none; dock: bottom; height: 3; }
        & > #search.open { display: block; }
    }
    """

    def __init__(self, inspector: TurnInspector, commit: str, language: str) -> None:
        super().__init__()
        self._inspector, self._commit, self._language = inspector, commit, language
        self._words = history_words(language)
        self._parts: tuple[InspectionPart, ...] = ()
        self._lines: tuple[str, ...] = ()
        self._title = Content()
        self._raw = False
        self._sought = ""

    def compose(self) -> ComposeResult:
        yield Static(Content(self._words.looking), id="head")
        yield Tabs()
        yield OptionList(id="lines", markup=False)
        yield Input(placeholder=self._words.search_hint, id="search")
        yield KeyBar()

    def on_mount(self) -> None:
        """Warn once, then load the record."""
        self.query_one(KeyBar).show(INSPECTOR_KEYS, self._language)
        self.query_one("#lines").focus()
        run_in_background(self, self._enter, "looking")

    async def _enter(self) -> None:
        host, words = host_of(self), self._words
        if not host.preferences.inspector:
            warning = Confirm(
                Content(words.inspector_warning), Content(words.inspector_text), words.show, words.back
            )
            if not await self.app.push_screen_wait(warning):
                self.dismiss(None)
                return
            host.keep(replace(host.preferences, inspector=True))
        try:
            found = await self._inspector.inspect(self._commit)
        except Exception as error:
            self.query_one("#head", Static).update(describe_error(error, words.wrong, words.wrong_hint))
            return
        self._title = Content.styled(words.inspector.format(turn=found.version), "bold $primary")
        self.query_one("#head", Static).update(self._title)
        self._parts = found.parts
        tabs = self.query_one(Tabs)
        for at, part in enumerate(found.parts):
            await tabs.add_tab(Tab(Content(name_part(part, words)), id=f"part-{at}"))

    def on_tabs_tab_activated(self) -> None:
        """Show the selected part."""
        self._show()

    def _at(self) -> int:
        active = self.query_one(Tabs).active
        return int(active.removeprefix("part-")) if active else 0

    def _show(self) -> None:
        self._lines = read_lines(self._parts[self._at()], self._raw, self._words)
        lines = self.query_one("#lines", OptionList)
        lines.set_options(Option(mark(line, self._sought)) for line in self._lines)
        lines.highlighted = 0

    def action_part(self, step: int) -> None:
        """Go to the next or the previous part."""
        tabs = self.query_one(Tabs)
        if step > 0:
            tabs.action_next_tab()
        else:
            tabs.action_previous_tab()

    def action_raw(self) -> None:
        """Switch between the raw record and its description in words."""
        self._raw = not self._raw
        if self._parts:
            self._show()

    def action_search(self) -> None:
        """Open the search field."""
        search = self.query_one("#search", Input)
        search.add_class("open")
        search.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Search from the current line on."""
        self._sought = event.value.strip()
        self._close_search()
        if self._parts:
            lines = self.query_one("#lines", OptionList)
            at = lines.highlighted or 0
            self._show()
            lines.highlighted = at
            self._find(at, 1)

    def action_again(self, step: int) -> None:
        """Go to the next or the previous match."""
        self._find((self.query_one("#lines", OptionList).highlighted or 0) + step, step)

    def _find(self, at: int, step: int) -> None:
        words, found = self._words, find_lines(self._lines, self._sought)
        if found:
            place = step_to(found, at, step)
            self.query_one("#lines", OptionList).highlighted = found[place]
            told = words.found.format(at=place + 1, count=len(found))
        else:
            told = words.found_none
        self.query_one("#head", Static).update(Content.assemble(self._title, f"{words.join}{told}"))

    def _close_search(self) -> None:
        self.query_one("#search").remove_class("open")
        self.query_one("#lines").focus()

    def action_back(self) -> None:
        """Close the search, or the screen."""
        if self.query_one("#search").has_class("open"):
            self._close_search()
        else:
            self.dismiss(None)
