"""Weights: what characters of several scripts weigh."""

import pytest

from talewright.kernel.story.game_texts import WIDE_WEIGHT, weigh, weigh_sign


@pytest.mark.parametrize(
    ("sign", "weight"),
    [
        *(("a", 1), ("é", 1), ("ﬁ", 1), (" ", 1), ("\n", 1), ("\u0301", 1), ("ж", 1), ("ｱ", 1), ("…", 1)),
        *(("“", 1), ("\ud800", 1)),
        *(
            ("井", 2),
            ("，", 2),
            ("。", 2),
            ("Ａ", 2),
            ("\u3000", 2),
            ("あ", 2),
            ("한", 2),
            ("𠮷", 2),
            ("🌊", 2),
        ),
    ],
)
def test_a_sign_weighs_one_or_two(sign: str, weight: int) -> None:
    assert weigh_sign(sign) == weigh(sign) == weight


def test_a_text_weighs_what_its_signs_weigh() -> None:
    assert WIDE_WEIGHT == 2
    assert weigh("") == 0
    assert weigh("a well") == 6
    assert weigh("井边 a") == 6
    assert weigh("été") == 3
