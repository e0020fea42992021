"""States: one document, one version, one digest."""

import hashlib
import math
from dataclasses import FrozenInstanceError

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from talewright.common.json_values import Json
from talewright.kernel.state.documents import ABSENT, INTEGER_MAX
from talewright.kernel.state.state import State, canonical

# Keys around the places where the order of UTF-16 code units and that of code points part.
KEYS = st.text(st.sampled_from('aZ"\\\n\x7f é\ud7ff\ue000\uffff\U00010000\U0001f56f'), max_size=3) | st.text(
    max_size=4
)
FLOATS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-400, 400).map(lambda n: n / 8)
SCALARS = st.none() | st.booleans() | st.integers(-INTEGER_MAX, INTEGER_MAX) | FLOATS | st.text(max_size=20)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=20,
)


@given(VALUES)
@example({"\ue000": 1, "\U00010000": 2, "a": 3})
@example({"\U0001f56f": {"\uffff": [], "\U00010000": {}}, "": None})
@example([1e21, 1e-7, 1e-6, 0.1, -0.0, 5e-324, 1.7976931348623157e308, 123456789012345680000.0])
@example('\x00\x01\x1f\x7f\u0080\u2028\u2029\b\f\n\r\t"\\/')
def test_canonical_bytes_are_those_of_the_library(document: Json) -> None:
    assert canonical(document) == rfc8785.dumps(document)


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ({}, "{}"),
        ([], "[]"),
        ({"a": {}, "b": []}, '{"a":{},"b":[]}'),
        ({"b": [1, True, None], "a": "x"}, '{"a":"x","b":[1,true,null]}'),
        ([False, -3, 2.0, 0.5, "雾"], '[false,-3,2,0.5,"雾"]'),
        ({"\U00010000": 1, "\ue000": 2}, '{"\U00010000":1,"\ue000":2}'),
        ({"é": 1, "z": 2}, '{"z":2,"é":1}'),
        ([INTEGER_MAX, -INTEGER_MAX], "[9007199254740991,-9007199254740991]"),
    ],
)
def test_canonical_bytes(document: Json, text: str) -> None:
    assert canonical(document) == text.encode()


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, "\ud800", {"\udfff": 1}, INTEGER_MAX + 1, -INTEGER_MAX - 1, 10**400],
)
def test_what_has_no_canonical_form_is_refused(value: Json) -> None:
    with pytest.raises(ValueError):
        canonical([value])


def test_the_digest_is_that_of_the_canonical_bytes() -> None:
    state = State({"b": 1, "a": [1.0]}, 3)
    assert state.digest == hashlib.sha256(b'{"a":[1],"b":1}').hexdigest()
    assert state.digest is state.digest
    assert state.digest == State({"a": [1], "b": 1}, 4).digest
    assert state.digest != State({"a": [2], "b": 1}, 3).digest


def test_a_state_is_a_value() -> None:
    state = State({"a": {"b": None}}, 3)
    assert state == State({"a": {"b": None}}, 3)
    assert state != State({"a": {"b": None}}, 4)
    assert (state.read(("a", "b")), state.read(("a", "c"))) == (None, ABSENT)
    assert state.read(()) is state.document
    with pytest.raises(FrozenInstanceError):
        state.version = 4  # type: ignore[misc]  # that it is frozen is what is tested
