"""Every screen of the browser, and how to get there: what axe-core walks through.

Pages that another page links to are found by themselves; others are a line of PAGES. A new state of the table
is a function in STATES.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.faces.web.everyone.counted_server import HOLD
from tests.faces.web.everyone.shared_browser import SharedBrowser, wait_for_turn

PAGES = (
    "{table}",
    "/",
    "/games",
    "/offline",
    "{table}/reading",
    "/models",
    "/models/new?source=cloud",
    "/author",
    "/play/nowhere",
)
"""Where to begin; `{table}` is a campaign with two turns. A page that is missing shows the error page."""

SKIPPED = ("/api/", "/static/", "/offline/")
"""Addresses that are no pages."""


def list_links(page: Any) -> list[str]:
    """The pages that a page links to."""
    found = page.evaluate(
        "() => [...document.links].filter((one) => one.origin === location.origin && !one.download)"
        ".map((one) => one.pathname + one.search)"
    )
    return [one for one in dict.fromkeys(found) if not (one.startswith(SKIPPED) or one.endswith("/download"))]


def kind_of(path: str) -> str:
    """What pages of one kind have in common: their address without names, ids and questions."""
    path = re.sub(r"^/play/[^/]+", "/play", path.partition("?")[0])
    return re.sub(r"/[0-9a-f]{12,}", "/id", re.sub(r"/(cards|values)/.*", r"/\1", path))


def show_choices(shared: SharedBrowser, page: Any) -> None:
    """A table where the player chooses."""
    shared.start(page, "solo")


def open_display(shared: SharedBrowser, page: Any) -> None:
    """The display choices over the lobby."""
    page.goto(shared.address("/games"))
    page.locator(".menu > summary").click()
    page.locator(".display summary").click()


def ask_decision(shared: SharedBrowser, page: Any) -> None:
    """A table with a question that has to be answered."""
    show_choices(shared, page)
    page.locator(".choices button").first.click()
    wait_for_turn(page, 2)
    page.locator("#say").fill("I throw her the rope.")
    page.keyboard.press("Enter")
    page.locator(".decision").wait_for()


def be_waiting(shared: SharedBrowser, page: Any) -> None:
    """A turn that is being told."""
    show_choices(shared, page)
    hold_of(shared).touch()
    page.locator(".choices button").first.click()
    page.locator("#live .narration p", has_text="The second").wait_for()


def show_message(shared: SharedBrowser, page: Any) -> None:
    """An input that led to no turn."""
    shared.start(page, "solo")
    page.evaluate(
        """() => {
            document.querySelector(".choices button").value = "nothing";
        }"""
    )
    page.locator(".choices button").first.click()
    page.locator("#message").wait_for()


STATES: Mapping[str, Callable[[SharedBrowser, Any], None]] = {
    "display": open_display,
    "decision": ask_decision,
    "waiting": be_waiting,
    "message": show_message,
}


def hold_of(shared: SharedBrowser) -> Path:
    """The file that holds the model."""
    return shared.server.saves / HOLD
