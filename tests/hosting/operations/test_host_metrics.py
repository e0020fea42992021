"""Host metrics: what a worker, its models and an API tell, as Prometheus reads it, without any text."""

import asyncio
import re

import pytest
from prometheus_client.parser import text_string_to_metric_families

from talewright.common.json_values import Json
from talewright.hosting.operations.host_metrics import HostMetrics
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
from talewright.turn.turn_context import PlainRunner, Teller, TurnKey
from talewright.turn.turn_outcomes import Degraded, Failed, OutcomeReason, Unspent
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
    metrics.turn_ended(Failed(OutcomeReason.MOVED, detail=CANARY))
    metrics.turn_ended(Degraded(OutcomeReason.UNTOLD, CANARY, CANARY))
    metrics.turn_ended(Degraded(OutcomeReason.UNTOLD))
    metrics.turn_ended(Unspent(OutcomeReason.EMPTY, CANARY))
    metrics.background_ended()
    metrics.turns_recovered(3)
    metrics.redis_lost()
    metrics.queues_seen({"turns": 7}, 12)
    found = read(metrics)
    assert found["turns_total moved failed"] == 1
    assert found["turns_total untold degraded"] == 2
    assert found["turns_total empty unspent"] == 1
    assert found["background_jobs_total"] == 1
    assert found["recovered_turns_total"] == 3
    assert found["redis_losses_total"] == 1
    assert (found["queue_length turns"], found["queue_length background"]) == (7, 0)
    assert found["waiting_inputs"] == 12


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
        await api({"kind": b"application/json", "fails": False}, receive, send)
        await api({"kind": b"text/event-stream; charset=utf-8", "fails": False}, receive, send)
        with pytest.raises(ConnectionError):
            await api({"kind": b"text/event-stream", "fails": True}, receive, send)

    asyncio.run(run())
    assert seen == [0, 1, 1]
    assert read(metrics)["open_streams"] == 0


def test_every_label_has_a_few_fixed_values() -> None:
    metrics = HostMetrics()
    labels = set(re.findall(r"(\w+)=", metrics.write().decode()))
    assert labels <= {"result", "reason", "step", "kind", "queue", "status", "le"}


def test_nobody_needs_to_listen() -> None:
    runner = PlainRunner()
    assert SILENT.measure(runner) is runner
    SILENT.turn_ended(Failed(OutcomeReason.ERROR))
    SILENT.background_ended()
    SILENT.turns_recovered(1)
    SILENT.redis_lost()
    SILENT.stream_opened()
    SILENT.stream_closed()
