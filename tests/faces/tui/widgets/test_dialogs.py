"""Boxes that ask, answered with keys and mouse."""

from collections.abc import Callable

import pytest
from textual.content import Content
from textual.pilot import Pilot
from textual.screen import Screen

from talewright.faces.tui.widgets.dialogs import Confirm, Menu, Question
from tests.faces.tui.lobby.stage import SIZES, HallStage, keys, settle, visit

TITLE, TEXT = Content("A [b]title[/b]"), Content("A text [red]as it is.")


def confirm() -> Confirm:
    return Confirm(TITLE, TEXT, "Yes", "No")


def question() -> Question:
    return Question(TITLE, TEXT, "Name", "such as x", "Take", "Leave")


def menu() -> Menu:
    return Menu(TITLE, [Content("one"), Content("[i]two"), Content("three")])


@pytest.mark.parametrize(
    ("make", "pressed", "answer"),
    [
        (confirm, ("enter",), False),
        (confirm, ("tab", "enter"), True),
        (confirm, ("escape",), None),
        (question, ("a", " ", "enter"), "a"),
        (question, ("enter",), ""),
        (question, ("a", "tab", "tab", "enter"), "a"),
        (question, ("a", "tab", "enter"), None),
        (question, ("escape",), None),
        (menu, ("down", "enter"), 1),
        (menu, ("escape",), None),
    ],
)
def test_answers(make: Callable[[], Screen[object]], pressed: tuple[str, ...], answer: object) -> None:
    assert visit(make, keys(*pressed)).answers == [answer]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("make", [confirm, question, menu])
def test_what_is_asked_is_read_as_it_is(make: Callable[[], Screen[object]], size: tuple[int, int]) -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        assert "A [b]title[/b]" in app.seen
        assert "A text [red]as it is." in app.seen or "[i]two" in app.seen

    visit(make, scene, size=size)


def test_click_beside_the_box_leaves_it() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await pilot.click(offset=(1, 1))
        await settle(pilot)

    assert visit(menu, scene).answers == [None]


def test_click_in_the_box_does_not() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await pilot.click("#items", offset=(1, 2))
        await settle(pilot)

    assert visit(menu, scene).answers == [2]
