"""Chaos in small: processes are killed, frozen and taken away while players play, and nothing is lost.

The whole counts are parts of the sweep: `chaos_workers` and its siblings, and `rolling_restart`.
"""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from talewright_testkit.servers.server_process import ServerMissingError
from tests.hosting.chaos import chaos_reconnects
from tests.hosting.chaos.chaos_host import ChaosHost, chaos_host
from tests.hosting.chaos.chaos_provider import ChaosProvider, serve_provider
from tests.hosting.chaos.chaos_reconnects import reconnect
from tests.hosting.chaos.chaos_runs import ChaosPlan, run_on
from tests.servers import skip_or_fail
from tests.sweep.parts import find_part

SEED = 20_260_101
LISTENERS = 25
PLANS = (
    ChaosPlan("chaos_workers", 16, 4, SEED, 0.4, watching=2, calls_roll=False, spread_seconds=4),
    ChaosPlan("chaos_postgres", 16, 4, SEED, 0.1, watching=2, calls_roll=False, spread_seconds=5),
    ChaosPlan("chaos_redis", 16, 4, SEED, 0.03, watching=1, calls_roll=False, spread_seconds=5),
    ChaosPlan("chaos_nodes", 16, 4, SEED, 0.3, watching=1, calls_roll=False, spread_seconds=4),
    ChaosPlan("rolling_restart", 16, 4, SEED, 0.1, watching=1, calls_roll=False, spread_seconds=6),
    ChaosPlan("chaos_freezes", 16, 4, SEED, 0.1, watching=2, calls_roll=False, spread_seconds=8),
    ChaosPlan("chaos_outages", 16, 4, SEED, 0.05, watching=2, calls_roll=False, spread_seconds=8),
    ChaosPlan("chaos_removals", 16, 4, SEED, 0.3, watching=2, spread_seconds=8),
    ChaosPlan("chaos_versions", 16, 4, SEED, 0.3, watching=2, calls_roll=False, spread_seconds=12),
)
"""All on the same host, one after the other."""

Result = TypeVar("Result")


class LoopThread:
    """An event loop in a thread, for what outlives one test."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run something there to its end."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        """End it."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@contextmanager
def loop_thread() -> Iterator[LoopThread]:
    loop = LoopThread()
    try:
        yield loop
    finally:
        loop.close()


@pytest.fixture(name="standing")
def start_host(tmp_path: Path) -> Iterator[tuple[LoopThread, ChaosHost, ChaosProvider]]:
    with loop_thread() as loop:
        serving = serve_provider()
        provider = loop.run(serving.__aenter__())
        try:
            with chaos_host(tmp_path, provider.url) as host:
                yield loop, host, provider
        except ServerMissingError as error:
            skip_or_fail(error)
        finally:
            loop.run(serving.__aexit__(None, None, None))


@pytest.mark.hosted
@pytest.mark.timeout(900)
def test_nothing_is_lost_or_doubled(
    standing: tuple[LoopThread, ChaosHost, ChaosProvider], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One test for all plans: a host takes longer to start than a plan to run."""
    loop, host, provider = standing
    for plan in PLANS:
        figures = loop.run(run_on(plan, host, provider))
        print(plan, figures)
        assert figures["turns"] == plan.turns, plan
    # All listeners of a killed node have the whole text elsewhere.
    monkeypatch.setattr(chaos_reconnects, "TURN_SECONDS", 6.0)
    print(loop.run(reconnect(host, provider, LISTENERS, "reconnects")))


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)
def test_the_sweep_has_a_part_for_each(plan: ChaosPlan) -> None:
    part = find_part(plan.name)
    assert part is not None
    assert part.sweep is not None
