"""Expectations: what a check of a suite says where a plug does something else.

They raise AssertionError, which every test framework knows, also where Python leaves `assert` out.
"""

from collections.abc import Awaitable
from typing import TypeVar

E = TypeVar("E", bound=Exception)

SHOWN_LENGTH_MAX = 600
"""Characters of a value shown in a complaint."""


def expect(holds: bool, what: str) -> None:
    """Complain where something does not hold."""
    if not holds:
        raise AssertionError(what)


def expect_equal(what: str, actual: object, expected: object) -> None:
    """Complain where two values differ."""
    expect(actual == expected, f"{what}: {_brief(actual)} instead of {_brief(expected)}")


async def expect_raises(kind: type[E], what: str, call: Awaitable[object]) -> E:
    """The error of a kind that a call must raise."""
    try:
        await call
    except kind as error:
        return error
    raise AssertionError(f"{what}: no {kind.__name__}")


class NamedCheck:
    """Whatever goes wrong within says which check it was."""

    def __init__(self, check: str) -> None:
        self._check = check

    def __enter__(self) -> None:
        """Nothing is needed at the beginning."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, AssertionError):
            raise AssertionError(f"{self._check}: {error}") from error
        if error is not None:
            error.add_note(f"while checking the store: {self._check}")


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN_LENGTH_MAX else text[:SHOWN_LENGTH_MAX] + "..."
