"""Engine numbers: they count up from 1, and the page about turns lists every one of them.

How the page words the reasons is not judged.
"""

import re
from pathlib import Path

from talewright.turn.engine_number import ENGINE_NUMBER, ENGINE_NUMBERS

PAGE = Path(__file__).parents[2] / "docs" / "plug" / "turns.md"
ROW = re.compile(r"^\| (\d+) \| (.+) \|$", re.MULTILINE)


def test_numbers_count_up_from_one() -> None:
    numbers = [each.number for each in ENGINE_NUMBERS]
    assert numbers == list(range(1, len(ENGINE_NUMBERS) + 1))
    assert numbers[-1] == ENGINE_NUMBER


def test_the_page_lists_every_number() -> None:
    part = PAGE.read_text("utf-8").split("\n## The record says how a turn was made\n")[1].split("\n## ")[0]
    rows = ROW.findall(part)
    assert [int(number) for number, _ in rows] == [each.number for each in ENGINE_NUMBERS]
    assert all(changed.endswith(".") for _, changed in rows)
