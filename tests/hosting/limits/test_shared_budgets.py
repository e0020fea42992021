"""Shared budgets: those of owners and campaigns hold across nodes, cancelled turns and crashes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import asyncpg
import pytest

from talewright.hosting.limits.shared_budgets import BudgetedProvider, CampaignLimits, Payer, SharedBudgets
from talewright.hosting.owners.owner_accounts import OwnerAccount, OwnerAccounts, OwnerLimits
from talewright.hosting.owners.owner_directory import prepare_owner_tables
from talewright.llm.profiles import Prices, Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk, Stop, StopReason, Text, Usage, Used
from talewright.llm.requests import Request, UserMessage
from talewright.stores.postgres.connection_retry import Database
from talewright.turn.spending import SpendingBudget, SpendingSum
from tests.llm.doubles import Failing, broken

PRICED = Profile("priced", prices=Prices(input=1.0, output=2.0), output_tokens_max=1_000)
REQUEST = Request((UserMessage("Go on."),), max_output_tokens=500)
TOLD = (Text("He nods."), Used(Usage(100, 50)), Stop(StopReason.END))


class Priced(Failing):
    """A provider whose prices are known."""

    @property
    def profile(self) -> Profile:
        return PRICED


class Node(OwnerAccounts):
    """The connections of one process."""

    def __init__(self, url: str, pool: Any) -> None:
        super().__init__(pool)
        self.database = Database(url)


@asynccontextmanager
async def open_node(url: str) -> AsyncIterator[Node]:
    async with asyncpg.create_pool(url, min_size=0, max_size=8) as pool:
        node = Node(url, pool)
        await prepare_owner_tables(node.database)
        yield node
        await node.database.close()


def with_nodes(url: str, use: Callable[[Node, Node], Awaitable[None]]) -> None:
    async def run() -> None:
        async with open_node(url) as one, open_node(url) as two:
            await use(one, two)

    asyncio.run(run())


async def find_account(accounts: OwnerAccounts) -> OwnerAccount:
    return (await accounts.list())[0]


def pay(owner: str, budget: SpendingBudget | None = None, spent: SpendingSum | None = None) -> Payer:
    async def read_spent() -> SpendingSum:
        return spent or SpendingSum()

    return Payer(owner, "road", budget or SpendingBudget(), read_spent)


async def listen(provider: BudgetedProvider) -> list[Chunk]:
    return [chunk async for chunk in provider.stream(REQUEST)]


def test_what_was_spent_is_settled(database_url: str) -> None:
    async def use(accounts: Node, _: Node) -> None:
        owner, _token = await accounts.add("Ada", OwnerLimits(dollars=1.0))
        provider = BudgetedProvider(Priced(TOLD), SharedBudgets(accounts.database), pay(owner))
        assert await listen(provider) == [*TOLD]
        account = await find_account(accounts)
        assert (round(account.dollars_spent, 9), account.tokens_spent) == (0.0002, 150)
        assert (account.dollars_reserved, account.tokens_reserved) == (0, 0)

    with_nodes(database_url, use)


def test_two_nodes_never_take_the_same_money(database_url: str) -> None:
    async def use(one: Node, two: Node) -> None:
        owner, _token = await one.add("Ada", OwnerLimits(tokens=10_000))
        budgets = [SharedBudgets(one.database), SharedBudgets(two.database)]
        taken = await asyncio.gather(*(budgets[at % 2].reserve(owner, 0.0, 999) for at in range(40)))
        assert len([one for one in taken if one.id]) == 10
        assert {one.refused_by for one in taken if not one.id} == {"owner"}
        assert (await find_account(one)).tokens_reserved == 9_990
        await asyncio.gather(*(budgets[at % 2].settle(one.id, 0.0, 99) for at, one in enumerate(taken)))
        account = await find_account(one)
        assert (account.tokens_reserved, account.tokens_spent) == (0, 990)

    with_nodes(database_url, use)


def test_what_exceeds_the_budget_is_not_asked(database_url: str) -> None:
    async def use(accounts: Node, _: Node) -> None:
        owner, _token = await accounts.add("Ada", OwnerLimits(dollars=0.0005))
        inner = Priced(TOLD)
        with pytest.raises(ProviderError) as caught:
            await listen(BudgetedProvider(inner, SharedBudgets(accounts.database), pay(owner)))
        assert (caught.value.trouble, caught.value.unpaid, inner.asked) == (Trouble.BUDGET, True, 0)
        await accounts.set_limits(owner, OwnerLimits())
        assert await listen(BudgetedProvider(inner, SharedBudgets(accounts.database), pay(owner)))

    with_nodes(database_url, use)


def test_an_unknown_owner_spends_nothing(database_url: str) -> None:
    async def use(accounts: Node, _: Node) -> None:
        inner = Priced(TOLD)
        with pytest.raises(ProviderError):
            await listen(BudgetedProvider(inner, SharedBudgets(accounts.database), pay("nobody")))
        assert not inner.asked

    with_nodes(database_url, use)


@pytest.mark.parametrize("ends", ["breaks", "closed", "free"])
def test_a_broken_answer_is_settled_too(database_url: str, ends: str) -> None:
    free = ProviderError(Trouble.UNREACHABLE, "no connection", unpaid=True)
    script = {"breaks": (Text("He"), broken()), "closed": TOLD, "free": (free,)}[ends]

    async def use(accounts: Node, _: Node) -> None:
        owner, _token = await accounts.add("Ada")
        stream = BudgetedProvider(Priced(script), SharedBudgets(accounts.database), pay(owner)).stream(
            REQUEST
        )
        if ends == "closed":
            await anext(stream)
            await stream.aclose()
        else:
            with pytest.raises(ProviderError):
                assert [chunk async for chunk in stream]
        account = await find_account(accounts)
        assert account.tokens_reserved == 0
        assert (account.tokens_spent > 0) is (ends != "free")

    with_nodes(database_url, use)


def test_the_reservation_of_a_dead_node_counts_as_spent(database_url: str) -> None:
    async def use(one: Node, two: Node) -> None:
        owner, _token = await one.add("Ada")
        reservation = await SharedBudgets(one.database, reserved_seconds=0.0).reserve(owner, 0.5, 700)
        await SharedBudgets(two.database).reserve(owner, 0.0, 1)
        await SharedBudgets(two.database).settle_lost()
        # The node was only slow: what it settles now is counted already.
        await SharedBudgets(one.database).settle(reservation.id, 0.1, 100)
        account = await find_account(one)
        assert (account.dollars_spent, account.tokens_spent, account.tokens_reserved) == (0.5, 700, 1)

    with_nodes(database_url, use)


MONTH_AGO = "update hosting.owners set month = month - interval '1 month'"


def test_the_budget_of_a_month_holds_for_all_nodes_and_begins_anew(database_url: str) -> None:
    async def use(one: Node, two: Node) -> None:
        owner, _token = await one.add("Ada", OwnerLimits(tokens=31_000, monthly_tokens=10_000))
        budgets = [SharedBudgets(one.database), SharedBudgets(two.database)]

        async def spend_month() -> set[str]:
            """Reserve more than the month allows, and settle it; returns why something was refused."""
            taken = await asyncio.gather(*(budgets[at % 2].reserve(owner, 0.0, 999) for at in range(40)))
            assert len([one for one in taken if one.id]) == 10
            for reservation in taken:
                await budgets[1].settle(reservation.id, 0.0, 1_000)
            return {one.refused_by for one in taken if not one.id}

        for month in (1, 2, 3):
            assert await spend_month() == {"month"}
            account = await find_account(one)
            assert (account.tokens_spent, account.month_tokens_spent) == (10_000 * month, 10_000)
            await one.database.write(MONTH_AGO)
            assert (await find_account(one)).month_tokens_spent == 0
        # What may be spent in all does not begin anew.
        assert (await budgets[0].reserve(owner, 0.0, 1_001)).refused_by == "owner"

    with_nodes(database_url, use)


def test_a_request_counts_in_the_month_in_which_it_ends(database_url: str) -> None:
    async def use(node: Node, _: Node) -> None:
        owner, _token = await node.add("Ada", OwnerLimits(monthly_dollars=1.0))
        budgets = SharedBudgets(node.database)
        early = await budgets.reserve(owner, 0.75, 1)
        lost = await SharedBudgets(node.database, reserved_seconds=0.0).reserve(owner, 0.25, 1)
        assert early.id
        assert lost.id
        await node.database.write(MONTH_AGO)
        # It is still reserved.
        assert (await budgets.reserve(owner, 0.25, 1)).refused_by == "month"
        await budgets.settle(early.id, 0.5, 1)
        await budgets.settle_lost()
        assert (await find_account(node)).month_dollars_spent == 0.75
        assert (await budgets.reserve(owner, 0.5, 1)).refused_by == "month"
        assert (await budgets.reserve(owner, 0.25, 1)).id

    with_nodes(database_url, use)


def test_what_exceeds_the_budget_of_the_month_is_not_asked(database_url: str) -> None:
    async def use(accounts: Node, _: Node) -> None:
        owner, _token = await accounts.add("Ada", OwnerLimits(monthly_dollars=0.0005))
        inner = Priced(TOLD)
        with pytest.raises(ProviderError, match="month") as caught:
            await listen(BudgetedProvider(inner, SharedBudgets(accounts.database), pay(owner)))
        assert (caught.value.trouble, caught.value.unpaid, inner.asked) == (Trouble.BUDGET, True, 0)

    with_nodes(database_url, use)


ROAD = CampaignLimits("road", SpendingBudget(campaign_tokens=10_000), SpendingSum())


def test_two_nodes_keep_to_the_budget_of_a_campaign(database_url: str) -> None:
    """Background work beside a turn may ask at the same time, and the record knows of neither yet."""

    async def use(one: Node, two: Node) -> None:
        owner, _token = await one.add("Ada")
        budgets = [SharedBudgets(one.database), SharedBudgets(two.database)]
        taken = await asyncio.gather(*(budgets[at % 2].reserve(owner, 0.0, 999, ROAD) for at in range(40)))
        assert len([one for one in taken if one.id]) == 10
        assert {one.refused_by for one in taken if not one.id} == {"campaign"}
        # What a campaign is refused is not taken from its owner, and other campaigns go on.
        assert (await find_account(one)).tokens_reserved == 9_990
        other = replace(ROAD, campaign="other")
        assert (await budgets[0].reserve(owner, 0.0, 999, other)).id
        for reservation in taken:
            await budgets[1].settle(reservation.id, 0.0, 500)
        again = [(await budgets[0].reserve(owner, 0.0, 1_000, ROAD)).id for _ in range(6)]
        assert [bool(one) for one in again] == [True] * 5 + [False]

    with_nodes(database_url, use)


def test_what_was_spent_elsewhere_counts_too(database_url: str) -> None:
    async def use(node: Node, _: Node) -> None:
        owner, _token = await node.add("Ada")
        budgets = SharedBudgets(node.database)
        pushed = replace(ROAD, recorded=SpendingSum(9_000))
        assert not (await budgets.reserve(owner, 0.0, 1_001, pushed)).id
        first = await budgets.reserve(owner, 0.0, 600, pushed)
        assert first.id
        assert (await budgets.reserve(owner, 0.0, 401, pushed)).refused_by == "campaign"
        await budgets.settle(first.id, 0.0, 600)
        # The record is behind, and then ahead.
        assert (await budgets.reserve(owner, 0.0, 401, pushed)).refused_by == "campaign"
        ahead = replace(ROAD, recorded=SpendingSum(9_700))
        assert (await budgets.reserve(owner, 0.0, 301, ahead)).refused_by == "campaign"
        assert (await budgets.reserve(owner, 0.0, 300, ahead)).id

    with_nodes(database_url, use)


def test_a_campaign_that_takes_the_name_of_a_removed_one_begins_at_zero(database_url: str) -> None:
    async def use(node: Node, _: Node) -> None:
        owner, _token = await node.add("Ada")
        budgets = SharedBudgets(node.database)
        await budgets.settle((await budgets.reserve(owner, 0.0, 10_000, ROAD)).id, 0.0, 10_000)
        assert not (await budgets.reserve(owner, 0.0, 1, ROAD)).id
        await budgets.forget(owner, "road")
        assert (await budgets.reserve(owner, 0.0, 10_000, ROAD)).id

    with_nodes(database_url, use)


def test_a_dead_node_is_charged_to_the_campaign_too(database_url: str) -> None:
    async def use(one: Node, two: Node) -> None:
        owner, _token = await one.add("Ada")
        dying, budgets = SharedBudgets(one.database, reserved_seconds=0.0), SharedBudgets(two.database)
        for limits in (ROAD, ROAD, None):
            assert (await dying.reserve(owner, 0.0, 4_000, limits)).id
        await budgets.settle_lost()
        assert (await find_account(one)).tokens_spent == 12_000
        assert (await budgets.reserve(owner, 0.0, 2_001, ROAD)).refused_by == "campaign"
        assert (await budgets.reserve(owner, 0.0, 2_000, ROAD)).id

    with_nodes(database_url, use)


def test_what_exceeds_the_budget_of_the_campaign_is_not_asked(database_url: str) -> None:
    async def use(accounts: Node, _: Node) -> None:
        owner, _token = await accounts.add("Ada")
        inner, budgets = Priced(TOLD), SharedBudgets(accounts.database)
        payer = pay(owner, SpendingBudget(campaign_dollars=0.002), SpendingSum(0, 0.0005))
        assert await listen(BudgetedProvider(inner, budgets, payer)) == [*TOLD]
        poor = pay(owner, SpendingBudget(campaign_dollars=0.001), SpendingSum(0, 0.0005))
        with pytest.raises(ProviderError, match="campaign") as caught:
            await listen(BudgetedProvider(inner, budgets, poor))
        assert (caught.value.trouble, caught.value.unpaid, inner.asked) == (Trouble.BUDGET, True, 1)

    with_nodes(database_url, use)
