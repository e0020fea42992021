import json

import pytest

from talewright.contract.cards.cards_json_stream import JsonStringDecoder


def read(body: str) -> tuple[str, JsonStringDecoder]:
    """Decode character by character; it must agree with decoding in one."""
    whole = JsonStringDecoder()
    told, _ = whole.feed(body, 0)
    string = JsonStringDecoder()
    parts = [string.feed(sign, 0)[0] for sign in body]
    assert "".join(parts) == told
    states = [(s.closed, s.broken, s.damaged) for s in (string, whole)]
    assert states[0] == states[1]
    return told, string


@pytest.mark.parametrize(
    "value", ["", "plain", 'a"b\\c/d', "\b\f\n\r\t", "雾港\x7f", "🌫a🌫🌫", "\ud7ff\ue000\uffff", "\x00\x1f"]
)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_strings_are_decoded(value: str, ascii_only: bool) -> None:
    body = json.dumps(value, ensure_ascii=ascii_only)[1:]
    told, string = read(body)
    assert told == value
    assert (string.closed, string.broken, string.damaged) == (True, False, False)


def test_every_escape_is_known() -> None:
    assert read(r'\"\\\/\b\f\n\r\t\u00e9\u00E9"')[0] == '"\\/\b\f\n\r\té' + "é"


def test_breaks_and_tabs_may_stand_as_they_are() -> None:
    told, string = read('a\n\r\tb"')
    assert told == "a\n\r\tb"
    assert string.closed


@pytest.mark.parametrize("sign", ["\x00", "\x08", "\x0b", "\x0c", "\x0e", "\x1b", "\x1f"])
def test_other_controls_break_it(sign: str) -> None:
    told, string = read(f"ab{sign}")
    assert told == "ab"
    assert (string.closed, string.broken) == (False, True)


@pytest.mark.parametrize("escape", ["x", "U0041", "u00g", "ug", "uX", 'u12"', "u 123", "n0"])
def test_wrong_escapes_break_it(escape: str) -> None:
    told, string = read(f"a\\{escape}"[: 2 + len(escape)])
    assert string.broken is (escape != "n0")
    assert told == ("a\n0" if escape == "n0" else "a")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (r'\ud83c"', ""),
        (r'\ud83cx"', "x"),
        (r'\ud83c\n"', "\n"),
        (r'\ud83c\u0041"', "A"),
        (r'\udf2b"', ""),
        (r'\udf2bx"', "x"),
        (r'\ud83cx\udf2b"', "x"),
        (r'\ud83c\ue000"', "\ue000"),
        (r'\udc00\udc00"', ""),
        (r'\udfff"', ""),
        (r'\ud83c\ud83c\udf2b"', "🌫"),
        (r'\ud83c\udf2b\udf2b"', "🌫"),
        (r'\udbff\udfff\udc00"', "\U0010ffff"),
        (r'\ud800\udc00\ud800"', "\U00010000"),
    ],
)
def test_half_pairs_are_left_out(body: str, told: str) -> None:
    found, string = read(body)
    assert found == told
    assert string.damaged
    assert string.closed


def test_half_pair_before_a_control_is_noticed() -> None:
    _, string = read("\\ud83c\x01")
    assert (string.damaged, string.broken) == (True, True)


def test_reading_stops_behind_the_quote() -> None:
    string = JsonStringDecoder()
    assert string.feed('xxab"cd', 2) == ("ab", 5)
    assert string.feed("cd", 0) == ("", 0)
    open_string = JsonStringDecoder()
    assert open_string.feed("ab\\", 0) == ("ab", 3)
    assert open_string.feed("u", 0) == ("", 1)
    assert open_string.feed("0041", 0) == ("A", 4)
    assert not open_string.closed
