"""Requests of one owner in a line of their own: nobody waits for the line of another owner."""

import asyncio
from typing import Any

import httpx

from talewright.faces.http.owners.owner_lines import AT_ONCE, OwnerLines
from tests.faces.http.owners.test_owner_gate import TOKENS, Host

FLOOD = 200
STEPS = 5
"""How often a request lets others run."""


def test_a_flood_of_one_owner_is_not_ahead_of_another_owners_request() -> None:
    async def run() -> None:
        host, order = Host(), list[str]()

        async def work(scope: Any, receive: Any, send: Any) -> None:
            order.append(scope["path"])
            for _ in range(STEPS):
                await asyncio.sleep(0)
            await host.tell(scope, receive, send)

        host.gate._app = work
        transport = httpx.ASGITransport(host.gate)
        async with httpx.AsyncClient(transport=transport, base_url="https://play.example.org") as client:

            def ask(owner: str) -> "asyncio.Task[httpx.Response]":
                headers = {"Authorization": f"Bearer {TOKENS[owner]}"}
                return asyncio.create_task(client.get(f"/{owner}", headers=headers))

            flood = [ask("ann") for _ in range(FLOOD)]
            other = ask("bob")
            assert (await other).text == "bob"
            assert order.count("/ann") <= 2 * AT_ONCE
            assert {one.text for one in await asyncio.gather(*flood)} == {"ann"}
        assert len(order) == FLOOD + 1

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_request_that_waits_makes_room_and_lines_are_forgotten() -> None:
    async def run() -> None:
        lines, entered, end = OwnerLines(work_seconds=0.0), list[int](), asyncio.Event()

        async def wait(number: int) -> None:
            async with lines.hold_place("ann") as leave:
                entered.append(number)
                await end.wait()
                leave()

        waiting = [asyncio.create_task(wait(number)) for number in range(3 * AT_ONCE)]
        while len(entered) < 3 * AT_ONCE:
            await asyncio.sleep(0)
        assert entered == list(range(3 * AT_ONCE))
        assert lines.count == 1
        end.set()
        await asyncio.gather(*waiting)
        assert lines.count == 0

    asyncio.run(asyncio.wait_for(run(), 60))


def test_whoever_leaves_the_line_takes_no_place() -> None:
    async def run() -> None:
        lines, end = OwnerLines(work_seconds=3600.0), asyncio.Event()

        async def wait() -> None:
            async with lines.hold_place("ann"):
                await end.wait()

        waiting = [asyncio.create_task(wait()) for _ in range(AT_ONCE + 1)]
        await asyncio.sleep(0)
        # The first is in a place, the last in the line.
        for one in (waiting[0], waiting[-1]):
            one.cancel()
        await asyncio.wait([waiting[0], waiting[-1]])
        async with lines.hold_place("ann"):
            assert lines.count == 1
        end.set()
        await asyncio.gather(*waiting[1:-1])
        assert lines.count == 0

    asyncio.run(asyncio.wait_for(run(), 60))
