"""The reader of tools under fire: one answer however it is cut, and nothing that must not show."""

import random

import pytest

from talewright.contract.tools.dialect import ToolsDialect
from talewright.llm.reply_chunks import CallPart
from tests.contract.chapel import tolled
from tests.contract.fire import Shot, count_shots, read
from tests.contract.tool_shots import TEXTS, divide_call, make_shot, mix
from tests.sweep import contract_tools as sweep
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
    loud = "loud" * 2_500_000
    call = CallPart(0, "c1", "pay", f'{{"why": "{loud}"}}')
    shot = Shot(loud, "huge", loud[:20_000], calls=(call,))
    whole = read(ToolsDialect(), tolled(), shot, [loud])
    assert whole.prose == shot.prose
    assert [flaw.message.split(";")[0] for flaw in whole.flaws] == [
        "the narration has more than 20000 characters"
    ]
    assert whole.refused_calls[0][1] == "the arguments of pay have more than 20000 characters; give less"
    parts = Shot(loud, "huge", calls=tuple(divide_call(call, 99_991)))
    assert read(ToolsDialect(), tolled(), parts, [loud[:7], loud[7:]]) == whole


def test_shots_are_of_every_kind_and_calls_come_to_something() -> None:
    rng = random.Random(2)
    assert {maker(rng).kind for maker in TEXTS} == {
        *("plain", "silent", "written call", "dump", "half fence", "long", "noise", "other fence"),
        *("surrogates", "truncated", "unfenced"),
    }
    shots = [make_shot(rng) for _ in range(300)]
    answers = [read(ToolsDialect(), tolled(), shot, [shot.text]) for shot in shots]
    assert any(answer.choices for answer in answers)
    assert {type(move).__name__ for answer in answers for move in answer.moves} == {"Call", "Update", "End"}
    assert sum(len(answer.refused_calls) for answer in answers) > 100


def test_parts_of_calls_are_mixed_in_their_order() -> None:
    parts = [
        *divide_call(CallPart(0, "a", "pay", "{}"), 1),
        *divide_call(CallPart(1, "b", "gamble", "[]"), 1),
    ]
    mixed = mix(random.Random(3), parts)
    assert mixed != tuple(parts)
    assert sorted(mixed, key=lambda part: part.index) == parts
