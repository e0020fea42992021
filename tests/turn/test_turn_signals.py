"""Signals: a listener that names the turn."""

from talewright.turn.turn_signals import BackgroundDone, NarrationDelta, Signal, name_turn


def test_a_listener_names_the_turn_of_what_it_hears() -> None:
    heard: list[Signal] = []
    hear = name_turn(heard.append, "main", "op")
    hear(NarrationDelta("a"))
    hear(BackgroundDone("summary", "other", "earlier"))
    assert heard == [NarrationDelta("a", "main", "op"), BackgroundDone("summary", "other", "earlier")]
