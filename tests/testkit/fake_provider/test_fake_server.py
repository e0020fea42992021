"""The fake server as a whole: scripts, numbering, outages, limits, leaving and stopping."""

import asyncio

import pytest

from talewright_testkit.fake_provider.fake_clock import HandClock
from talewright_testkit.fake_provider.fake_server import FakeServer, serve
from talewright_testkit.fake_provider.fault_plan import FaultPlace, PlacedFault, ProviderFault
from talewright_testkit.fake_provider.parsed_request import ParsedRequest
from talewright_testkit.fake_provider.reply_script import FakeAnswer, ReplyPace
from talewright_testkit.fake_provider.request_ledger import ExchangeEnding
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.testkit.fake_provider.client import TALE, address, ask, connected, ended, exchange

HANG_SECONDS = 0.05
"""How long a connection is given before it counts as hanging; on loopback it takes a thousandth of that."""


async def is_refused(server: FakeServer) -> bool:
    """Whether nobody listens."""
    try:
        async with connected(server):
            return False
    except ConnectionRefusedError:
        return True


async def is_hanging(server: FakeServer) -> bool:
    """Whether a connection is neither taken nor refused."""
    try:
        await asyncio.wait_for(asyncio.open_connection("127.0.0.1", server.port), HANG_SECONDS)
    except TimeoutError:
        return True
    return False


def test_a_script_may_be_a_function_of_the_request() -> None:
    def answer(asked: ParsedRequest) -> str:
        return f"{asked.number}: {asked.text} {asked.tools}"

    async def run() -> list[str]:
        async with serve(Wire.OPENAI, answer) as server:
            bodies = [ask(Wire.OPENAI, "Tell.", text, stream=False) for text in ("rain", "snow")]
            found = [(await exchange(server, Wire.OPENAI, body)).json for body in bodies]
            return [each["choices"][0]["message"]["content"] for each in found]

    assert asyncio.run(run()) == ["1: rain ('roll',)", "2: snow ('roll',)"]


@pytest.mark.parametrize("wire", Wire)
def test_a_spent_script_is_nobodys_passing_trouble(wire: Wire) -> None:
    async def run() -> None:
        async with serve(wire, []) as server:
            response = await exchange(server, wire)
            assert response.status == 400
            assert "the script of the fake provider has 0 replies, not 1" in response.body.decode()

    asyncio.run(run())


def test_a_script_that_breaks_is_heard_of_by_its_author() -> None:
    def answer(asked: ParsedRequest) -> str:
        raise LookupError("no line for this")

    async def run() -> None:
        async with serve(Wire.OPENAI, answer) as server:
            assert (await exchange(server, Wire.OPENAI)).ending == "closed"
            assert server.ledger.asks[0].ending is ExchangeEnding.CUT

    with pytest.raises(LookupError, match="no line for this"):
        asyncio.run(run())


@pytest.mark.parametrize("wire", Wire)
def test_a_body_that_is_no_json_is_refused(wire: Wire) -> None:
    async def run() -> None:
        async with serve(wire, ["x"]) as server:
            response = await exchange(server, wire, b"{nonsense")
            assert (response.status, server.ledger.asks[0].body) == (400, None)

    asyncio.run(run())


def test_the_limit_of_the_request_is_kept() -> None:
    async def run() -> None:
        async with serve(Wire.ANTHROPIC, ["one two three four"]) as server:
            body = {**ask(Wire.ANTHROPIC, stream=False), "max_tokens": 2}
            answer = (await exchange(server, Wire.ANTHROPIC, body)).json
            assert answer["content"] == [{"type": "text", "text": "one two"}]
            assert (answer["stop_reason"], answer["usage"]["output_tokens"]) == ("max_tokens", 2)

    asyncio.run(run())


def test_an_impossible_fault_is_refused_at_once() -> None:
    async def run() -> None:
        async with serve(Wire.OPENAI, [], faults=[PlacedFault(ProviderFault.EMPTY, FaultPlace.TOOL)]):
            pass

    with pytest.raises(ValueError, match="empty 200 in mid-tool cannot occur"):
        asyncio.run(run())


def test_refused_from_the_start_until_it_comes_back() -> None:
    async def run() -> None:
        outage = PlacedFault(ProviderFault.REFUSED)
        async with serve(Wire.OPENAI, ["x"], faults=[outage]) as server:
            assert await is_refused(server)
            assert server.struck == (outage,)
            await server.come_back()
            assert (await exchange(server, Wire.OPENAI)).status == 200
            assert server.url == f"http://127.0.0.1:{server.port}"

    asyncio.run(run())


def test_hanging_from_the_start_until_its_time_is_over() -> None:
    async def run() -> None:
        clock = HandClock()
        outage = PlacedFault(ProviderFault.CONNECT_HANG, seconds=10.0)
        async with serve(Wire.OPENAI, ["x"], faults=[outage], clock=clock) as server:
            assert await is_hanging(server)
            await clock.until_someone_sleeps()
            clock.advance(10.0)
            for _ in range(10):
                await asyncio.sleep(0)
            assert (await exchange(server, Wire.OPENAI)).status == 200

    asyncio.run(run())


@pytest.mark.parametrize("fault", [ProviderFault.REFUSED, ProviderFault.CONNECT_HANG])
@pytest.mark.parametrize("first", [None, ProviderFault.RESET, ProviderFault.BUSY, ProviderFault.EMPTY])
def test_an_outage_before_the_second_request(fault: ProviderFault, first: ProviderFault | None) -> None:
    async def run() -> None:
        faults = [PlacedFault(fault, at=2), *([PlacedFault(first)] if first else [])]
        async with serve(Wire.OPENAI, ["x", "y"], faults=faults) as server, connected(server) as idle:
            path, headers = address(Wire.OPENAI, server.key)
            async with connected(server) as line:
                line.say("POST", path, headers, ask(Wire.OPENAI))
                response = await line.hear()
                assert response.headers.get("connection") in ("close", None) or first is not None
                assert await (is_refused if fault is ProviderFault.REFUSED else is_hanging)(server)
                if first is not ProviderFault.RESET:
                    assert await line.reader.read() == b"", "the kept connection is closed"
            assert await idle.reader.read() == b"", "so is the idle one"
            await server.come_back()
            assert (await exchange(server, Wire.OPENAI)).status == 200
            assert [entry.number for entry in server.ledger.asks] == [1, 2]

    asyncio.run(run())


def test_a_client_that_leaves_is_noticed_while_the_server_waits() -> None:
    async def run() -> None:
        clock = HandClock()
        pace = ReplyPace(piece_characters=4, gap_seconds=1.0)
        async with serve(Wire.OPENAI, [TALE], pace=pace, clock=clock) as server:
            path, headers = address(Wire.OPENAI, server.key)
            async with connected(server) as line:
                line.say("POST", path, headers, ask(Wire.OPENAI))
                await line.head()
                for _ in range(3):
                    await clock.until_someone_sleeps()
                    clock.advance(1.0)
                    await line.chunk()
            entry = await ended(server)
            assert (entry.ending, entry.events, entry.said) == (ExchangeEnding.LEFT, 3, TALE.text[:8])
            assert entry.output_tokens == 2
            assert entry.first_at == entry.asked_at + 1.0

    asyncio.run(run())


def test_stopping_breaks_off_what_is_open() -> None:
    async def run() -> None:
        async with serve(Wire.OPENAI, [TALE], faults=[PlacedFault(ProviderFault.STALL_FIRST)]) as server:
            path, headers = address(Wire.OPENAI, server.key)
            line = connected(server)
            opened = await line.__aenter__()
            opened.say("POST", path, headers, ask(Wire.OPENAI))
            await opened.head()
        assert server.ledger.asks[0].ending is ExchangeEnding.CUT
        assert (await opened.hear()).ending in ("closed", "reset")
        await line.__aexit__(None, None, None)

    asyncio.run(run())


def test_many_clients_at_once_each_get_their_own() -> None:
    async def run() -> None:
        async with serve(
            Wire.ANTHROPIC, lambda asked: FakeAnswer(asked.text * 3), pace=ReplyPace(2, 5)
        ) as server:
            names = [f"name{number}" for number in range(20)]
            bodies = [ask(Wire.ANTHROPIC, "Tell.", name) for name in names]
            heard = await asyncio.gather(*(exchange(server, Wire.ANTHROPIC, body) for body in bodies))
            for name, response in zip(names, heard, strict=True):
                told = "".join(event.get("delta", {}).get("text", "") for event in response.events)
                assert told == name * 3
            assert sorted(entry.number for entry in server.ledger.asks) == list(range(1, 21))

    asyncio.run(run())
