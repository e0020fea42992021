"""Crash points: named places on the road where a test may let the world end.

In play they do nothing; only `talewright.testing` sets the hook.
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
"""The points of the solo road, in the order a turn passes them."""

Hook = Callable[[str], None]


def _pass_by(point: str) -> None:
    """What happens at a crash point in play: nothing."""


_hook: list[Hook] = [_pass_by]
"""One cell, so that a test can put another hook in; nothing else of the program writes it."""


def crash_point(name: str) -> None:
    """Mark a place where everything may end: `before <point>` or `after <point>`."""
    _hook[0](name)


class around:  # noqa: N801 - it reads as a word in `with around("write"):`
    """The two crash points of a piece of work, before it and after it has gone well."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        crash_point(f"before {self._name}")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            crash_point(f"after {self._name}")


def set_hook(hook: Hook | None) -> None:
    """For `talewright.testing`: what happens at crash points; None makes them pass by again."""
    _hook[0] = hook or _pass_by
