"""Generated forgeries: a hundredth of what the sweep makes; and the list of what none of them must reveal."""

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from talewright.chronicle.records import Aside, Attempt, AttemptVerdict, Commit
from talewright.common.json_values import Json
from talewright.play.verify.uncovered_parts import (
    UNCOVERED,
    count_uncovered,
    list_uncovered,
    name_uncovered,
)
from tests.play.verify.forgery_campaigns import open_small_workshop
from tests.play.verify.generated_forgeries import Deed, Forged, find_gap, is_uncovered
from tests.sweep import forgeries

SEED = 34
PAGE = Path(__file__).parents[3] / "docs" / "play" / "dice.md"


@pytest.mark.slow
def test_every_forgery_is_detected_or_listed() -> None:
    print(f"seed {SEED}")
    count = forgeries.FULL_COUNT // 100
    assert forgeries.forge(open_small_workshop(), count, SEED) == count


@pytest.mark.slow
def test_a_place_that_is_not_listed_would_be_noticed() -> None:
    # What only a receipt covers is not found: without the list, the forgery is a gap.
    forged = open_small_workshop().forge(
        ("accepted.at", Deed.CHANGE), random.Random(SEED), consequences=False
    )
    assert (forged.finding, find_gap(forged)) == ("", "")
    assert find_gap(Forged("c", "commit.body.said", Deed.CHANGE, 1, ("body", "said"), False, ""))
    assert not find_gap(Forged("c", "commit.body.said", Deed.CHANGE, 1, ("body", "said"), False, "wrong"))


def test_the_page_lists_what_is_not_covered() -> None:
    part = PAGE.read_text("utf-8").partition("\n## What is not covered\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", part, re.MULTILINE)
    listed = {name: tuple(re.findall("`([^`]+)`", places)) for name, places in rows if "`" in places}
    assert listed == {parts.name: parts.places for parts in UNCOVERED}


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("commit.at", True),
        ("commit.attempts", False),
        ("commit.body.exchanges[].text", True),
        ("commit.body.said", False),
        ("commit.body.root.document", False),
        ("commit (whole)", True),
        ("commit.body", False),
        ("aside.body.answer.*", True),
    ],
)
def test_a_place_inside_another_is_not_covered_either(place: str, expected: bool) -> None:
    assert is_uncovered(place) is expected


def test_what_is_not_covered_is_counted() -> None:
    counts: Counter[str] = Counter()
    root: dict[str, Json] = {"commitment": "", "document": {}}
    bodies: list[dict[str, Json]] = [
        {"root": root},
        {"root": {**root, "earlier": [{}]}},
        {"nonce": "00", "narration": "x"},
    ]
    for body in bodies:
        count_uncovered(Commit("c", "", "main", 0, "op", "", "g", "s", body), counts)
    count_uncovered(Attempt("a", "op", "main", "c", "", AttemptVerdict.FAILED), counts)
    count_uncovered(Aside("a", "c", ""), counts)
    found = {str(one["part"]): one["records"] for one in list_uncovered(counts) if isinstance(one, dict)}
    assert (found["commit.at"], found["attempt.at"], found["commit.body.root.earlier"]) == (3, 1, 1)
    assert found["commit.body.nonce"] == 1
    assert "pointing.at" not in found
    names = name_uncovered(counts)
    assert names[0] == "times"
    assert "inputs that became no turn" not in names
