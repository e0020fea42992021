"""Core types: what an unquoted scalar is."""

import pytest

from talewright.pack.files.yaml_reader import NUMBER_LENGTH_MAX, YamlNumberError, core_value

TEXTS = [
    *("no", "No", "yes", "on", "off", "y", "n", "Yes", "tRUE", "nULL", "None"),
    *("22:30", "1:2", "2024-01-02", "1_000", "0b101", "0o8", "0xg", "1e", "e1", "1.2.3", "+", "-", ".", "-."),
    *("٣", "１２", "½", "1 2", "- 1", "+.inf.", ".Nan", "-.nan", "<<", "=", "dF", "2d6+1", "1k"),
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_looks_like_nothing_else_stays_a_text(text: str) -> None:
    assert core_value(text) == text


@pytest.mark.parametrize("text", ["", "~", "null", "Null", "NULL"])
def test_nothing(text: str) -> None:
    assert core_value(text) is None


@pytest.mark.parametrize("text", ["true", "True", "TRUE"])
def test_true(text: str) -> None:
    assert core_value(text) is True


@pytest.mark.parametrize("text", ["false", "False", "FALSE"])
def test_false(text: str) -> None:
    assert core_value(text) is False


WHOLE = [
    ("0", 0),
    ("-0", 0),
    ("+7", 7),
    ("-12", -12),
    ("012", 12),
    ("0o17", 15),
    ("0xFf", 255),
    ("3.0", 3),
    ("1e3", 1000),
    ("9007199254740991", 9007199254740991),
    ("-9007199254740991", -9007199254740991),
]


@pytest.mark.parametrize(("text", "value"), WHOLE)
def test_a_whole_number_is_whole_however_it_is_written(text: str, value: int) -> None:
    number = core_value(text)
    assert number == value
    assert type(number) is int


@pytest.mark.parametrize(("text", "value"), [("1.5", 1.5), (".5", 0.5), ("-2.5e-1", -0.25), ("1.", 1)])
def test_a_fraction(text: str, value: float) -> None:
    assert core_value(text) == value


REFUSED = [
    *(
        "9007199254740992",
        "-9007199254740992",
        "1e400",
        "-1e400",
        "99999999999999999999999",
        "0xFFFFFFFFFFFFFFFF",
    ),
    *(".inf", "-.inf", "+.Inf", ".INF", ".nan", ".NaN", ".NAN"),
    "1" * (NUMBER_LENGTH_MAX + 1),
    "0x" + "f" * NUMBER_LENGTH_MAX,
]


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:20])
def test_a_number_that_no_state_holds_is_refused(text: str) -> None:
    with pytest.raises(YamlNumberError):
        core_value(text)


def test_a_long_text_that_begins_like_a_number_is_a_text() -> None:
    text = "7" * NUMBER_LENGTH_MAX + " times"
    assert core_value(text) == text


def test_the_longest_number_is_read() -> None:
    assert core_value("0" * (NUMBER_LENGTH_MAX - 1) + "7") == 7
