"""Pages of names and campaigns: cut, and read one after the other."""

import asyncio
from collections.abc import Mapping

import pytest

from talewright.chronicle.pagination import cut_page, read_campaigns, read_names
from talewright.chronicle.record_fold import cut_names
from talewright.chronicle.store import CAMPAIGNS_PAGE_MAX, NAMES_PAGE_MAX, CampaignListing, Store

LISTINGS = [CampaignListing(f"c{number}", {}, "t", owner=("ann", "")[number % 2]) for number in range(5)]


def test_pages_of_campaigns() -> None:
    assert cut_page(LISTINGS, "", "", 9) == tuple(LISTINGS)
    assert cut_page(LISTINGS, "", "c1", 2) == tuple(LISTINGS[2:4])
    assert cut_page(LISTINGS, "ann", "c1", 2) == (LISTINGS[2], LISTINGS[4])
    assert cut_page(LISTINGS[::-1], "", "c1-gone", 2) == tuple(LISTINGS[2:4])


def test_campaigns_with_the_same_name_are_on_one_page() -> None:
    listings = [
        CampaignListing(name, {}, "t", owner=owner) for name in "ab" for owner in ("ann", "bob", "eve")
    ]
    assert cut_page(listings, "", "", 2) == tuple(listings[:3])
    assert cut_page(listings, "", "", 3) == tuple(listings[:3])
    assert cut_page(listings, "", "a", 2) == tuple(listings[3:])


@pytest.mark.parametrize("count", [0, 1, NAMES_PAGE_MAX - 1, NAMES_PAGE_MAX, NAMES_PAGE_MAX + 1])
def test_all_pages_of_names_are_read(count: int) -> None:
    names = {f"{number:04}": "c" for number in range(count)}
    asked: list[str] = []

    async def read(after: str) -> Mapping[str, str]:
        asked.append(after)
        return cut_names(names, after, NAMES_PAGE_MAX)

    assert asyncio.run(read_names(read)) == names
    assert len(asked) == count // NAMES_PAGE_MAX + 1


@pytest.mark.parametrize("count", [0, 1, CAMPAIGNS_PAGE_MAX, 2 * CAMPAIGNS_PAGE_MAX + 1])
def test_all_pages_of_campaigns_are_read(count: int) -> None:
    listings = [CampaignListing(f"c{number}", {}, "t", recency=(-number,)) for number in range(count)]

    class Listed:
        async def campaigns(
            self, owner: str = "", after: str = "", limit: int = CAMPAIGNS_PAGE_MAX
        ) -> tuple[CampaignListing, ...]:
            return cut_page(listings, owner, after, limit)

    store: Store = Listed()  # type: ignore[assignment]  # nothing else of it is asked
    assert asyncio.run(read_campaigns(store)) == tuple(listings)
