"""Programs: a hundredth of the sweeps over conditions, beyond what the kernel's own tests take time for."""

import pytest

from tests.sweep import conditions, intervals


@pytest.mark.slow
def test_ten_thousand_programs_agree_with_the_oracle() -> None:
    assert conditions.FULL_COUNT == 1_000_000
    assert conditions.run(10_000, 20_260_102) == 10_000


def test_two_thousand_judgements_are_sound() -> None:
    assert intervals.FULL_COUNT == 200_000
    assert intervals.run(2_000, 20_260_102) == 2_000
