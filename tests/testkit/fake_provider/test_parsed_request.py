"""The fake provider's tokenizer: whole, countable, and stable at the front."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright_testkit.fake_provider import parsed_request


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("The rain falls.", ["The", " rain", " falls", "."]),
        ("extraordinary", ["extraord", "inary"]),
        ("雨落在港口。", ["雨", "落", "在", "港", "口", "。"]),
        ("12345", ["123", "45"]),
        ("a_b", ["a", "_", "b"]),
        ("x\n\n  y", ["x", "\n\n  ", "y"]),
        ('{"a": 1}', ['{"', "a", '":', " ", "1", "}"]),
    ],
)
def test_split(text: str, expected: list[str]) -> None:
    assert parsed_request.split_tokens(text) == expected
    assert parsed_request.count_tokens(text) == len(expected)


@given(st.text())
def test_nothing_is_lost(text: str) -> None:
    assert "".join(parsed_request.split_tokens(text)) == text


@given(st.text(), st.text())
def test_a_longer_text_begins_with_the_same_tokens(text: str, more: str) -> None:
    short, long = parsed_request.split_tokens(text), parsed_request.split_tokens(text + more)
    assert parsed_request.count_common_tokens(short, long) >= len(short) - 1


def test_cut_and_common() -> None:
    assert parsed_request.cut_tokens("The rain falls.", 2) == "The rain"
    assert parsed_request.cut_tokens("The rain", 9) == "The rain"
    assert parsed_request.count_common_tokens(["a", "b", "c"], ["a", "b", "x", "c"]) == 2
    assert parsed_request.count_common_tokens([], ["a"]) == 0
