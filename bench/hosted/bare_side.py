"""The bare side: DBOS and asyncpg alone, doing what a recording says. The bare engine in its fast path.

No line of the engine runs here. A turn's end is told to the node over Redis.
"""

import asyncio
from typing import Any

import asyncpg
from dbos import DBOS

from bench.hosted.recorded_turns import RecordedOrder, Sql, TurnPart

DONE = "bare:done"


async def keep_connection(connection: Any) -> None:
    """Nothing to reset between two uses."""


async def open_pool(url: str, size: int) -> Any:
    """Connections with prepared statements."""
    return await asyncpg.create_pool(url, min_size=size, max_size=size, reset=keep_connection)


async def send(pool: Any, sql: list[Sql]) -> None:
    """Send statements, one after the other."""
    for statement, values in sql:
        await pool.fetch(statement, *values)


async def take(pool: Any, redis: Any, workflow: str, parts: list[TurnPart]) -> str:
    """The workflow of a turn."""

    async def work(part: TurnPart) -> Any:
        await send(pool, part.sql)
        return part.output

    for part in parts:
        await (DBOS.run_step_async({"name": part.step}, work, part) if part.step else work(part))
    await redis.xadd(DONE, {"w": workflow})
    return workflow


async def order(pool: Any, client: Any, name: str, turn: RecordedOrder, done: "asyncio.Event") -> None:
    """A turn as a node sees it."""
    await send(pool, turn.before)
    options = {"workflow_name": name, "queue_name": name, "workflow_id": turn.workflow}
    await client.enqueue_async({**options, "queue_partition_key": turn.place}, turn.argument)
    await done.wait()
    await send(pool, turn.after)


async def hear(redis: Any, waiting: dict[str, "asyncio.Event"]) -> None:
    """Hear which turns have ended."""
    last = "0-0"
    while True:
        for _, entries in await redis.xread({DONE: last}, block=2_000) or ():
            for _, fields in entries:
                waiting[fields["w"]].set()
            last = entries[-1][0]
