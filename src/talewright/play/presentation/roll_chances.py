"""Roll chances: how likely each total of a check was, which of them succeed, and the same in words.

Everything is worked out exactly from the recorded dice notation; nothing is rolled or recorded here.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from talewright.common.json_values import Json, write_number
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_tree import DiceError
from talewright.play.campaign_view import ChanceView
from talewright.play.presentation.value_wording import Wording, is_number
from talewright.play.presentation.words.phrases import Phrase
from talewright.turn.records.commit_body import ROLL

if TYPE_CHECKING:
    from talewright.kernel.dice.dice_odds import Distribution

SUCCESS, PARTIAL, FAILURE = "success", "partial_success", "fail"
CRITICAL_SUCCESS, CRITICAL_FAILURE = "critical_success", "critical_failure"

SUCCESSES = frozenset({SUCCESS, PARTIAL, CRITICAL_SUCCESS})
"""Outcomes that count as success."""

ALIASES: Mapping[str, str] = {"failure": FAILURE}
"""Other names of outcomes that systems use."""

DICE_MAX = 20
SIDES_MAX = 100
TOTALS_MAX = 120
"""Checks with more dice, sides or totals have no chances: nobody could read them."""

KEPT_MAX = 256
"""Distributions that are cached; the same few checks recur all the time."""


def find_chances(
    facts: Mapping[str, Json], notation: str, total: int | float | None, wording: Wording
) -> ChanceView | None:
    """The chances of a roll that decides something; None if they are unknown, or it decides nothing."""
    judge = _read_bands(facts.get("bands")) or _read_needed(facts.get("needed"))
    # A system that says neither may not go by the total at all; a scene always does.
    decides = judge is not None or facts.get("kind") == ROLL
    odds = _work_out(notation) if notation and decides else None
    if odds is None or not isinstance(total, int) or total not in dict(odds.weights):
        return None
    totals = tuple(at for at, _ in odds.weights)
    shares = tuple(weight / odds.ways for _, weight in odds.weights)
    outcomes = tuple(map(judge, totals)) if judge is not None else ("",) * len(totals)
    success = _sum(shares, outcomes, SUCCESSES) if judge is not None else None
    text = _tell_total(odds, total, wording) if success is None else _tell(shares, outcomes, wording)
    return ChanceView(totals, shares, outcomes, success, text)


def find_share(facts: Mapping[str, Json], wording: Wording) -> ChanceView | None:
    """The chances of a trial: a share that was drawn succeeds below the chance."""
    chance, drawn = facts.get("p"), facts.get("rand")
    outcome = facts.get("outcome")
    if not is_number(chance) or not is_number(drawn) or not isinstance(outcome, str):
        return None
    outcomes = (SUCCESS, FAILURE)
    shares = (float(chance), 1.0 - chance)
    return ChanceView((), shares, outcomes, float(chance), _tell(shares, outcomes, wording), float(drawn))


def percent(share: float) -> str:
    """A share as a percentage with at most one decimal place; only what is certain is 0 or 100."""
    rounded = round(100 * share, 1)
    if rounded in (0, 100) and share not in (0, 1):
        return "<0.1" if share < 0.5 else ">99.9"
    return write_number(rounded)


@lru_cache(KEPT_MAX)
def _work_out(notation: str) -> "Distribution | None":
    # Imported here: exact fractions take long to load, and a game should not wait for them.
    from talewright.kernel.dice.dice_odds import distribution

    try:
        dice = parse(notation)
        count = sum(pool.count for pool in dice.pools)
        explodes = any(pool.rules is not None and pool.rules.explosions for pool in dice.pools)
        if explodes or count > DICE_MAX or any(pool.sides > SIDES_MAX for pool in dice.pools):
            return None
        odds = distribution(dice)
    except DiceError:
        return None
    return odds if 1 < len(odds.weights) <= TOTALS_MAX else None


def _read_needed(needed: Json) -> Callable[[int], str] | None:
    """A check that succeeds from a total on."""
    if not is_number(needed):
        return None
    return lambda total: SUCCESS if total >= needed else FAILURE


def _read_bands(raw: Json) -> Callable[[int], str] | None:
    """Outcomes by the lowest total of each, as a system lists them from the lowest up."""
    bands: list[tuple[int, str]] = []
    for one in raw if isinstance(raw, list) else ():
        start, outcome = (one.get("from"), one.get("outcome")) if isinstance(one, Mapping) else (None, None)
        if isinstance(start, int) and isinstance(outcome, str):
            bands.append((start, ALIASES.get(outcome, outcome)))
    if not bands:
        return None
    bands.sort()

    def judge(total: int) -> str:
        return next((outcome for start, outcome in reversed(bands) if start <= total), bands[0][1])

    return judge


def _sum(shares: Sequence[float], outcomes: Sequence[str], wanted: frozenset[str]) -> float:
    return sum(share for share, outcome in zip(shares, outcomes, strict=True) if outcome in wanted)


def _tell(shares: Sequence[float], outcomes: Sequence[str], wording: Wording) -> str:
    partial = _sum(shares, outcomes, frozenset({PARTIAL}))
    success = _sum(shares, outcomes, SUCCESSES)
    if partial:
        return wording.say(
            Phrase.CHANCE_PARTIAL, percent=percent(success - partial), partial=percent(partial)
        )
    return wording.say(Phrase.CHANCE_SUCCESS, percent=percent(success))


def _tell_total(odds: "Distribution", total: int, wording: Wording) -> str:
    share = percent(float(odds.at_least(total)))
    return wording.say(Phrase.CHANCE_TOTAL, percent=share, total=str(total))
