"""The table in Chromium while a model tells 200 chunks a second, against a bare page streaming the same text.

What counts are tasks of more than 50 ms, in which a page answers nobody, and how far anything on the page
moves. Where the bare page has such tasks as well, the machine is too busy to tell; both are printed.
"""

import os
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.figures import at_most, report
from bench.tui_stream import write_story
from tests.faces.web.chromium import DESK, browse
from tests.faces.web.in_chromium.bare_page import WATCH_TASKS, serve_bare_page
from tests.faces.web.in_chromium.table_player import TablePlayer

ROUNDS = 3
CHUNK_LENGTH = 6
"""As the scripted model cuts its replies."""

CHUNKS = 2_000
PAUSE_SECONDS = 0.004
"""With what a chunk costs itself, about 200 a second."""

TASK_MS = 50.0
SHIFT_MAX = 0.01


def make_page(browser: Any) -> Any:
    """A page that is watched."""
    context = browser.new_context(viewport=DESK)
    context.add_init_script(WATCH_TASKS)
    return context.new_page()


def read_tasks(page: Any) -> list[float]:
    """The long tasks so far, in milliseconds."""
    return [float(one) for one in page.evaluate("() => tasks.splice(0)")]


def stream_bare(browser: Any, chunks: list[str]) -> list[float]:
    """Long tasks of the bare page."""
    with serve_bare_page((), chunks, PAUSE_SECONDS) as address:
        page = make_page(browser)
        page.goto(address)
        page.locator("body.ended").wait_for(timeout=120_000)
        tasks = read_tasks(page)
        page.context.close()
    return tasks


def stream_turn(player: TablePlayer, version: int) -> tuple[list[float], float]:
    """Long tasks and layout shift of the table in one turn."""
    page = player.page
    page.evaluate("() => { tasks.length = shifts.length = 0; }")
    page.locator("#say").fill("I listen.")
    page.keyboard.press("Enter")
    page.locator(f"#turns .turn[data-version='{version}']").wait_for(timeout=120_000)
    shift = sum(float(one) for one in page.evaluate("() => shifts"))
    return read_tasks(page), shift


def main() -> int:
    story = write_story(CHUNKS * CHUNK_LENGTH, seed=7)
    chunks = [story[at : at + CHUNK_LENGTH] for at in range(0, len(story), CHUNK_LENGTH)]
    ours: list[float] = []
    bare: list[float] = []
    shift = seconds = 0.0
    with (
        tempfile.TemporaryDirectory() as folder,
        browse(Path(folder), reply=story, pause_seconds=PAUSE_SECONDS) as (server, browser),
    ):
        player = TablePlayer.sit_down(browser, server, DESK)
        player.page.context.add_init_script(WATCH_TASKS)
        player.page.set_default_timeout(120_000)
        player.begin("solo")
        player.page.locator(".choices button").first.click()
        player.wait_for_turn(2)
        for number in range(ROUNDS):
            bare += stream_bare(browser, chunks)
            started = time.monotonic()
            tasks, moved = stream_turn(player, 3 + number)
            seconds += time.monotonic() - started
            ours, shift = ours + tasks, max(shift, moved)
    for name, tasks in (("table", ours), ("bare", bare)):
        long = sorted((one for one in tasks if one > TASK_MS), reverse=True)
        told = ", ".join(f"{one:.0f}" for one in long[:10])
        print(f"  {name}: {len(long)} tasks over {TASK_MS:.0f} ms{': ' if long else ''}{told}")
    rate = ROUNDS * CHUNKS / seconds
    print(f"  {rate:.0f} chunks a second, load average {os.getloadavg()[0]:.1f}")
    return report(
        [
            at_most("web_stream_longest_task_ms", max(ours, default=0.0), TASK_MS),
            at_most("web_stream_layout_shift", shift, SHIFT_MAX),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
