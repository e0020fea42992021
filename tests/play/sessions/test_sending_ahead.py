"""Sending ahead in a session: after all other work, never at a price, and nothing is left running."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest

from talewright.chronicle.records import Attempt
from talewright.llm.profiles import FREE, CacheKind, CacheRules, Prices, Profile
from talewright.llm.rate_limit import RateLimitedProvider
from talewright.llm.requests import Request
from talewright.play.history.campaign_cost import count_costs
from talewright.play.history.campaign_history import read_history
from talewright.play.session import ResultKind
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.openai_wire.openai_provider import OpenAICompatible
from talewright.providers.scripted import Scripted
from talewright.turn.records.turn_attempts import is_ahead
from talewright.turn.turn_context import Teller
from talewright_testkit.fake_provider.fake_server import FakeServer, serve
from talewright_testkit.fake_provider.fault_plan import PlacedFault, ProviderFault
from talewright_testkit.fake_provider.parsed_request import ParsedRequest
from talewright_testkit.fake_provider.request_ledger import ExchangeEnding, RequestLedgerEntry
from talewright_testkit.fake_provider.vendor_cache import LLAMA_CPP_CACHE
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.play.making import make_lobby
from tests.play.scenes import room
from tests.play.sessions.test_session_background import edition_with
from tests.play.tellers import cards

LOCAL = Profile("local", prices=FREE, cache=CacheRules(CacheKind.AUTOMATIC), wire="openai")
PATIENCE_SECONDS = 20.0


@dataclass
class Table:
    """A lobby whose model is behind a fake server, and the requests that reached it."""

    server: FakeServer
    lobby: StoreLobby
    arrived: "asyncio.Queue[int]"

    @property
    def asks(self) -> tuple[RequestLedgerEntry, ...]:
        return self.server.ledger.asks

    def list_ahead(self) -> list[RequestLedgerEntry]:
        return [one for one in self.asks if one.body is not None and one.body.get("max_tokens") == 1]

    async def wait_for(self, number: int) -> None:
        """Wait until this request has reached the server."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await self.arrived.get() < number:
                pass

    async def end(self) -> list[ExchangeEnding]:
        """How each request ended, once the server has noticed."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while any(one.ending is ExchangeEnding.OPEN for one in self.asks):
                await asyncio.sleep(0.001)
        return [one.ending for one in self.asks]


@asynccontextmanager
async def lay_table(*stalled: int, profile: Profile = LOCAL) -> AsyncIterator[Table]:
    """A table at whose server these requests are never answered."""
    arrived: asyncio.Queue[int] = asyncio.Queue()

    def answer(asked: ParsedRequest) -> str:
        arrived.put_nowait(asked.number)
        return cards(f"{asked.number}. He looks at the water.")

    faults = [PlacedFault(ProviderFault.STALL_FIRST, at=number) for number in stalled]
    async with serve(Wire.OPENAI, answer, faults=faults, caching=LLAMA_CPP_CACHE) as server:
        model = OpenAICompatible("local", server.url + "/v1", server.key, profile=profile)
        door = RateLimitedProvider(model, 1)
        yield Table(server, make_lobby(room(), teller=Teller(door, ahead=door)), arrived)
        await door.close()


async def list_attempts(session: StoreSession) -> list[Attempt]:
    records = session.seat.road.book.records()
    return [one async for one in records if isinstance(one, Attempt) and is_ahead(one)]


def test_the_next_turn_finds_its_prompt_read() -> None:
    async def main() -> None:
        async with lay_table() as table:
            session = await table.lobby.begin("test", "en")
            for number in range(3):
                await session.seat.afterwards.ahead.rest()
                assert (await session.say(f"Words {number}")).kind is ResultKind.COMMITTED
            await session.seat.afterwards.ahead.rest()
            ahead = table.list_ahead()
            assert [one.number for one in ahead] == [1, 3, 5, 7]
            turns = [one for one in table.asks if one not in ahead]
            # What is left to read is the player's input, and whatever that entails.
            assert all(one.uncached_tokens < one.prompt_tokens / 4 for one in turns)
            attempts = await list_attempts(session)
            costs = count_costs(await read_history(session.seat.road.book), lambda name: LOCAL)
            assert len(attempts) == len(ahead)
            read = sum(one.prompt_tokens for one in ahead)
            assert costs.ahead.uncached_tokens + costs.ahead.cached_tokens == read
            assert costs.ahead.output_tokens == len(ahead)
            assert (costs.total.dollars, costs.failed.output_tokens) == (0.0, 0)
            assert costs.models["local"].output_tokens == costs.total.output_tokens
            await session.close()
            assert set(await table.end()) == {ExchangeEnding.WHOLE}

    asyncio.run(main())


def test_the_players_input_cancels_it() -> None:
    async def main() -> None:
        async with lay_table(1, 3) as table:
            session = await table.lobby.begin("test", "en")
            await table.wait_for(1)
            assert (await session.say("Words")).kind is ResultKind.COMMITTED
            await table.wait_for(3)
            assert (await session.say("More words")).kind is ResultKind.COMMITTED
            await session.close()
            endings = await table.end()
            assert endings[:4] == [ExchangeEnding.LEFT, ExchangeEnding.WHOLE] * 2
            reasons = [one.body.get("reason") for one in await list_attempts(session)]
            assert reasons[:2] == ["cancelled"] * 2

    asyncio.run(main())


@pytest.mark.parametrize("how", ["cancel", "close", "undo", "fork"])
def test_nothing_is_left_running(how: str) -> None:
    async def main() -> None:
        # Whatever is sent after the second turn is never answered.
        async with lay_table(3, 4) as table:
            session = await table.lobby.begin("test", "en")
            await session.seat.afterwards.ahead.rest()
            assert (await session.say("Words")).kind is ResultKind.COMMITTED
            await table.wait_for(3)
            if how == "cancel":
                await session.cancel()
                assert await table.end() == [*[ExchangeEnding.WHOLE] * 2, ExchangeEnding.LEFT]
            elif how != "close":
                await (session.undo() if how == "undo" else session.fork())
                await table.wait_for(4)
            await session.close()
            endings = await table.end()
            assert set(endings[2:]) == {ExchangeEnding.LEFT}
            attempts = await list_attempts(session)
            assert [one.body.get("reason", "") for one in attempts] == ["", *["cancelled"] * len(endings[2:])]

    asyncio.run(main())


def test_a_campaign_that_is_opened_again_is_read_while_the_player_looks_around() -> None:
    async def main() -> None:
        async with lay_table() as table:
            session = await table.lobby.begin("test", "en")
            await session.seat.afterwards.ahead.rest()
            name = (await session.view()).campaign
            await session.close()
            again = await table.lobby.open(name)
            await again.seat.afterwards.ahead.rest()
            await again.close()
            assert len(table.list_ahead()) == len(table.asks) == 2
            await table.end()

    asyncio.run(main())


@pytest.mark.parametrize("prices", [None, Prices(0.1, 0.4), Prices(0.0, 0.4), Prices(0.1, 0.0)])
def test_no_request_goes_to_a_model_with_a_price(prices: Prices | None) -> None:
    async def main() -> None:
        async with lay_table(profile=replace(LOCAL, prices=prices)) as table:
            session = await table.lobby.begin("test", "en")
            for number in range(3):
                await session.say(f"Words {number}")
                await session.seat.afterwards.ahead.rest()
            await session.undo()
            await session.seat.afterwards.ahead.rest()
            await session.close()
            assert (len(table.asks), table.list_ahead(), await list_attempts(session)) == (3, [], [])

    asyncio.run(main())


def test_errands_go_first() -> None:
    async def main() -> None:
        asked: list[str] = []

        class Noted(Scripted):
            def __init__(self, name: str, reply: str) -> None:
                super().__init__([reply] * 99, profile=LOCAL)
                self._name = name

            def stream(self, request: Request):  # type: ignore[no-untyped-def]  # as in Scripted
                asked.append(self._name)
                return super().stream(request)

        told = cards("He looks at the water.")
        teller = Teller(Noted("turn", told), Noted("errand", '"They met."'), ahead=Noted("ahead", "x"))
        session = await make_lobby(edition_with(), teller=teller).begin("test", "en")
        await session.seat.afterwards.ahead.rest()
        await session.say("Words")
        await session.seat.afterwards.ahead.rest()
        await session.close()
        assert asked == ["errand", "ahead", "turn", "errand", "ahead"]

    asyncio.run(main())


def test_a_failure_of_our_own_is_reported_and_harms_nothing() -> None:
    async def main() -> None:
        class Broken(Scripted):
            def stream(self, request: Request):  # type: ignore[no-untyped-def]  # it never streams
                raise ZeroDivisionError("the abacus is broken")

        told = [cards("He looks at the water."), cards("It rains.")]
        teller = Teller(Scripted(told, profile=LOCAL), ahead=Broken([], profile=LOCAL))
        session = await make_lobby(room(), teller=teller).begin("test", "en")
        for _ in told:
            await session.seat.afterwards.ahead.rest()
            assert (await session.say("Words")).kind is ResultKind.COMMITTED
        await session.close()

    asyncio.run(main())
