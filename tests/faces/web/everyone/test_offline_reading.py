"""Reading offline in a real browser: what is kept, shown while the server is away, and cleared."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.bootstrap.serving.processes import serve_command
from tests.faces.web.chromium import PHONE, needs_chromium
from tests.faces.web.everyone.counted_server import PART_TURNS
from tests.faces.web.everyone.shared_browser import (
    TEXT_HAS,
    SharedBrowser,
    check_quiet,
    path_of,
    wait_for_turn,
    wait_until,
)

pytestmark = needs_chromium

KEPT = """async () => {
    const found = [];
    for (const name of await caches.keys()) {
        for (const request of await (await caches.open(name)).keys()) {
            const url = new URL(request.url);
            found.push(url.pathname + url.search);
        }
    }
    return found;
}"""
"""The addresses of everything in the caches of the origin."""

HOLDS = f"""async (address, is_kept) => (await ({KEPT})()).includes(address) === is_kept"""
PARTS_KEPT = f"""async (start, count) =>
    (await ({KEPT})()).filter((one) => one.startsWith(start)).length === count"""
NOTHING_KEPT = "async () => (await caches.keys()).length === 0"
LINK_OF = "async (address) => (await caches.match(address)).headers.get('Link')"
FILES = {"/offline", "/offline/page.css", "/offline/speech.js", "/offline/icon.svg"}


def play(page: Any, version: int) -> None:
    page.locator(".choices button").first.click()
    wait_for_turn(page, version)


def remove(page: Any, table: str) -> None:
    """Remove a campaign, as a page of the server would."""
    name = table.rpartition("/")[2]
    gone = page.evaluate(
        "async (at) => (await fetch(at, {method: 'DELETE'})).status", f"/api/campaigns/{name}"
    )
    assert gone == 200


def test_stories_are_kept_shown_and_cleared(scenes: SharedBrowser) -> None:
    page = scenes.context(PHONE).new_page()
    scenes.start(page, "lantern_road")
    road = path_of(page)
    play(page, 2)
    wait_until(page, TEXT_HAS, f"{road}/reading", 'data-version="2"')
    scenes.start(page, "mist_harbor")
    harbor = path_of(page)
    wait_until(page, HOLDS, f"{harbor}/reading", True)
    wait_until(page, TEXT_HAS, "/offline", f"{harbor}/reading")
    assert set(page.evaluate(KEPT)) == FILES | {f"{road}/reading", f"{harbor}/reading"}
    check_quiet(page)

    scenes.server.kill()
    page.goto(scenes.server.home)
    assert page.locator("h1").inner_text() == "The server cannot be reached"
    assert page.locator("main a[href$=reading]").count() == 2
    page.goto(scenes.address(f"{road}#now"))
    assert page.locator(".turn").count() == 2
    assert page.locator("main form, main textarea").count() == 0
    style = page.evaluate("() => getComputedStyle(document.querySelector('.narration')).fontFamily")
    assert "Literata" in style, "the style sheet is kept too"
    check_quiet(page)

    scenes.server.start()
    # Removed elsewhere: the next visit of the lobby clears it.
    page.goto(scenes.server.home)
    remove(page, road)
    page.reload()
    wait_until(page, HOLDS, f"{road}/reading", False)
    assert f"{harbor}/reading" in page.evaluate(KEPT)
    # Removed while its table is open: its own address is gone.
    page.goto(scenes.address(harbor))
    remove(page, harbor)
    page.reload()
    wait_until(page, HOLDS, f"{harbor}/reading", False)
    check_quiet(page)
    page.context.close()


def test_a_new_token_and_logging_out_clear_everything(scenes: SharedBrowser) -> None:
    page = scenes.context(PHONE).new_page()
    scenes.start(page, "lantern_road")
    kept = f"{path_of(page)}/reading"
    wait_until(page, TEXT_HAS, "/offline", kept)
    # A cookie of another token is refused. The login page is shown, and kept nowhere.
    page.context.clear_cookies()
    page.goto(scenes.server.home)
    assert "login link" in page.locator("body").inner_text()
    wait_until(page, NOTHING_KEPT)
    # Whoever logs out ends a session: not the one that all tests share.
    page.goto(scenes.server.make_link())
    page.goto(scenes.address(kept.removesuffix("/reading")))
    wait_until(page, TEXT_HAS, "/offline", kept)
    page.goto(scenes.address("/games"))
    page.locator(".menu > summary").click()
    page.locator(".display summary").click()
    page.get_by_role("button", name="Log out").click()
    page.get_by_text("login link").wait_for()
    wait_until(page, NOTHING_KEPT)
    page.context.close()


@pytest.mark.process
def test_a_server_with_a_new_token_has_another_address_and_the_old_one_keeps_nothing(
    browser: Any, tmp_path: Path
) -> None:
    with serve_command(tmp_path) as server:
        page = browser.new_context(viewport=PHONE, locale="en-US").new_page()
        page.goto(server.link)
        page.goto(f"{server.origin}/games")
        page.locator("li.game:has(input[value=lantern_road]) button").click()
        page.locator("html[data-live] #turns .turn").first.wait_for()
        old = server.origin
        assert page.url.startswith(old)
        wait_until(page, TEXT_HAS, "/offline", f"{path_of(page)}/reading")
        port = str(server.port)
    with serve_command(tmp_path, "--port", port, token="another-token-0123456789") as server:
        assert server.origin != old
        assert page.goto(f"{old}/").status == 421
        wait_until(page, NOTHING_KEPT)
        page.context.close()


PRETEND = """async ([address, headers]) => {
    const cache = await caches.open((await caches.keys())[0]);
    const kept = await cache.match(address);
    const all = { ...Object.fromEntries(kept.headers), ...headers };
    await cache.put(address, new Response(await kept.text(), { headers: all }));
}"""
"""Pretends that something was kept with other headers."""


def is_unreachable_after_a_month(page: Any, home: str) -> bool:
    """Whether nothing is shown any more; what the worker was just writing may come in between."""
    for _ in range(10):
        page.evaluate(PRETEND, ["/offline", {"date": "Mon, 16 Nov 2020 12:00:00 GMT"}])
        try:
            page.goto(home)
        except Exception as error:
            return bool(re.search(r"ERR_FAILED|ERR_CONNECTION", str(error)))
    return False


def test_what_is_kept_has_bounds(scenes: SharedBrowser) -> None:
    page = scenes.context(PHONE).new_page()
    scenes.start(page, "lantern_road")
    reading = f"{path_of(page)}/reading"
    for version in range(2, 2 * PART_TURNS + 2):
        play(page, version)
    wait_until(page, TEXT_HAS, reading, f'data-version="{2 * PART_TURNS + 1}"')
    wait_until(page, TEXT_HAS, "/offline", reading)
    # The newest part is written first, then the older ones.
    wait_until(page, PARTS_KEPT, f"{reading}?before=", 2)
    parts = [one for one in page.evaluate(KEPT) if one.startswith(f"{reading}?before=")]
    first, second = parts if "rel" in str(page.evaluate(LINK_OF, parts[0])) else parts[::-1]
    # A part so large that nothing before it fits any more.
    page.evaluate(PRETEND, [first, {"content-length": "1000000"}])
    page.reload()
    wait_until(page, HOLDS, second, False)
    assert first in page.evaluate(KEPT)
    # A month without a visit.
    scenes.server.kill()
    assert is_unreachable_after_a_month(page, scenes.server.home)
    scenes.server.start()
    page.goto(scenes.server.home)
    assert not [one for one in page.evaluate(KEPT) if "reading" in one]
    page.context.close()
