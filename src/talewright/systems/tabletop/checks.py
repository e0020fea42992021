"""Checks: the outcome of a d20, PbtA or Fate check, from dice that have been rolled.

Nothing is rolled here: `dice_for` says what to roll, and the caller passes in the faces.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import assert_never

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json


class CheckRule(StrEnum):
    """How a rulebook decides whether something succeeds."""

    D20 = "d20"
    """d20 + modifier against a difficulty."""

    PBTA = "pbta"
    """2d6 + modifier: 6 or less fails, 7 to 9 succeeds at a cost, 10 or more succeeds."""

    FATE = "fate"
    """4dF + modifier against a step of the ladder."""

    OTHER = "other"
    """A rule that the engine does not know; the narrator applies it as written."""


class CheckOutcome(StrEnum):
    """The degrees of success."""

    CRITICAL_SUCCESS = "critical_success"
    SUCCESS = "success"
    PARTIAL_SUCCESS = "partial_success"
    FAILURE = "failure"
    CRITICAL_FAILURE = "critical_failure"


class Edge(StrEnum):
    """Whether circumstances help or hinder."""

    NONE = "none"
    ADVANTAGE = "advantage"
    """More dice, the best of which count."""

    DISADVANTAGE = "disadvantage"
    """More dice, the worst of which count."""


class ModifierRule(StrEnum):
    """How an attribute becomes a modifier."""

    SCORE = "score"
    """Half of what is above 10, rounded down: 14 gives +2, 7 gives -2."""

    VALUE = "value"
    """The attribute itself is the modifier."""


@frozen
class D20Options:
    """Variants of the d20 check."""

    naturals: bool = True
    """Whether a natural 20 or 1 decides, whatever the total."""

    critical_margin: int = 0
    """If positive, a total this far from the difficulty is critical. A natural 20 or 1 then moves the outcome
    by one degree."""


DEFAULT_D20 = D20Options()

PBTA_SUCCESS = 10
PBTA_PARTIAL = 7
FATE_STYLE = 3
"""From this margin on, a Fate check succeeds with style."""

MEDIOCRE = 0
"""The difficulty of a Fate check if none is named."""

LADDER = (
    *("terrible", "poor", "mediocre", "average", "fair", "good", "great"),
    *("superb", "fantastic", "epic", "legendary"),
)
"""The steps of the Fate ladder, from -2 to +8."""

LADDER_LOWEST = -2

_DICE = {
    CheckRule.D20: ("1d20", "2d20kh1", "2d20kl1"),
    CheckRule.PBTA: ("2d6", "3d6kh2", "3d6kl2"),
    CheckRule.FATE: ("4dF", "5dFkh4", "5dFkl4"),
}
_COUNTED = {CheckRule.D20: (1, 1, 20), CheckRule.PBTA: (2, 1, 6), CheckRule.FATE: (4, -1, 1)}
"""For each rule the number of dice that count, and the lowest and the highest face."""


@frozen
class CheckResult:
    """One resolved check."""

    rule: CheckRule
    dice: tuple[int, ...]
    """All faces in the order rolled."""

    counted: int
    """The sum of the faces that count."""

    modifier: int
    total: int
    difficulty: int | None
    """None for PbtA, whose bands are fixed."""

    margin: int
    """How far the total is above the difficulty; for PbtA, above the lowest partial success."""

    outcome: CheckOutcome

    @property
    def succeeded(self) -> bool:
        """Whether it succeeded at least in part."""
        return self.outcome not in (CheckOutcome.FAILURE, CheckOutcome.CRITICAL_FAILURE)

    @property
    def bands(self) -> list[Json]:
        """The lowest total of each outcome that this check could have had, from the lowest up.

        Empty if the difficulty already says which totals succeed, since storytellers read this too.
        """
        naturals, difficulty = _naturals(self.rule), self.difficulty or 0
        if (
            self.rule is CheckRule.D20
            and naturals[0] + self.modifier < difficulty <= naturals[-1] + self.modifier
        ):
            return []
        lowest = {
            _judge(self.rule, natural, self.modifier, difficulty): natural + self.modifier
            for natural in reversed(naturals)
        }
        return [{"from": total, "outcome": outcome.value} for outcome, total in reversed(lowest.items())]

    def to_json(self) -> dict[str, Json]:
        """The result as a tool reports it."""
        result: dict[str, Json] = {
            "rule": self.rule.value,
            "individualRolls": list(self.dice),
            "modifier": self.modifier,
            "total": self.total,
            "outcome": self.outcome.value,
            "margin": self.margin,
        }
        return result if self.difficulty is None else {**result, "difficulty": self.difficulty}


def edge_of(advantage: bool, disadvantage: bool) -> Edge:
    """The edge of a roll; advantage and disadvantage cancel out."""
    if advantage == disadvantage:
        return Edge.NONE
    return Edge.ADVANTAGE if advantage else Edge.DISADVANTAGE


def modifier_of(value: int, rule: ModifierRule) -> int:
    """The modifier that an attribute gives."""
    return (value - 10) // 2 if rule is ModifierRule.SCORE else value


def dice_for(rule: CheckRule, edge: Edge = Edge.NONE) -> str:
    """What to roll for a check, in dice notation; empty for a rule that the engine does not know."""
    return _DICE[rule][list(Edge).index(edge)] if rule in _DICE else ""


def check_d20(
    dice: Sequence[int],
    modifier: int,
    difficulty: int,
    edge: Edge = Edge.NONE,
    options: D20Options = DEFAULT_D20,
) -> CheckResult:
    """One d20, or the better or worse of two, plus a modifier against a difficulty."""
    natural = _count(CheckRule.D20, dice, edge)
    total = natural + modifier
    margin = total - difficulty
    outcome = _rank_margin(margin, options.critical_margin)
    if options.naturals and natural in (1, 20):
        outcome = _apply_natural(natural, outcome, options)
    return CheckResult(CheckRule.D20, tuple(dice), natural, modifier, total, difficulty, margin, outcome)


def _rank_margin(margin: int, critical: int) -> CheckOutcome:
    if margin >= 0:
        return CheckOutcome.CRITICAL_SUCCESS if 0 < critical <= margin else CheckOutcome.SUCCESS
    return CheckOutcome.CRITICAL_FAILURE if 0 < critical <= -margin else CheckOutcome.FAILURE


def _apply_natural(natural: int, outcome: CheckOutcome, options: D20Options) -> CheckOutcome:
    ranks = (
        CheckOutcome.CRITICAL_FAILURE,
        CheckOutcome.FAILURE,
        CheckOutcome.SUCCESS,
        CheckOutcome.CRITICAL_SUCCESS,
    )
    if options.critical_margin <= 0:
        return ranks[-1] if natural == 20 else ranks[0]
    moved = ranks.index(outcome) + (1 if natural == 20 else -1)
    return ranks[min(max(moved, 0), len(ranks) - 1)]


def check_pbta(dice: Sequence[int], modifier: int, edge: Edge = Edge.NONE) -> CheckResult:
    """Two d6, or two of three, plus a modifier."""
    counted = _count(CheckRule.PBTA, dice, edge)
    total = counted + modifier
    if total >= PBTA_SUCCESS:
        outcome = CheckOutcome.SUCCESS
    elif total >= PBTA_PARTIAL:
        outcome = CheckOutcome.PARTIAL_SUCCESS
    else:
        outcome = CheckOutcome.FAILURE
    margin = total - PBTA_PARTIAL
    return CheckResult(CheckRule.PBTA, tuple(dice), counted, modifier, total, None, margin, outcome)


def check_fate(
    dice: Sequence[int], modifier: int, difficulty: int = MEDIOCRE, edge: Edge = Edge.NONE
) -> CheckResult:
    """Four Fate dice, or four of five, plus a modifier.

    A tie succeeds at a cost; a margin of three or more succeeds with style.
    """
    counted = _count(CheckRule.FATE, dice, edge)
    total = counted + modifier
    margin = total - difficulty
    if margin >= FATE_STYLE:
        outcome = CheckOutcome.CRITICAL_SUCCESS
    elif margin > 0:
        outcome = CheckOutcome.SUCCESS
    else:
        outcome = CheckOutcome.PARTIAL_SUCCESS if margin == 0 else CheckOutcome.FAILURE
    return CheckResult(CheckRule.FATE, tuple(dice), counted, modifier, total, difficulty, margin, outcome)


def _naturals(rule: CheckRule) -> range:
    """The range of the sum of the dice that count."""
    count, lowest, highest = _COUNTED[rule]
    return range(count * lowest, count * highest + 1)


def _judge(rule: CheckRule, natural: int, modifier: int, difficulty: int) -> CheckOutcome:
    """The outcome of a check by the sum of its dice."""
    match rule:
        case CheckRule.PBTA:
            return check_pbta((natural // 2, natural - natural // 2), modifier).outcome
        case CheckRule.FATE:
            return check_fate(_fate_dice(natural), modifier, difficulty).outcome
        case _:
            return check_d20((natural,), modifier, difficulty).outcome


def _fate_dice(natural: int) -> tuple[int, ...]:
    sign = 1 if natural > 0 else -1
    return (*[sign] * abs(natural), *[0] * (4 - abs(natural)))


def ladder_value(step: str) -> int | None:
    """The number of a step of the Fate ladder; None if there is no such step."""
    plain = step.strip().casefold()
    return LADDER.index(plain) + LADDER_LOWEST if plain in LADDER else None


def _count(rule: CheckRule, dice: Sequence[int], edge: Edge) -> int:
    """The sum of the dice that count."""
    count, lowest, highest = _COUNTED[rule]
    wanted = count if edge is Edge.NONE else count + 1
    assert len(dice) == wanted, f"{rule} with {edge} takes {wanted} dice, not {len(dice)}"
    assert all(lowest <= face <= highest for face in dice), f"{list(dice)} are not faces of {rule}"
    match edge:
        case Edge.NONE:
            return sum(dice)
        case Edge.ADVANTAGE:
            return sum(dice) - min(dice)
        case Edge.DISADVANTAGE:
            return sum(dice) - max(dice)
        case _:
            assert_never(edge)
