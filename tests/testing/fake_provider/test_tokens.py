"""The fake provider's tokenizer: whole, countable, and stable at the front."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.testing.fake_provider import tokens


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
    assert tokens.split(text) == expected
    assert tokens.count(text) == len(expected)


@given(st.text())
def test_nothing_is_lost(text: str) -> None:
    assert "".join(tokens.split(text)) == text


@given(st.text(), st.text())
def test_a_longer_text_begins_with_the_same_tokens(text: str, more: str) -> None:
    short, long = tokens.split(text), tokens.split(text + more)
    assert tokens.common(short, long) >= len(short) - 1


def test_cut_and_common() -> None:
    assert tokens.cut("The rain falls.", 2) == "The rain"
    assert tokens.cut("The rain", 9) == "The rain"
    assert tokens.common(["a", "b", "c"], ["a", "b", "x", "c"]) == 2
    assert tokens.common([], ["a"]) == 0
