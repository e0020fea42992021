"""Crash points: named places in the code where a test can simulate a crash.

In normal operation they do nothing; only `talewright.testing` sets the hook.
"""

from collections.abc import Callable
from typing import Final

POINTS: Final[tuple[str, ...]] = (
    "receive",
    "look up key",
    "write accepted",
    "sync accepted",
    "acknowledge",
    "load snapshot",
    "load tail",
    "assemble",
    "connect",
    "first byte",
    "each chunk",
    "tool parsed",
    "tool executed",
    "tool result recorded",
    "final text",
    "validate",
    "repair ask",
    "rules",
    "store round",
    "build commit",
    "write",
    "sync",
    "move head",
    "publish",
    "projections",
    "git",
    "write aside",
)
"""All points of a solo campaign, in the order a turn passes them."""

Hook = Callable[[str], None]


def _pass_by(point: str) -> None:
    """The default hook: do nothing."""


_hook: list[Hook] = [_pass_by]
"""A one-element list, so that a test can replace the hook; nothing else in the program writes to it."""


def crash_point(name: str) -> None:
    """Mark a place where the process may die: `before <point>` or `after <point>`."""
    _hook[0](name)


class around:  # noqa: N801 - it reads as a word in `with around("write"):`
    """The two crash points around a piece of work: before it, and after it succeeded."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        crash_point(f"before {self._name}")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            crash_point(f"after {self._name}")


def set_hook(hook: Hook | None) -> None:
    """Set the hook called at crash points, for `talewright.testing`; None restores the default."""
    _hook[0] = hook or _pass_by
