"""A server and a browser for many tests: a login link works once, so its cookies are shared."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faces.web.chromium import DESK, WATCH
from tests.faces.web.everyone.counted_server import CountedServer


@dataclass
class SharedBrowser:
    """A server, and a browser that is logged in."""

    server: CountedServer
    browser: Any
    cookies: Any

    def context(self, size: dict[str, int] = DESK, **options: Any) -> Any:
        """A new profile of the browser, logged in and otherwise empty."""
        made = self.browser.new_context(
            **{"viewport": size, "locale": "en-US", "storage_state": self.cookies, **options}
        )
        made.add_init_script(WATCH)
        return made

    def address(self, path: str) -> str:
        """The address of a path."""
        return f"{self.server.home.rstrip('/')}{path}"

    def start(self, page: Any, game: str, language: str = "en") -> None:
        """Start a game in a page and wait for its first turn."""
        page.goto(self.address("/games"))
        form = page.locator(f"li.game:has(input[value={game}])")
        if form.locator("select").count():
            form.locator("select").select_option(language)
        form.locator("button").click()
        page.locator("html[data-live] #turns .turn").first.wait_for()


@contextmanager
def serve_shared(saves: Path, kind: str, browser: Any) -> Iterator[SharedBrowser]:
    """A server, and the browser logged in to it."""
    server = CountedServer(saves, {"kind": kind})
    server.start()
    try:
        first = browser.new_context(locale="en-US")
        entering = first.new_page()
        entering.goto(server.link)
        entering.close()
        cookies = first.storage_state()
        first.close()
        yield SharedBrowser(server, browser, cookies)
    finally:
        server.kill()


def path_of(page: Any) -> str:
    """The path of a page."""
    return str(page.evaluate("() => location.pathname"))


def wait_for_turn(page: Any, version: int) -> None:
    """Wait until a turn is told and the next can be taken."""
    page.locator(f"#turns .turn[data-version='{version}']").wait_for()
    page.locator("#actions").wait_for()


TEXT_HAS = """async (address, text) => (await (await caches.match(address))?.text() || "").includes(text)"""
"""Whether a cache holds an answer with a text."""

WAIT_MS_MAX = 30_000


def wait_until(page: Any, condition: str, *given: Any) -> None:
    """Wait until an async function returns true; `wait_for_function` takes its promise for true."""
    loop = f"""async ([given, most]) => {{
        for (const end = performance.now() + most; !(await ({condition})(...given)); ) {{
            if (performance.now() > end) return false;
            await new Promise((next) => setTimeout(next, 50));
        }}
        return true;
    }}"""
    assert page.evaluate(loop, [list(given), WAIT_MS_MAX]), f"not yet: {condition} {given}"


def check_quiet(page: Any) -> None:
    """Nothing was refused by the policy."""
    assert page.evaluate("() => violations") == []
