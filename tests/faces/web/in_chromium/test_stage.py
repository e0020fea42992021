"""The table as a stage in Chromium: the line, the choices at hand, keys, the sheet, the menu."""

from typing import Any

import pytest

from tests.faces.web.chromium import DESK, PHONE, ServedPages, needs_chromium
from tests.faces.web.in_chromium.stage_walks import (
    LOOK,
    SIZES,
    check_returns,
    check_stage,
    seat,
    walk_stage,
)
from tests.faces.web.in_chromium.table_player import TablePlayer

pytestmark = needs_chromium

TURNS = 4
SEED = 37
GAMES = {"phone": "goblin_road", "tablet": "dusty_tankard", "desk": "chapel_watch", "wide": "lantern_road"}
REST_SHARE_MAX = 0.3


@pytest.mark.parametrize("size", SIZES)
def test_each_turn_starts_on_its_line_with_choices_at_hand(
    browser: Any, scenes: ServedPages, size: str
) -> None:
    with seat(browser, scenes, size) as player:
        assert walk_stage(player, size, GAMES[size], TURNS, SEED) == TURNS
        check_returns(player, size)


def test_the_sheet_of_a_phone_rests_opens_and_covers_nothing(browser: Any, scenes: ServedPages) -> None:
    with seat(browser, scenes, "phone") as player:
        page = player.page
        player.begin("dusty_tankard")
        page.evaluate("() => document.querySelectorAll('.choices li button')[1].click()")
        player.wait_for_turn(2)
        rested = page.evaluate(LOOK)
        assert PHONE["height"] - rested["foot"] <= REST_SHARE_MAX * PHONE["height"] + 1
        assert page.locator("#sheet").get_attribute("aria-expanded") == "false"
        page.locator("#sheet").click()
        assert page.locator("#sheet").get_attribute("aria-expanded") == "true"
        page.wait_for_function(
            "(before) => document.getElementById('foot').getBoundingClientRect().top < before - 100",
            arg=rested["foot"],
        )
        assert page.evaluate(LOOK)["top"] == rested["top"], "the story stands still"
        page.keyboard.press("Escape")
        # Reading on to the end brings up the rest, below the last line.
        page.evaluate("() => document.querySelector('.free').scrollIntoView({ block: 'end' })")
        last, foot = page.evaluate(
            "() => ['#now + .turn .narration p:last-child', '#foot'].map((one) => "
            "[...document.querySelectorAll(one)].at(-1).getBoundingClientRect())"
        )
        assert last["bottom"] <= foot["top"]
        assert page.locator(".choices li button").last.is_visible()


def test_digits_choose_unless_one_writes_or_has_turned_them_off(browser: Any, scenes: ServedPages) -> None:
    with seat(browser, scenes, "desk") as player:
        page = player.page
        player.begin("lantern_road")
        second = page.locator(".choices .label").nth(1).inner_text()
        page.keyboard.press("2")
        player.wait_for_turn(2)
        assert player.newest.locator(".said").text_content().endswith(second)
        # In the field a digit is written; Enter then chooses, as in the terminal.
        third = page.locator(".choices .label").nth(2).inner_text()
        page.locator("#say").focus()
        page.keyboard.press("3")
        assert page.locator("#say").input_value() == "3"
        page.keyboard.press("Enter")
        player.wait_for_turn(3)
        assert player.newest.locator(".said").text_content().endswith(third)
        page.locator("#menu > summary").click()
        page.locator("#menu .display summary").click()
        page.locator("#menu select[name=keys]").select_option("off")
        page.locator("#menu .display form button").click()
        page.locator("html[data-keys=off][data-live]").wait_for()
        page.evaluate(
            "() => { window.sent = 0; const real = fetch;"
            " window.fetch = (...given) => { sent += 1; return real(...given); }; }"
        )
        page.keyboard.press("1")
        assert page.evaluate("() => [sent, document.getElementById('waiting').hidden]") == [0, True]
        check_stage(player, "desk", "after a change of keys")


def test_what_was_refused_is_said_beside_the_input(browser: Any, scenes: ServedPages) -> None:
    with seat(browser, scenes, "phone") as player:
        page = player.page
        player.begin("chapel_watch")
        page.locator("#say").fill("qwxz")
        page.keyboard.press("Enter")
        message = page.locator("#message")
        message.wait_for()
        box = message.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= PHONE["height"]
        assert page.locator("#say").input_value() == "qwxz"


def test_it_works_at_twice_the_size_and_on_the_smallest_window(browser: Any, scenes: ServedPages) -> None:
    for size in ({"width": 640, "height": 450}, {"width": 320, "height": 640}):
        player = TablePlayer.sit_down(browser, scenes, DESK)
        player.begin("goblin_road")
        player.page.set_viewport_size(size)
        player.page.reload()
        player.wait_for_newest(1)
        found = player.page.evaluate(LOOK)
        assert found["wide"] <= 0
        assert found["seen"] >= 2, found
        assert found["foot"] > found["top"]
        player.page.context.close()
