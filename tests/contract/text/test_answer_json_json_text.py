import json
import random
import re
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.common.json_values import Json, equal
from talewright.contract.text import answer_json
from talewright.contract.text.answer_json import (
    DEPTH_MAX,
    FOUND_LENGTH_MAX,
    NUMBER_LENGTH_MAX,
    TEXT_LENGTH_MAX,
    JsonTextError,
    read_json,
)
from talewright.kernel.state.documents import INTEGER_MAX, is_text

GOOD: dict[str, Json] = {
    "{}": {},
    "[]": [],
    " [ ] ": [],
    '{ "a" : [ 1 , true , false , null , "x" ] , "b" : { } }': {"a": [1, True, False, None, "x"], "b": {}},
    '\t\r\n"x"\n': "x",
    '""': "",
    "0": 0,
    "-0": 0,
    "-0.0": 0,
    "3.0": 3,
    "1e2": 100,
    "1E+2": 100,
    "25e-1": 2.5,
    "-1.25": -1.25,
    f"{INTEGER_MAX}": INTEGER_MAX,
    f"-{INTEGER_MAX}": -INTEGER_MAX,
    f"{INTEGER_MAX - 1}": INTEGER_MAX - 1,
    "0.1": 0.1,
    r'"\"\\\/\b\f\n\r\t\u0041\uD83C\udf2b"': '"\\/\b\f\n\r\tA🌫',
    '"雾\x7f\u2028"': "雾\x7f\u2028",
    '{"a":{"a":1},"b":{"a":1}}': {"a": {"a": 1}, "b": {"a": 1}},
    "[" * DEPTH_MAX + "]" * DEPTH_MAX: json.loads("[" * DEPTH_MAX + "]" * DEPTH_MAX),
}

BAD = {
    "": ("expected a value", 0),
    "  ": ("expected a value", 2),
    "\ufeff{}": ("expected a value, found '\\ufeff{}'", 0),
    "nul": ("expected a value, found 'nul'", 0),
    "NaN": ("expected a value, found 'NaN'", 0),
    "[Infinity]": ("expected a value, found 'Infinity]'", 1),
    "-Infinity": ("expected a value, found '-Infinity'", 0),
    "True": ("expected a value, found 'True'", 0),
    "'x'": ("expected a value, found \"'x'\"", 0),
    "+1": ("expected a value, found '+1'", 0),
    ".5": ("expected a value, found '.5'", 0),
    "-": ("expected a value, found '-'", 0),
    "01": ("expected the end of the text, found '1'", 1),
    "1.": ("expected the end of the text, found '.'", 1),
    "1e": ("expected the end of the text, found 'e'", 1),
    "{} {}": ("expected the end of the text, found '{}'", 3),
    "nullx": ("expected the end of the text, found 'x'", 4),
    "[1,]": ("expected a value, found ']'", 3),
    "[1": ("expected ',' or ']'", 2),
    "[1 2]": ("expected ',' or ']', found '2]'", 3),
    "[1}": ("expected ',' or ']', found '}'", 2),
    "[": ("expected a value", 1),
    "{": ("expected a member's name in double quotes", 1),
    "{a:1}": ("expected a member's name in double quotes, found 'a:1}'", 1),
    '{"a":1,}': ("expected a member's name in double quotes, found '}'", 7),
    '{"a" 1}': ("expected ':' after 'a', found '1}'", 5),
    '{"a"': ("expected ':' after 'a'", 4),
    '{"a":}': ("expected a value, found '}'", 5),
    '{"a":1 "b":2}': ("expected ',' or '}', found '\"b\":2}'", 7),
    '{"a":1]': ("expected ',' or '}', found ']'", 6),
    '{"a":1, "b":2, "\\u0061":3}': ("'a' stands twice in one object", 15),
    '["x': ("a string is not closed", 1),
    '"': ("a string is not closed", 0),
    '"x\\"': ("a string is not closed", 0),
    '"a\\x41b"': ("a string has no escape '\\\\x41b\"'", 2),
    '"\\u00g0"': ("a string has no escape '\\\\u00g0'", 1),
    '"\\': ("a string has no escape '\\\\'", 1),
    '"a\nb"': ("a string has '\\n' without an escape", 2),
    '"a\tb"': ("a string has '\\t' without an escape", 2),
    '"\x00"': ("a string has '\\x00' without an escape", 1),
    '"\x1f"': ("a string has '\\x1f' without an escape", 1),
    '["\\ud83c"]': ("a string has half a surrogate pair, which is no character", 1),
    '"\\udf2b\\ud83c"': ("a string has half a surrogate pair, which is no character", 0),
    '"\ud83c"': ("a string has half a surrogate pair, which is no character", 0),
    f"[{INTEGER_MAX + 1}]": (f"the number {INTEGER_MAX + 1} is too large to be kept exact", 1),
    f"-{INTEGER_MAX + 1}": (f"the number -{INTEGER_MAX + 1} is too large to be kept exact", 0),
    f"{INTEGER_MAX + 2}": (f"the number {INTEGER_MAX + 2} is too large to be kept exact", 0),
    "1e999": ("the number 1e999 is too large to be kept exact", 0),
    "-1e16": ("the number -1e16 is too large to be kept exact", 0),
    "1" * (NUMBER_LENGTH_MAX + 1): ("a number has more than 100 characters", 0),
    "[" * (DEPTH_MAX + 1): ("objects and lists stand more than 32 deep", DEPTH_MAX),
    '{"a":' * (DEPTH_MAX + 1): ("objects and lists stand more than 32 deep", 5 * DEPTH_MAX),
    "[" * 100_000: ("objects and lists stand more than 32 deep", DEPTH_MAX),
    "x" * 30: (f"expected a value, found '{'x' * 20}'", 0),
}


@pytest.mark.parametrize("text", GOOD)
def test_json_is_read(text: str) -> None:
    value = read_json(text)
    assert equal(value, GOOD[text])
    assert repr(value) == repr(GOOD[text])


@pytest.mark.parametrize("text", BAD, ids=lambda text: repr(text)[:40])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(JsonTextError) as caught:
        read_json(text)
    assert (caught.value.message, caught.value.offset) == BAD[text]
    assert str(caught.value) == caught.value.message


SIGNS = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    '"a"',
    '"雾"',
    "\\",
    "\\n",
    "\n",
    " ",
    "0",
    "-1",
    ".5",
    "e3",
    "true",
    "NaN",
]


@given(st.one_of(st.lists(st.sampled_from(SIGNS), max_size=24).map("".join), st.sampled_from([*GOOD, *BAD])))
@pytest.mark.parametrize("breaks", [False, True])
def test_the_library_reads_what_it_is_left_as_this_module_does(breaks: bool, text: str) -> None:
    def read() -> str:
        try:
            return repr(read_json(text, breaks=breaks))
        except JsonTextError as error:
            return f"{error.message} at {error.offset}"

    left_to_library = read()
    with patch.object(answer_json, "_READ_HERE", re.compile("")):
        assert read() == left_to_library


def test_limits_have_their_values() -> None:
    assert (TEXT_LENGTH_MAX, DEPTH_MAX, NUMBER_LENGTH_MAX, FOUND_LENGTH_MAX) == (2_000_000, 32, 100, 20)


def test_text_of_the_greatest_length_is_read_and_no_longer_one() -> None:
    text = f'"{"x" * (TEXT_LENGTH_MAX - 2)}"'
    assert read_json(text) == text[1:-1]
    with pytest.raises(JsonTextError, match=r"^the text is longer than 2000000 characters$") as caught:
        read_json(text + " ")
    assert caught.value.offset == TEXT_LENGTH_MAX


def test_number_of_the_greatest_length_is_read() -> None:
    assert read_json("0." + "0" * (NUMBER_LENGTH_MAX - 3) + "1") == 10 ** -(NUMBER_LENGTH_MAX - 2)


def test_long_name_is_cut_in_messages() -> None:
    for name, shown in (("n" * 20, "n" * 20), ("n" * 21, "n" * 20 + "...")):
        with pytest.raises(JsonTextError, match=f"'{shown}' stands twice in one object"):
            read_json(f'{{"{name}": 1, "{name}": 2}}')


def test_breaks_may_stand_in_strings_where_told() -> None:
    assert read_json('{"a\n": "b\r\n\tc\\n"}', breaks=True) == {"a\n": "b\r\n\tc\n"}
    for control in "\x00\x08\x0b\x0c\x0e\x1b\x1f":
        with pytest.raises(JsonTextError, match="without an escape") as caught:
            read_json(f'"{control}"', breaks=True)
        assert caught.value.offset == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-INTEGER_MAX, INTEGER_MAX) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, st.booleans(), st.sampled_from([None, 0, 2]))
def test_what_the_library_writes_is_read_back(value: Json, ascii_only: bool, indent: int | None) -> None:
    assert equal(read_json(json.dumps(value, ensure_ascii=ascii_only, indent=indent)), value)


def test_whatever_is_read_the_library_reads_alike() -> None:
    rng = random.Random(5)
    signs = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
        "\\",
        "a",
        "1",
        "0",
        "-",
        ".",
        "e",
        " ",
        "\n",
        "\\u12",
        "true",
        '"a":',
    ]
    read = 0
    for _ in range(4_000):
        text = "".join(rng.choice(signs) for _ in range(rng.randint(1, 7)))
        try:
            value = read_json(text)
        except JsonTextError:
            continue
        read += 1
        assert equal(json.loads(text), value), text
    assert read > 100


@given(st.text(st.characters(exclude_categories=[]), max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value = read_json(json.dumps(text, ensure_ascii=False))
    except JsonTextError:
        assert not is_text(text)
    else:
        assert value == text
