"""The values of the Store port; what stores do is the contract suite's business."""

from talewright.chronicle.store import Listing, Shelf


def test_shelves_have_the_names_that_are_written() -> None:
    assert [shelf.value for shelf in Shelf] == ["game", "snapshot"]


def test_campaign_is_listed_as_sound_unless_said_otherwise() -> None:
    assert not Listing("one", {}, "2026-01-01T00:00:00Z").damaged
