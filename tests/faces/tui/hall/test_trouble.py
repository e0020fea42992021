"""Trouble in words."""

from talewright.errors import TalewrightError
from talewright.faces.tui.hall.trouble import tell_trouble

WRONG, HINT = "It went wrong: {error}", "Try again."


def test_error_with_a_hint() -> None:
    told = tell_trouble(TalewrightError("no\x1b file [b]x", "Look\nthere."), WRONG, HINT)
    assert told.plain == "! no file [b]x\nLook there."


def test_error_without_a_hint() -> None:
    assert tell_trouble(TalewrightError("no file"), WRONG, HINT).plain == "! no file"


def test_what_nobody_foresaw_is_told_by_its_kind_alone() -> None:
    told = tell_trouble(ValueError("sk-secret"), WRONG, HINT)
    assert told.plain == "! It went wrong: ValueError\nTry again."
