"""Quotas on a host: each owner has its own, and they hold for all nodes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import httpx
import pytest
from redis.asyncio import Redis

from talewright.bootstrap.hosting.host_addresses import read_trusted_proxies
from talewright.bootstrap.serving.server_launcher import make_server
from talewright.chronicle.store import StorageLimits
from talewright.errors import SettingsError
from talewright.hosting.limits.shared_quotas import SharedQuotaCounts
from talewright.hosting.operations.host_metrics import HostMetrics
from talewright.hosting.operations.measured_parts import MeasuredApi
from talewright.play.lobby import ExportForm
from talewright.play.serving.owner_quotas import (
    HOST_QUOTAS,
    OwnerCounts,
    OwnerQuotas,
    RateLimitedError,
    TooManyStreamsError,
)
from talewright_testkit.servers.redis_server import running_redis
from tests.bootstrap.hosting.host_app import GAME, HostApp, host_app
from tests.bootstrap.serving.whole_server import ORIGIN

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def quotas(**changed: int) -> OwnerQuotas:
    return replace(HOST_QUOTAS, **changed)


def run_host(database_url: str, limits: OwnerQuotas, use: Callable[[HostApp], Awaitable[None]]) -> None:
    async def run() -> None:
        async with host_app(database_url, quotas=limits) as host:
            await use(host)

    asyncio.run(run())


async def begin(client: httpx.AsyncClient, name: str) -> httpx.Response:
    asked = {"game": GAME, "language": "en", "name": name}
    return await client.post("/api/campaigns?role=master", json=asked)


def test_of_fifty_campaigns_at_once_one_fits(database_url: str) -> None:
    async def use(host: HostApp) -> None:
        ann, bob = await host.add_owner("Ann"), await host.add_owner("Bob")
        async with host.client(host.tokens[ann]) as client, host.client(host.tokens[bob]) as other:
            for name in ("one", "two"):
                assert (await begin(client, name)).status_code == 201
            answers = await asyncio.gather(*(begin(client, f"more{number}") for number in range(50)))
            assert sorted(answer.status_code for answer in answers) == [201] + [409] * 49
            refused = next(answer for answer in answers if answer.status_code == 409)
            assert refused.json()["code"] == "too_many_campaigns"
            # What one owner has is no other owner's business.
            assert (await begin(other, "one")).status_code == 201
            save = await host.lobby_of(ann).write_out("one", ExportForm.SAVE)
            brought = await client.post("/api/campaigns/import?name=brought", content=save)
            assert brought.json()["code"] == "too_many_campaigns"
            assert (await client.delete("/api/campaigns/one")).status_code == 200
            assert (await begin(client, "again")).status_code == 201

    run_host(database_url, quotas(campaigns=3), use)


def test_twenty_campaigns_without_a_name_are_created_at_once(database_url: str) -> None:
    async def use(host: HostApp) -> None:
        ann = await host.add_owner("Ann")
        async with host.client(host.tokens[ann]) as client:
            answers = await asyncio.gather(*(begin(client, "") for _ in range(20)))
            assert [answer.status_code for answer in answers] == [201] * 20
            assert {answer.json()["campaign"] for answer in answers} == {f"{GAME}-{n}" for n in range(1, 21)}
            lobby = host.lobby_of(ann)
            save = await lobby.write_out(f"{GAME}-1", ExportForm.SAVE)
            brought = await asyncio.gather(*(lobby.bring_in(save, "", "tale.json") for _ in range(5)))
            assert set(brought) == {"tale", *(f"tale-{n}" for n in range(2, 6))}

    run_host(database_url, HOST_QUOTAS, use)


def test_a_full_owner_plays_no_further_turn(database_url: str) -> None:
    async def use(host: HostApp) -> None:
        ann = await host.add_owner("Ann")
        async with host.client(host.tokens[ann]) as client:
            assert (await begin(client, "one")).status_code == 201
            (row,) = await host.store.databases[0].fetch("select bytes from campaigns")
        # The operator allows less than that now.
        host.limits = StorageLimits(bytes=row["bytes"] - 1)
        host.clock.now += 1_000
        token = await host.accounts.renew_token(ann)
        async with host.client(token) as client:
            before = (await client.get("/api/campaigns/one/view")).json()["head"]
            told = await client.post("/api/campaigns/one/turns", json={"kind": "say", "text": "I look."})
            # Here the turn is taken in this process, and fails. A node that queues turns refuses it.
            assert told.json()["reason"] == "unsaved", told.text
            refused = await begin(client, "two")
            assert (refused.status_code, refused.json()["code"]) == (507, "storage_full")
            # Reading and removing still work.
            assert (await client.get("/api/campaigns/one/view")).json()["head"] == before
            assert (await client.delete("/api/campaigns/one")).status_code == 200

    run_host(database_url, HOST_QUOTAS, use)


def test_owners_do_not_use_up_each_others_requests(database_url: str) -> None:
    async def use(host: HostApp) -> None:
        ann, bob = await host.add_owner("Ann"), await host.add_owner("Bob")
        async with host.client(host.tokens[ann]) as client, host.client(host.tokens[bob]) as other:
            assert (await begin(client, "one")).status_code == 201
            made = await client.post("/api/tokens", json={"campaign": "one", "role": "player"})
            forged = made.json()["token"][:-3] + "AAA"
            async with host.client(forged) as forger:
                # It names Ann, and is not hers.
                for _ in range(20):
                    assert (await forger.get("/api/campaigns")).status_code == 401
            assert [(await client.get("/api/games")).status_code for _ in range(3)] == [200, 200, 429]
            assert (await other.get("/api/games")).status_code == 200

    run_host(database_url, quotas(requests=4), use)


def test_bad_logins_and_tokens_are_limited_and_measured(database_url: str) -> None:
    async def use(host: HostApp) -> None:
        ann = await host.add_owner("Ann")
        metrics = HostMetrics()
        host.app = MeasuredApi(host.app, metrics)
        async with host.client(Origin=ORIGIN) as nobody, host.client(host.tokens[ann]) as owner:
            for number in range(4):
                guess = f"token=tw_guess{number}"
                told = await nobody.post("/login", content=guess, headers=FORM)
                assert told.status_code == 401
            sent = {"Authorization": "Bearer tw_guess"}
            told = await nobody.get("/api/campaigns", headers=sent)
            assert (told.status_code, told.headers["retry-after"]) == (429, "15")
            told = await nobody.post("/login", content="token=tw_guess", headers=FORM)
            assert told.status_code == 429
            told = await nobody.get("/api/proof", params={"token": "00" * 32, "nonce": "0" * 16})
            assert told.status_code == 429
            assert (await owner.get("/api/campaigns")).status_code == 200
            told = await nobody.post("/login", content=f"token={host.tokens[ann]}", headers=FORM)
            assert told.status_code == 303
        written = metrics.write().decode()
        assert 'talewright_refused_requests_total{status="401"} 4.0' in written
        assert 'talewright_refused_requests_total{status="429"} 3.0' in written
        assert 'talewright_refused_requests_total{status="507"} 0.0' in written

    run_host(database_url, quotas(bad_tokens=4), use)


@asynccontextmanager
async def nodes(url: str, limits: OwnerQuotas, count: int = 3) -> AsyncIterator[list[SharedQuotaCounts]]:
    """Nodes, each with a connection of its own."""
    connected = [Redis.from_url(url, socket_connect_timeout=1) for _ in range(count)]
    try:
        yield [SharedQuotaCounts(one, limits) for one in connected]
    finally:
        for one in connected:
            await one.aclose()


async def count_passed(counted: Callable[[], Awaitable[None]], tries: int) -> int:
    """How many of so many were not refused."""
    passed = 0
    for _ in range(tries):
        with suppress(RateLimitedError):
            await counted()
            passed += 1
    return passed


def test_rates_hold_for_all_nodes(redis_url: str) -> None:
    async def run() -> None:
        limits = OwnerQuotas(requests=6, imports=3, bad_tokens=4)
        async with nodes(redis_url, limits) as made:
            anns = [node.count_owner("ann") for node in made]
            assert sum([await count_passed(one.count_request, 4) for one in anns]) == 6
            assert sum([await count_passed(one.count_import, 4) for one in anns]) == 3
            assert await count_passed(made[0].count_owner("bob").count_request, 4) == 4
            taken = []
            for node in made:
                limit = node.count_bad_tokens("2001:db8::/64")
                assert limit is not None
                taken += [await limit.take() for _ in range(3)]
            assert [wait == 0 for wait in taken] == [True] * 4 + [False] * 5
            assert 14 < max(taken) <= 15

    asyncio.run(run())


def test_streams_hold_for_all_nodes(redis_url: str) -> None:
    async def run() -> None:
        async with nodes(redis_url, OwnerQuotas(streams=5)) as made:
            opened: list[OwnerCounts] = [node.count_owner("ann") for node in made] * 17
            async with AsyncExitStack() as held:

                async def hold(counts: OwnerCounts) -> bool:
                    try:
                        await held.enter_async_context(counts.hold_stream())
                    except TooManyStreamsError:
                        return False
                    return True

                assert sum(await asyncio.gather(*(hold(one) for one in opened))) == 5
            async with AsyncExitStack() as held:
                for one in opened[:5]:
                    await held.enter_async_context(one.hold_stream())

    asyncio.run(run())


@pytest.mark.hosted
def test_without_redis_each_node_allows_its_share() -> None:
    with running_redis() as server:

        async def run() -> None:
            async with nodes(server.url, OwnerQuotas(requests=30, streams=6)) as made:
                anns = [node.count_owner("ann") for node in made]
                for one in anns:
                    await one.count_request()
                    async with one.hold_stream():
                        pass
                # By now the last one has seen all three.
                server.kill()
                assert await count_passed(anns[2].count_request, 20) == 10
                async with anns[2].hold_stream(), anns[2].hold_stream():
                    with pytest.raises(TooManyStreamsError):
                        async with anns[2].hold_stream():
                            pass

        asyncio.run(run())


@pytest.mark.parametrize("text", ["*", "proxy", "10.0.0.1/8", "10.0.0.5:80"])
def test_proxies_are_addresses(text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_trusted_proxies(f"10.0.0.5, {text}")
    assert "TALEWRIGHT_TRUSTED_PROXIES" in caught.value.message


@pytest.mark.parametrize(
    ("proxies", "seen"),
    [((), "127.0.0.1"), (("127.0.0.1",), "203.0.113.9"), (("10.0.0.0/8",), "127.0.0.1")],
)
def test_only_trusted_proxies_say_where_a_request_comes_from(proxies: tuple[str, ...], seen: str) -> None:
    async def run() -> None:
        found = []

        async def app(scope: Any, receive: Any, send: Any) -> None:
            found.append(scope["client"][0])
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        config = make_server(app, None, read_trusted_proxies(" ".join(proxies))).config  # type: ignore[arg-type]
        config.load()
        transport = httpx.ASGITransport(config.loaded_app)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            # Whoever sent it wrote the first one; the proxy added the second.
            await client.get("/", headers={"X-Forwarded-For": "198.51.100.1, 203.0.113.9"})
        assert found == [seen]

    asyncio.run(run())
