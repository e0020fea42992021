"""Pagination: reads all pages of a listing, and cuts a page out of a list in memory.

Branches, marks and campaigns are listed in pages, so that the size of a response is limited.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from talewright.chronicle.store import (
    CAMPAIGNS_PAGE_MAX,
    NAMES_PAGE_MAX,
    CampaignListing,
    Store,
    UnknownCampaignError,
)


async def read_names(read: Callable[[str], Awaitable[Mapping[str, str]]]) -> dict[str, str]:
    """All pages of a book's branches or marks."""
    found: dict[str, str] = {}
    more = await read("")
    while more:
        found |= more
        more = await read(max(more)) if len(more) >= NAMES_PAGE_MAX else {}
    return found


async def read_campaigns(store: Store, owner: str = "") -> tuple[CampaignListing, ...]:
    """All pages of a store's campaigns, the one written last first."""
    found = page = await store.campaigns(owner)
    while len(page) >= CAMPAIGNS_PAGE_MAX:
        page = await store.campaigns(owner, page[-1].campaign)
        found += page
    return found


def cut_page(
    listings: Sequence[CampaignListing], owner: str, after: str, limit: int
) -> tuple[CampaignListing, ...]:
    """A page of sorted listings, for stores that have all of them in memory."""
    names = [listing.campaign for listing in listings]
    if after and after not in names:
        raise UnknownCampaignError(f"the campaign {after!r} no longer exists", "Read the list again.")
    following = listings[names.index(after) + 1 :] if after else listings
    return tuple(one for one in following if not owner or one.owner == owner)[:limit]
