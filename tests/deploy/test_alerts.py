"""The alert rules: each fires on what hurts players and stays quiet otherwise; a real Prometheus loads them.

`promtool` and Prometheus are Debian's. Where they are missing, tests are skipped unless TALEWRIGHT_PROMETHEUS
requires them.
"""

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import pytest
import yaml

from talewright.hosting.operations.health_checks import HealthChecks
from talewright.hosting.operations.host_metrics import DATABASE, HostMetrics, HostSample
from talewright.hosting.operations.operations_server import OperationsApp, serve_operations
from talewright_testkit.servers.server_process import find_port

RULES = Path(__file__).parents[2] / "deploy" / "alerts.yaml"
PAGE = Path(__file__).parents[2] / "docs" / "run" / "operations.md"
GROUPS = yaml.safe_load(RULES.read_text("utf-8"))["groups"]
ALERTS: dict[str, dict[str, Any]] = {rule["alert"]: rule for group in GROUPS for rule in group["rules"]}
METRIC = re.compile(r"\b((?:talewright|process)_\w+)")
NODE = 'instance="n",job="talewright"'
CASES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "TalewrightProcessDown": ({f"up{{{NODE}}}": "0x60"}, {f"up{{{NODE}}}": "1x60"}),
    "TalewrightNoWorkers": (
        {'talewright_live_workers{engine="4"}': "0x60"},
        {'talewright_live_workers{engine="4"}': "1x60", 'talewright_live_workers{engine="3"}': "0x60"},
    ),
    "TalewrightTurnsWait": (
        {'talewright_oldest_queued_seconds{queue="turns"}': "0+60x60"},
        {'talewright_oldest_queued_seconds{queue="turns"}': "30x60"},
    ),
    "TalewrightSlowTurns": (
        {
            'talewright_turn_seconds_bucket{le="90"}': "0+8x60",
            'talewright_turn_seconds_bucket{le="180"}': "0+10x60",
            'talewright_turn_seconds_bucket{le="+Inf"}': "0+10x60",
        },
        {
            'talewright_turn_seconds_bucket{le="15"}': "0+10x60",
            'talewright_turn_seconds_bucket{le="+Inf"}': "0+10x60",
        },
    ),
    "TalewrightPlaceWaits": (
        {
            'talewright_place_wait_seconds_bucket{le="20"}': "0+5x60",
            'talewright_place_wait_seconds_bucket{le="60"}': "0+10x60",
            'talewright_place_wait_seconds_bucket{le="+Inf"}': "0+10x60",
        },
        {
            'talewright_place_wait_seconds_bucket{le="1"}': "0+10x60",
            'talewright_place_wait_seconds_bucket{le="+Inf"}': "0+10x60",
        },
    ),
    "TalewrightTurnsFail": (
        {
            'talewright_turns_total{result="failed",reason="error"}': "0+1x60",
            'talewright_turns_total{result="committed",reason=""}': "0+9x60",
        },
        {
            'talewright_turns_total{result="failed",reason="cancelled"}': "0+1x60",
            'talewright_turns_total{result="committed",reason=""}': "0+9x60",
        },
    ),
    "TalewrightModelTrouble": (
        {
            'talewright_asks_total{result="unreachable"}': "0+3x60",
            'talewright_asks_total{result="answered"}': "0+7x60",
        },
        {'talewright_asks_total{result="answered"}': "0+7x60"},
    ),
    "TalewrightDatabaseLost": (
        {'talewright_server_up{server="database"}': "0x60"},
        {'talewright_server_up{server="database"}': "1x60", 'talewright_server_up{server="redis"}': "0x60"},
    ),
    "TalewrightRedisLost": (
        {'talewright_server_up{server="redis"}': "0x60"},
        {'talewright_server_up{server="redis"}': "1x60"},
    ),
    "TalewrightServerErrors": (
        {
            'talewright_http_seconds_count{status="500"}': "0+5x60",
            'talewright_http_seconds_count{status="200"}': "0+95x60",
        },
        {
            'talewright_http_seconds_count{status="409"}': "0+5x60",
            'talewright_http_seconds_count{status="200"}': "0+95x60",
        },
    ),
    "TalewrightSlowRequests": (
        {
            'talewright_http_seconds_bucket{kind="api",le="2.5"}': "0+1x60",
            'talewright_http_seconds_bucket{kind="api",le="5"}': "0+10x60",
            'talewright_http_seconds_bucket{kind="api",le="+Inf"}': "0+10x60",
        },
        {
            'talewright_http_seconds_bucket{kind="wait",le="2.5"}': "0+1x60",
            'talewright_http_seconds_bucket{kind="wait",le="+Inf"}': "0+10x60",
            'talewright_http_seconds_bucket{kind="api",le="1"}': "0+10x60",
            'talewright_http_seconds_bucket{kind="api",le="+Inf"}': "0+10x60",
        },
    ),
    "TalewrightBadTokens": (
        {'talewright_refused_requests_total{status="401"}': "0+600x60"},
        {'talewright_refused_requests_total{status="401"}': "0+6x60"},
    ),
    "TalewrightPoolFull": (
        {
            f'talewright_pool_waiting{{{NODE},pool="campaigns"}}': "3x60",
            f'talewright_pool_used{{{NODE},pool="campaigns"}}': "10x60",
            f'talewright_pool_size{{{NODE},pool="campaigns"}}': "10x60",
        },
        {
            f'talewright_pool_waiting{{{NODE},pool="campaigns"}}': "0x60",
            f'talewright_pool_used{{{NODE},pool="campaigns"}}': "10x60",
            f'talewright_pool_size{{{NODE},pool="campaigns"}}': "10x60",
        },
    ),
    "TalewrightMemory": (
        {f"process_resident_memory_bytes{{{NODE}}}": "3000000000x60"},
        {f"process_resident_memory_bytes{{{NODE}}}": "300000000x60"},
    ),
    "TalewrightWorkersDie": (
        {"talewright_recovered_turns_total": "0+2x60"},
        {"talewright_recovered_turns_total": "5x60"},
    ),
    "TalewrightStrayInputs": (
        {"talewright_stray_inputs": "0x10 1x50"},
        {"talewright_stray_inputs": "0x60"},
    ),
    "TalewrightMixedEngines": (
        {'talewright_live_workers{engine="3"}': "1x100", 'talewright_live_workers{engine="4"}': "1x100"},
        {'talewright_live_workers{engine="4"}': "2x100"},
    ),
}
"""For each alert: series, a value a minute, on which it fires, and some on which it does not."""


def find_tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        assert os.environ.get("TALEWRIGHT_PROMETHEUS") != "required", f"{name} is not installed"
        pytest.skip(f"{name} is not installed")
    return found


def write_case(alert: str, series: dict[str, str], *, fires: bool) -> dict[str, Any]:
    """A case for `promtool`; the labels of an alert are those of its rule and of its series."""
    rule = ALERTS[alert]
    late = "95m" if rule.get("for") == "1h" else "50m"
    kept = re.search(r"^up\{|^process_|by \(instance, pool\)", rule["expr"])
    labels = dict(re.findall(r'(\w+)="([^"]*)"', next(iter(series)))) if kept else {}
    if "pool" in labels:
        labels.pop("job")
    told = [{"exp_labels": {**labels, **rule["labels"]}, "exp_annotations": rule["annotations"]}]
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "alert_rule_test": [{"eval_time": late, "alertname": alert, "exp_alerts": told if fires else []}],
    }


@pytest.mark.process
@pytest.mark.slow
def test_every_alert_fires_and_stays_quiet(tmp_path: Path) -> None:
    assert CASES.keys() == ALERTS.keys()
    cases = [
        write_case(alert, series, fires=fires)
        for alert, both in CASES.items()
        for series, fires in zip(both, (True, False), strict=True)
    ]
    file = tmp_path / "cases.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "tests": cases}), "utf-8")
    done = subprocess.run(
        [find_tool("promtool"), "test", "rules", str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("alert", ALERTS)
def test_rules_name_metrics_that_exist_and_the_page_lists_them(alert: str) -> None:
    rule = ALERTS[alert]
    metrics = HostMetrics()
    shown = {line.partition(" ")[0] for line in metrics.write().decode().splitlines()}
    assert set(METRIC.findall(rule["expr"])) <= metrics.registry._names_to_collectors.keys() | shown
    assert rule["annotations"].keys() == {"summary", "action"}
    assert f"| `{alert}` |" in PAGE.read_text("utf-8")


@pytest.mark.process
@pytest.mark.timeout(120)
def test_a_real_prometheus_evaluates_the_rules(tmp_path: Path) -> None:
    program, port = find_tool("prometheus"), find_port()
    metrics = HostMetrics("worker")
    metrics.servers.host_seen(HostSample({}, {}, 0, {"4": 1}))
    metrics.servers.server_seen(DATABASE, is_up=False)

    async def run() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            target = f"127.0.0.1:{listening.getsockname()[1]}"
            app = OperationsApp(HealthChecks([], "redis://127.0.0.1:9/0"), metrics)
            async with serve_operations(app, listening), httpx.AsyncClient() as client:
                await watch(client, target)

    async def watch(client: httpx.AsyncClient, target: str) -> None:
        config = {
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(RULES)],
            "scrape_configs": [{"job_name": "talewright", "static_configs": [{"targets": [target]}]}],
        }
        (tmp_path / "prometheus.yaml").write_text(yaml.safe_dump(config), "utf-8")
        process = await asyncio.create_subprocess_exec(
            program,
            f"--config.file={tmp_path / 'prometheus.yaml'}",
            f"--storage.tsdb.path={tmp_path / 'data'}",
            f"--web.listen-address=127.0.0.1:{port}",
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            states = await read_states(client)
        finally:
            process.terminate()
            await process.wait()
        assert states.keys() == ALERTS.keys()
        firing = {alert for alert, state in states.items() if state != "inactive"}
        # It has seen what a process says: one database is lost, and nothing else.
        assert firing == {"TalewrightDatabaseLost"}

    async def read_states(client: httpx.AsyncClient) -> dict[str, str]:
        """The states of all alerts, as soon as each was evaluated without an error."""
        until = monotonic() + 120
        while True:
            assert monotonic() < until, "Prometheus has not evaluated the rules"
            await asyncio.sleep(0.5)
            try:
                answer = await client.get(f"http://127.0.0.1:{port}/api/v1/rules", timeout=10)
            except httpx.TransportError:
                continue
            groups = json.loads(answer.text).get("data", {}).get("groups", [])
            rules = [rule for group in groups for rule in group["rules"]]
            assert not any(rule["health"] == "err" for rule in rules), rules
            states = {rule["name"]: rule["state"] for rule in rules if rule["health"] == "ok"}
            if states.get("TalewrightDatabaseLost") != "inactive" and len(states) == len(ALERTS):
                return states

    asyncio.run(run())
