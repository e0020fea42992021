"""The lobby in a real browser: a file dropped, a model set up by keyboard, and nothing kept of its key."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from talewright.bootstrap import open_lobby
from talewright.play.lobby import ExportForm
from talewright.play.session import wait_for_opening
from tests.faces.web.chromium import DESK, PHONE, SECRET, WATCH, browse, needs_chromium
from tests.faces.web.everyone.test_screens import find_flaws

pytestmark = [pytest.mark.browser, needs_chromium]

CANARY = "sk-canary-77aa11ff00"

DROP = """
([text, name]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], name, { type: "application/json" }));
  for (const kind of ["dragover", "drop"]) {
    const event = new DragEvent(kind, { dataTransfer: files, bubbles: true, cancelable: true });
    document.querySelector("h1").dispatchEvent(event);
  }
}
"""
"""Drops a file on the page, as a file manager does."""


async def export_campaign(saves: Path) -> bytes:
    """A campaign as a file."""
    lobby = open_lobby(saves, git=False, language="en", secret=SECRET)
    session = await lobby.begin("lantern_road", "en", "first")
    await wait_for_opening(session)
    await session.close()
    return await lobby.write_out("first", ExportForm.SAVE)


def press_until(page: Any, key: str, selector: str) -> None:
    """Press a key until something has the focus."""
    for _ in range(60):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{selector} cannot be reached by {key}")


def test_a_dropped_file_and_a_model_by_keyboard(tmp_path: Path) -> None:
    data = asyncio.run(export_campaign(tmp_path / "other"))
    with browse(tmp_path / "saves", models=True) as (server, browser):
        context = browser.new_context(viewport=DESK, locale="en-US")
        context.add_init_script(WATCH)
        page = context.new_page()
        page.goto(server.link)
        # The first visit: one sentence and one button, before anything else.
        page.goto(server.home)
        assert page.locator("button.main").inner_text() == "Begin the night"
        assert find_flaws(page) == []
        page.set_viewport_size(DESK)
        assert page.evaluate("() => document.documentElement.scrollHeight") <= DESK["height"] + 40
        page.get_by_role("link", name="See the other games").click()
        page.locator("#may-drop").wait_for()
        # A file that is too large is not sent.
        page.evaluate("() => document.getElementById('drop').setAttribute('data-bytes', '3')")
        page.evaluate(DROP, [data.decode(), "Carried over.json"])
        page.locator("#too-large").wait_for()
        page.reload()
        page.locator("#may-drop").wait_for()
        page.evaluate(DROP, [data.decode(), "Carried over.json"])
        page.wait_for_url("**/play/carried_over*")
        # The keyboard alone: to the models, to a service, its key, and the model used.
        page.goto(f"{server.home}games")
        press_until(page, "Tab", ".menu > summary")
        page.keyboard.press("Enter")
        press_until(page, "Tab", "a[href='/models']")
        page.keyboard.press("Enter")
        page.locator(".options").wait_for()
        press_until(page, "Tab", "a[href$='source=cloud']")
        page.keyboard.press("Enter")
        page.locator("input[name=key]").wait_for()
        press_until(page, "Tab", "input[name=key]")
        page.keyboard.type(CANARY)
        page.keyboard.press("Enter")
        page.locator("form[action$=skip] button").wait_for()
        press_until(page, "Tab", "form[action$=skip] button")
        page.keyboard.press("Enter")
        page.locator("form[action$=keep] button").wait_for()
        press_until(page, "Tab", "form[action$=keep] button")
        page.keyboard.press("Enter")
        page.get_by_text("is now your storyteller").wait_for()
        stored = page.evaluate("() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
        assert CANARY not in stored + page.content() + page.url + str(context.cookies())
        assert page.evaluate("() => violations") == []
        page.set_viewport_size(PHONE)
        for path in ("", "models", "models/new?source=cloud"):
            page.goto(f"{server.home}{path}")
            wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"nothing sticks out sideways: /{path}"
