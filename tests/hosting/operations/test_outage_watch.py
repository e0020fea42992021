"""The outage watch: an outage is one line when it begins and one when it ends, and a figure meanwhile."""

import asyncio
import json
import logging
from typing import Any, cast

import pytest

from talewright.hosting.operations.health_checks import HealthChecks, PartState, Readiness
from talewright.hosting.operations.host_metrics import HostMetrics
from talewright.hosting.operations.json_logs import JsonLineFormatter
from talewright.hosting.operations.outage_watch import OutageWatch
from talewright_testkit.servers.postgres_server import running_postgres
from talewright_testkit.servers.redis_server import running_redis
from tests.hosting.operations.test_host_metrics import read

OK, GONE, OLD = PartState.OK, PartState.UNREACHABLE, PartState.NOT_MIGRATED


class Scripted:
    """Checks with the results that a test says."""

    def __init__(self, *found: Readiness) -> None:
        self._found = list(found)

    async def check(self) -> Readiness:
        return self._found.pop(0)


def read_lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [json.loads(JsonLineFormatter().format(record)) for record in caplog.records]


def test_each_outage_is_told_once_when_it_begins_and_when_it_ends(caplog: pytest.LogCaptureFixture) -> None:
    metrics, now = HostMetrics(), 0.0
    script = (
        Readiness((OK, OLD), OK),
        Readiness((OK, GONE), OK),
        Readiness((OK, GONE), GONE),
        Readiness((OK, OK), GONE),
        Readiness((OK, OK), OK),
    )
    watch = OutageWatch(cast(HealthChecks, Scripted(*script)), metrics, lambda: now)
    seen = []

    async def run() -> None:
        nonlocal now
        for _ in script:
            await watch.look()
            now += 5.0
            found = read(metrics)
            seen.append((found["server_up database"], found["server_up redis"]))

    with caplog.at_level(logging.INFO, "talewright"):
        asyncio.run(run())
    assert seen == [(1, 1), (0, 1), (0, 0), (1, 0), (1, 1)]
    told = [
        (line["event"], line["server"], line["number"], line.get("seconds")) for line in read_lines(caplog)
    ]
    assert told == [
        ("server_lost", "database", 1, None),
        ("server_lost", "redis", 0, None),
        ("server_back", "database", 1, 10.0),
        ("server_back", "redis", 0, 10.0),
    ]


@pytest.mark.hosted
def test_real_servers_that_die_are_noticed(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        with running_postgres() as postgres, running_redis() as redis:
            watch = OutageWatch(HealthChecks([postgres.url()], redis.url), HostMetrics())
            await watch.look()
            postgres.kill()
            redis.kill()
            await watch.look()
            postgres.restart()
            await watch.look()

    with caplog.at_level(logging.INFO, "talewright"):
        asyncio.run(run())
    assert [(line["event"], line["server"]) for line in read_lines(caplog)] == [
        ("server_lost", "database"),
        ("server_lost", "redis"),
        ("server_back", "database"),
    ]
