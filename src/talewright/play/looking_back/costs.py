"""Costs: what the telling of a campaign has cost, turn by turn and model by model, as its record says.

Money stands in the record as it was counted on the day; here it is only added up.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from talewright.chronicle.records import Attempt, AttemptVerdict, Commit
from talewright.kernel.state.documents import Json
from talewright.play.looking_back.histories import History
from talewright.play.looking_back.prefixes import Break, Lookup, find_breaks
from talewright.turn.spending import Spending, join, read_spendings


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens and money of something."""

    uncached_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    dollars: float | None = 0.0
    """None where the price of a part was not known."""

    estimated: bool = False
    """Whether a provider did not say, and some of it is a guess."""

    def __add__(self, other: "Cost") -> "Cost":
        unknown = self.dollars is None or other.dollars is None
        return Cost(
            self.uncached_tokens + other.uncached_tokens,
            self.cached_tokens + other.cached_tokens,
            self.output_tokens + other.output_tokens,
            None if unknown else (self.dollars or 0.0) + (other.dollars or 0.0),
            self.estimated or other.estimated,
        )

    def to_json(self) -> dict[str, Json]:
        """The same as data."""
        return {
            "uncached_tokens": self.uncached_tokens,
            "cached_tokens": self.cached_tokens,
            "output_tokens": self.output_tokens,
            "dollars": None if self.dollars is None else round(self.dollars, 9),
            "estimated": self.estimated,
        }


@dataclass(frozen=True, slots=True)
class TurnCost:
    """What one turn has cost."""

    version: int
    commit: str
    branch: str
    asks: int
    models: tuple[str, ...]
    cost: Cost
    broken: Break | None = None
    """Where the provider had to read again what it had kept."""


@dataclass(frozen=True, slots=True)
class CampaignCost:
    """What a campaign has cost."""

    campaign: str
    turns: tuple[TurnCost, ...]
    """Those that were told by a model, on all branches, in the order they were taken."""

    scenes: int
    """Turns that cost nothing."""

    told: Cost
    failed: Cost
    """Tries of which no turn came."""

    aside: Cost
    """Summaries and errands between the turns."""

    models: Mapping[str, Cost]

    @property
    def total(self) -> Cost:
        """Everything together."""
        return self.told + self.failed + self.aside


def count_costs(history: History, lookup: Lookup) -> CampaignCost:
    """What a campaign has cost; `lookup` knows prices and cache rules by a model's name."""
    breaks = find_breaks(history, lookup)
    tries = [attempt for attempts in history.attempts.values() for attempt in attempts]
    made = {attempt.operation_id: attempt for attempt in tries if attempt.verdict is AttemptVerdict.COMMITTED}
    failed = [
        one for attempt in tries for one in _spent(attempt) if attempt.verdict is not AttemptVerdict.COMMITTED
    ]
    aside = [one for each in history.asides for one in read_spendings(each.body)]
    turns = [
        _count_turn(commit, made[commit.operation_id], breaks.get(commit.id))
        for commit in history.commits.values()
        if commit.operation_id in made and _spent(made[commit.operation_id])
    ]
    told = [one for attempt in made.values() for one in _spent(attempt)]
    return CampaignCost(
        history.campaign,
        tuple(turns),
        sum(bool(commit.parent) for commit in history.commits.values()) - len(turns),
        add_up(told),
        add_up(failed),
        add_up(aside),
        {one.model: add_up([one]) for one in join([*told, *failed, *aside])},
    )


def add_up(spendings: Iterable[Spending]) -> Cost:
    """Spendings of whatever models as one cost."""
    total = Cost()
    for one in spendings:
        usage = one.usage
        cached = min(usage.cached_tokens, usage.input_tokens)
        total += Cost(usage.input_tokens - cached, cached, usage.output_tokens, one.dollars, usage.estimated)
    return total


def _count_turn(commit: Commit, attempt: Attempt, broken: Break | None) -> TurnCost:
    spent = _spent(attempt)
    asks = cast(Sequence[Json], commit.body.get("exchanges", ()))
    models = tuple(dict.fromkeys(one.model for one in spent))
    return TurnCost(commit.version, commit.id, commit.branch, len(asks), models, add_up(spent), broken)


def _spent(attempt: Attempt) -> tuple[Spending, ...]:
    return read_spendings(attempt.body)
