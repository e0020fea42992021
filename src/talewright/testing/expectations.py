"""Expectations: assertions for the checks of a suite.

They raise AssertionError, which every test framework understands, even when Python strips `assert`
statements.
"""

from collections.abc import Awaitable
from typing import TypeVar

E = TypeVar("E", bound=Exception)

SHOWN_LENGTH_MAX = 600
"""How many characters of a value are shown in a failure message."""


def expect(holds: bool, what: str) -> None:
    """Raise AssertionError unless a condition holds."""
    if not holds:
        raise AssertionError(what)


def expect_equal(what: str, actual: object, expected: object) -> None:
    """Raise AssertionError unless two values are equal."""
    expect(actual == expected, f"{what}: {_brief(actual)} instead of {_brief(expected)}")


async def expect_raises(kind: type[E], what: str, call: Awaitable[object]) -> E:
    """Return the error that a call must raise; raise AssertionError if it does not."""
    try:
        await call
    except kind as error:
        return error
    raise AssertionError(f"{what}: no {kind.__name__}")


class NamedCheck:
    """Adds the name of a check to any error raised within it."""

    def __init__(self, check: str) -> None:
        self._check = check

    def __enter__(self) -> None:
        """Nothing to set up."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, AssertionError):
            raise AssertionError(f"{self._check}: {error}") from error
        if error is not None:
            error.add_note(f"while checking the store: {self._check}")


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN_LENGTH_MAX else text[:SHOWN_LENGTH_MAX] + "..."
