"""Trouble in words."""

from talewright.errors import TalewrightError
from talewright.faces.tui.safe_content import describe_error

WRONG, HINT = "It went wrong: {error}", "Try again."


def test_error_with_a_hint() -> None:
    told = describe_error(TalewrightError("no\x1b file [b]x", "Look\nthere."), WRONG, HINT)
    assert told.plain == "! no file [b]x\nLook there."


def test_error_without_a_hint() -> None:
    assert describe_error(TalewrightError("no file"), WRONG, HINT).plain == "! no file"


def test_what_nobody_foresaw_is_told_by_its_kind_alone() -> None:
    told = describe_error(ValueError("sk-secret"), WRONG, HINT)
    assert told.plain == "! It went wrong: ValueError\nTry again."
