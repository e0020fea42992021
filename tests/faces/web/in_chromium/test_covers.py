"""The picture above a story: after a turn a dial moves once and rests; without motion, it jumps."""

from typing import Any

import pytest

from tests.faces.web.chromium import DESK, ServedPages, needs_chromium
from tests.faces.web.in_chromium.table_player import TablePlayer

pytestmark = needs_chromium

SECONDS_MAX = 0.8

PARTS = """() => Object.fromEntries([...document.querySelectorAll(".band [data-part]")].map(
    (part) => [part.dataset.part, part.getAttribute("transform")]))"""

WATCH_MOVES = """() => {
    window.moves = [];
    document.addEventListener("transitionrun", (event) => {
        if (!event.target.dataset?.part) return;
        const name = event.propertyName;
        const moving = event.target.getAnimations().find((one) => one.transitionProperty === name);
        const timing = moving.effect.getComputedTiming();
        window.moves.push([event.target.dataset.part, name, timing.endTime, timing.iterations]);
    });
}"""

REST = """() => Promise.all(document.getAnimations().map((one) => one.finished)).then(
    () => [...document.querySelectorAll(".band [data-part]")].flatMap((one) => one.getAnimations()).length)"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_dial_moves_once_and_rests(browser: Any, scenes: ServedPages, motion: str) -> None:
    player = TablePlayer.sit_down(browser, scenes, DESK)
    page = player.page
    page.emulate_media(reduced_motion=motion)
    player.begin("lantern_road")
    page.evaluate(WATCH_MOVES)
    before = page.evaluate(PARTS)
    for turn in range(2, 8):
        page.locator(".choices button").first.click()
        player.wait_for_turn(turn)
        if page.evaluate(PARTS) != before:
            break
    assert page.evaluate(PARTS) != before, "time passes, and the moon climbs"
    assert page.evaluate(REST) == 0
    moves = page.evaluate("() => moves")
    assert bool(moves) is (motion == "no-preference")
    assert {name for _, name, _, _ in moves} <= {"transform", "opacity"}
    assert all(end <= SECONDS_MAX * 1000 and times == 1 for _, _, end, times in moves)
    # What a script moved is what the server draws.
    moved = page.evaluate(PARTS)
    page.reload()
    page.locator("html[data-live]").wait_for()
    assert page.evaluate(PARTS) == moved
    player.leave()
