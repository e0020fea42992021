"""Thresholds that never or always warn, and ranges that are only told in words."""

import pytest

from tests.pack.lint.making import codes, find

BAR = "status_bar: {items: [{var_id: hp, critical_threshold: THRESHOLD, critical_when: SIDE}]}\n"
HP = "variables: [{id: hp, type: integer, min: 0, max: 100, default: 80}]\n"


def bar(threshold: int | float, side: str) -> str:
    return BAR.replace("THRESHOLD", str(threshold)).replace("SIDE", side) + HP


OUT = [
    (-1, "below", "never", "Write a number from 0 to 100 with the danger below it."),
    (101, "above", "never", "Write a number from 0 to 100 with the danger above it."),
    (120, "below", "always", "Write a number from 0 to 100 with the danger below it."),
    (100, "below", "always", "Write another number, or `critical_when: above`."),
    (0, "above", "always", "Write another number, or `critical_when: below`."),
    (-5, "above", "always", "Write a number from 0 to 100 with the danger above it."),
]


@pytest.mark.parametrize(("threshold", "side", "often", "suggestion"), OUT)
def test_a_threshold_that_says_nothing_is_told(
    threshold: int, side: str, often: str, suggestion: str
) -> None:
    assert find(bar(threshold, side)) == [
        f"game.yaml:3:55 threshold-out-of-range: `hp` is {often} critical: it goes from 0 to 100 | "
        f"{suggestion}"
    ]


@pytest.mark.parametrize(
    ("threshold", "side"), [(0, "below"), (25, "below"), (99.5, "below"), (100, "above"), (1, "above")]
)
def test_a_threshold_within_the_range_is_not_told(threshold: int | float, side: str) -> None:
    assert codes(bar(threshold, side)) == []


def test_a_number_without_bounds_has_no_wrong_threshold() -> None:
    assert codes(bar(-500, "below").replace("min: 0, max: 100, ", "")) == []


def described(words: str, kind: str = "type: integer") -> str:
    return f"variables:\n- {{id: v, {kind}, card: {{description: '{words}'}}}}\n"


def test_a_range_in_words_alone_is_told_where_it_stands() -> None:
    assert find(described("Trust, -100..100.")) == [
        "game.yaml:4:54 undeclared-range: the range -100 to 100 is only described in words: nothing keeps "
        "`v` "
        "within it"
        " | Write `min: -100` and `max: 100`."
    ]


def test_an_object_s_members_are_to_be_declared() -> None:
    assert find(described("范围 -100..100。", "type: object, default: {lian: 35, mayor: -10, name: x}")) == [
        "game.yaml:4:91 undeclared-range: the range -100 to 100 is only described in words: nothing keeps "
        "`v.lian`, "
        "`v.mayor` within it"
        " | Declare the members under `fields:`, each with `min: -100` and `max: 100`."
    ]


@pytest.mark.parametrize(
    "words", ["0...9", "0 … 9", "0~9", "0 ～ 9", "0–9", "from 0 to 9", "Between 0 and 9", "从 0 到 9"]
)
def test_ranges_are_known_in_several_spellings(words: str) -> None:
    assert [code.partition(" ")[2] for code in codes(described(f"Goes {words}"))] == ["undeclared-range"]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("-100..100", "type: integer, min: -100, max: 100"),
        ("-100..100", "type: integer, min: -100"),
        ("-100..100", "type: object, fields: {a: {type: integer, min: -100, max: 100}}"),
        ("9..1", "type: integer"),
        ("5..9", "type: integer"),
        ("0..9", "type: string"),
        ("Two to three, at 20:15", "type: integer"),
        ("In 3 to 5 days", "type: integer"),
        ("0..9", "type: integer, derived: 1 + 2"),
    ],
)
def test_other_words_are_no_range(words: str, kind: str) -> None:
    assert [code for code in codes(described(words, kind)) if "range" in code] == []
