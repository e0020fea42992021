import random

import pytest

from talewright.contract.cards.dialect import CardsDialect
from tests.contract.cards_making import make_ground
from tests.contract.cards_shots import MAKERS, make_huge
from tests.contract.fire import Shot, count_shots, decode, divide, fire
from tests.sweep import contract_cards as sweep
from tests.sweep.parts import SEED

COUNT = 200
ALONE_BYTES = 100
"""Answers up to this size are cut at each byte alone; the sweep goes up to 400."""


@pytest.mark.slow
def test_reader_stands_under_fire() -> None:
    count = count_shots(COUNT)
    assert sweep.run(count, SEED, alone=ALONE_BYTES) == count


def test_ten_megabytes_are_read_in_bounds() -> None:
    rng = random.Random(1)
    answer = fire(CardsDialect(), make_ground(), make_huge(rng), rng)
    assert len(answer.prose) == 12_000
    assert [flaw.message.split(";")[0] for flaw in answer.flaws] == [
        "`narrative_markdown` has more than 12000 characters",
        "the answer is longer than 200000 characters",
    ]


def test_shots_are_of_every_kind() -> None:
    rng = random.Random(2)
    kinds = {maker(rng).kind for maker in MAKERS}
    assert kinds == {
        *("valid", "truncated", "mutated", "scrambled", "doubled", "repeated member", "surrogates", "deep"),
        *("noise", "long", "refused"),
    }


def test_fire_bites() -> None:
    good = '{"narrative_markdown": "You wait."}'
    rng = random.Random(3)
    for shot in (Shot(good, "x", prose="You go."), Shot(good, "x", forbidden=("wait",))):
        with pytest.raises(AssertionError, match=r"^x: "):
            fire(CardsDialect(), make_ground(), shot, rng)


def test_texts_are_cut_at_their_bytes() -> None:
    ways = list(divide("a雾", random.Random(4)))
    assert ways == [["a", "", "", "雾"], ["a", "雾"], ["a", "雾"], ["a", "雾"]]
    assert all("".join(pieces) == "雾" * 200 for pieces in divide("雾" * 200, random.Random(4)))
    assert decode("a雾".encode()[:-1] + b"\xffb") == "a\ufffd\ufffdb"
