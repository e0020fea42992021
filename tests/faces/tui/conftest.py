"""What the tests of the terminal share: style sheets, which Textual otherwise parses again for every app.

Each test starts an app of its own, and the sheets of its widgets are the same every time.
"""

from collections.abc import Iterator

import pytest
from textual.cache import LRUCache
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

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
