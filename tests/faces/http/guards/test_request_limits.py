"""Bad tokens are limited by address; a valid one works all the same."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest

from talewright.faces.http.guards import request_limits
from talewright.faces.http.guards.request_limits import BadTokenGuard, read_address, read_token
from talewright.play.serving.owner_quotas import MemoryQuotaCounts, OwnerQuotas

PER_MINUTE = 5
GOOD = b"Bearer good"


class Clock:
    """Seconds that pass when a test says so."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """An application that knows one token."""
    is_good = (b"authorization", GOOD) in scope["headers"]
    status = 404 if scope["path"] == "/api/proof" else 200 if is_good else 401
    await send({"type": "http.response.start", "status": status, "headers": []})
    await send({"type": "http.response.body", "body": b"whole body"})


class Sender:
    """Sends requests to a guarded application."""

    def __init__(self, clock: Clock, per_minute: int | None = PER_MINUTE) -> None:
        counts = MemoryQuotaCounts(OwnerQuotas(bad_tokens=per_minute), clock)
        self.guard = BadTokenGuard(answer, counts, clock)

    async def send(
        self, address: str = "203.0.113.7", token: bytes = b"Bearer bad", path: str = "/api/campaigns"
    ) -> tuple[int, dict[bytes, bytes], bytes]:
        """Status, headers and body of the answer."""
        got: list[Any] = []

        async def keep(message: Any) -> None:
            got.append(message)

        scope = {
            "type": "http",
            "path": path,
            "client": (address, 1) if address else None,
            "headers": [(b"authorization", token)],
        }
        await self.guard(scope, None, keep)  # type: ignore[arg-type]
        assert [one["type"] for one in got] == ["http.response.start", "http.response.body"]
        return got[0]["status"], dict(got[0]["headers"]), got[1]["body"]


def run(use: Callable[[Sender, Clock], Any], per_minute: int | None = PER_MINUTE) -> None:
    clock = Clock()
    asyncio.run(use(Sender(clock, per_minute), clock))


def test_one_too_many_is_told_when_to_try_again() -> None:
    async def use(sender: Sender, clock: Clock) -> None:
        assert [(await sender.send())[0] for _ in range(PER_MINUTE)] == [401] * PER_MINUTE
        status, headers, body = await sender.send()
        assert (status, headers[b"retry-after"]) == (429, b"12")
        assert b"rate_limited" in body
        assert b"bad" not in body.replace(b"bad_tokens", b"")
        clock.now += 12
        assert [(await sender.send())[0] for _ in range(2)] == [401, 429]
        clock.now += 60
        assert [(await sender.send())[0] for _ in range(6)] == [401] * 5 + [429]

    run(use)


def test_a_valid_token_works_from_the_same_address() -> None:
    async def use(sender: Sender, clock: Clock) -> None:
        for _ in range(50):
            await sender.send()
        assert (await sender.send(token=GOOD))[0] == 200
        assert (await sender.send())[0] == 429

    run(use)


def test_valid_tokens_are_not_counted() -> None:
    async def use(sender: Sender, clock: Clock) -> None:
        for _ in range(50):
            assert (await sender.send(token=GOOD))[0] == 200
        assert (await sender.send())[0] == 401

    run(use)


def test_guesses_at_the_proof_count_too() -> None:
    async def use(sender: Sender, clock: Clock) -> None:
        told = [(await sender.send(path="/api/proof"))[0] for _ in range(PER_MINUTE + 1)]
        assert told == [404] * PER_MINUTE + [429]

    run(use)


def test_addresses_are_counted_apart() -> None:
    async def use(sender: Sender, clock: Clock) -> None:
        for address in ("203.0.113.7", "203.0.113.8", "2001:db8::1", "2001:db8:0:1::1", ""):
            told = [(await sender.send(address))[0] for _ in range(PER_MINUTE + 1)]
            assert told == [401] * PER_MINUTE + [429]

    run(use)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8::1", "2001:db8::ffff:1:2:3"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("unix:", ""),
    ],
)
def test_addresses_of_one_client_count_together(one: str, other: str) -> None:
    async def use(sender: Sender, clock: Clock) -> None:
        for _ in range(PER_MINUTE):
            await sender.send(one)
        assert (await sender.send(other))[0] == 429

    run(use)
    assert read_address({"client": (one, 1)}) == read_address({"client": (other, 1)})


def test_the_token_of_a_request_is_read() -> None:
    named = (b"Authorization", b"Bearer good")
    assert read_token({"headers": [(b"cookie", b"Bearer bad"), named]}) == "good"
    assert read_token({"headers": [named, (b"authorization", b"Bearer bad")]}) == "good"
    for headers in ([], [(b"cookie", b"Bearer bad")], [(b"authorization", b"Basic bad")]):
        assert read_token({"headers": headers}) == ""


def test_a_line_for_each_address_and_minute_without_tokens(caplog: pytest.LogCaptureFixture) -> None:
    async def use(sender: Sender, clock: Clock) -> None:
        for _ in range(3):
            for _ in range(500):
                await sender.send()
                await sender.send("2001:db8::1")
            clock.now += 61

    with caplog.at_level(logging.WARNING):
        run(use)
    lines = [record.getMessage() for record in caplog.records]
    assert (
        lines
        == [
            "too many bad tokens from 203.0.113.7",
            "too many bad tokens from 2001:db8::/64",
        ]
        * 3
    )


def test_many_addresses_take_no_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "ADDRESSES_MAX", 20)

    async def use(sender: Sender, clock: Clock) -> None:
        for number in range(200):
            await sender.send(f"203.0.113.{number}")
            # One that stays busy is not forgotten.
            await sender.send("198.51.100.1")
        assert sender.guard.count == 20
        assert (await sender.send("198.51.100.1"))[0] == 429

    run(use)


def test_without_a_limit_nothing_is_refused() -> None:
    async def use(sender: Sender, clock: Clock) -> None:
        assert {(await sender.send())[0] for _ in range(1_500)} == {401}

    run(use, per_minute=None)
