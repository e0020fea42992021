"""Opening a campaign and taking one turn, after 10,000 turns and after 200.

Both stand equally far behind their last snapshot. Bytes are those that the process asked of the system.
"""

import asyncio
import statistics
import tempfile
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from time import perf_counter

from bench.figures import at_most, report
from talewright.chronicle.records import MAIN
from talewright.turn.inputs.player_inputs import Choose
from talewright.turn.pipeline import take_turn
from talewright.turn.steps.recalling import SNAPSHOT_EVERY
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import Committed
from tests.play.history.campaigns import Scribe, offers_of
from tests.play.history.long_campaigns import SEED, Unpacking, open_book, write_campaign

SHORT = 200
LONG = 10_000 + (SHORT - 10_000) % SNAPSHOT_EVERY
"""At least 10,000, and as far behind a snapshot as the short one."""

PAIRS = 60
WARM_UP = 4
BYTES_RATIO_MAX = 1.2
TIME_RATIO_MAX = 1.5
IO = Path("/proc/self/io")
NAMES = count()


@dataclass
class Runner:
    """One of the two campaigns, and what its turns have cost."""

    saves: Path
    scribe: Scribe
    seconds: list[float] = field(default_factory=list)
    read_bytes: list[int] = field(default_factory=list)

    @property
    def campaign(self) -> str:
        return self.scribe.book.campaign

    @property
    def game_bytes(self) -> int:
        """Bytes of the game that the campaign keeps."""
        (file,) = (self.saves / self.campaign / "games").iterdir()
        return file.stat().st_size

    async def run(self) -> None:
        """Open the campaign, take one turn and close it."""
        choice = await self._ready()
        before, begin = bytes_read(), perf_counter()
        book = await open_book(self.saves, self.campaign)
        road = Road(book=book, editions=Unpacking(), now=lambda: "2026-01-01T00:00:00Z", new_id=new_name)
        outcome = await take_turn(road, MAIN, Choose(choice), new_name())
        await book.close()
        self.seconds.append(perf_counter() - begin)
        self.read_bytes.append(bytes_read() - before)
        assert isinstance(outcome, Committed), outcome

    async def _ready(self) -> str:
        """A choice that can be taken; where the story has run dry, it is led on to some other scene first."""
        book = self.scribe.book
        head = await book.read((await book.look(MAIN)).head)
        offers = offers_of(head)
        if not offers:
            await self.scribe.catch_up(head)
            await self.scribe.wander(min(self.scribe.game.scenes))
            offers = offers_of(self.scribe.head)
        return offers[0].id


def new_name() -> str:
    return f"{next(NAMES):032x}"


def bytes_read() -> int:
    """Bytes that this process has read so far, from wherever."""
    if not IO.exists():
        return 0
    return int(IO.read_text().split()[1])


async def measure(saves: Path) -> int:
    begin = perf_counter()
    short = Runner(saves, await write_campaign(saves, "short", SHORT))
    long = Runner(saves, await write_campaign(saves, "long", LONG))
    print(f"seed {SEED}: {SHORT} and {LONG} turns written in {perf_counter() - begin:.1f} s")
    for number in range(PAIRS + WARM_UP):
        for runner in (short, long) if number % 2 else (long, short):
            await runner.run()
    figures = []
    pairs = list(zip(long.seconds, short.seconds, strict=True))[WARM_UP:]
    figures.append(at_most("long_vs_short_time", statistics.median(a / b for a, b in pairs), TIME_RATIO_MAX))
    for runner in (short, long):
        seconds = statistics.median(runner.seconds[WARM_UP:])
        size = statistics.median(runner.read_bytes[WARM_UP:])
        rest = size - runner.game_bytes
        print(f"  {runner.campaign}: {seconds * 1000:.1f} ms, {size / 1024:.0f} KB read, ", end="")
        print(f"{rest / 1024:.0f} KB of it beside the game, which is as large after any number of turns")
    if IO.exists():
        ratio = statistics.median(long.read_bytes[WARM_UP:]) / statistics.median(short.read_bytes[WARM_UP:])
        figures.append(at_most("long_vs_short_bytes", ratio, BYTES_RATIO_MAX))
    return report(figures)


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        return asyncio.run(measure(Path(name)))


if __name__ == "__main__":
    raise SystemExit(main())
