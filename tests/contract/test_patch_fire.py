"""The reader of patch bundles under fire: one answer however it is cut, and nothing that must not show."""

import random

import pytest

from talewright.contract.patch.dialect import PatchDialect
from talewright.kernel.judging.moves import Update
from tests.contract.chapel import ground
from tests.contract.fire import count_shots, fire, read
from tests.contract.patch_shots import MAKERS, make_huge_block, make_huge_prose, make_valid
from tests.sweep import contract_patch as sweep
from tests.sweep.parts import SEED

COUNT = 200
ALONE_BYTES = 120
"""Answers up to this size are cut at each byte alone; the sweep goes up to 400."""


@pytest.mark.slow
def test_reader_stands_under_fire() -> None:
    assert sweep.FULL_COUNT == 20_000
    count = count_shots(COUNT)
    assert sweep.run(count, SEED, alone=ALONE_BYTES) == count


def test_ten_megabytes_are_read_in_bounds() -> None:
    rng = random.Random(1)
    for make, told in (
        (make_huge_prose, "the narration has more than 20000 characters"),
        (make_huge_block, "the json block has more than 400000 characters"),
    ):
        shot = make(rng)
        whole = read(PatchDialect(), ground(), shot, [shot.text])
        assert whole.flaws[0].message.split(";")[0] == told
        assert whole.prose == shot.prose
        # So large a text is plain ASCII: every place between characters is one between bytes.
        for size in (9_999, 1_000_003):
            pieces = [shot.text[at : at + size] for at in range(0, len(shot.text), size)]
            assert read(PatchDialect(), ground(), shot, pieces) == whole


def test_shots_are_of_every_kind_and_some_are_good() -> None:
    rng = random.Random(2)
    kinds = {maker(rng).kind for maker in MAKERS}
    assert kinds == {
        *("valid", "truncated", "half fence", "mutated", "doubled", "dump", "unfenced", "other fence"),
        *("block alone", "surrogates", "deep", "noise", "long"),
    }
    answers = [fire(PatchDialect(), ground(), make_valid(rng), rng, alone=0) for _ in range(60)]
    assert any(not answer.hard_flaws for answer in answers)
    assert any(isinstance(move, Update) for answer in answers for move in answer.moves)
