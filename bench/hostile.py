"""What hostile games take of a node, and how long they delay the turns of another player there.

The games are generated: deep, wide, quadratic, self-feeding, and others. Each is played twice in this
process: alone, for what a turn takes of the processor; and while another player takes one turn after the
other on the same event loop. A delay is what such a turn takes longer than the median of those taken alone.

2,000 games take more than 20 minutes: `--first 500` measures a part of them, from game 500 on.
"""

import argparse
import asyncio
import random
import statistics
from collections import Counter
from time import perf_counter

from bench.figures import at_most, report
from talewright.turn.inputs.player_inputs import Choose, Opening
from talewright.turn.turn_outcomes import Committed
from tests.turn.hostile_games import make_hostile, make_quadratic, open_hostile, play_hostile
from tests.turn.making import Bench

COUNT = 250
"""Games of one part."""

CPU_SECONDS_MAX = 2.0
DELAY_MS_MAX = 250.0
ALONE_TURNS = 200
PAUSE_SECONDS = 0.01
"""What the other player waits after each turn."""


class OtherPlayer:
    """Someone who plays a harmless game on the same node."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._taken = 0

    async def take(self) -> float:
        """Take a turn; how many seconds it took."""
        self._taken += 1
        started = perf_counter()
        outcome = await self._bench.take(Choose("go"), f"other {self._taken}")
        assert isinstance(outcome, Committed), outcome
        return perf_counter() - started

    async def play_during(self, hostile: "asyncio.Task[object]") -> list[float]:
        """Take turns until a hostile game is over."""
        seconds = []
        while not hostile.done():
            seconds.append(await self.take())
            await asyncio.sleep(PAUSE_SECONDS)
        return seconds


async def open_other() -> OtherPlayer:
    """A player in a game with one trigger."""
    bench = await open_hostile(make_quadratic(random.Random(1), 1))
    assert isinstance(await bench.take(Opening(), "opening"), Committed)
    return OtherPlayer(bench)


async def measure_delays(first: int, count: int) -> list[float]:
    """How many milliseconds the turns of another player were delayed by each of these games."""
    other = await open_other()
    alone = statistics.median([await other.take() for _ in range(ALONE_TURNS)])
    delays = []
    for seed in range(first, first + count):
        hostile = asyncio.create_task(play_hostile(make_hostile(seed), alone=False))
        delays += [max(0.0, seconds - alone) * 1e3 for seconds in await other.play_during(hostile)]
        await hostile
        # A campaign that grows is another matter.
        other = await open_other()
    return delays


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.hostile")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--count", type=int, default=COUNT, help="how many games")
    given = parser.parse_args()
    costliest, outcomes = (0.0, ""), Counter[str]()
    for seed in range(given.first, given.first + given.count):
        hostile = make_hostile(seed)
        for turn in asyncio.run(play_hostile(hostile)):
            costliest = max(costliest, (turn.cpu_seconds, f"game {seed}, {hostile.kind}"))
            outcomes[f"{hostile.kind}: {getattr(turn.outcome, 'reason', 'committed')}"] += 1
    for what, number in sorted(outcomes.items()):
        print(f"  {what}: {number} turns")
    print(f"  costliest: {costliest[1]}", flush=True)
    delays = sorted(asyncio.run(measure_delays(given.first, given.count)))
    p99 = delays[int(len(delays) * 0.99)]
    print(f"  {len(delays)} turns of the other player, delayed by {statistics.median(delays):.1f} ms")
    figures = [
        at_most("hostile_turn_cpu_seconds", costliest[0], CPU_SECONDS_MAX),
        at_most("other_turn_delay_ms", p99, DELAY_MS_MAX),
    ]
    return report(figures)


if __name__ == "__main__":
    raise SystemExit(main())
