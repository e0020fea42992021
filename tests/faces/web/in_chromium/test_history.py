"""Looking back in a real browser, on a phone and on a desk: undo, fork, compare, and a click in the tree."""

from typing import Any

import pytest

from tests.faces.web.chromium import DESK, PHONE, ServedPages, needs_chromium
from tests.faces.web.in_chromium.table_player import STICKING_OUT, TablePlayer

pytestmark = needs_chromium


def choose(player: TablePlayer, at: int = 0) -> None:
    before = player.version
    player.page.locator(".choices button").nth(at).click()
    player.wait_for_turn(before + 1)


def check_fit(player: TablePlayer) -> None:
    """Nothing sticks out sideways, and nothing was refused by the policy."""
    assert player.page.evaluate(STICKING_OUT) <= 0
    assert player.page.evaluate("() => violations") == []


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_one_looks_back_and_goes_another_way(browser: Any, scenes: ServedPages, size: dict[str, int]) -> None:
    player = TablePlayer.sit_down(browser, scenes, size)
    page = player.page
    player.begin("mist_harbor")
    for _ in range(3):
        choose(player)
    page.locator("form[action$=undo] button").click()
    player.wait_for_newest(3)
    choose(player)
    assert page.locator(".spark").count() > 0
    check_fit(player)

    # A click on a sign in the drawing, not on the words beside it.
    page.locator("#menu > summary").click()
    page.locator(".menu-list a[href$=history]").click()
    sign = page.locator(".limbs circle.turn").nth(2).bounding_box()
    page.mouse.click(sign["x"] + sign["width"] / 2, sign["y"] + sign["height"] / 2)
    page.locator("#chosen-head", has_text="Turn 2").wait_for()
    check_fit(player)
    page.locator("#fork-name").fill("aside")
    page.locator("form[action$=fork] button").click()
    player.wait_for_newest(2)
    choose(player, 1)
    table = page.url.partition("#")[0]

    page.goto(f"{table}/compare")
    page.locator("select[name=one]").select_option("main")
    page.locator("select[name=other]").select_option("aside")
    page.locator(".pair button").click()
    page.locator(".side .turn").first.wait_for()
    one, other = (side.bounding_box() for side in page.locator(".side").all())
    assert (one["y"] == other["y"]) is (size is DESK), "side by side where there is room"
    assert [side.locator(".turn").count() for side in page.locator(".side").all()] == [2, 1]
    check_fit(player)

    # By keyboard: back to the other branch.
    page.goto(f"{table}/history")
    page.locator(".rows a", has_text="main").focus()
    page.keyboard.press("Enter")
    page.locator("form[action$=switch] button").focus()
    page.keyboard.press("Enter")
    player.wait_for_newest(4)
    for name in ("book", "receipts"):
        page.goto(f"{table}/{name}")
        check_fit(player)
    player.leave()
