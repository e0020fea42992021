"""Margin notes: each appears once, one a turn, stays when the page is loaded again, and never returns."""

from dataclasses import replace

from talewright.faces.web.margin_notes import NOTES_COOKIE, pick_note
from talewright.play.campaign_view import ChoiceView, EndView, View, Viewer

START = View(
    "night-1",
    "night",
    "Night",
    "en",
    Viewer.PLAYER,
    "main",
    "head-1",
    1,
    None,
    choices=(ChoiceView("go", "Go", risk="high"),),
    free_text=False,
)


class Reader:
    """A browser that keeps the cookie."""

    def __init__(self) -> None:
        self.cookies: dict[str, str] = {}

    def read(
        self, version: int, risk: str = "high", free_text: bool = False, end: EndView | None = None
    ) -> str:
        """The note of a turn."""
        choices, head = (ChoiceView("go", "Go", risk=risk),), f"head-{version}"
        view = replace(START, version=version, head=head, choices=choices, free_text=free_text, end=end)
        note, cookie = pick_note(view, self.cookies, has_teller_page=True)
        if cookie:
            self.cookies[NOTES_COOKIE] = cookie.partition("=")[2].partition(";")[0]
        return note


def test_each_note_appears_once() -> None:
    reader = Reader()
    assert [reader.read(1), reader.read(1)] == ["risk", "risk"], "a page that is loaded again still shows it"
    assert [reader.read(2), reader.read(3), reader.read(4)] == ["undo", "teller", ""]
    assert reader.read(1) == "risk", "back at its turn"
    other = Reader()
    other.cookies = {NOTES_COOKIE: "x.y.z"}
    assert other.read(2) == ""


def test_a_note_waits_until_it_means_something() -> None:
    reader = Reader()
    assert reader.read(1, risk="low") == ""
    assert reader.read(2, risk="low") == "undo"
    assert reader.read(3, risk="low", free_text=True) == ""
    assert reader.read(4) == "risk"
    assert reader.read(5, end=EndView("e", "win")) == ""
    assert reader.read(40, free_text=False) == ""
    assert pick_note(START, {NOTES_COOKIE: "<script>"}, has_teller_page=False)[0] == "risk"
