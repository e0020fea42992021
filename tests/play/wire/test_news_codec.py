"""The codec of signals: every one comes back as it went, and what is none is refused."""

import json
from dataclasses import fields
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.chronicle.record_codec import RecordCodecError
from talewright.chronicle.records import Accepted, Commit
from talewright.common.json_values import Json
from talewright.play.wire.news_codec import (
    SIGNAL_READERS,
    SignalCodecError,
    decode_signal,
    encode_signal,
)
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
ACCEPTED = st.builds(Accepted, TEXT, TEXT, TEXT, JSON, TEXT)
COMMIT = st.builds(
    Commit,
    id=TEXT,
    parent=TEXT,
    branch=TEXT,
    version=st.integers(0, 1000),
    operation_id=TEXT,
    at=TEXT,
    game_digest=TEXT,
    state_digest=TEXT,
    body=st.dictionaries(TEXT, JSON, max_size=3),
    sequence=st.integers(0, 1000),
)
SIGNALS: dict[type[Signal], st.SearchStrategy[Signal]] = {
    TurnAccepted: st.builds(TurnAccepted, ACCEPTED, TEXT, TEXT),
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
    TurnCommitted: st.builds(TurnCommitted, COMMIT, TEXT, TEXT),
    TurnDegraded: st.builds(TurnDegraded, TEXT, TEXT, TEXT, TEXT),
    TurnFailed: st.builds(TurnFailed, TEXT, TEXT, TEXT, TEXT),
    BackgroundDone: st.builds(BackgroundDone, TEXT, TEXT, TEXT),
    BackgroundFailed: st.builds(BackgroundFailed, TEXT, TEXT, TEXT, TEXT),
}


@given(st.one_of(*SIGNALS.values()))
def test_a_signal_comes_back_as_it_went(signal: Signal) -> None:
    assert decode_signal(json.loads(json.dumps(encode_signal(signal)))) == signal


def test_every_signal_has_its_codec() -> None:
    assert set(SIGNALS) == set(get_args(Signal))
    assert len(SIGNAL_READERS) == len(get_args(Signal))
    for kind in get_args(Signal):
        assert [field.name for field in fields(kind)][-2:] == ["branch", "operation_id"]


SENT = encode_signal(NarrationDelta("a", "main", "op"))


def test_what_a_later_version_sends_is_passed_over() -> None:
    assert decode_signal({**SENT, "later": [1]}) == NarrationDelta("a", "main", "op")
    assert decode_signal({**SENT, "signal": "weather_changed"}) is None
    waiting: dict[str, Json] = {
        "signal": "activity",
        "branch": "main",
        "operation_id": "op",
        "doing": "reading",
    }
    strange: dict[str, Json] = {"share": "half", "usual_seconds": True, "why": "boredom", "can_skip": 1}
    assert decode_signal(waiting | strange) == Activity(Doing.READING, branch="main", operation_id="op")


def test_what_an_earlier_version_knows_of_an_activity_is_sent_as_ever() -> None:
    sent = {"signal": "activity", "branch": "main", "operation_id": "op", "doing": "reading"}
    assert encode_signal(Activity(Doing.READING, branch="main", operation_id="op")) == sent


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ([], "a signal must be a JSON object"),
        ({"signal": 1}, "the member signal of a signal must be a text"),
        (
            {"signal": "activity", "branch": "", "operation_id": "", "doing": "x"},
            "'x' is not a known activity",
        ),
        ({"signal": "narration_delta", "branch": "", "operation_id": ""}, "the member text"),
        ({**SENT, "branch": None}, "the member branch of a signal must be a text"),
    ],
)
def test_what_is_no_signal_is_refused(raw: Json, message: str) -> None:
    with pytest.raises(SignalCodecError, match=message):
        decode_signal(raw)


def test_a_record_of_another_kind_is_refused() -> None:
    accepted, commit = (
        Accepted("op", "main", "b", None, "now"),
        Commit("c", "", "main", 0, "o", "now", "", ""),
    )
    asked, done = encode_signal(TurnAccepted(accepted)), encode_signal(TurnCommitted(commit))
    with pytest.raises(SignalCodecError, match="must be an input"):
        decode_signal({**asked, "accepted": done["commit"]})
    with pytest.raises(SignalCodecError, match="must be a commit"):
        decode_signal({**done, "commit": asked["accepted"]})
    with pytest.raises(RecordCodecError):
        decode_signal({**done, "commit": 3})
