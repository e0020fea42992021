"""Players who wait for a slow model: each takes its turns at the same time as all others, on one worker.

Nothing is killed. What is measured is whether a player waits for the model alone, or for other players too.
"""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

from tests.hosting.chaos.chaos_host import ChaosHost, chaos_host
from tests.hosting.chaos.chaos_players import ChaosPlayer, PlayerNotes
from tests.hosting.chaos.chaos_provider import serve_provider

START_SECONDS = 1.0
"""Within this time, all players of a round send their turns."""


async def play_together(host: ChaosHost, players: int, rounds: int, seed: int) -> list[float]:
    """Let all players take turns together; returns how long each turn took its player, in seconds."""
    urls, notes, rng = [node.url for node in host.nodes], PlayerNotes(), Random(seed)
    table = [
        ChaosPlayer(f"waiting-{seed}-{number}", urls, notes, f"{seed} {number}") for number in range(players)
    ]
    try:
        # The model is slow only for what players send.
        for player in table:
            await player.begin()
            await player.wait_opened()
        for number in range(rounds):
            async with asyncio.TaskGroup() as group:
                for player in table:
                    group.create_task(_take(player, f"{player.campaign}-{number}", rng.random()))
    finally:
        for player in table:
            await player.close()
    assert not notes.troubles, notes.troubles
    return sorted(turn.ended - turn.started for turn in notes.turns)


async def _take(player: ChaosPlayer, operation: str, start: float) -> None:
    await asyncio.sleep(START_SECONDS * start)
    await player.take(operation)


def measure_waits(folder: Path, players: int, rounds: int, model_seconds: float, seed: int) -> list[float]:
    """Start a host with one worker and play; returns the seconds of all turns, sorted."""

    async def run() -> list[float]:
        async with serve_provider() as provider, AsyncExitStack() as stack:
            provider.piece_seconds = model_seconds / provider.pieces
            standing = chaos_host(folder, provider.url, nodes=1, workers=1)
            host = await asyncio.to_thread(standing.__enter__)
            stack.push_async_callback(asyncio.to_thread, standing.__exit__, None, None, None)
            return await play_together(host, players, rounds, seed)

    return asyncio.run(run())
