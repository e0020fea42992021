"""Chances of checks: exact, by an independent count, and told in both languages."""

from collections import Counter
from itertools import product

import pytest

from talewright.common.json_values import Json
from talewright.play.campaign_view import ChanceView, Viewer
from talewright.play.presentation.roll_chances import percent
from talewright.play.presentation.roll_wording import tell_rolls
from talewright.play.presentation.value_wording import Wording
from tests.kernel.making import make_game, make_layout
from tests.play.presentation.test_roll_wording import EN, ZH

GAME = make_game(make_layout({}))

PBTA: Json = [
    {"from": 10, "outcome": "success"},
    {"from": 2, "outcome": "failure"},
    {"from": 7, "outcome": "partial_success"},
]
NATURALS: Json = [
    {"from": 6, "outcome": "critical_failure"},
    {"from": 7, "outcome": "failure"},
    {"from": 13, "outcome": "success"},
    {"from": 25, "outcome": "critical_success"},
    {"from": "no number", "outcome": "success"},
    "no band",
]


def chances_of(facts: dict[str, Json], wording: Wording = EN, kind: str = "call") -> ChanceView | None:
    (view,) = tell_rolls([{"kind": kind, "result": facts}], GAME, wording, Viewer.PLAYER)
    return view.chances


def counted(view: ChanceView, ways: Counter[int]) -> bool:
    every = sum(ways.values())
    return dict(zip(view.totals, view.shares, strict=True)) == pytest.approx(
        {total: count / every for total, count in ways.items()}
    )


def test_the_chances_of_two_dice() -> None:
    view = chances_of({"text": "2d6 (3, 4) + 1 = 8", "total": 8, "needed": 9})
    assert view is not None
    assert counted(view, Counter(one + other + 1 for one, other in product(range(1, 7), repeat=2)))
    assert view.outcomes == ("fail",) * 6 + ("success",) * 5
    assert view.success == pytest.approx(15 / 36)
    assert view.text == "41.7% chance of success"
    told = chances_of({"text": "2d6 (3, 4) + 1 = 8", "total": 8, "needed": 9}, ZH)
    assert told is not None
    assert told.text == "成功率 41.7%"


def test_the_chances_of_the_better_of_two() -> None:
    view = chances_of({"text": "Mira: 2d20kh1 (14, 3 dropped) + 5 = 19", "total": 19, "bands": NATURALS})
    assert view is not None
    assert counted(view, Counter(max(pair) + 5 for pair in product(range(1, 21), repeat=2)))
    assert view.outcomes == (
        "critical_failure", *["fail"] * 6, *["success"] * 12, "critical_success"
    )  # fmt: skip
    assert view.success == pytest.approx(1 - (7 / 20) ** 2)


def test_the_chances_of_fate_dice_from_the_members_of_a_roll() -> None:
    dice: list[Json] = [{"value": face, "faces": [{"face": face}]} for face in (1, 0, -1, 1)]
    throws: Json = [{"pool": "4dF", "total": 1, "dice": dice}]
    view = chances_of({"text": "Notice", "dice": "4dF + 2", "throws": throws, "total": 3, "needed": 2})
    assert view is not None
    assert counted(view, Counter(sum(faces) + 2 for faces in product((-1, 0, 1), repeat=4)))


def test_a_partial_success_has_a_chance_of_its_own() -> None:
    facts: dict[str, Json] = {"text": "2d6 (3, 4) = 7", "total": 7, "bands": PBTA}
    view = chances_of(facts)
    assert view is not None
    assert view.text == "16.7% chance of success, 41.7% of partial success"
    assert view.success == pytest.approx(21 / 36)
    told = chances_of(facts, ZH)
    assert told is not None
    assert told.text == "成功率 16.7%，部分成功率 41.7%"


def test_of_a_ladder_in_a_scene_only_the_total_is_known() -> None:
    view = chances_of({"text": "1d4 (3) = 3", "total": 3, "success": True}, kind="roll")
    assert view is not None
    assert (view.outcomes, view.success, view.text) == (("",) * 4, None, "50% chance of 3 or more")
    told = chances_of({"text": "1d4 (3) = 3", "total": 3, "success": True}, ZH, kind="roll")
    assert told is not None
    assert told.text == "掷出 3 或以上的概率为 50%"


@pytest.mark.parametrize(
    "facts",
    [
        {"text": "1d8 (3) + 2 = 5", "total": 5},
        {"text": "2d6 (2, 5) = 5", "highest": 5, "success": True},
        {"text": "1d8 (3) = 30", "total": 30, "needed": 4},
        {"text": "1d8 (3) = 3", "total": 3.5, "needed": 4},
        {"text": "Oracle", "total": 3, "needed": 4},
        {"text": "30d6 (1) = 60", "total": 60, "needed": 4},
        {"text": "1d1000 (3) = 3", "total": 3, "needed": 4},
        {"text": "2d100 (3, 4) = 7", "total": 7, "needed": 4},
        {"text": "1d6e6 (3) = 3", "total": 3, "needed": 4},
        {"text": "1d1 (1) = 1", "total": 1, "needed": 1},
        {"text": "", "dice": "2x6", "throws": [], "total": 3, "needed": 4},
        {"text": "1d8 (3) = 3", "total": 3, "bands": []},
    ],
)
def test_what_decides_nothing_or_cannot_be_known_has_no_chances(facts: dict[str, Json]) -> None:
    views = tell_rolls([{"kind": "call", "result": facts}], GAME, EN, Viewer.PLAYER)
    assert [view.chances for view in views] in ([], [None])


@pytest.mark.parametrize(
    ("share", "told"),
    [(0, "0"), (1, "100"), (1e-9, "<0.1"), (1 - 1e-9, ">99.9"), (1 / 3, "33.3"), (0.65, "65")],
)
def test_only_what_is_certain_is_nothing_or_everything(share: float, told: str) -> None:
    assert percent(share) == told
