"""The page for operators knows every metric, and the launcher serves what the page says."""

import asyncio
import json
import logging
import re
import socket
from pathlib import Path

import httpx
import pytest

from talewright.bootstrap.hosting.operations_launcher import (
    OPERATIONS_BIND,
    read_operations_bind,
    run_operations,
)
from talewright.errors import SettingsError
from talewright.hosting.operations.host_metrics import HostMetrics
from tests.hosting.operations.test_json_logs import restore_logs

PAGE = Path(__file__).parents[3] / "docs" / "run" / "operations.md"


def test_the_page_lists_every_metric_with_its_labels() -> None:
    rows = re.findall(r"^\| (`talewright_[^|]+) \| (.*?) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    described = {
        name: set(re.findall(r"`(\w+)`", labels))
        for names, labels in rows
        for name in re.findall(r"`(\w+)`", names)
    }
    known = {}
    for family in HostMetrics().registry.collect():
        if family.type == "info":
            known[f"{family.name}_info"] = {name for sample in family.samples for name in sample.labels}
        elif not family.name.startswith("process_"):
            name = f"{family.name}_total" if family.type == "counter" else family.name
            known[name] = set(family_labels(family.name))
    assert described == known


def family_labels(name: str) -> tuple[str, ...]:
    metrics = HostMetrics()
    names: tuple[str, ...] = metrics.registry._names_to_collectors[name]._labelnames  # type: ignore[attr-defined]
    return names


def test_a_process_logs_and_serves_in_one_line(database_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {"DATABASE_URL": database_url, OPERATIONS_BIND: f"127.0.0.1:{port}"}

    async def run() -> None:
        async with run_operations(environment, "worker") as metrics, httpx.AsyncClient() as client:
            metrics.background_ended()
            answer = await client.get(f"http://127.0.0.1:{port}/metrics")
            assert "talewright_background_jobs_total 1.0" in answer.text
            ready = (await client.get(f"http://127.0.0.1:{port}/readyz")).json()
            expected = {
                "state": "unready",
                "databases": ["not_migrated"],
                "redis": "unreachable",
                "tasks": {},
            }
            assert ready == expected
        async with run_operations({"DATABASE_URL": database_url}, "node"):
            pass

    try:
        asyncio.run(run())
    finally:
        restore_logs(handlers, level)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    told = [(line["event"], line["role"]) for line in lines if "role" in line]
    assert told == [
        ("process_started", "worker"),
        ("process_stopped", "worker"),
        ("process_started", "node"),
        ("process_stopped", "node"),
    ]


@pytest.mark.parametrize("text", ["9464", ":9464", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:70000"])
def test_a_wrong_address_is_told_with_a_hint(text: str) -> None:
    with pytest.raises(SettingsError, match=OPERATIONS_BIND) as caught:
        read_operations_bind(text)
    assert "127.0.0.1:9464" in caught.value.hint


def test_an_address_is_read() -> None:
    assert read_operations_bind("0.0.0.0:9464") == ("0.0.0.0", 9464)
