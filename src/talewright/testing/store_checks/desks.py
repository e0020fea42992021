"""Desks: a store under check with one campaign open on it.

A desk knows no promise of a store; the checks do.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

from talewright.chronicle.records import Commit, Record
from talewright.chronicle.store import CampaignBook, Store
from talewright.testing.store_checks.samples import make_attempt, make_founding, make_input, make_turn

Factory: TypeAlias = Callable[[], Awaitable[Store]]

CAMPAIGN = "harbor"
"""The campaign that is open on a desk."""


@dataclass(frozen=True, slots=True)
class Ground:
    """How the stores under check are made."""

    make: Factory
    """A new store in an empty place of its own."""

    reopen: Factory | None = None
    """Another store object in the place of the one made last; without it the same object is used again."""


Check: TypeAlias = Callable[[Ground], Coroutine[None, None, None]]
"""Raises AssertionError where a store breaks a promise."""


@dataclass(slots=True)
class Desk:
    """One campaign, just begun, and its store."""

    ground: Ground
    store: Store
    book: CampaignBook
    root: Commit

    async def reopen(self) -> None:
        """Close the campaign and open it again, as another run of the program would."""
        await self.book.close()
        if self.ground.reopen is not None:
            self.store = await self.ground.reopen()
        self.book = await self.store.open(CAMPAIGN)

    async def take_turn(self, parent: Commit, name: str, *, branch: str = "") -> Commit:
        """A whole turn: accepted, then committed."""
        turn = make_turn(parent, name, branch=branch)
        await self.book.accept(make_input(turn))
        return await self.book.commit(turn, make_attempt(turn))

    async def read_all(self) -> list[Record]:
        """All records, in their order."""
        return [record async for record in self.book.records()]


@asynccontextmanager
async def lay_out(ground: Ground) -> AsyncIterator[Desk]:
    """A desk on a new store; what is open on it is closed at the end."""
    store = await ground.make()
    founding = make_founding(CAMPAIGN)
    desk = Desk(ground, store, await store.found(founding), founding.root)
    try:
        yield desk
    finally:
        await desk.book.close()
