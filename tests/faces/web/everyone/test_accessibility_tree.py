"""A game played through the accessibility tree alone: what a screen reader has, and the keyboard."""

import re
from typing import Any

from tests.faces.web.chromium import PHONE, needs_chromium
from tests.faces.web.everyone.shared_browser import SharedBrowser

pytestmark = needs_chromium

TURNS = 10
READ_AGAIN_MS = 50
READS_MAX = 600
BUTTON = re.compile(r"button \"(.+?)\".*\[ref=(\w+)\]")
HEADING = re.compile(r'heading "Turn (\d+)"')
LIVE = re.compile(r"^\s*- status \[ref=\w+\]:? ?(.*)$", re.MULTILINE)

WATCH_ANNOUNCEMENTS = """
window.announced = [];
addEventListener("DOMContentLoaded", () => {
    for (const region of document.querySelectorAll("[aria-live], [role=status], [role=log]")) {
        new MutationObserver(() => announced.push(region.textContent)).observe(
            region, { childList: true, characterData: true, subtree: true });
    }
});
"""
"""Collects what polite live regions say."""

FOCUSED = "() => document.activeElement.textContent.trim() || document.activeElement.id"


class TreeReader:
    """Somebody who has only the accessibility tree."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def read(self) -> str:
        """The tree as text, with a reference for everything that can be used."""
        return str(self.page.locator("body").aria_snapshot(mode="ai"))

    def part(self, start: str, tree: str) -> str:
        """The part of a tree below a line."""
        lines = tree.splitlines()
        at = next(number for number, line in enumerate(lines) if start in line)
        depth = len(lines[at]) - len(lines[at].lstrip())
        below = []
        for line in lines[at + 1 :]:
            if len(line) - len(line.lstrip()) <= depth:
                break
            below.append(line)
        return "\n".join(below)

    def press(self, reference: str) -> None:
        """Focus something and press Enter."""
        self.page.locator(f"aria-ref={reference}").focus()
        self.page.keyboard.press("Enter")

    def wait_for(self, line: str) -> str:
        """The tree, as soon as it has a line."""
        for _ in range(READS_MAX):
            tree = self.read()
            if line in tree:
                return tree
            # Making a tree is work for the browser, which has the turn to show.
            self.page.wait_for_timeout(READ_AGAIN_MS)
        raise AssertionError(f"the tree never had {line!r}")


def test_ten_turns_are_played_through_the_accessibility_tree(scenes: SharedBrowser) -> None:
    context = scenes.context(PHONE)
    context.add_init_script(WATCH_ANNOUNCEMENTS)
    reader = TreeReader(context.new_page())
    reader.page.goto(scenes.address("/games"))
    start = next(found for found in BUTTON.findall(reader.read()) if found[0] == "Start: Mist Harbor Echoes")
    reader.press(start[1])
    tree = reader.wait_for('heading "Turn 1"')
    for turn in range(2, TURNS + 2):
        choices = BUTTON.findall(reader.part('region "What do you do?"', tree))
        name, reference = next(
            found for found in choices if found[0] not in ("Do it", "Undo") and "choices" not in found[0]
        )
        reader.press(reference)
        tree = reader.wait_for(f'heading "Turn {turn}"')
        tree = reader.wait_for('region "What do you do?"')
        # The narration is also said once by the live region. The command is not repeated there.
        (live,) = LIVE.findall(tree)
        assert live
        assert name[:20] not in live
        headings = [int(version) for version in HEADING.findall(tree)]
        assert headings == sorted(headings)
        assert headings[-1] == turn
    assert len(reader.page.evaluate("() => announced")) == TURNS
    for landmark in ("banner", "main", 'region "Status"', 'complementary "Cards"'):
        assert f"- {landmark} " in tree, landmark
    context.close()


def test_the_keyboard_alone_reaches_everything_in_order(scenes: SharedBrowser) -> None:
    page = scenes.context().new_page()
    scenes.start(page, "lantern_road")
    page.evaluate("() => document.activeElement.blur()")
    seen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUSED))
        if page.evaluate("() => Boolean(document.activeElement.closest('aside'))"):
            break
    choices = [one.strip() for one in page.locator(".choices button").all_text_contents()]
    wanted = ("Skip to the story", "Menu", *choices, "say", "Do it")
    places = [seen.index(one) for one in wanted]
    assert places == sorted(places)
    # The finished turn gets the focus, so that reading goes on from there.
    page.locator(".choices button").first.focus()
    page.keyboard.press("Enter")
    page.locator("#turns .turn[data-version='2']:focus").wait_for()
    page.context.close()
