"""Purses: what may still be spent on one campaign, as its records and the meters say.

It opens before an ask and stays shut where the ask might not be paid for. It never asks and never writes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from talewright.chronicle.records import Aside, Attempt
from talewright.chronicle.store import CampaignBook
from talewright.llm.meter import price
from talewright.llm.profiles import Profile
from talewright.llm.requests import Request
from talewright.llm.tokens import estimate_request
from talewright.llm.usage import Usage
from talewright.turn.budgets import Budget, Spending, Sum, read_spendings, spend, sum_up

TRIES_MAX = 2
"""Tries of one ask that may have to be paid for; a budget must hold all of them."""


class CampaignPurse:
    """The money of one campaign, for as long as it is played in this process."""

    def __init__(
        self, budget: Budget | None = None, others: Sequence[Profile] = (), tries_max: int = TRIES_MAX
    ) -> None:
        self.budget = budget or Budget()
        self._others = tuple(others)
        """Models that may answer in another's place."""

        self._tries_max = tries_max
        self._metered: list[Spending] = []
        """What the meters have counted and nobody has entered yet."""

        self._spent = Sum()
        self._sequence: int | None = None
        """The newest commit that is counted in; None where nothing was counted yet."""

    def take(self, usage: Usage, profile: Profile) -> None:
        """Hear from a meter what an ask has used; a `llm.meter.Take`."""
        self._metered.append(spend(usage, profile))

    def empty(self) -> tuple[Spending, ...]:
        """What was heard since the last time; it counts as spent from now on."""
        metered, self._metered = tuple(self._metered), []
        self._spent += sum_up(metered)
        return metered

    def follow(self, sequence: int) -> None:
        """A turn that was paid from this purse is part of the story."""
        if self._sequence is not None and sequence == self._sequence + 1:
            self._sequence = sequence

    async def find_excess(
        self, book: CampaignBook, paid: Iterable[Spending], profile: Profile, request: Request
    ) -> str:
        """Why an ask must not be made; empty where it may be. `paid` is what this try has spent so far."""
        if not self.budget.is_bound:
            return ""
        turn = sum_up(paid)
        await self._count(book, turn)
        ask = foresee(request, (profile, *self._others), self._tries_max)
        return find_excess(self.budget, self._spent, turn, ask)

    async def _count(self, book: CampaignBook, unrecorded: Sum) -> None:
        """Read the records, once and whenever somebody else has played meanwhile."""
        sequence = (await book.look()).sequence
        if sequence == self._sequence:
            return
        recorded = Sum()
        async for record in book.records():
            if isinstance(record, Attempt | Aside):
                recorded += sum_up(read_spendings(record.body))
        self._spent, self._sequence = recorded + unrecorded, sequence


@dataclass(frozen=True, slots=True)
class Ask:
    """The most that one ask may cost."""

    tokens: int
    dollars: float | None
    """None where a price is not known."""

    unpriced: tuple[str, ...] = ()
    """The models whose prices are not known."""


def foresee(request: Request, profiles: Sequence[Profile], tries: int) -> Ask:
    """The most an ask may cost: nothing of it cached, the longest answer, every try paid for.

    `profiles` are those of all models that may answer it; the dearest counts.
    """
    asked = estimate_request(request)
    worst = [Usage(asked, request.max_output_tokens or one.output_tokens_max) for one in profiles]
    prices = [price(usage, one) for usage, one in zip(worst, profiles, strict=True)]
    known = [each for each in prices if each is not None]
    return Ask(
        tries * max(usage.input_tokens + usage.output_tokens for usage in worst),
        tries * max(known) if len(known) == len(prices) else None,
        tuple(one.name for one, each in zip(profiles, prices, strict=True) if each is None),
    )


def find_excess(budget: Budget, campaign: Sum, turn: Sum, ask: Ask) -> str:
    """Why an ask must not be made, as it is recorded; empty where it may be."""
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
