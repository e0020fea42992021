"""Tabletop rolls: a chi-square test over 100,000 rolls made by calls of the tools, at both ends of the curve.

What should come out is listed by hand or counted face by face, without the dice and checks of the engine. CI
makes a part of them.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from talewright.common.json_values import Json
from talewright.kernel.chance import Fate
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import judge
from talewright.kernel.judging.moves import MODEL, Call
from talewright.kernel.judging.rulings import Granted
from talewright.kernel.state.state import begin
from tests.sweep.chance import SIGMAS, normal_distance
from tests.sweep.parts import Progress
from tests.systems.tabletop.making import game_with

FULL_COUNT = 100_000
"""Rolls in all."""

CHUNK = FULL_COUNT
"""One test over all of them."""

CALLS_AT_ONCE = 10
"""Calls in one answer of a storyteller."""

SKILLS = {"d20": "Stealth", "pbta": "Brave the Danger", "fate": "Notice"}
"""A skill of each rulebook, in which the character has nothing to add."""


@dataclass(frozen=True, slots=True)
class RollPlan:
    """A call, and what should come of it how often."""

    book: str
    tool: str
    arguments: Mapping[str, Json]
    outcome: str
    """The member of the result that is counted."""

    ways: Mapping[Json, int]
    """How many of all equally likely throws give each value."""


def _count(
    throws: Iterable[Sequence[int]], judge_throw: Callable[[Sequence[int]], Json]
) -> Mapping[Json, int]:
    return Counter(judge_throw(throw) for throw in throws)


def _band(total: int) -> str:
    return "failure" if total <= 6 else "partial_success" if total <= 9 else "success"


def _shifts(shifts: int) -> str:
    if shifts < 0:
        return "failure"
    return ("partial_success", "success", "success", "critical_success")[min(shifts, 3)]


_D6 = list(itertools.product(range(1, 7), repeat=2))
_D20S = list(itertools.product(range(1, 21), repeat=2))
_FATE = list(itertools.product((-1, 0, 1), repeat=4))


def _roll(book: str, ways: Mapping[Json, int], **said: Json) -> RollPlan:
    return RollPlan(book, "roll_dice", said, "total", ways)


def _check(book: str, outcome: str, ways: Mapping[Json, int], **said: Json) -> RollPlan:
    return RollPlan(book, "skill_check", {"skill": SKILLS[book], **said}, outcome, ways)


PLANS = (
    _roll("d20", dict.fromkeys(range(1, 21), 1), expression="1d20"),
    _roll("d20", dict.fromkeys(range(1, 7), 1), expression="1d6", visible=False),
    _roll("d20", _count(_D6, lambda dice: sum(dice) + 3), expression="2d6+3"),
    _roll("fate", _count(_FATE, sum), expression="4dF"),
    _check(
        "d20",
        "outcome",
        {"critical_failure": 1, "failure": 10, "success": 8, "critical_success": 1},
        difficulty=12,
    ),
    _check("d20", "total", _count(_D20S, max), difficulty=12, advantage=True),
    _check("d20", "total", _count(_D20S, min), difficulty=12, disadvantage=True),
    _check("pbta", "outcome", _count(_D6, lambda dice: _band(sum(dice)))),
    _check("fate", "outcome", _count(_FATE, lambda dice: _shifts(sum(dice) - 1)), difficulty="average"),
    _check("fate", "margin", _count(_FATE, sum), difficulty=0),
)


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Make `count` rolls in all, as many by each plan."""
    games = {
        book: game_with(book, f"# Ada\n- HP: 9\n- Skills: {skill} +0\n") for book, skill in SKILLS.items()
    }
    each = count // len(PLANS)
    for number, plan in enumerate(PLANS):
        rolls = each + (count % len(PLANS) if number == 0 else 0)
        check(plan, games[plan.book], seed + number, rolls)
        if progress is not None:
            progress(rolls)
    return count


def check(plan: RollPlan, game: Game, seed: int, rolls: int) -> None:
    """Make the calls, and look how often each value comes."""
    fallen: Counter[Json] = Counter()
    start = begin(game)
    for version in range(0, rolls, CALLS_AT_ONCE):
        calls = [Call(plan.tool, plan.arguments)] * min(CALLS_AT_ONCE, rolls - version)
        fate = Fate(f"tabletop {seed}".encode(), version)
        for ruling in judge(game, start, calls, MODEL, fate).rulings:
            assert isinstance(ruling, Granted), f"seed {seed}: {ruling}"
            fallen[cast(Mapping[str, Json], ruling.result)[plan.outcome]] += 1
    told = f"seed {seed}: {plan.tool} {plan.arguments} of {plan.book}"
    assert set(fallen) <= set(plan.ways), f"{told} gave {sorted(map(str, fallen))}"
    assert fallen.total() == rolls, told
    ways = sum(plan.ways.values())
    expected = {value: rolls * count / ways for value, count in plan.ways.items()}
    chi_square = sum((fallen[value] - wanted) ** 2 / wanted for value, wanted in expected.items())
    distance = normal_distance(chi_square, len(expected) - 1)
    assert abs(distance) <= SIGMAS, f"{told} has chi-square {chi_square:.1f}, {distance:.1f} sigmas off"
