"""Forms: every kind of record to JSON and bytes and back, and everything that is none refused."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.chronicle.body_shapes import find_misshape
from talewright.chronicle.record_codec import (
    RecordCodecError,
    RecordForm,
    decode,
    dump,
    encode,
    from_form,
    parse,
    to_form,
)
from talewright.chronicle.records import (
    Accepted,
    Aside,
    Attempt,
    AttemptVerdict,
    Commit,
    Json,
    PointerKind,
    Pointing,
    Record,
)
from talewright.chronicle.store import ChronicleError

FORMS: dict[str, tuple[Record, RecordForm]] = {
    "accepted": (
        Accepted("op", "main", "c0", {"say": "嗨"}, "t"),
        {
            "kind": "accepted",
            "operation_id": "op",
            "branch": "main",
            "base": "c0",
            "at": "t",
            "input": {"say": "嗨"},
        },
    ),
    "commit": (
        Commit("c1", "c0", "main", 3, "op", "t", "g", "s", {"a": 1}, 7),
        {
            "kind": "commit",
            "id": "c1",
            "parent": "c0",
            "branch": "main",
            "version": 3,
            "sequence": 7,
            "operation_id": "op",
            "at": "t",
            "game_digest": "g",
            "state_digest": "s",
            "body": {"a": 1},
        },
    ),
    "attempt": (
        Attempt("a1", "op", "main", "c0", "t", AttemptVerdict.DEGRADED, {"why": None}),
        {
            "kind": "attempt",
            "id": "a1",
            "operation_id": "op",
            "branch": "main",
            "base": "c0",
            "at": "t",
            "verdict": "degraded",
            "body": {"why": None},
        },
    ),
    "aside": (
        Aside("x1", "c1", "t", {"b": [2]}),
        {"kind": "aside", "id": "x1", "commit": "c1", "at": "t", "body": {"b": [2]}},
    ),
    "pointing": (
        Pointing(PointerKind.MARK, "quick", "c1", "t"),
        {"kind": "pointing", "pointer": "mark", "name": "quick", "commit": "c1", "at": "t"},
    ),
}
KINDS = pytest.mark.parametrize("kind", FORMS)
TEXTS = "operation_id branch base at id parent game_digest state_digest commit name".split()


@KINDS
def test_there_and_back(kind: str) -> None:
    record, form = FORMS[kind]
    assert to_form(record) == form
    assert list(to_form(record)) == list(form)
    assert from_form(form) == record
    text = json.dumps(form, ensure_ascii=False, separators=(",", ":"))
    assert encode(record) == dump(form) == text.encode()
    assert decode(encode(record)) == record


@pytest.mark.parametrize("verdict", AttemptVerdict)
def test_verdicts(verdict: AttemptVerdict) -> None:
    record = Attempt("a", "o", "b", "c", "t", verdict)
    assert to_form(record)["verdict"] == verdict.value
    assert decode(encode(record)) == record


@pytest.mark.parametrize("kind", PointerKind)
def test_pointers(kind: PointerKind) -> None:
    record = Pointing(kind, "n", "c", "t")
    assert to_form(record)["pointer"] == kind.value
    assert decode(encode(record)) == record


@KINDS
def test_reading_leaves_the_form_as_it_was(kind: str) -> None:
    form = dict(FORMS[kind][1])
    from_form(form)
    assert form == FORMS[kind][1]


def refused(form: Json) -> str:
    """What is said of a form that is no record."""
    with pytest.raises(RecordCodecError) as caught:
        from_form(form)
    assert isinstance(caught.value, ChronicleError)
    return caught.value.message


@KINDS
def test_each_member_is_needed(kind: str) -> None:
    form = FORMS[kind][1]
    for name in form:
        rest = {other: value for other, value in form.items() if other != name}
        if name == "kind":
            expected = "None is not a kind of record; there are accepted, commit, attempt, aside, pointing"
        else:
            expected = f"a record lacks its member {name!r}"
        assert refused(rest) == expected


@KINDS
def test_each_member_has_its_type(kind: str) -> None:
    form = FORMS[kind][1]
    wrong: dict[str, tuple[Json, ...]] = {"body": (None, "a", 1, [], True), "verdict": (1,), "pointer": (1,)}
    wrong |= {name: (None, 1, True, [], {}) for name in TEXTS}
    wrong |= {name: (None, "1", True, False, 1.0, -1, []) for name in ("version", "sequence")}
    nouns = {"body": "an object", "version": "a whole number of 0 or more"}
    nouns["sequence"] = nouns["version"]
    for name in form:
        for value in wrong.get(name, ()):
            noun = nouns.get(name, "a text")
            assert refused({**form, name: value}) == f"the member {name!r} of a record is {noun}"


@KINDS
def test_no_member_more(kind: str) -> None:
    form = {**FORMS[kind][1], "more": 1, "most": 2}
    assert refused(form) == f"a record of the kind {kind} has no member 'more'"


def test_zero_is_a_count() -> None:
    form = {**FORMS["commit"][1], "version": 0, "sequence": 0}
    assert from_form(form) == Commit("c1", "c0", "main", 0, "op", "t", "g", "s", {"a": 1}, 0)


def test_unknown_words() -> None:
    assert refused({**FORMS["attempt"][1], "verdict": "won"}) == (
        "'won' is no verdict of a record; there are committed, degraded, failed, lost, cancelled, "
        "interrupted, unspent"
    )
    assert refused({**FORMS["pointing"][1], "pointer": "tag"}) == (
        "'tag' is no pointer of a record; there are branch, mark"
    )
    kinds: list[Json] = ["Commit", "", 1, None, ["commit"], {}]
    for kind in kinds:
        assert refused({**FORMS["commit"][1], "kind": kind}).startswith(f"{kind!r} is not a kind of record;")


@pytest.mark.parametrize("form", [None, True, 1, 1.5, "commit", [], [{}]])
def test_only_objects_are_records(form: Json) -> None:
    assert refused(form) == "a record is a JSON object"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "a record is JSON in UTF-8: Expecting value"),
        (b"{", "a record is JSON in UTF-8: Expecting property name"),
        (b"{}{}", "a record is JSON in UTF-8: Extra data"),
        (b"\xff", "a record is JSON in UTF-8: 'utf-8' codec"),
        (b'"\xed\xa0\x80"', "a record is JSON in UTF-8: 'utf-8' codec"),
        (b"\xef\xbb\xbf{}", "a record is JSON in UTF-8: "),
        (b"NaN", "a record is JSON in UTF-8: NaN is no JSON"),
        (b"[-Infinity]", "a record is JSON in UTF-8: -Infinity is no JSON"),
        (b"[" * 100_000, "a record is JSON in UTF-8: "),
        (b"1" * 5000, "a record is JSON in UTF-8: Exceeds the limit"),
    ],
)
def test_bytes_that_are_no_json(data: bytes, told: str) -> None:
    for read in (parse, decode):
        with pytest.raises(RecordCodecError) as caught:
            read(data)
        assert caught.value.message.startswith(told)


def test_parsing() -> None:
    assert parse('[1, "雾", null, 0.5]'.encode()) == [1, "雾", None, 0.5]


def nest(depth: int) -> Json:
    """A list in a list in a list."""
    value: Json = []
    for _ in range(depth):
        value = [value]
    return value


BODIES: dict[str, Callable[[], Json]] = {
    "lone surrogate": lambda: "\ud83d",
    "not a number": lambda: float("nan"),
    "infinity": lambda: float("-inf"),
    "nested too deeply": lambda: nest(100_000),
}


@pytest.mark.parametrize("name", BODIES)
def test_what_cannot_be_written(name: str) -> None:
    with pytest.raises(ValueError):
        encode(Aside("a", "c", "t", {"x": BODIES[name]()}))


def test_nesting_is_told() -> None:
    with pytest.raises(ValueError, match=r"^a record is nested too deeply$"):
        encode(Aside("a", "c", "t", {"x": nest(100_000)}))


JSON_VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


# Hypothesis also draws words of the code, such as `engine`, whose values have a shape.
@given(
    st.dictionaries(st.text(), JSON_VALUES, max_size=4).filter(lambda body: not find_misshape(body)),
    st.text(),
)
def test_any_body_comes_back(body: dict[str, Json], name: str) -> None:
    record = Aside(name, name, name, body)
    data = encode(record)
    assert repr(decode(data)) == repr(record)
    assert not any(byte < 32 for byte in data)
