"""A book with a hook before every call, for what happens while something else is waited for."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from talewright.chronicle.readable_pages import CampaignPages, PageProjection
from talewright.chronicle.records import Record
from talewright.chronicle.store import (
    CampaignBook,
    CampaignListing,
    CampaignStatus,
    ChronicleDamage,
    DamagedError,
    Founding,
    Store,
)

Hook = Callable[[str], Awaitable[None]]


async def pass_by(name: str) -> None:
    """The hook that does nothing."""


class HookedBook:
    """A book that lets a hook look at each call before it is made."""

    def __init__(self, book: CampaignBook) -> None:
        self.book = book
        self.hook: Hook = pass_by
        self.damage: ChronicleDamage | None = None
        """Set, the campaign is read-only and its records cannot be read through."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.book, name)

        async def call(*arguments: object, **named: object) -> object:
            await self.hook(name)
            return await found(*arguments, **named)

        return call if callable(found) else found

    @property
    def pages(self) -> Any:
        return None if self.book.pages is None else HookedPages(self.book.pages, self)

    async def look(self, branch: str = "") -> CampaignStatus:
        await self.hook("look")
        return replace(await self.book.look(branch), damage=self.damage)

    async def records(self, after: int = -1, limit: int | None = None) -> AsyncIterator[Record]:
        if self.damage is not None:
            raise DamagedError(self.damage.reason)
        await self.hook("records")
        async for record in self.book.records(after, limit):
            yield record


@dataclass
class HookedPages:
    """Pages whose calls the hook of their book looks at."""

    pages: CampaignPages
    book: HookedBook

    async def project(self, projection: PageProjection) -> None:
        await self.book.hook("project")
        await self.pages.project(projection)

    async def edits(self, paths: frozenset[str]) -> Mapping[str, str]:
        await self.book.hook("edits")
        return await self.pages.edits(paths)


@dataclass
class HookedStore:
    """A store whose books have hooks."""

    store: Store
    damage: ChronicleDamage | None = None
    opened: HookedBook | None = None
    """The book that was opened last."""

    async def found(self, founding: Founding) -> CampaignBook:
        return self._wrap(await self.store.found(founding))

    async def open(self, campaign: str) -> CampaignBook:
        return self._wrap(await self.store.open(campaign))

    async def listing(self, campaign: str) -> CampaignListing:
        return replace(await self.store.listing(campaign), damaged=self.damage is not None)

    async def campaigns(
        self, owner: str = "", after: str = "", limit: int = 256
    ) -> tuple[CampaignListing, ...]:
        listed = await self.store.campaigns(owner, after, limit)
        return tuple(replace(listing, damaged=self.damage is not None) for listing in listed)

    async def remove(self, campaign: str, at: str) -> str:
        return await self.store.remove(campaign, at)

    def _wrap(self, book: CampaignBook) -> CampaignBook:
        self.opened = HookedBook(book)
        self.opened.damage = self.damage
        return self.opened
