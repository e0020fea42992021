"""What a call costs: the same at the end of a turn as at its beginning."""

import asyncio
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from mcp import Client

from talewright.systems.tabletop.slots import ROLLS_KEPT
from tests.faces.mcp.goblin_road_script import AGREED
from tests.faces.mcp.serving import call, make_test_server
from tests.processor_speed import measure_slowdown

CALLS = 30
SECONDS_MAX = 0.05
"""Processor time of one call, client and protocol included."""

GROWTH_MAX = 2.0
"""How much more the last calls of a turn may cost than the first; when each judged all others again, 9."""


async def time_call(client: Client, name: str, /, **arguments: Any) -> float:
    started = process_time()
    await call(client, name, **arguments)
    return process_time() - started


def find_median(seconds: list[float]) -> float:
    return sorted(seconds)[len(seconds) // 2]


@pytest.mark.slow
def test_dice_and_npcs_cost_the_same_throughout_a_turn(tmp_path: Path) -> None:
    async def run() -> list[float]:
        async with Client(await make_test_server(tmp_path, "goblin_road")) as client:
            campaign = (await call(client, "start_campaign", operation_id="begin"))["campaign"]
            where = {"campaign": campaign}
            opened = await call(client, "begin_turn", operation_id="one", **where)
            await call(client, "set_character", turn=opened["turn"], **where, **AGREED)
            for _ in range(ROLLS_KEPT):
                # A call costs more as long as this list of the last rolls grows.
                await call(client, "roll_dice", expression="1d20", turn=opened["turn"], **where)
            await call(client, "finish_turn", turn=opened["turn"], narration="It is early.", **where)
            opened = await call(client, "begin_turn", operation_id="two", say="I look about.", **where)
            where["turn"] = opened["turn"]
            taken = []
            for number in range(CALLS // 2):
                taken.append(await time_call(client, "roll_dice", expression="1d20", **where))
                npc = {"name": f"Gruk {number}", "templateName": "Road Goblin", "reason": "they come"}
                taken.append(await time_call(client, "create_npc", **npc, **where))
            await call(client, "finish_turn", narration="They are many.", **where)
            return taken

    slowdown = measure_slowdown()
    taken = asyncio.run(run())
    assert find_median(taken) < SECONDS_MAX * slowdown
    first, last = (find_median(part) for part in (taken[: CALLS // 3], taken[-CALLS // 3 :]))
    assert last < first * GROWTH_MAX
    assert sum(seconds > SECONDS_MAX * slowdown for seconds in taken) <= 1, "a pause of the collector at most"
