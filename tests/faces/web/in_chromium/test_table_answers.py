"""What the table shows of a fight, which names lead to choices, and that a silent server is reported."""

from typing import Any

from tests.faces.web.chromium import DESK, PHONE, ServedPages, needs_chromium
from tests.faces.web.in_chromium.table_player import TablePlayer

pytestmark = needs_chromium

FIGHTS = ("whip", "billhook")
ABOVE = """() => document.querySelector(".fight").getBoundingClientRect().bottom
    <= document.querySelector(".choices").getBoundingClientRect().top"""


def take(player: TablePlayer, number: int = 0) -> None:
    before = player.version
    player.page.locator(".choices button").nth(number).click()
    player.wait_for_turn(before + 1)


def test_a_fight_stands_above_the_choices(browser: Any, scenes: ServedPages) -> None:
    player = TablePlayer.sit_down(browser, scenes, PHONE)
    page = player.page
    player.begin("goblin_road")
    while not page.locator(".fight").count():
        assert player.version < 12, "there is a fight on the low road"
        labels = page.locator(".choices button .label").all_inner_texts()
        fights = [at for at, label in enumerate(labels) if any(word in label.lower() for word in FIGHTS)]
        take(player, fights[0] if fights and player.version > 2 else 0)
    begun = page.locator("#turns .turn").last
    # Who comes first is rolled once the words have said that there is a fight.
    words, rolls = begun.locator(".narration").first, begun.locator(".rolls").first
    assert words.bounding_box()["y"] < rolls.bounding_box()["y"]
    assert page.evaluate(ABOVE)
    assert page.locator(".fight .whose strong").inner_text() == "Your turn"
    fighters = page.locator(".fighters li")
    assert "You" in fighters.first.inner_text()
    assert fighters.count() > 1
    bad = page.locator("#turns .turn:last-of-type .events .bad")
    while page.locator(".fight").count() and not bad.count():
        attack = page.locator(".choices button", has_text="Attack")
        before = player.version
        attack.first.click()
        player.wait_for_turn(before + 1)
    # A hit on the player is bad, whatever its dice say, and says what it cost.
    assert "hit point" in bad.first.inner_text()
    folded = page.locator("#turns .turn:last-of-type .folded summary")
    assert folded.count() == 1
    assert "Road Goblin" in folded.inner_text()
    player.leave()


def test_names_lead_to_the_choice_about_them(browser: Any, scenes: ServedPages) -> None:
    player = TablePlayer.sit_down(browser, scenes, DESK)
    page = player.page
    player.begin("dusty_tankard")
    assert any(sign.isdigit() for sign in page.locator("#status").inner_text().rsplit("about", 1)[-1])
    name = page.locator("aside .pick").first
    label = name.get_attribute("aria-label") or name.inner_text()
    before = player.version
    name.focus()
    page.keyboard.press("Enter")
    picked = page.evaluate("() => document.activeElement.textContent")
    assert label in picked
    # It is only selected: no turn is spent before the player confirms it.
    assert player.version == before
    page.keyboard.press("Enter")
    player.wait_for_turn(before + 1)
    player.leave()


def test_a_silent_server_is_reported(browser: Any, scenes: ServedPages) -> None:
    player = TablePlayer.sit_down(browser, scenes, DESK)
    page = player.page
    player.begin("mist_harbor")
    held: list[Any] = []
    page.route("**/turns", lambda route: held.append(route))
    page.locator(".choices button").first.click()
    message = page.locator("#message", has_text="The server does not answer.")
    message.wait_for()
    held[0].continue_()
    player.wait_for_turn(2)
    assert not message.is_visible()
    player.leave()
