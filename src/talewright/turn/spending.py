"""Spending: tokens and money used by a campaign, as recorded, and its budget.

The budget is checked before every request and refuses one that might exceed it. No model is called and
nothing is written here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, cast

from talewright.chronicle.spending_totals import SpendingTotals
from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.llm.cost_meter import cost, cost_by_profile
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Usage
from talewright.llm.requests import Request
from talewright.llm.token_estimate import estimate_request
from talewright.turn.records.commit_body import read_usage, write_usage

DOLLAR_DIGITS = 9
"""Decimal places of dollars that are stored: a token of the cheapest model costs about 1e-8."""


@frozen
class Spending:
    """Usage of one model, and its cost."""

    model: str
    usage: Usage
    dollars: float | None = None
    """None if the prices were unknown."""

    def __add__(self, other: "Spending") -> "Spending":
        known = self.dollars is not None and other.dollars is not None
        dollars = (self.dollars or 0.0) + (other.dollars or 0.0) if known else None
        return replace(self, usage=self.usage + other.usage, dollars=dollars)


def spend(usage: Usage, profile: Profile) -> Spending:
    """Return a usage with its current price, which is stored because prices change."""
    return Spending(profile.name, usage, None if profile.prices is None else cost(usage, profile.prices))


def join(spendings: Iterable[Spending]) -> tuple[Spending, ...]:
    """Sum spendings by model, in the order in which the models first appear."""
    joined: dict[str, Spending] = {}
    for one in spendings:
        known = joined.get(one.model)
        joined[one.model] = one if known is None else known + one
    return tuple(joined.values())


def write_spendings(spendings: Iterable[Spending]) -> list[Json]:
    """Convert spendings to JSON, one per model."""
    return [write_spending(one) for one in join(spendings)]


def read_spendings(body: Mapping[str, Json]) -> tuple[Spending, ...]:
    """Read the spendings of an attempt or an aside; if only a sum is recorded, the model has no name."""
    kept = body.get("spent")
    if isinstance(kept, Sequence) and not isinstance(kept, str):
        return tuple(_read_spending(cast(Mapping[str, Json], one)) for one in kept)
    usage = read_usage(body.get("usage"))
    return () if usage is None else (Spending("", usage),)


def write_spending(one: Spending) -> Json:
    """Convert one spending to JSON."""
    raw: dict[str, Json] = {"model": one.model, **write_usage(one.usage)}
    if one.dollars is not None:
        raw["dollars"] = round(one.dollars, DOLLAR_DIGITS)
    return raw


def _read_spending(raw: Mapping[str, Json]) -> Spending:
    usage = read_usage(raw)
    assert usage is not None
    return Spending(str(raw["model"]), usage, cast("float | None", raw.get("dollars")))


@frozen
class SpendingSum:
    """Tokens and dollars of all models together."""

    tokens: int = 0
    dollars: float = 0.0

    def __add__(self, other: "SpendingSum") -> "SpendingSum":
        return SpendingSum(self.tokens + other.tokens, self.dollars + other.dollars)


def sum_up(spendings: Iterable[Spending]) -> SpendingSum:
    """Sum everything; usage without a known price counts only as tokens."""
    total = SpendingSum()
    for one in spendings:
        total += SpendingSum(one.usage.input_tokens + one.usage.output_tokens, one.dollars or 0.0)
    return total


@frozen
class SpendingBudget:
    """How much may be spent; None means no limit."""

    campaign_dollars: float | None = None
    campaign_tokens: int | None = None
    turn_dollars: float | None = None
    """Within one attempt at a turn, including its repairs and errands."""

    turn_tokens: int | None = None

    @property
    def in_dollars(self) -> bool:
        """Whether it needs prices to be known."""
        return self.campaign_dollars is not None or self.turn_dollars is not None

    @property
    def is_bound(self) -> bool:
        """Whether it limits anything."""
        return self.in_dollars or self.campaign_tokens is not None or self.turn_tokens is not None

    def over(self, other: "SpendingBudget") -> "SpendingBudget":
        """Return this budget, with the other's limits where this one has none."""
        return SpendingBudget(
            other.campaign_dollars if self.campaign_dollars is None else self.campaign_dollars,
            other.campaign_tokens if self.campaign_tokens is None else self.campaign_tokens,
            other.turn_dollars if self.turn_dollars is None else self.turn_dollars,
            other.turn_tokens if self.turn_tokens is None else self.turn_tokens,
        )


class SpendingTracker(Protocol):
    """The budget of a campaign, and what its meters count."""

    @property
    def is_bound(self) -> bool:
        """Whether there is a budget."""

    @property
    def limits_tokens(self) -> bool:
        """Whether the campaign has a limited number of tokens, even if they cost nothing."""

    def find_excess(
        self, before: SpendingSum, paid: Iterable[Spending], profile: Profile, request: Request
    ) -> str:
        """Return why a request must not be sent; empty if it may be.

        `before` is what the campaign had spent when the attempt started, `paid` what the attempt has spent so
        far.
        """

    def empty(self) -> tuple[Spending, ...]:
        """Return what the meters have counted since the last call."""


TRIES_MAX = 2
"""How many tries of one request may have to be paid for; a budget must cover all of them."""


class CampaignSpendingTracker:
    """The budget of one campaign, with the meters of its models in this process."""

    def __init__(
        self, budget: SpendingBudget | None = None, others: Sequence[Profile] = (), tries_max: int = TRIES_MAX
    ) -> None:
        self.budget = budget or SpendingBudget()
        self._others = tuple(others)
        """Models that may answer instead of another."""

        self._tries_max = tries_max
        self._metered: list[Spending] = []
        """Usage that the meters have counted but that is not recorded yet."""

    @property
    def is_bound(self) -> bool:
        """Whether there is a budget."""
        return self.budget.is_bound

    @property
    def limits_tokens(self) -> bool:
        """Whether the campaign has a limited number of tokens, even if they cost nothing."""
        return self.budget.campaign_tokens is not None

    def take(self, usage: Usage, profile: Profile) -> None:
        """Receive a request's usage from a meter."""
        self._metered.append(spend(usage, profile))

    def empty(self) -> tuple[Spending, ...]:
        """Return what the meters have counted since the last call."""
        metered, self._metered = tuple(self._metered), []
        return metered

    def find_excess(
        self, before: SpendingSum, paid: Iterable[Spending], profile: Profile, request: Request
    ) -> str:
        """Return why a request must not be sent; empty if it may be."""
        if not self.is_bound:
            return ""
        turn = sum_up(paid)
        ask = foresee(request, (profile, *self._others), self._tries_max)
        return find_excess(self.budget, before + turn, turn, ask)


def sum_totals(totals: SpendingTotals) -> SpendingSum:
    """Return the totals of a campaign over all models."""
    whole = totals.whole
    return SpendingSum(whole.input_tokens + whole.output_tokens, whole.dollars)


async def count_spending(book: CampaignBook, tracker: SpendingTracker | None) -> SpendingSum:
    """Return what a campaign has spent so far, from its records; zero if there is no budget."""
    if tracker is None or not tracker.is_bound:
        return SpendingSum()
    return sum_totals((await book.look()).spent)


@frozen
class AskEstimate:
    """The maximum cost of one request."""

    tokens: int
    dollars: float | None
    """None if a price is unknown."""

    unpriced: tuple[str, ...] = ()
    """The models whose prices are unknown."""


def foresee(request: Request, profiles: Sequence[Profile], tries: int) -> AskEstimate:
    """Estimate the maximum cost of a request: nothing cached, the longest answer, every try paid for.

    `profiles` are those of all models that may answer it; the most expensive counts.
    """
    asked = estimate_request(request)
    worst = [Usage(asked, request.max_output_tokens or one.output_tokens_max) for one in profiles]
    prices = [cost_by_profile(usage, one) for usage, one in zip(worst, profiles, strict=True)]
    known = [each for each in prices if each is not None]
    return AskEstimate(
        tries * max(usage.input_tokens + usage.output_tokens for usage in worst),
        tries * max(known) if len(known) == len(prices) else None,
        tuple(one.name for one, each in zip(profiles, prices, strict=True) if each is None),
    )


def find_excess(budget: SpendingBudget, campaign: SpendingSum, turn: SpendingSum, ask: AskEstimate) -> str:
    """Return why a request must not be sent, as it is recorded; empty if it may be."""
    if ask.dollars is None and budget.in_dollars:
        return f"a budget in dollars needs the prices of {', '.join(ask.unpriced)}"
    dollars = ask.dollars or 0.0
    bounds: Sequence[tuple[str, str, float, float, float | None]] = (
        ("campaign", "dollars", campaign.dollars, dollars, budget.campaign_dollars),
        ("campaign", "tokens", campaign.tokens, ask.tokens, budget.campaign_tokens),
        ("turn", "dollars", turn.dollars, dollars, budget.turn_dollars),
        ("turn", "tokens", turn.tokens, ask.tokens, budget.turn_tokens),
    )
    for of, unit, spent, more, bound in bounds:
        if bound is not None and spent + more > bound:
            return (
                f"the {of} may spend {bound:.10g} {unit}, has spent {spent:.10g}, "
                f"and one ask may take {more:.10g} more"
            )
    return ""
