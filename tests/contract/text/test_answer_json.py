import pytest

from talewright.common.json_values import Json
from talewright.contract.text.answer_json import FLAWS_MAX, AnswerFindings
from talewright.kernel.judging.rulings import Flaw


def test_flaws_are_kept_in_order_and_bounded() -> None:
    findings = AnswerFindings()
    assert findings.flaws == ()
    findings.add("soft", soft=True)
    for number in range(FLAWS_MAX):
        findings.add(str(number))
    assert FLAWS_MAX == 20
    assert findings.flaws == (
        Flaw("soft", soft=True),
        *(Flaw(str(number)) for number in range(FLAWS_MAX - 1)),
    )


@pytest.mark.parametrize(
    ("value", "text", "told"),
    [
        (" a\x00b \n", "ab", []),
        (None, "", []),
        ("", "", []),
        ("12345", "12345", []),
        ("123456", "12345", ["`at` has 6 characters; write at most 5"]),
        (5, "", ["`at` must be a text in quotes, not 5"]),
        (False, "", ["`at` must be a text in quotes, not false"]),
        (["x"], "", ["`at` must be a text in quotes, not a list"]),
    ],
)
def test_texts_are_taken(value: Json, text: str, told: list[str]) -> None:
    findings = AnswerFindings()
    assert findings.take_text(value, "at", 5) == text
    assert findings.flaws == tuple(map(Flaw, told))


def test_needed_text_must_be_there() -> None:
    for value in (None, "", "  ", "\x00"):
        findings = AnswerFindings()
        assert findings.take_text(value, "at", 5, needed=True) == ""
        assert findings.flaws == (Flaw("`at` is missing or empty; it must be a text"),)
    findings = AnswerFindings()
    assert findings.take_text(1, "at", 5, needed=True) == ""
    assert findings.flaws == (Flaw("`at` must be a text in quotes, not 1"),)
    assert findings.take_text("x", "at", 5, needed=True) == "x"
    assert len(findings.flaws) == 1


@pytest.mark.parametrize(
    ("value", "taken", "told"),
    [
        (None, [], []),
        ([1, 2], [1, 2], []),
        ([1, 2, 3], [1, 2], ["`at` has 3 elements; give at most 2"]),
        ("ab", [], ["`at` must be a list in brackets [], not 'ab'"]),
        ({}, [], ["`at` must be a list in brackets [], not an object"]),
        (0, [], ["`at` must be a list in brackets [], not 0"]),
    ],
)
def test_lists_are_taken(value: Json, taken: list[Json], told: list[str]) -> None:
    findings = AnswerFindings()
    assert list(findings.take_list(value, "at", 2)) == taken
    assert findings.flaws == tuple(map(Flaw, told))


def test_objects_are_taken() -> None:
    findings = AnswerFindings()
    assert findings.take_object({"a": 1}, "at", "{}") == {"a": 1}
    assert findings.take_object({}, "at", "{}") == {}
    assert not findings.flaws


def test_what_is_no_object_is_a_flaw() -> None:
    findings = AnswerFindings()
    assert findings.take_object([1], "at", '{"x": 1}') is None
    assert findings.flaws == (Flaw('`at` must be an object such as {"x": 1}, not a list'),)
