"""The values of the Store port; what stores do is the contract suite's business."""

from talewright.chronicle.store import BlobKind, CampaignListing


def test_shelves_have_the_names_that_are_written() -> None:
    assert [shelf.value for shelf in BlobKind] == ["game", "snapshot"]


def test_campaign_is_listed_as_sound_unless_said_otherwise() -> None:
    assert not CampaignListing("one", {}, "2026-01-01T00:00:00Z").damaged
