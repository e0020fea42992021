"""axe-core finds nothing on any screen, in both themes, on a phone and on a desk; and what it cannot see."""

from typing import Any

import pytest

from tests.faces.web.chromium import DESK, PHONE, needs_chromium
from tests.faces.web.everyone.screens import PAGES, STATES, hold_of, kind_of, list_links
from tests.faces.web.everyone.shared_browser import SharedBrowser, check_quiet, path_of, wait_for_turn

pytestmark = needs_chromium

PLAY_TO_THE_END = """async (campaign) => {
    for (;;) {
        const view = await (await fetch(`${campaign}/view`)).json();
        if (view.end) return;
        const body = { kind: "choose", choice: view.choices.at(-1).id, operation_id: crypto.randomUUID() };
        const headers = { "Content-Type": "application/json" };
        await fetch(`${campaign}/turns?wait=20`, { method: "POST", headers, body: JSON.stringify(body) });
    }
}"""


def find_flaws(page: Any) -> list[str]:
    """Violations in either size and theme: colours do not depend on the size, nor places on the theme."""
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

    found = []
    page.evaluate(Axe().axe_script)
    for size, theme in ((PHONE, "light"), (DESK, "dark")):
        page.set_viewport_size(size)
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        for one in page.evaluate("() => axe.run({ resultTypes: ['violations'] })")["violations"]:
            nodes = [node["html"][:200] for node in one["nodes"]]
            found.append(f"{page.url} {theme}: {one['id']}, {one['help']}: {nodes}")
        wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            found.append(f"{page.url} sticks out sideways by {wide} of {size['width']}")
    return found


@pytest.mark.timeout(300)
def test_every_page_is_accessible(scenes: SharedBrowser) -> None:
    page = scenes.context(locale="zh-CN").new_page()
    scenes.start(page, "mist_harbor", "zh-CN")
    page.locator(".choices button").first.click()
    wait_for_turn(page, 2)
    table = path_of(page)
    page.goto(scenes.address("/author"))
    page.locator("form.begin button").click()
    page.locator("#turns .turn").wait_for()
    waiting = [path_of(page), *(path.format(table=table) for path in PAGES)]
    seen: set[str] = set()
    flaws: list[str] = []
    while waiting:
        path = waiting.pop(0)
        if kind_of(path) in seen:
            continue
        seen.add(kind_of(path))
        status = page.goto(scenes.address(path)).status
        if (status == 200) == (path == "/play/nowhere"):
            flaws.append(f"{path}: {status}")
        flaws += find_flaws(page)
        check_quiet(page)
        waiting += list_links(page)
    assert flaws == []
    looking_back = {"/play/history", "/play/compare", "/play/book", "/play/receipts", "/play/cards"}
    assert {"/", "/games", "/play", "/play/author", "/play/inspect", "/play/reading", "/models"} <= seen
    assert looking_back <= seen
    page.context.close()
    stranger = scenes.browser.new_context().new_page()
    stranger.goto(scenes.server.home)
    assert find_flaws(stranger) == []
    stranger.context.close()


@pytest.mark.parametrize("state", STATES)
def test_every_state_of_the_table_is_accessible(held: SharedBrowser, state: str) -> None:
    page = held.context().new_page()
    try:
        STATES[state](held, page)
        assert find_flaws(page) == []
    finally:
        hold_of(held).unlink(missing_ok=True)
    page.context.close()


def test_an_ending_is_accessible(scenes: SharedBrowser) -> None:
    page = scenes.context().new_page()
    scenes.start(page, "chapel_watch")
    page.evaluate(PLAY_TO_THE_END, f"/api/campaigns/{path_of(page).rpartition('/')[2]}")
    page.locator(".ending").wait_for()
    assert find_flaws(page) == []
    page.context.close()


def test_contrast_motion_and_text_size_follow_the_system(scenes: SharedBrowser) -> None:
    page = scenes.context(forced_colors="active", reduced_motion="reduce", contrast="more").new_page()
    scenes.start(page, "lantern_road")
    read = "([find, name, pseudo]) => getComputedStyle(document.querySelector(find), pseudo || null)[name]"
    page.evaluate("() => { document.getElementById('waiting').hidden = false; }")
    assert page.evaluate(read, [".pulse", "animationName", ""]) == "none"
    # The system's own colours reach what is drawn: the meter is filled with the highlight.
    assert page.evaluate("() => matchMedia('(forced-colors: active)').matches")
    check_focus = page.locator(".choices button").first
    check_focus.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.context.close()

    page = scenes.context(contrast="more", color_scheme="light").new_page()
    page.goto(scenes.address("/games"))
    assert page.evaluate(read, ["body", "color", ""]) == "rgb(0, 0, 0)"
    small = float(page.evaluate(read, ["body", "fontSize", ""]).removesuffix("px"))
    page.locator(".menu > summary").click()
    page.locator(".display summary").click()
    page.locator("select[name=size]").select_option("large")
    page.locator(".display button").first.click()
    page.locator("html[data-size=large]").wait_for()
    assert float(page.evaluate(read, ["body", "fontSize", ""]).removesuffix("px")) > small * 1.15
    page.context.close()
