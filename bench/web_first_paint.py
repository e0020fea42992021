"""The first paint of a table in Chromium, against a bare page with the same text, both on loopback.

The table shows the last turns of a campaign with its cards and choices. Both pages are opened in turn, each
in a fresh browser context, so that nothing is cached.
"""

import asyncio
import os
import statistics
import tempfile
from pathlib import Path
from typing import Any

from bench.figures import at_most, report
from tests.faces.web.chromium import DESK, browse
from tests.faces.web.in_chromium.bare_page import FIRST_PAINT, serve_bare_page
from tests.play.history.long_campaigns import write_campaign

ROUNDS = 11
TURNS = 50
MORE_MS_MAX = 300.0


def time_paint(browser: Any, address: str, cookies: Any = ()) -> float:
    """Milliseconds to the first paint of a page, in a browser that has not seen it."""
    context = browser.new_context(viewport=DESK)
    context.add_cookies(list(cookies))
    page = context.new_page()
    page.goto(address)
    taken = float(page.evaluate(FIRST_PAINT))
    context.close()
    return taken


def main() -> int:
    taken: dict[str, list[float]] = {"table": [], "bare": []}
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(write_campaign(Path(folder), "harbor", TURNS))
        with browse(Path(folder)) as (server, browser):
            table = f"{server.home}play/harbor"
            context = browser.new_context()
            page = context.new_page()
            page.goto(server.make_link())
            page.goto(table)
            told = page.locator(".narration p").all_text_contents()
            cookies = context.cookies()
            context.close()
            with serve_bare_page(told, (), 0.0) as bare_page:
                for _ in range(ROUNDS):
                    taken["bare"].append(time_paint(browser, bare_page))
                    taken["table"].append(time_paint(browser, table, cookies))
    medians = {name: statistics.median(times) for name, times in taken.items()}
    for name, times in taken.items():
        print(f"  {name}: first paint after {medians[name]:.0f} ms, from {min(times):.0f} ms")
    print(f"  load average {os.getloadavg()[0]:.1f}")
    more = medians["table"] - medians["bare"]
    return report([at_most("web_first_paint_more_ms", more, MORE_MS_MAX)])


if __name__ == "__main__":
    raise SystemExit(main())
