"""The signal codec: every signal survives it, and two versions understand each other."""

import json
from dataclasses import fields
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.chronicle.records import Accepted, Commit
from talewright.common.json_values import Json
from talewright.hosting.news.signal_codec import SIGNAL_TYPES, SentSignal, read_signal, write_signal
from talewright.play.campaign_news import CommitRecorded
from talewright.turn.turn_signals import (
    Activity,
    BackgroundDone,
    BackgroundFailed,
    DiceRolled,
    Doing,
    NarrationDelta,
    NarrationReset,
    RepairCause,
    Signal,
    TurnAccepted,
    TurnCommitted,
    TurnDegraded,
    TurnFailed,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
JSON: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
ACCEPTED_RECORDS = st.builds(Accepted, TEXT, TEXT, TEXT, JSON, TEXT)
SIGNALS: dict[type[SentSignal], st.SearchStrategy[SentSignal]] = {
    TurnAccepted: st.builds(TurnAccepted, ACCEPTED_RECORDS, TEXT, TEXT),
    NarrationDelta: st.builds(NarrationDelta, TEXT, TEXT, TEXT),
    NarrationReset: st.builds(NarrationReset, TEXT, st.booleans(), TEXT, TEXT),
    DiceRolled: st.builds(DiceRolled, JSON, TEXT, TEXT, TEXT),
    Activity: st.builds(
        Activity,
        st.sampled_from(Doing),
        st.none() | st.floats(0, 1),
        st.none() | st.floats(0, 1e6),
        st.none() | st.sampled_from(RepairCause),
        st.booleans(),
        TEXT,
        TEXT,
    ),
    CommitRecorded: st.builds(CommitRecorded, st.integers(0, 1000), TEXT, TEXT),
    TurnDegraded: st.builds(TurnDegraded, TEXT, TEXT, TEXT, TEXT),
    TurnFailed: st.builds(TurnFailed, TEXT, TEXT, TEXT, TEXT),
    BackgroundDone: st.builds(BackgroundDone, TEXT, TEXT, TEXT),
    BackgroundFailed: st.builds(BackgroundFailed, TEXT, TEXT, TEXT, TEXT),
}


@given(st.one_of(*SIGNALS.values()))
def test_a_signal_is_the_same_in_another_process(signal: SentSignal) -> None:
    assert read_signal(write_signal(signal)) == signal


def test_half_a_character_survives() -> None:
    # A model's stream may be cut anywhere.
    cut = NarrationDelta("a \ud800 b\u2028", "main", "op")
    assert read_signal(write_signal(cut)) == cut


def test_a_commit_is_sent_as_its_number_alone() -> None:
    commit = Commit("c", "p", "main", 1, "op", "2026-01-01T00:00:00Z", "g", "s", sequence=7)
    assert read_signal(write_signal(TurnCommitted(commit, "main", "op"))) == CommitRecorded(7, "main", "op")


def test_every_signal_can_be_sent() -> None:
    sent = (set(get_args(Signal)) - {TurnCommitted}) | {CommitRecorded}
    assert set(SIGNALS) == sent
    assert set(SIGNAL_TYPES.values()) == sent
    for kind in get_args(Signal):
        assert [field.name for field in fields(kind)][-2:] == ["branch", "operation_id"]


def read(raw: Json) -> SentSignal:
    """A signal from JSON."""
    return read_signal(json.dumps(raw))


DELTA = NarrationDelta("a", "main", "op")
ACCEPTED = TurnAccepted(Accepted("op", "main", "b", None, "now"), "main", "op")


def test_members_that_a_later_version_adds_are_ignored() -> None:
    for signal in (DELTA, ACCEPTED):
        raw = json.loads(write_signal(signal))
        raw["later"] = [1]
        if "accepted" in raw:
            raw["accepted"]["later"] = [1]
        assert read(raw) == signal


def test_members_that_an_earlier_version_does_not_send_get_their_defaults() -> None:
    assert read({"signal": "NarrationReset", "text": "a"}) == NarrationReset("a")
    assert read({"signal": "Activity", "doing": "reading"}) == Activity(Doing.READING)
    strange: dict[str, Json] = {"share": "half", "usual_seconds": True, "why": "boredom", "can_skip": 1}
    assert read({"signal": "Activity", "doing": "reading", **strange}) == Activity(Doing.READING)
    assert read({"signal": "Activity", "doing": "reading", "why": ["rules"]}) == Activity(Doing.READING)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ([], "not a known signal"),
        ({}, "not a known signal"),
        ({"signal": 1}, "not a known signal"),
        ({"signal": ["NarrationDelta"]}, "not a known signal"),
        ({"signal": "WeatherChanged"}, "not a known signal"),
        ({"signal": "TurnCommitted"}, "not a known signal"),
        ({"signal": "TurnFailed"}, "TurnFailed has no reason"),
        ({"signal": "Activity", "doing": "dreaming"}, "dreaming"),
        ({"signal": "NarrationDelta", "text": 1}, "text of a signal must be of the type str"),
        ({"signal": "NarrationDelta", "text": "a", "branch": None}, "branch of a signal must be"),
        ({"signal": "CommitRecorded", "sequence": True}, "sequence of a signal must be of the type int"),
        ({"signal": "TurnAccepted", "accepted": {"kind": "of a later engine"}}, "malformed"),
        ({"signal": "TurnAccepted", "accepted": 3}, "malformed"),
    ],
)
def test_what_is_no_signal_is_refused(raw: Json, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(raw)


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="Expecting value"):
        read_signal("no JSON")
    with pytest.raises(ValueError, match="nested too deeply"):
        read_signal("[" * 100_000)


def test_a_record_of_another_kind_is_refused() -> None:
    aside: Json = {"kind": "aside", "id": "a", "commit": "c", "at": "now", "body": {}}
    with pytest.raises(ValueError, match="malformed"):
        read({"signal": "TurnAccepted", "accepted": aside})
