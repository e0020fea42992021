"""Colours: contrast as WCAG defines it, mixtures, and colours made readable."""

import random

import pytest

from talewright.common.colors import AA_CONTRAST, BLACK, WHITE, find_contrast, make_readable, mix_colors

SEED = 3711


def test_contrast_is_that_of_wcag() -> None:
    assert find_contrast(BLACK, WHITE) == pytest.approx(21)
    assert find_contrast("#767676", WHITE) == pytest.approx(4.54, abs=0.005)
    assert find_contrast(WHITE, "#777777") < AA_CONTRAST


def test_a_mixture_lies_between() -> None:
    assert mix_colors("#000000", "#ff8000", 0.5) == "#804000"
    assert mix_colors("#123456", "#ffffff", 0) == "#123456"


def test_every_colour_becomes_readable_on_every_ground() -> None:
    pick = random.Random(SEED)
    for _ in range(2_000):
        color, ground = (f"#{pick.randrange(1 << 24):06x}" for _ in range(2))
        made = make_readable(color, ground)
        assert find_contrast(made, ground) >= AA_CONTRAST, (color, ground)
        assert made == color or find_contrast(color, ground) < AA_CONTRAST
