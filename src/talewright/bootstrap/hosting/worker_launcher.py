"""The worker launcher: connects store, events, games and models, and works until stopped.

Models and games are the operator's. It prints no story text.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from talewright.bootstrap import new_id, open_game_library, utc_now
from talewright.bootstrap.hosting.host_addresses import (
    find_redis_url,
    find_system_url,
    name_process,
    open_host_models,
)
from talewright.bootstrap.hosting.host_transfer import open_host_store
from talewright.bootstrap.hosting.operations_launcher import run_operations, watch_pools
from talewright.bootstrap.hosting.worker_limits import open_limited_hiring
from talewright.hosting.hosting_tables import UNREACHABLE
from talewright.hosting.news.redis_stream_reader import RedisNews
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.operations.json_logs import log_event
from talewright.hosting.operations.measured_parts import measure_worker
from talewright.hosting.worker_process import (
    WorkerProcess,
    WorkerSettings,
    refuse_older_workers,
    work_until_stopped,
)
from talewright.pack.user_folders import UserFolders
from talewright.stores.postgres.sealing import SEALING_KEYS, parse_keys
from talewright.turn.turn_limits import TurnLimits

if TYPE_CHECKING:
    from talewright.stores.postgres.postgres_store import PostgresStore

WORKER = "worker"
_LOG = logging.getLogger(__name__)


def launch_worker(
    places: UserFolders,
    environment: Mapping[str, str],
    *,
    turns_max: int,
    background_max: int,
    drain_seconds: float,
) -> int:
    """Work until SIGTERM or Ctrl-C; return the exit code."""
    environment = name_process(environment, WORKER)
    settings = WorkerSettings(
        find_system_url(environment),
        f"worker-{new_id()}",
        turns_max=turns_max,
        background_max=background_max,
        drain_seconds=drain_seconds,
    )
    left = asyncio.run(_work(settings, places, environment))
    return 0 if left == 0 else 1


async def _work(settings: WorkerSettings, places: UserFolders, environment: Mapping[str, str]) -> int:
    stopped = asyncio.Event()
    # Where signals cannot be handled, Ctrl-C ends the worker as a crash would, and others take its turns.
    with suppress(NotImplementedError):
        for one in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(one, stopped.set)
    factory = open_host_models(environment)
    # If the database does not answer yet, the store waits for it.
    with suppress(*UNREACHABLE):
        await refuse_older_workers(settings.database_url)
    async with (
        run_operations(environment, WORKER) as metrics,
        open_host_store(environment) as store,
        open_limited_hiring(factory, store.databases[0], find_redis_url(environment), metrics) as hire,
    ):
        news = RedisNews(find_redis_url(environment))
        news.observer = metrics
        parts = make_parts(store, news, places, environment)
        parts = replace(parts, hire=hire, limits=TurnLimits() if factory is None else factory.limits)
        parts = measure_worker(parts, metrics)
        process = WorkerProcess(settings, parts)
        watch_pools(metrics, store, process.queue)
        metrics.is_serving = lambda: process.is_working and not stopped.is_set()
        print("worker: ready", flush=True)
        left = await work_until_stopped(process, stopped)
        await news.close()
        if left:
            # Other workers have these turns now. Ending them here would record them as interrupted.
            log_event(_LOG, "turns_left", logging.WARNING, turns=left)
            os._exit(1)
        await process.close()
    print("worker: stopped", flush=True)
    return left


def make_parts(
    store: "PostgresStore", news: RedisNews, places: UserFolders, environment: Mapping[str, str]
) -> WorkerParts:
    """The components of a worker, except the models."""
    return WorkerParts(
        store_of=store.for_owner,
        news_of=news.for_owner,
        editions=open_game_library(places),
        now=utc_now,
        new_id=new_id,
        list_waiting=store.list_waiting,
        seal=parse_keys(environment.get(SEALING_KEYS, "")).seal_for(b""),
    )
