"""Somebody who plays at the table page, by what is on it."""

from dataclasses import dataclass
from typing import Any

from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, GoOn, Input, Say
from tests.faces.web.chromium import DESK, PHONE, TABLET, WATCH, ServedPages

SIZES = {"phone": PHONE, "desk": DESK}
"""Sizes in which a game is played. What is shown in the end must fit on a tablet too."""

TIMEOUT_MS = 60_000
"""How long anything may take on a busy machine."""

STICKING_OUT = "() => document.documentElement.scrollWidth - innerWidth"

NEWEST_IS = """(version) => "live" in document.documentElement.dataset
    && [...document.querySelectorAll("#turns .turn")].at(-1)?.dataset.version === version"""


@dataclass
class TablePlayer:
    """A page of a browser that is logged in."""

    page: Any
    server: ServedPages
    asked: list[str]
    """The addresses of all requests."""

    errors: list[str]

    @classmethod
    def sit_down(
        cls, browser: Any, server: ServedPages, size: dict[str, int], **options: Any
    ) -> "TablePlayer":
        """A fresh browser, logged in."""
        touch = size is PHONE
        context = browser.new_context(
            viewport=size, locale=options.pop("locale", "en-US"), has_touch=touch, **options
        )
        context.add_init_script(WATCH)
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        player = cls(page, server, [], [])
        page.on("request", lambda request: player.asked.append(request.url))
        page.on("pageerror", lambda error: player.errors.append(str(error)))
        page.goto(server.make_link())
        page.goto(f"{server.home}games")
        page.locator(".games").wait_for()
        return player

    def begin(self, game: str) -> None:
        """Start a game, and wait for its opening."""
        self.page.locator(f"li.game:has(input[value={game}]) button").click()
        self.page.locator("html[data-live] #turns .turn").first.wait_for()

    @property
    def version(self) -> int:
        """The number of the newest turn."""
        return int(self.page.locator("#turns .turn").last.get_attribute("data-version"))

    @property
    def newest(self) -> Any:
        """The newest turn."""
        return self.page.locator("#turns .turn").last

    def wait_for_turn(self, version: int) -> None:
        """Wait until a turn is finished."""
        self.page.locator(f"#turns .turn[data-version='{version}']").wait_for()
        self.page.locator("#actions").wait_for()

    def wait_for_newest(self, version: int) -> None:
        """Wait for the table, live, with this turn as its newest one: after an undo, say."""
        self.page.wait_for_function(NEWEST_IS, arg=str(version))

    def send(self, given: Input) -> None:
        """Send an input as a person would."""
        match given:
            case Say(text):
                self.page.locator("#say").fill(text)
                self.page.keyboard.press("Enter")
            case Choose(choice):
                self.page.locator(f"button[name=choice][value='{choice}']").click()
            case AnswerDecision():
                if given.note:
                    self.page.locator(".decision textarea").fill(given.note)
                self.page.locator(f".decision button[value='{given.option}']").click()
            case GoOn():
                self.page.locator(".tools form:has(input[value=go_on]) button").click()
            case _:
                raise AssertionError(given)

    def take(self, given: Input) -> None:
        """Take a turn, and wait for its end."""
        before = self.version
        self.send(given)
        self.wait_for_turn(before + 1)

    def leave(self) -> None:
        """Check that nothing was refused, fetched from elsewhere or sticks out, and close the page."""
        assert self.page.evaluate("() => violations") == []
        assert self.errors == []
        assert [url for url in self.asked if not url.startswith(self.server.home)] == []
        for size in (self.page.viewport_size, TABLET):
            self.page.set_viewport_size(size)
            assert self.page.evaluate(STICKING_OUT) <= 0, f"nothing sticks out sideways: {size}"
        self.page.context.close()
