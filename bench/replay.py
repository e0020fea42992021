"""Replaying 10,000 turns of Mist Harbor from a folder, every digest compared.

The campaign has three branches. Its changes as one JSON Patch, applied by an independent library, must give
the same state. Reading and checking the hash chain are counted.
"""

import asyncio
import statistics
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import jsonpatch

from bench.figures import at_least, report
from talewright.play.history.campaign_history import read_history
from talewright.play.verify.campaign_replay import Replay, replay
from talewright.play.verify.campaign_verification import verify
from talewright.turn.steps.recalling import fold
from tests.play.history.campaigns import SECRET, Scribe, to_patch, walk
from tests.play.history.long_campaigns import SEED, open_book, write_campaign

TURNS = 10_000
FORKS = 2
"""Branches that leave the first one."""

FORK_TURNS = 500
"""Turns on each of them."""

ROUNDS = 3
TURNS_PER_SECOND_MIN = 1_000


async def write(saves: Path) -> Scribe:
    """The campaign, its branches included."""
    scribe = await write_campaign(saves, "long", TURNS - FORKS * FORK_TURNS)
    trunk = scribe.head
    for number in range(FORKS):
        old = (await scribe.book.back(trunk.id, 100 * (number + 1)))[-1]
        state, _ = await fold(scribe.book, old.id)
        await scribe.fork(old, f"fork-{number}", state.document)
        await walk(scribe, old.version + FORK_TURNS, SEED + number + 1)
    return scribe


async def check(saves: Path, scribe: Scribe, result: Replay) -> None:
    """See that all of it is there and right."""
    assert result.mismatches == (), result.mismatches
    assert result.turns == TURNS + 1, result.turns
    assert len(result.branches) == FORKS + 1, result.branches
    book = await open_book(saves, "long")
    history = await read_history(book)
    patch = to_patch(history.lineage(history.head))
    begin = perf_counter()
    assert jsonpatch.apply_patch(scribe.game.initial, patch) == scribe.position.state.document
    print(f"{len(patch)} operations, applied by jsonpatch in {perf_counter() - begin:.1f} s: the same state")
    begin = process_time()
    verified = await verify(book, secret=SECRET)
    assert verified.good, verified.violations[:3]
    print(f"verify: {TURNS / (process_time() - begin):,.0f} turns a second, {dict(verified.checked)}")
    await book.close()


async def measure(saves: Path) -> int:
    """Write, replay and check."""
    begin = perf_counter()
    scribe = await write(saves)
    size = (saves / "long" / "chronicle.jsonl").stat().st_size
    print(f"seed {SEED}: {TURNS} turns written in {perf_counter() - begin:.1f} s, {size // 2**20} MB")
    rates = []
    for _ in range(ROUNDS):
        book = await open_book(saves, "long")
        begin = process_time()
        result = await replay(book)
        rates.append(result.turns / (process_time() - begin))
        await book.close()
    await check(saves, scribe, result)
    return report([at_least("replay_turns_per_second", statistics.median(rates), TURNS_PER_SECOND_MIN)])


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        return asyncio.run(measure(Path(name)))


if __name__ == "__main__":
    raise SystemExit(main())
