"""Host metrics: what a worker, its models and an API tell, as Prometheus reads it, without any text."""

import asyncio
import json
import logging
import re

import pytest
from prometheus_client.parser import text_string_to_metric_families

from talewright.common.json_values import Json
from talewright.hosting.operations.host_metrics import DATABASE, REDIS, HostMetrics, HostSample, PoolUse
from talewright.hosting.operations.json_logs import JsonLineFormatter
from talewright.hosting.operations.measured_parts import (
    MeasuredApi,
    MeasuredProvider,
    Message,
    Receive,
    Send,
    measure_teller,
)
from talewright.hosting.operations.turn_observer import SILENT
from talewright.llm.profiles import Prices, Profile
from talewright.llm.provider import ProviderError
from talewright.llm.reply_chunks import Stop, StopReason, Text, Usage, Used
from talewright.llm.requests import Request, UserMessage
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.turn_context import PlainRunner, Teller, TurnKey
from talewright.turn.turn_outcomes import Degraded, Failed, OutcomeReason, Unspent
from talewright.version import __version__
from tests.llm.doubles import Failing, broken

CANARY = "the drowned king's name"
REQUEST = Request((UserMessage(CANARY),), max_output_tokens=500)
TOLD = (Text(CANARY), Used(Usage(100, 50, cached_tokens=40)), Stop(StopReason.END))


class Priced(Failing):
    """A provider whose prices are known."""

    @property
    def profile(self) -> Profile:
        return Profile("priced", prices=Prices(input=1.0, output=2.0))


def read(metrics: HostMetrics) -> dict[str, float]:
    """All samples, by name and labels."""
    text = metrics.write().decode()
    assert CANARY not in text
    return {
        " ".join([sample.name.removeprefix("talewright_"), *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_turns_are_counted_by_result_and_reason() -> None:
    metrics = HostMetrics()
    metrics.turn_ended(Failed(OutcomeReason.MOVED, detail=CANARY), 0.1)
    metrics.turn_ended(Degraded(OutcomeReason.UNTOLD, CANARY, CANARY), 40.0)
    metrics.turn_ended(Degraded(OutcomeReason.UNTOLD), 2.0)
    metrics.turn_ended(Unspent(OutcomeReason.EMPTY, CANARY), 0.0)
    metrics.background_ended()
    metrics.turns_recovered(3)
    metrics.redis_lost()
    metrics.servers.host_seen(HostSample({"turns": 7}, {"turns": 61.5}, 12, {"3": 1, "4": 2}))
    found = read(metrics)
    assert (found["turn_seconds_sum degraded"], found["turn_seconds_count degraded"]) == (42.0, 2)
    assert (found["oldest_queued_seconds turns"], found["oldest_queued_seconds background"]) == (61.5, 0)
    assert (found["live_workers 3"], found["live_workers 4"]) == (1, 2)
    assert found["turns_total moved failed"] == 1
    assert found["turns_total untold degraded"] == 2
    assert found["turns_total empty unspent"] == 1
    assert found["background_jobs_total"] == 1
    assert found["recovered_turns_total"] == 3
    assert found["redis_losses_total"] == 1
    assert (found["queue_length turns"], found["queue_length background"]) == (7, 0)
    assert found["waiting_inputs"] == 12
    # A version whose last worker is gone is not shown any more.
    metrics.servers.host_seen(HostSample({}, {}, 0, {"4": 2}))
    assert "live_workers 3" not in read(metrics)


def test_waits_for_a_place_are_measured() -> None:
    metrics = HostMetrics()
    with metrics.measure_wait():
        assert read(metrics)["place_waiting"] == 1
    found = read(metrics)
    assert (found["place_waiting"], found["place_wait_seconds_count"]) == (0, 1)
    with SILENT.measure_wait():
        pass


def test_pools_servers_memory_and_build_are_shown() -> None:
    metrics = HostMetrics("worker")
    metrics.servers.watch_pool("campaigns", lambda: [PoolUse(3, 10, 1), PoolUse(2, 10)])
    metrics.servers.server_seen(DATABASE, is_up=False)
    metrics.servers.server_seen(REDIS, is_up=True)
    found = read(metrics)
    assert [found[f"pool_{name} campaigns"] for name in ("used", "size", "waiting")] == [5, 20, 1]
    assert (found["server_up database"], found["server_up redis"]) == (0, 1)
    assert found["process_resident_memory_bytes"] > 1e6
    assert found[f"build_info {ENGINE_NUMBER} worker {__version__}"] == 1


class StoredRunner:
    """Has a result already."""

    async def run(self, key: TurnKey, name: str, step: object) -> Json:
        return "stored"


def test_steps_are_timed_unless_they_were_stored() -> None:
    metrics = HostMetrics()
    key = TurnKey(CANARY, CANARY)

    async def step() -> Json:
        return 1

    async def fail() -> Json:
        raise ValueError(CANARY)

    async def run() -> None:
        runner = metrics.measure(PlainRunner())
        for name in ("begin", "ask 1", "ask 2", "commit", f"errand {CANARY}"):
            assert await runner.run(key, name, step) == 1
        with pytest.raises(ValueError, match=CANARY):
            await runner.run(key, "ask 3", fail)
        assert await metrics.measure(StoredRunner()).run(key, "begin", step) == "stored"

    asyncio.run(run())
    found = read(metrics)
    counts = {name: found[f"step_seconds_count {name}"] for name in ("begin", "ask", "commit", "other")}
    assert counts == {"begin": 1, "ask": 3, "commit": 1, "other": 1}


def test_asks_tokens_and_dollars_are_counted() -> None:
    metrics = HostMetrics()

    async def ask(provider: MeasuredProvider, *, whole: bool = True) -> None:
        chunks = provider.stream(REQUEST)
        async for _ in chunks:
            if not whole:
                break
        await chunks.aclose()

    async def run() -> None:
        told = MeasuredProvider(Priced(TOLD), metrics)
        await ask(told)
        assert told.profile.name == "priced"
        with pytest.raises(ProviderError):
            await ask(MeasuredProvider(Priced((broken(),)), metrics))
        await ask(MeasuredProvider(Priced(TOLD), metrics), whole=False)
        await told.close()

    asyncio.run(run())
    found = read(metrics)
    assert found["asks_total answered"] == 1
    assert found["asks_total unreachable"] == 1
    assert found["asks_total broken_off"] == 1
    assert found["tokens_total cached_input"] == 40
    assert found["tokens_total input"] >= 100
    assert found["dollars_total"] >= 0.0002


def test_the_models_of_a_teller_are_measured() -> None:
    metrics = HostMetrics()
    assert measure_teller(None, metrics) is None
    alone = measure_teller(Teller(Priced(TOLD)), metrics)
    assert alone is not None
    assert isinstance(alone.main, MeasuredProvider)
    assert alone.cheap is None
    both = measure_teller(Teller(Priced(TOLD), Priced(TOLD)), metrics)
    assert both is not None
    assert isinstance(both.cheap, MeasuredProvider)


def test_open_streams_are_counted() -> None:
    metrics = HostMetrics()
    seen: list[float] = []

    async def app(scope: Message, receive: Receive, send: Send) -> None:
        headers = [(b"Content-Type", scope["kind"])]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
        seen.append(read(metrics)["open_streams"])
        if scope["fails"]:
            raise ConnectionError

    async def receive() -> Message:
        return {}

    async def send(message: Message) -> None:
        pass

    async def run() -> None:
        api = MeasuredApi(app, metrics)
        asked = {"type": "http", "method": "GET", "path": "/api/news"}
        await api({**asked, "kind": b"application/json", "fails": False}, receive, send)
        await api({**asked, "kind": b"text/event-stream; charset=utf-8", "fails": False}, receive, send)
        with pytest.raises(ConnectionError):
            await api({**asked, "kind": b"text/event-stream", "fails": True}, receive, send)

    asyncio.run(run())
    assert seen == [0, 1, 1]
    found = read(metrics)
    assert found["open_streams"] == 0
    assert (found["http_seconds_count api GET 200"], found["http_seconds_count stream GET 200"]) == (1, 2)


def test_requests_are_measured_and_refusals_logged(caplog: pytest.LogCaptureFixture) -> None:
    metrics = HostMetrics()
    operation = "0f3a5c7e" * 4

    async def app(scope: Message, receive: Receive, send: Send) -> None:
        while (await receive())["more_body"]:
            pass
        if scope["status"]:
            await send({"type": "http.response.start", "status": scope["status"], "headers": []})
            await send({"type": "http.response.body", "body": json.dumps({"code": "head_moved"}).encode()})

    async def ask(method: str, path: str, status: int, *, owner: str = "", query: bytes = b"") -> None:
        parts = [b'{"operation_id": "', operation.encode(), b'", "text": "' + CANARY.encode() + b'"}']

        async def receive() -> Message:
            return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

        async def send(message: Message) -> None:
            pass

        scope = {"type": "http", "method": method, "path": path, "query_string": query, "status": status}
        await MeasuredApi(app, metrics, lambda scope: owner)(scope, receive, send)

    async def run() -> None:
        await ask("POST", "/api/campaigns/x/turns", 409, owner="ann", query=b"wait=20")
        await ask("POST", "/api/campaigns/x/turns", 401)
        await ask("GET", "/play", 200)
        await ask("BREW", "/api/pot", 503)
        await ask("GET", "/api/games", 0)
        await ask("POST", "/mcp", 200)

    with caplog.at_level(logging.INFO, "talewright"):
        asyncio.run(run())
    found = read(metrics)
    asked = ("wait POST 409", "api POST 401", "page GET 200", "api other 503", "api GET 499", "wait POST 200")
    for labels in asked:
        assert found[f"http_seconds_count {labels}"] == 1, labels
    assert (found["refused_requests_total 401"], found["refused_requests_total 429"]) == (1, 0)
    lines = [json.loads(JsonLineFormatter().format(record)) for record in caplog.records]
    assert [(line["event"], line["status"], line["code"]) for line in lines] == [
        ("request_refused", 409, "head_moved"),
        ("request_refused", 401, "head_moved"),
        ("request_refused", 503, "head_moved"),
    ]
    assert (lines[0]["operation"], lines[0]["owner"]) == (operation, "ann")
    # Whoever has no token cannot fill the log: such lines are alike.
    assert "operation" not in lines[1]
    assert CANARY not in str(lines)


def test_every_label_has_a_few_fixed_values() -> None:
    metrics = HostMetrics()
    labels = set(re.findall(r"(\w+)=", metrics.write().decode()))
    build = {"version", "engine", "role"}
    assert labels <= {"result", "reason", "step", "kind", "queue", "status", "le", "server", "pool", *build}


def test_nobody_needs_to_listen() -> None:
    runner = PlainRunner()
    assert SILENT.measure(runner) is runner
    SILENT.turn_ended(Failed(OutcomeReason.ERROR), 1.0)
    SILENT.request_ended("api", "GET", 200, 0.1)
    SILENT.background_ended()
    SILENT.turns_recovered(1)
    SILENT.redis_lost()
    SILENT.stream_opened()
    SILENT.stream_closed()
