"""Walks along the table's line: after each turn, and after whatever else loads the page, where it stands.

The current turn must start on the same line, and two choices must be in sight without scrolling.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from talewright.turn.inputs.player_inputs import Say
from tests.faces.web.chromium import DESK, PHONE, TABLET, ServedPages, launch_browser, serve
from tests.faces.web.in_chromium.scripted_storyteller import WAIT
from tests.faces.web.in_chromium.table_player import TablePlayer

SIZES = {"phone": PHONE, "tablet": TABLET, "desk": DESK, "wide": {"width": 1920, "height": 1080}}
LINES_PX = {"phone": 156, "tablet": 156, "desk": 216, "wide": 216}
OFF_LINE_MAX_PX = 8
CHOICES_SEEN_MIN = 2
GAMES = ("chapel_watch", "dusty_tankard", "goblin_road", "lantern_road", "mist_harbor", "solo")
SOLO = "solo"
STORYTELLER = "tests.faces.web.in_chromium.scripted_storyteller:make_models"
"""For the game that has no scenes."""

LOOK = """() => {
    const seen = (one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height - 3);
        return top >= 0 && top + height <= innerHeight && one.contains(hit);
    };
    const choices = [...document.querySelectorAll(".choices li button")];
    const now = document.querySelector("#now + .turn");
    return {
        top: now.getBoundingClientRect().top,
        newest: now === [...document.querySelectorAll("#turns .turn")].at(-1),
        seen: choices.filter(seen).length,
        offered: choices.length,
        foot: document.getElementById("foot").getBoundingClientRect().top,
        wide: document.documentElement.scrollWidth - innerWidth,
    };
}"""


def check_stage(player: TablePlayer, size: str, when: str) -> None:
    """Check where the page stands."""
    found = player.page.evaluate(LOOK)
    told = f"{size}, turn {player.version}, {when}: {found}"
    assert found["newest"], told
    assert abs(found["top"] - LINES_PX[size]) <= OFF_LINE_MAX_PX, told
    assert found["seen"] >= min(CHOICES_SEEN_MIN, found["offered"]), told
    assert found["wide"] <= 0, told


def walk_stage(player: TablePlayer, size: str, game: str, turns: int, seed: int) -> int:
    """Play at random by digit keys and clicks, and check each turn; the number of turns taken."""
    chance = random.Random(f"{seed} {game} {size}")
    page = player.page
    player.begin(game)
    check_stage(player, size, "the opening")
    taken = 0
    while taken < turns:
        offered = page.locator(".choices li button").count()
        if not offered and not page.locator("#say").count():
            break
        before = player.version
        # Wherever one has read to, the next turn starts on its line.
        page.evaluate("(at) => scrollTo(0, at)", chance.randrange(4000))
        if not offered:
            player.send(Say(f"{WAIT}{taken}."))
        elif offered <= 9 and chance.random() < 0.5:
            page.evaluate("() => document.activeElement.blur()")
            page.keyboard.press(str(chance.randrange(offered) + 1))
        else:
            page.evaluate(
                "(at) => document.querySelectorAll('.choices li button')[at].click()",
                chance.randrange(offered),
            )
        player.wait_for_turn(before + 1)
        taken += 1
        if page.locator(".ending").count():
            break
        check_stage(player, size, "told")
    return taken


def check_returns(player: TablePlayer, size: str) -> None:
    """Reload, change the theme, go away and come back: the line stays."""
    page = player.page
    version = player.version
    page.evaluate("() => scrollTo(0, 0)")
    page.reload()
    player.wait_for_newest(version)
    check_stage(player, size, "reloaded")
    page.locator("#menu > summary").click()
    page.locator("#menu .display summary").click()
    page.locator("#menu select[name=theme]").select_option("dark")
    page.locator("#menu .display form button").click()
    page.locator("html[data-theme=dark]").wait_for()
    player.wait_for_newest(version)
    check_stage(player, size, "after a change of theme")
    page.locator("#menu > summary").click()
    page.locator(".menu-list a[href$=history]").click()
    page.locator(".past").first.wait_for()
    page.go_back()
    player.wait_for_newest(version)
    check_stage(player, size, "back")
    page.go_back()
    page.go_forward()
    player.wait_for_newest(version)
    check_stage(player, size, "forward")


@contextmanager
def seat(browser: Any, server: ServedPages, size: str) -> Iterator[TablePlayer]:
    """Someone with a window of a size."""
    player = TablePlayer.sit_down(browser, server, SIZES[size])
    try:
        yield player
        assert player.errors == []
    finally:
        player.page.context.close()


def walk_stages(count: int, seed: int, turns: int, folder: Path) -> int:
    """Walk through so many pairs of a game and a size, with servers and a browser of its own."""
    pairs = [(game, size) for game in GAMES for size in SIZES]
    chosen = random.Random(seed).sample(pairs, min(count, len(pairs)))
    with (
        launch_browser() as browser,
        serve(folder / "scenes") as scenes,
        serve(folder / "told", model=STORYTELLER) as told,
    ):
        for game, size in chosen:
            with seat(browser, told if game == SOLO else scenes, size) as player:
                walk_stage(player, size, game, turns, seed)
                check_returns(player, size)
    return len(chosen)
