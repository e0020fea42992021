"""Pagination: reads all pages of a listing, and cuts a page out of a list in memory.

Branches, marks and campaigns are listed in pages, so that the size of a response is limited. A page begins
after a name, which never changes: nothing is missed or listed twice while campaigns are played.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from talewright.chronicle.store import CAMPAIGNS_PAGE_MAX, NAMES_PAGE_MAX, CampaignListing, Store


async def read_names(read: Callable[[str], Awaitable[Mapping[str, str]]]) -> dict[str, str]:
    """All pages of a book's branches or marks."""
    found: dict[str, str] = {}
    more = await read("")
    while more:
        found |= more
        more = await read(max(more)) if len(more) >= NAMES_PAGE_MAX else {}
    return found


async def read_campaigns(store: Store, owner: str = "") -> tuple[CampaignListing, ...]:
    """All pages of a store's campaigns, the one written last first.

    Pages come in the order of names, so they are sorted here.
    """
    found = page = await store.campaigns(owner)
    while len(page) >= CAMPAIGNS_PAGE_MAX:
        page = await store.campaigns(owner, page[-1].campaign)
        found += page
    return tuple(sorted(found, key=lambda one: one.recency, reverse=True))


def cut_page(
    listings: Sequence[CampaignListing], owner: str, after: str, limit: int
) -> tuple[CampaignListing, ...]:
    """A page of listings, for stores that have all of them in memory."""
    wanted = [one for one in listings if one.campaign > after and (not owner or one.owner == owner)]
    wanted.sort(key=lambda one: (one.campaign, one.owner))
    page = wanted[:limit]
    # Campaigns of several owners with the same name stay together.
    return tuple(page + [one for one in wanted[limit:] if page and one.campaign == page[-1].campaign])
