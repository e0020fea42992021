"""Limits of workers: two of them never exceed an owner's budget, nor what a model takes at once."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import pytest

from talewright.bootstrap.hosting.worker_limits import Hiring, open_limited_hiring
from talewright.bootstrap.provider_factory import ProviderFactory
from talewright.chronicle.store import CampaignBook
from talewright.config.environment import EnvironmentVariables
from talewright.config.loaded_settings import LoadedSettings
from talewright.config.settings_parser import read_settings
from talewright.hosting.owners.owner_accounts import OwnerAccount, OwnerAccounts, OwnerLimits
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.requests import Request, UserMessage
from talewright.stores.postgres.connection_retry import Database
from tests.config.test_api_keys import Drawer
from tests.play.making import make_lobby
from tests.play.scenes import room

AT_ONCE = 3
CAMPAIGN_TOKENS = 2_000
USAGE = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
SETTINGS = """
model = "told"
[models.told]
base_url = "{url}"
model = "told-1"
{at_once}
output_tokens_max = 400
context_tokens = 4096
prices = {{ input = 1.0, output = 2.0 }}
[games.frugal.budget]
campaign_tokens = {campaign_tokens}
"""
REQUEST = Request((UserMessage("Go on."),), max_output_tokens=400)


@dataclass
class CountingModel:
    """A model server that knows how many requests it had at the same time."""

    port: int = 0
    asked: int = 0
    inside: int = 0
    most: int = 0
    needed: int = 0
    """Nobody is answered until so many requests came at the same time."""

    met: asyncio.Event = field(default_factory=asyncio.Event)
    open: list[asyncio.Task[None]] = field(default_factory=list)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request after a moment."""
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.split(b":")[1]))
        self.asked += 1
        self.inside += 1
        self.most = max(self.most, self.inside)
        # Long enough that whoever may come at the same time does.
        await asyncio.sleep(0.03)
        if self.most >= self.needed:
            self.met.set()
        await self.met.wait()
        events = (
            {"choices": [{"index": 0, "delta": {"content": "He nods."}, "finish_reason": None}]},
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": USAGE},
        )
        self.inside -= 1
        body = "".join(f"data: {json.dumps(one)}\n\n" for one in events) + "data: [DONE]\n\n"
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        writer.write(body.encode())
        await writer.drain()
        writer.close()


@asynccontextmanager
async def counting_model() -> AsyncIterator[CountingModel]:
    model = CountingModel()
    server = await asyncio.start_server(model.answer, "127.0.0.1", 0)
    model.port = server.sockets[0].getsockname()[1]
    async with server:
        yield model


@asynccontextmanager
async def worker(
    model: CountingModel, database_url: str, redis_url: str, at_once: str = f"at_once = {AT_ONCE}"
) -> AsyncIterator[Hiring]:
    """What one worker hires with; it shares nothing with another but PostgreSQL and Redis."""
    text = SETTINGS.format(
        url=f"http://127.0.0.1:{model.port}/v1", at_once=at_once, campaign_tokens=CAMPAIGN_TOKENS
    )
    loaded = LoadedSettings(read_settings(text, "f"), EnvironmentVariables({}, {}), Path("f"))
    database = Database(database_url)
    async with open_limited_hiring(ProviderFactory(loaded, Drawer()), database, redis_url) as hire:
        yield hire
    await database.close()


async def open_book() -> CampaignBook:
    """A campaign in memory; its record stays as it is."""
    return (await make_lobby(room()).begin("test", "en")).seat.road.book


async def ask(hire: Hiring, owner: str, game: str = "game") -> str:
    """Ask once; returns the answer, or the trouble."""
    teller = hire(owner, game, await open_book())
    assert teller is not None
    try:
        async for _ in teller.main.stream(REQUEST):
            pass
    except ProviderError as error:
        return error.trouble.value
    return "told"


async def read_account(accounts: OwnerAccounts, owner: str) -> OwnerAccount:
    return next(one for one in await accounts.list() if one.id == owner)


def test_two_workers_keep_to_a_budget_and_to_the_places_of_a_model(database_url: str, redis_url: str) -> None:
    async def run() -> None:
        async with (
            asyncpg.create_pool(database_url, min_size=0, max_size=1) as pool,
            counting_model() as model,
            worker(model, database_url, redis_url) as one,
            worker(model, database_url, redis_url) as two,
        ):
            accounts = OwnerAccounts(pool)
            tokens = 2_000
            rich, _ = await accounts.add("rich")
            poor, _ = await accounts.add("poor", OwnerLimits(tokens=tokens))
            asking = [ask(hire, owner) for _ in range(10) for hire in (one, two) for owner in (rich, poor)]
            found = await asyncio.gather(*asking)
            assert model.most == AT_ONCE
            assert set(found) == {"told", Trouble.BUDGET.value}
            spent = await read_account(accounts, poor)
            assert spent.tokens_spent <= tokens
            assert spent.tokens_reserved == spent.dollars_reserved == 0
            # What does not fit is not asked: every request that was sent is on somebody's bill.
            free = await read_account(accounts, rich)
            assert free.tokens_spent == 20 * 150
            assert model.asked * 150 == free.tokens_spent + spent.tokens_spent
            assert found.count("told") == model.asked
            # Until the budget is used up, nobody is refused for long.
            while await ask(one, poor) == "told":
                pass
            assert tokens - 550 < (await read_account(accounts, poor)).tokens_spent <= tokens

    asyncio.run(run())


@pytest.mark.timeout(60)
def test_without_a_setting_nobody_waits_for_another_player(database_url: str, redis_url: str) -> None:
    async def run() -> None:
        async with (
            asyncpg.create_pool(database_url, min_size=0, max_size=1) as pool,
            counting_model() as model,
            worker(model, database_url, redis_url, at_once="") as hire,
        ):
            model.needed = 40
            owner, _ = await OwnerAccounts(pool).add("Ada")
            found = await asyncio.gather(*(ask(hire, owner) for _ in range(model.needed)))
            assert set(found) == {"told"}
            assert model.most == model.needed

    asyncio.run(run())


def test_two_workers_keep_to_the_budget_of_a_campaign(database_url: str, redis_url: str) -> None:
    """A turn on one worker and background work on another spend the same money."""

    async def run() -> None:
        async with (
            asyncpg.create_pool(database_url, min_size=0, max_size=1) as pool,
            counting_model() as model,
            worker(model, database_url, redis_url) as one,
            worker(model, database_url, redis_url) as two,
        ):
            owner, _ = await OwnerAccounts(pool).add("Ada")
            found = await asyncio.gather(
                *(ask(hire, owner, "frugal") for _ in range(10) for hire in (one, two))
            )
            assert set(found) == {"told", Trouble.BUDGET.value}
            while await ask(one, owner, "frugal") == "told":
                pass
            assert CAMPAIGN_TOKENS - 550 < model.asked * 150 <= CAMPAIGN_TOKENS
            assert await ask(two, owner) == "told"

    asyncio.run(run())


def test_models_are_shared_and_what_owners_spend_is_not(database_url: str, redis_url: str) -> None:
    """Two owners have a campaign of one name and game. One of them has used up its budget."""

    async def run() -> None:
        async with (
            asyncpg.create_pool(database_url, min_size=0, max_size=1) as pool,
            counting_model() as model,
            worker(model, database_url, redis_url) as hire,
        ):
            accounts = OwnerAccounts(pool)
            ann, bob = [(await accounts.add(label))[0] for label in ("Ann", "Bob")]
            while await ask(hire, ann, "frugal") == "told":
                pass
            before = model.asked
            assert await ask(hire, ann, "frugal") == Trouble.BUDGET.value
            assert await ask(hire, bob, "frugal") == "told"
            assert model.asked == before + 1
            assert (await read_account(accounts, bob)).tokens_spent == 150
            assert (await read_account(accounts, ann)).tokens_spent == before * 150
            book = await open_book()
            tellers = [hire(owner, "frugal", book) for owner in (ann, bob)]
            trackers = [one.spending_tracker for one in tellers if one is not None]
            assert len(trackers) == 2
            assert trackers[0] is not trackers[1]

    asyncio.run(run())


def test_an_owner_without_an_account_asks_nothing(database_url: str, redis_url: str) -> None:
    async def run() -> None:
        async with counting_model() as model, worker(model, database_url, redis_url) as hire:
            assert await ask(hire, "nobody") == Trouble.BUDGET.value
            assert model.asked == 0

    asyncio.run(run())
