"""The hosted lobby: what is forgotten with a campaign that is removed, and turns that workers take."""

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from talewright.bootstrap import new_id, utc_now
from talewright.chronicle.store import ClosedCampaignError, StorageFullError, StorageLimits
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.limits.shared_budgets import CampaignLimits, SharedBudgets
from talewright.hosting.news.redis_stream_reader import RedisNews
from talewright.hosting.node_services import NodeServices
from talewright.hosting.owners.owner_directory import prepare_owner_tables
from talewright.hosting.turn_queue import TurnQueue
from talewright.play.news import CommittedNews, NewsKind
from talewright.play.session import wait_for_opening
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.stores.postgres.postgres_store import connect
from talewright.stores.postgres.shards import single_database
from talewright.turn.spending import SpendingBudget, SpendingSum
from tests.hosting.hosted_plays import copy_campaign
from tests.hosting.limits.test_shared_budgets import open_node
from tests.hosting.storm_host import DICE_SECRET, hire, make_shelf, storm_host
from tests.play.making import make_lobby
from tests.play.scenes import room
from tests.stores.postgres.stores import KEYS

LIMITS = CampaignLimits("road", SpendingBudget(campaign_tokens=1_000), SpendingSum())


def test_what_a_removed_campaign_has_spent_is_forgotten(database_url: str, redis_url: str) -> None:
    async def run() -> None:
        local = make_lobby(room())
        begun = await local.begin("test", "en")
        store = await connect(single_database(database_url), KEYS)
        async with open_node(database_url) as node:
            await prepare_owner_tables(node.database)
            owner, _token = await node.add("Ada")
            budgets = SharedBudgets(node.database)
            services = NodeServices(
                TurnQueue(database_url), HostingTables(database_url), RedisNews(redis_url), budgets
            )
            await copy_campaign(begun.seat.road.book, store.for_owner(owner), "road")
            lobby = services.host(replace(local, store=store.for_owner(owner)), owner)
            spent = await budgets.reserve(owner, 0.0, 1_000, LIMITS)
            await budgets.settle(spent.id, 0.0, 1_000)
            assert not (await budgets.reserve(owner, 0.0, 1, LIMITS)).id
            await lobby.remove("road")
            assert (await budgets.reserve(owner, 0.0, 1_000, LIMITS)).id
            await services.close()
        await store.close()

    asyncio.run(run())


def test_a_full_owner_queues_no_turn(database_url: str, redis_url: str) -> None:
    async def run() -> None:
        local = make_lobby(room())
        begun = await local.begin("test", "en")
        await wait_for_opening(begun)
        store = await connect(single_database(database_url), KEYS)
        services = NodeServices(TurnQueue(database_url), HostingTables(database_url), RedisNews(redis_url))
        await copy_campaign(begun.seat.road.book, store.for_owner("ann"), "road")
        lobby = services.host(replace(local, store=store.for_owner("ann", StorageLimits(bytes=1))), "ann")
        async with await lobby.open("road") as session:
            before = await session.view()
            with pytest.raises(StorageFullError):
                await session.say("I wait.")
            assert (await session.view()).head == before.head
            assert not (await session.seat.road.book.look()).waiting
        await services.close()
        await store.close()

    asyncio.run(run())


def test_a_closed_campaign_queues_no_turn(database_url: str, redis_url: str) -> None:
    async def run() -> None:
        local = make_lobby(room())
        begun = await local.begin("test", "en")
        await wait_for_opening(begun)
        store = await connect(single_database(database_url), KEYS)
        services = NodeServices(TurnQueue(database_url), HostingTables(database_url), RedisNews(redis_url))
        await copy_campaign(begun.seat.road.book, store.for_owner("ann"), "road")
        lobby = services.host(replace(local, store=store.for_owner("ann")), "ann")
        async with await lobby.open("road") as session:
            before = await session.view()
            await (await store.for_owner("ann").open("road")).close_campaign(utc_now())
            # A program must not send it again: that will never help.
            with pytest.raises(ClosedCampaignError):
                await session.say("I wait.")
            assert (await session.view()).head == before.head
            assert not (await session.seat.road.book.look()).waiting
        async with await lobby.open("road") as session:
            assert (await session.view()).head == before.head
        await services.close()
        await store.close()

    asyncio.run(run())


def test_a_turn_of_a_worker_is_played_like_any_other(
    tmp_path: Path, database_url: str, redis_url: str
) -> None:
    async def run() -> None:
        store = await connect(single_database(database_url), KEYS)
        services = NodeServices(TurnQueue(database_url), HostingTables(database_url), RedisNews(redis_url))
        async with open_node(database_url) as node:
            await prepare_owner_tables(node.database)
            owner, _token = await node.add("Ada")
        local = StoreLobby(
            store=store.for_owner(owner),
            shelf=make_shelf(),
            now=utc_now,
            new_id=new_id,
            new_secret=lambda: DICE_SECRET,
            hire=partial(hire, owner),
        )
        lobby = services.host(local, owner)
        (game,) = await lobby.games()
        async with asyncio.timeout(60), await lobby.begin(game.id, "en") as session:
            opening = session.play(session.opening)
            assert [news async for news in opening][-1].ends_turn
            turn = session.play("I wait.")
            heard = [news async for news in turn]
            view = await session.view()
            assert heard[0].kind is NewsKind.TURN_ACCEPTED
            assert heard[-1].event == CommittedNews(view.version, view.head)
            assert turn.result.commit == view.head
        await services.close()
        await store.close()

    with storm_host(tmp_path, database_url, redis_url):
        asyncio.run(run())
