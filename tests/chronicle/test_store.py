"""The values of the Store port; what stores do is the contract suite's business."""

import pytest

from talewright.chronicle.store import (
    BlobKind,
    CampaignListing,
    StorageFullError,
    StorageLimits,
    TooManyCampaignsError,
)


def test_shelves_have_the_names_that_are_written() -> None:
    assert [shelf.value for shelf in BlobKind] == ["game", "snapshot"]


def test_campaign_is_listed_as_sound_unless_said_otherwise() -> None:
    assert not CampaignListing("one", {}, "2026-01-01T00:00:00Z").damaged


def test_without_limits_anything_may_be_stored() -> None:
    limits = StorageLimits()
    assert not limits.are_set
    limits.check_campaigns(10**9)
    limits.check_bytes(10**18)


def test_the_last_campaign_that_is_allowed() -> None:
    limits = StorageLimits(campaigns=3)
    assert limits.are_set
    limits.check_campaigns(3)
    limits.check_bytes(10**18)
    with pytest.raises(TooManyCampaignsError, match="you have 3 campaigns, and this server allows no more"):
        limits.check_campaigns(4)


def test_the_last_byte_that_is_allowed() -> None:
    limits = StorageLimits(bytes=5_000)
    assert limits.are_set
    limits.check_bytes(5_000)
    limits.check_campaigns(10**9)
    with pytest.raises(StorageFullError, match="all the space that this server allows, 5000 bytes"):
        limits.check_bytes(5_001)
