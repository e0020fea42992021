"""Opening the table of a campaign of 5,000 turns in Chromium, against one of 50 turns.

Each is opened by a server that has just been started and has opened nothing yet, in turn, until the first
paint.
"""

import asyncio
import os
import statistics
import tempfile
from pathlib import Path

from bench.figures import at_most, report
from bench.web_first_paint import time_paint
from tests.faces.web.chromium import launch_browser, serve
from tests.play.history.long_campaigns import write_campaign

ROUNDS = 5
SHORT, LONG = 50, 5_000
RATIO_MAX = 1.5


def main() -> int:
    taken: dict[str, list[float]] = {"short": [], "long": []}
    with tempfile.TemporaryDirectory() as folder:
        saves = Path(folder)
        asyncio.run(write_campaign(saves, "short", SHORT))
        asyncio.run(write_campaign(saves, "long", LONG))
        with launch_browser() as browser:
            for number in range(ROUNDS):
                for name in list(taken)[:: 1 if number % 2 else -1]:
                    with serve(saves) as server:
                        context = browser.new_context()
                        context.new_page().goto(server.make_link())
                        cookies = context.cookies()
                        context.close()
                        taken[name].append(time_paint(browser, f"{server.home}play/{name}", cookies))
    medians = {name: statistics.median(times) for name, times in taken.items()}
    for name, times in taken.items():
        print(f"  {name}: open after {medians[name]:.0f} ms, from {min(times):.0f} ms")
    print(f"  load average {os.getloadavg()[0]:.1f}")
    ratio = medians["long"] / medians["short"]
    return report([at_most("web_long_campaign_ratio", ratio, RATIO_MAX)])


if __name__ == "__main__":
    raise SystemExit(main())
