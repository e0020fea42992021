import pytest

from talewright.common.json_values import Json
from talewright.contract.cards.cards_answer_checks import read_choices
from talewright.contract.dialect import SuggestedChoice
from talewright.contract.text.answer_json import AnswerFindings
from talewright.kernel.story.scenes import Risk

EXAMPLE = '{"id": "...", "label": "...", "hint": "...", "risk": "low", "tags": []}'


def read(*elements: Json) -> tuple[list[SuggestedChoice], list[str]]:
    findings = AnswerFindings()
    return list(read_choices(list(elements), findings)), [flaw.message for flaw in findings.flaws]


def test_whole_choice_is_read() -> None:
    choice: Json = {
        "id": " go ",
        "label": " Go\x00 ",
        "hint": "Far. ",
        "risk": "high",
        "tags": ["a", " b ", "", "a"],
    }
    assert read(choice) == ([SuggestedChoice("go", "Go", "Far.", Risk.HIGH, ("a", "b"))], [])


def test_what_nobody_would_notice_is_mended() -> None:
    offers, told = read(
        "Go on",
        {"label": "Back", "id": ""},
        {"label": "Up", "id": 7, "tags": "air", "hint": None, "risk": None},
    )
    assert told == []
    assert offers == [
        SuggestedChoice("choice_1", "Go on"),
        SuggestedChoice("choice_2", "Back"),
        SuggestedChoice("7", "Up", tags=("air",)),
    ]


def test_made_up_ids_are_nobody_elses() -> None:
    offers, told = read("A", {"id": "choice_1", "label": "B"}, {"id": "choice_1_", "label": "C"}, "D")
    assert told == []
    assert [offer.id for offer in offers] == ["choice_1__", "choice_1", "choice_1_", "choice_4"]


@pytest.mark.parametrize(
    ("risk", "meant"),
    [
        *(("low", Risk.LOW), (" Medium ", Risk.MEDIUM), ("HIGH", Risk.HIGH), ("ｌｏｗ", Risk.LOW)),
        *(("低", Risk.LOW), ("中", Risk.MEDIUM), ("高", Risk.HIGH), (None, Risk.LOW), ("", Risk.LOW)),
    ],
)
def test_risk_is_understood(risk: str | None, meant: Risk) -> None:
    offers, told = read({"id": "a", "label": "A", "risk": risk})
    assert told == []
    assert offers[0].risk is meant


@pytest.mark.parametrize(
    ("risk", "shown"), [("deadly", "'deadly'"), (2, "2"), (True, "true"), ([], "a list"), (" ", "' '")]
)
def test_other_risks_are_flaws(risk: Json, shown: str) -> None:
    offers, told = read({"id": "a", "label": "A", "risk": risk})
    assert told == [f"`choices[0].risk` must be low, medium or high, not {shown}"]
    assert offers == [SuggestedChoice("a", "A")]


def test_an_id_that_is_taken_is_replaced() -> None:
    offers, told = read({"id": "a", "label": "A"}, {"id": "b", "label": "B"}, {"id": "a", "label": "C"})
    assert told == []
    assert [(offer.id, offer.label) for offer in offers] == [("a", "A"), ("b", "B"), ("choice_3", "C")]


def test_a_choice_that_stands_there_twice_is_one() -> None:
    offers, told = read(
        {"id": "a", "label": "Go"}, {"id": "b", "label": " go "}, "GO", {"id": "b", "label": "Stay"}
    )
    assert told == []
    assert [(offer.id, offer.label) for offer in offers] == [("a", "Go"), ("b", "Stay")]


def test_wrong_members_are_named() -> None:
    offers, told = read(
        {"id": True, "label": "A", "hint": 1, "tags": [1]},
        {"id": "b"},
        5,
        {"label": " "},
        {"id": "e", "label": "E"},
    )
    assert told == [
        "`choices[0].id` must be a text in quotes, not true",
        "`choices[0].hint` must be a text in quotes, not 1",
        "`choices[0].tags[0]` must be a text in quotes, not 1",
        "`choices[1].label` is missing or empty; it must be a text",
        f"`choices[2]` must be an object such as {EXAMPLE}, not 5",
        "`choices[3].label` is missing or empty; it must be a text",
    ]
    assert offers == [SuggestedChoice("choice_1", "A"), SuggestedChoice("e", "E")]


def test_everything_is_bounded() -> None:
    fits: Json = {"id": "i" * 100, "label": "l" * 200, "hint": "h" * 300, "tags": ["t" * 50, *"abcdefg"]}
    assert read(fits)[1] == []
    tags = ["t" * 51, *"abcdefgh"]
    offers, told = read({"id": "i" * 101, "label": "l" * 201, "hint": "h" * 301, "tags": tags})
    assert told == [
        "`choices[0].label` has 201 characters; write at most 200",
        "`choices[0].id` has 101 characters; write at most 100",
        "`choices[0].hint` has 301 characters; write at most 300",
        "`choices[0].tags` has 9 elements; give at most 8",
        "`choices[0].tags[0]` has 51 characters; write at most 50",
    ]
    assert offers == [SuggestedChoice("i" * 100, "l" * 200, "h" * 300, Risk.LOW, ("t" * 50, *"abcdefg"))]
    assert read(*"abcdef")[1] == []
    offers, told = read(*"abcdefg")
    assert told == ["`choices` has 7 elements; give at most 6"]
    assert len(offers) == 6


def test_choices_must_be_a_list() -> None:
    findings = AnswerFindings()
    assert read_choices({"a": 1}, findings) == ()
    assert findings.flaws[0].message == "`choices` must be a list in brackets [], not an object"
    assert read_choices(None, AnswerFindings()) == ()
