"""Games in Chromium, on a phone and a desk: scenes, a setup and a check, a fight, a town."""

from typing import Any

import pytest

from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, Say
from tests.faces.web.chromium import PHONE, ServedPages, needs_chromium
from tests.faces.web.in_chromium.scripted_storyteller import SOLO, read_turns
from tests.faces.web.in_chromium.table_player import SIZES, TablePlayer

pytestmark = [needs_chromium, pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)]

SPIRAL = (
    *[turn.given.text for turn in read_turns(SOLO)[:7] if isinstance(turn.given, Say)],
    "It is a good rope, and slack water.",
)
"""What is said to make a character, to try something, and against the check that it needs."""

TURNS = 6
RUMOUR = "I ask Mrs Prewitt what people talk about here"
WALK = "I walk over to the square and look at the beadle's house"


def test_mist_harbor_by_scenes_to_an_ending(browser: Any, scenes: ServedPages, size: dict[str, int]) -> None:
    player = TablePlayer.sit_down(browser, scenes, size)
    player.begin("mist_harbor")
    choices = player.page.locator(".choices button")
    # To the end on a phone; elsewhere, a few turns.
    while choices.count() and (size is PHONE or player.version < TURNS):
        before = player.version
        choices.last.click()
        player.wait_for_turn(before + 1)
    if size is not PHONE:
        player.leave()
        return
    assert player.version > 15
    assert player.page.locator(".ending h2").inner_text() == "The end"
    assert player.page.locator(".keep a").count() == 3
    player.leave()


def test_the_spirals_setup_and_a_contested_check(
    browser: Any, told: ServedPages, size: dict[str, int]
) -> None:
    player = TablePlayer.sit_down(browser, told, size)
    player.begin("solo")
    *setup, pull, contest = SPIRAL
    for said in setup:
        player.take(Say(said))
    # The first turn of the game itself follows without an input.
    player.wait_for_turn(len(setup) + 2)
    side = player.page.locator("#side")
    assert side.locator(".part li", has_text="reads snow").count()
    assert side.locator(".dot.full").count() == 2
    assert "Major" in side.inner_text()
    player.take(Say(pull))
    card = player.page.locator(".decision")
    assert "Haul the ferry in" in card.inner_text()
    assert not player.page.locator("#say").count()
    player.take(AnswerDecision("check", "contest", contest))
    assert contest in player.newest.text_content()
    player.leave()


def test_a_goblin_fight(browser: Any, scenes: ServedPages, size: dict[str, int]) -> None:
    player = TablePlayer.sit_down(browser, scenes, size)
    player.begin("goblin_road")
    for choice in ("drover", "brandy", "look", "stringers", "wipe", "past"):
        player.take(Choose(choice))
    order = player.page.locator(".fight .fighters")
    assert order.locator("li").count() == 3
    assert order.locator("li.now .who").inner_text() == "You"
    fell = 0
    while (attacks := player.page.locator("button[value^='tabletop.attack-']")).count():
        player.take(Choose(attacks.first.get_attribute("value")))
        fell += player.newest.locator(".roll .mark").count()
        assert player.newest.locator(".roll .strip .hit").count()
    assert fell >= 3
    assert order.count() == 0
    player.leave()


def test_the_taverns_map_and_a_rumour(browser: Any, told: ServedPages, size: dict[str, int]) -> None:
    player = TablePlayer.sit_down(browser, told, size)
    player.begin("dusty_tankard")
    here = player.page.locator("#side svg.drawing .here")
    assert "taproom" in here.text_content()
    player.take(Choose("bed"))
    rumour = player.page.locator("#side li", has_text="pots")
    before = rumour.count()
    player.take(Say(RUMOUR))
    assert "The pots here are short" in player.newest.text_content()
    assert rumour.count() == before + 1
    player.take(Say(WALK))
    assert "Measure" in here.text_content()
    player.leave()
