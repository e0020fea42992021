"""Crashes: the end of the world at a point of every turn, as a play is performed on a stage.

It decides where the world ends; how it goes on from there is the stage's business.
"""

from collections.abc import Iterable, Iterator


class Crash(BaseException):
    """The end of the world at a crash point; nothing in the program catches it."""


class Crasher:
    """Crashes every turn once, at one of its distinct crash points."""

    def __init__(self, numbers: Iterable[int]) -> None:
        """`numbers` says for each turn which of its points it is, counted from one; 0 is none."""
        self._numbers: Iterator[int] = iter(numbers)
        self._number = 0
        self._seen: list[str] = []
        self._crashed = False
        self.crashes = 0
        """How many turns have crashed."""

        self.counts: list[int] = []
        """How many distinct points each turn has passed, up to its crash where there was one."""

    def begin_turn(self) -> None:
        """A new turn may crash again."""
        self._number, self._seen, self._crashed = next(self._numbers), [], False
        self.counts.append(0)

    def __call__(self, point: str) -> None:
        if self._crashed or point in self._seen:
            return
        self._seen.append(point)
        self.counts[-1] += 1
        if len(self._seen) == self._number:
            self._crashed = True
            self.crashes += 1
            raise Crash(point)
