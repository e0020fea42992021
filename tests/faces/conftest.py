"""What the tests of the terminal share: style sheets, which Textual otherwise parses again for every app.

Each test starts an app of its own, and the sheets of its widgets are the same every time. Frames that no test
reads are not drawn.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual._compositor import Compositor
from textual.app import App
from textual.cache import LRUCache
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot
from textual.screen import Screen

SHEETS_MAX = 4096
"""How many parsed sheets are kept for one set of colours; there are about a hundred."""

Variables = dict[str, str]
ParsedSheets = LRUCache[tuple[object, ...], list[RuleSet]]


@pytest.fixture(autouse=True, scope="session")
def share_parsed_sheets() -> Iterator[None]:
    """Parse every sheet once for each set of variables, which is all that parsing depends on."""
    shared: dict[frozenset[tuple[str, str]], ParsedSheets] = {}
    start, set_variables = Stylesheet.__init__, Stylesheet.set_variables

    def find_parsed(variables: Variables) -> ParsedSheets:
        return shared.setdefault(frozenset(variables.items()), LRUCache(SHEETS_MAX))

    def start_shared(self: Stylesheet, *, variables: Variables | None = None) -> None:
        start(self, variables=variables)
        self._parse_cache = find_parsed(variables or {})

    def set_shared(self: Stylesheet, variables: Variables) -> None:
        # Textual empties the one it finds.
        self._parse_cache = LRUCache(1)
        set_variables(self, variables)
        self._parse_cache = find_parsed(variables)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "__init__", start_shared)
        patch.setattr(Stylesheet, "set_variables", set_shared)
        yield


@pytest.fixture(autouse=True, scope="session")
def draw_what_is_read() -> Iterator[None]:
    """Draw what tests read, dialogs over their screens and the last frame of every app.

    Textual draws every frame, a third of the processor time, and without a terminal throws it away.
    """
    draw, run_test = Compositor.render_update, App.run_test

    def draw_if_read(
        self: Compositor, full: bool = False, screen_stack: list[Screen[Any]] | None = None, **how: Any
    ) -> object:
        # Only here are dialogs told which screens are behind them.
        if full or screen_stack:
            return draw(self, full, screen_stack, **how)
        self._dirty_regions.clear()
        return None

    @asynccontextmanager
    async def run_and_draw(self: App[Any], **how: Any) -> AsyncIterator[Pilot[Any]]:
        async with run_test(self, **how) as pilot:
            yield pilot
            if self.is_running:
                self.screen._compositor.render_strips()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Compositor, "render_update", draw_if_read)
        patch.setattr(App, "run_test", run_and_draw)
        yield
