"""Budgets: what was spent on the telling of a campaign, as it is kept, and how much may be.

Values and sums only. Nothing is asked and nothing is stopped here; that is the business of `purses`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, cast

from talewright.chronicle.store import CampaignBook
from talewright.kernel.state.documents import Json
from talewright.llm.prices import cost
from talewright.llm.profiles import Profile
from talewright.llm.requests import Request
from talewright.llm.usage import Usage
from talewright.turn.exchanges import read_usage, write_usage

DOLLAR_DIGITS = 9
"""Digits of a dollar that are kept: a token of the cheapest model costs about a hundred-millionth."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What was used of one model, and what that cost."""

    model: str
    usage: Usage
    dollars: float | None = None
    """None where the prices were not known."""

    def __add__(self, other: "Spending") -> "Spending":
        known = self.dollars is not None and other.dollars is not None
        dollars = (self.dollars or 0.0) + (other.dollars or 0.0) if known else None
        return replace(self, usage=self.usage + other.usage, dollars=dollars)


def spend(usage: Usage, profile: Profile) -> Spending:
    """A usage with its price of today; tomorrow's may be another, so it is kept with the record."""
    return Spending(profile.name, usage, None if profile.prices is None else cost(usage, profile.prices))


def join(spendings: Iterable[Spending]) -> tuple[Spending, ...]:
    """Spendings summed up by model, in the order in which the models came."""
    joined: dict[str, Spending] = {}
    for one in spendings:
        known = joined.get(one.model)
        joined[one.model] = one if known is None else known + one
    return tuple(joined.values())


def write_spendings(spendings: Iterable[Spending]) -> list[Json]:
    """Spendings as they are kept, one a model."""
    return [_write(one) for one in join(spendings)]


def read_spendings(body: Mapping[str, Json]) -> tuple[Spending, ...]:
    """What an attempt or an aside says was spent; of an unnamed model where it says no more than a sum."""
    kept = body.get("spent")
    if isinstance(kept, Sequence) and not isinstance(kept, str):
        return tuple(_read(cast(Mapping[str, Json], one)) for one in kept)
    usage = read_usage(body.get("usage"))
    return () if usage is None else (Spending("", usage),)


def _write(one: Spending) -> Json:
    raw: dict[str, Json] = {"model": one.model, **write_usage(one.usage)}
    if one.dollars is not None:
        raw["dollars"] = round(one.dollars, DOLLAR_DIGITS)
    return raw


def _read(raw: Mapping[str, Json]) -> Spending:
    usage = read_usage(raw)
    assert usage is not None
    return Spending(str(raw["model"]), usage, cast("float | None", raw.get("dollars")))


@dataclass(frozen=True, slots=True)
class Sum:
    """Tokens and money, of whatever models."""

    tokens: int = 0
    dollars: float = 0.0

    def __add__(self, other: "Sum") -> "Sum":
        return Sum(self.tokens + other.tokens, self.dollars + other.dollars)


def sum_up(spendings: Iterable[Spending]) -> Sum:
    """Everything together; what has no known price counts as tokens alone."""
    total = Sum()
    for one in spendings:
        total += Sum(one.usage.input_tokens + one.usage.output_tokens, one.dollars or 0.0)
    return total


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be spent; None sets no bound."""

    campaign_dollars: float | None = None
    campaign_tokens: int | None = None
    turn_dollars: float | None = None
    """Within one try at a turn, its repairs and errands included."""

    turn_tokens: int | None = None

    @property
    def in_dollars(self) -> bool:
        """Whether prices must be known for it."""
        return self.campaign_dollars is not None or self.turn_dollars is not None

    @property
    def is_bound(self) -> bool:
        """Whether it bounds anything."""
        return self.in_dollars or self.campaign_tokens is not None or self.turn_tokens is not None

    def over(self, other: "Budget") -> "Budget":
        """This budget, with the other's bounds where this one has none."""
        return Budget(
            other.campaign_dollars if self.campaign_dollars is None else self.campaign_dollars,
            other.campaign_tokens if self.campaign_tokens is None else self.campaign_tokens,
            other.turn_dollars if self.turn_dollars is None else self.turn_dollars,
            other.turn_tokens if self.turn_tokens is None else self.turn_tokens,
        )


class Purse(Protocol):
    """Where the money of a campaign is: asked before every ask, and told after it."""

    async def find_excess(
        self, book: CampaignBook, paid: Iterable[Spending], profile: Profile, request: Request
    ) -> str:
        """Why an ask must not be made; empty where it may be. `paid` is what this try has spent so far."""

    def empty(self) -> tuple[Spending, ...]:
        """What meters have counted since the last time; it counts as spent from now on."""

    def follow(self, sequence: int) -> None:
        """A turn that was paid from this purse is part of the story."""
