"""The event stream parser: the cases of the HTML standard, and bytes that are cut anywhere."""

import random

import pytest

from talewright.play.wire.view_codec import WireError
from talewright.remote import event_stream
from talewright.remote.event_stream import EventStreamParser, ServerEvent

SEED = 20

STREAM = (
    "\ufeff: hello\n\n"
    "retry: 1000\n"
    "id: 4\n\n"
    "event: turn.accepted\nid: 5\ndata: one\ndata:two\n\n"
    "data:  spaced\r\nid: 6\r\n\r\n"
    "unknown: x\rdata\rdata: 雾港\r\r"
    "event: nothing\n\n"
    "data: unfinished\n"
).encode()
EVENTS = [
    ServerEvent("turn.accepted", "one\ntwo", "5"),
    ServerEvent("message", " spaced", "6"),
    ServerEvent("message", "\n雾港", "6"),
]


def test_events_are_read_as_the_standard_says() -> None:
    parser = EventStreamParser()
    assert parser.feed(STREAM) == EVENTS
    assert parser.last_id == "6"


@pytest.mark.parametrize("size", [1, 2, 3])
def test_every_cut_gives_the_same_events(size: int) -> None:
    parser = EventStreamParser()
    events = [event for at in range(0, len(STREAM), size) for event in parser.feed(STREAM[at : at + size])]
    assert events == EVENTS


def test_random_cuts_give_the_same_events() -> None:
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    for _ in range(200):
        cuts = sorted(rng.randrange(len(STREAM)) for _ in range(rng.randrange(12)))
        parser = EventStreamParser()
        pieces = zip([0, *cuts], [*cuts, len(STREAM)], strict=True)
        assert [event for start, end in pieces for event in parser.feed(STREAM[start:end])] == EVENTS


def test_an_id_counts_with_the_end_of_its_event() -> None:
    parser = EventStreamParser("7")
    assert parser.feed(b"id: 8\ndata: cut") == []
    assert parser.last_id == "7"
    assert parser.feed(b" off\n\n") == [ServerEvent("message", "cut off", "8")]
    assert parser.last_id == "8"
    parser.feed(b"id: 9\n\n")
    assert parser.last_id == "9"
    parser.feed(b"id: 1\x000\n\n")
    assert parser.last_id == "9"


def test_an_event_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "EVENT_LENGTH_MAX", 100)
    for line in (b"x", b"data: x\n"):
        parser = EventStreamParser()
        parser.feed(line * 50)
        with pytest.raises(WireError, match="too long"):
            parser.feed(line * 51)
