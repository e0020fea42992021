"""Takes the pictures of the browser: `PYTHONPATH=. python docs/pictures/browser.py FOLDER` makes all of them.

Every screen is taken in both languages, both themes, and the sizes of a phone and a desk, from a real server
in real Chromium; nothing is touched up.
But the model is scripted: its name, tokens and prices are examples.

`--chosen` makes only those that the documents show, beside it.
"""

import argparse
import asyncio
import base64
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

from browser_stage import BRANCH, LANGUAGES, prepare

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-headless-shell") or ""
THEMES = ("light", "dark")
BYTES_MAX = 150_000
QUALITIES = (0.9, 0.8, 0.65)
"""Of WebP: the first at which a picture is small enough."""

STREAMED_LETTERS = {"en": 150, "zh-CN": 60}
"""How much of a turn has been told when its picture is taken."""


@dataclass(frozen=True, slots=True)
class Size:
    """A window, and how many dots a picture has for each of its points."""

    width: int
    height: int
    scale: float


SIZES = {"desk": Size(1280, 900, 1.5), "phone": Size(390, 844, 2.0)}


def show_newest(page: Any) -> None:
    """The newest turn at the top, as after a turn."""
    page.locator("#turns .turn").last.evaluate("(turn) => turn.scrollIntoView({ block: 'start' })")


def show_end(page: Any) -> None:
    """Whatever the player can do."""
    page.locator("#actions").evaluate("(one) => one.scrollIntoView({ block: 'end' })")


def show_ending(page: Any) -> None:
    """How it ended, and the last of the story before it."""
    page.locator(".ending").evaluate("(one) => one.scrollIntoView({ block: 'end' })")


def show_side(page: Any) -> None:
    """The panels: on a phone they stand below the story, on a desk beside it."""
    show_newest(page)
    panel = page.locator("#side .panel").first
    if page.viewport_size["width"] < SIZES["desk"].width:
        panel.evaluate("(one) => one.scrollIntoView({ block: 'start' })")
    else:
        panel.evaluate("(one) => { one.parentElement.scrollTop = one.offsetTop; }")


def show_top(page: Any) -> None:
    """The page as it opens."""


def show_games(page: Any) -> None:
    """The games to start, with their covers."""
    page.locator(".games").evaluate("(one) => one.previousElementSibling.scrollIntoView({ block: 'start' })")


def verify_first(page: Any) -> None:
    """What a verification has found."""
    page.locator("main form[action$='/receipts'] button").click()
    page.locator("#verified").wait_for()
    page.evaluate("() => scrollTo(0, 0)")


def choose_branch(page: Any) -> None:
    """The last turn of the other branch, chosen in the tree."""
    page.locator(".tag.branch", has_text=BRANCH[page.evaluate("() => document.documentElement.lang")]).click()
    page.locator("#chosen .button").first.wait_for()
    page.evaluate("() => scrollTo(0, 0)")


def inspect_turn(page: Any) -> None:
    """Everything about the newest turn."""
    page.locator(".author-bar .links a").first.click()
    page.locator(".inspected").wait_for()


def tell(page: Any, language: str) -> None:
    """Take the choice with the dice, and wait until some of the turn is told."""
    page.locator("#actions button[value=dice]").click()
    letters = STREAMED_LETTERS[language]
    page.locator("#live .die").first.wait_for()
    page.wait_for_function(
        "(letters) => document.querySelector('#live .narration')?.textContent.length > letters", arg=letters
    )


@dataclass(frozen=True, slots=True)
class Screen:
    """One picture: an address, and what to look at there."""

    path: str
    look: Callable[[Any], None] = show_newest
    live: bool = False
    """Whether a turn is narrated meanwhile; it is stopped afterwards, so that it can be narrated again."""

    taller: int = 0
    """How much taller the window is than usual, to show a turn together with its choices."""


SCREENS: Mapping[str, Screen] = {
    "lobby": Screen("/", show_top),
    "games": Screen("/", show_games),
    "table": Screen("/play/chapel_watch-2", taller=260),
    "turn": Screen("/play/mist_harbor-2"),
    "streaming": Screen("/play/mist_harbor-1", live=True),
    "decision": Screen("/play/solo-1", show_end),
    "sheet": Screen("/play/solo-1", show_side),
    "fight": Screen("/play/goblin_road-1"),
    "map": Screen("/play/dusty_tankard-1", show_side),
    "card": Screen("/play/mist_harbor-2/cards/suspicion", show_top),
    "end": Screen("/play/chapel_watch-1", show_end),
    "ending": Screen("/play/chapel_watch-1/ending", show_ending),
    "tree": Screen("/play/mist_harbor-2/history?every=1", choose_branch),
    "compare": Screen("/play/mist_harbor-2/compare?one=main&other={branch}", show_top),
    "book": Screen("/play/mist_harbor-2/book", show_top),
    "receipts": Screen("/play/mist_harbor-2/receipts", verify_first),
    "models": Screen("/models?campaign=mist_harbor-2", show_top),
    "cost": Screen("/play/mist_harbor-2/cost", show_top),
    "desk-fault": Screen("/author", show_top),
    "author": Screen("/play/lantern_road-1/author", show_top),
    "inspector": Screen("/play/mist_harbor-2/author", inspect_turn),
}
"""Every main screen. A new one is a row here, and in `prepare` if it needs a campaign of its own."""

CHOSEN = (
    ("table", "en", "light", "desk"),
    ("games", "en", "light", "desk"),
    ("models", "en", "light", "desk"),
    ("streaming", "en", "dark", "phone"),
    ("decision", "en", "light", "phone"),
    ("map", "en", "light", "phone"),
    ("fight", "en", "dark", "desk"),
    ("turn", "zh-CN", "light", "phone"),
    ("card", "en", "dark", "phone"),
    ("ending", "zh-CN", "dark", "phone"),
    ("tree", "en", "light", "desk"),
    ("compare", "en", "dark", "desk"),
    ("book", "en", "light", "phone"),
    ("receipts", "en", "dark", "phone"),
    ("cost", "en", "light", "phone"),
    ("author", "en", "light", "desk"),
)
"""The pictures in the documents: screen, language, theme, size."""


@contextmanager
def open_browser(saves: Path, language: str) -> Iterator[tuple[str, Any]]:
    """The login link of a server on the saves, and a browser."""
    from playwright.sync_api import sync_playwright

    places = os.pathsep.join(str(place) for place in (ROOT / "src", ROOT, FOLDER))
    server = subprocess.Popen(
        [sys.executable, str(FOLDER / "browser_stage.py"), str(saves), language],
        env={**os.environ, "PYTHONPATH": places},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        link = server.stdout.readline().strip()
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            yield link, browser
            browser.close()
    finally:
        server.kill()
        server.communicate()


def take_picture(page: Any, home: str, screen: Screen, language: str) -> bytes:
    """Go there, look, and take the picture as PNG."""
    page.goto(home + screen.path.format(branch=quote(BRANCH[language])))
    if page.locator("#actions").count():
        page.locator("html[data-live]").wait_for()
    screen.look(page)
    if screen.live:
        tell(page, language)
    # Two frames later it is painted, also on a busy machine.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    taken: bytes = page.screenshot(animations="disabled", caret="hide")
    if screen.live:
        page.locator("#stop").click()
        page.locator("#live .turn").wait_for(state="detached")
        # What was not told is dropped, so that the same turn can be told before the next camera.
        page.goto(home + screen.path)
    return taken


def shrink(page: Any, picture: bytes) -> bytes:
    """A picture as WebP, made by the browser itself."""
    data = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    script = """async ([data, quality]) => {
        const image = new Image();
        image.src = data;
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.width, image.height];
        canvas.getContext("2d").drawImage(image, 0, 0);
        return canvas.toDataURL("image/webp", quality).split(",")[1];
    }"""
    for quality in QUALITIES:
        small = base64.b64decode(page.evaluate(script, [data, quality]))
        if len(small) <= BYTES_MAX:
            return small
    raise ValueError(f"a picture of {len(small)} bytes is too large")


def name_of(screen: str, language: str, theme: str, size: str) -> str:
    """The name of a picture's file."""
    return f"browser-{screen}-{language[:2]}-{theme}-{size}.webp"


def record(saves: Path, folder: Path, language: str, wanted: Iterable[tuple[str, str, str]]) -> None:
    """Take pictures in one language: screen, theme and size of each."""
    folder.mkdir(parents=True, exist_ok=True)
    with open_browser(saves, language) as (link, browser):
        entry = browser.new_context()
        entered = entry.new_page()
        entered.goto(link)
        home = "/".join(entered.url.split("/")[:3])
        known, blank = entry.storage_state(), entry.new_page()
        for screen, theme, size in wanted:
            window, shown = SIZES[size], SCREENS[screen]
            context = browser.new_context(
                storage_state=known,
                locale=language,
                color_scheme=theme,
                viewport={"width": window.width, "height": window.height + shown.taller},
                device_scale_factor=window.scale,
            )
            small = shrink(blank, take_picture(context.new_page(), home, shown, language))
            (folder / name_of(screen, language, theme, size)).write_bytes(small)
            context.close()


def main() -> int:
    """Play, take the pictures, and write them; the exit code."""
    parser = argparse.ArgumentParser(description="Take the pictures of the browser.")
    parser.add_argument("folder", nargs="?", type=Path, help="for every picture, in every combination")
    parser.add_argument("--chosen", action="store_true", help="only the pictures of the documents")
    parser.add_argument("--only", nargs="+", choices=SCREENS, metavar="SCREEN", help="only these screens")
    parser.add_argument("--themes", nargs="+", choices=THEMES, help="only these themes")
    asked = parser.parse_args()
    if not asked.chosen and asked.folder is None:
        parser.error("name a folder, or --chosen")
    if not CHROMIUM:
        print("Chromium is not installed here", file=sys.stderr)
        return 1
    for language in LANGUAGES:
        chosen = [(screen, *rest) for screen, told, *rest in CHOSEN if told == language]
        with tempfile.TemporaryDirectory() as home:
            saves = Path(home, "saves")
            asyncio.run(prepare(saves, language))
            wanted = chosen if asked.chosen else product(asked.only or SCREENS, asked.themes or THEMES, SIZES)
            record(saves, asked.folder or FOLDER, language, wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
