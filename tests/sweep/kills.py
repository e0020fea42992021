"""Kills: processes that play campaigns in folders are killed again and again, and nothing is lost.

Most are killed at a crash point or at a call of the disk, in the middle of a write too. The disk of some was
full before, and some were not alone in their campaign. Every campaign outlives several of them, and is
verified at its end.
"""

import asyncio
import random
import tempfile
from collections import Counter
from pathlib import Path

from talewright.play.presentation.view_assembly import find_waiting
from talewright.play.session import ResultKind
from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.turn_proof import TurnStanding
from talewright.stores.folder.disk import CHRONICLE, Disk
from tests.sweep.parts import Progress
from tests.sweep.short_lives import CAMPAIGN, Ending, Life, Player, begin_life, end_life, make_lobby
from tests.sweep.survivals import CROWDED, Told, check_bytes, check_head, check_records, go_on
from tests.sweep.verified_campaigns import shelve

FULL_COUNT = 10_000
CHUNK = 50

KILLS_MAX = 12
"""Of one campaign."""

GAMES = ("lantern_road", "mist_harbor", "chapel_watch")

QUICK_FOLDER = Path("/dev/shm")
"""Files in memory, where the system has that: a kill is no power failure, and nobody waits for a sync."""


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Kill that many processes."""
    tally = kill_many(count, seed, progress)
    return tally["kills"]


def kill_many(count: int, seed: int, progress: Progress | None = None) -> Counter[str]:
    """Kill that many processes; how many in which way, and what they left."""
    shelve()
    tally: Counter[str] = Counter()
    for number in range(count):
        kills = min(random.Random(f"{seed}:{number}").randrange(4, KILLS_MAX + 1), count - tally["kills"])
        if not kills:
            break
        campaign = KilledCampaign(f"{seed}:{number}", tally)
        campaign.live(kills)
        if progress:
            progress(tally["kills"])
    return tally


class KilledCampaign:
    """A campaign whose processes are killed."""

    def __init__(self, seed: str, tally: Counter[str]) -> None:
        self.seed, self.tally = seed, tally
        self.rng = random.Random(seed)
        self.game = self.rng.choice(GAMES)
        self.git = self.rng.random() < 0.12
        self.told = Told()
        self.place = Path()

    def live(self, kills: int) -> None:
        """Go through so many kills, and verify the campaign."""
        folder = QUICK_FOLDER if QUICK_FOLDER.is_dir() else None
        # A process of git that was left behind may still write.
        with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as place:
            self.place = Path(place)
            for number in range(kills):
                name = f"seed {self.seed}, {self.game}{', git' if self.git else ''}, kill {number}"
                lives: list[Life] = []
                try:
                    lives = self.make_lives(number)
                    self.end(lives)
                    asyncio.run(self.check(f"{number}"))
                    if number == kills - 1:
                        asyncio.run(self.verify())
                except Exception as error:
                    endings = ", ".join(life.ending for life in lives)
                    raise AssertionError(f"{name}, {endings}: {error!r}") from error
                self.tally["kills"] += 1

    def make_lives(self, number: int) -> list[Life]:
        """The next life, or the next two at once; the first of them is killed."""
        kind, name = self.rng.random(), f"{self.seed}:{number}"
        if kind < 0.15 and (self.place / CAMPAIGN).exists():
            ending = self.rng.choice([Ending.POINT, Ending.DISK])
            endings = {f"{CROWDED}{name}:a": ending, f"{CROWDED}{name}:b": Ending.NONE}
            self.tally["two writers"] += 1
            return [self.make_life(one, end, crowded=True) for one, end in endings.items()]
        ending = Ending.FULL if kind < 0.3 else Ending.DISK if kind < 0.6 else Ending.POINT
        return [self.make_life(name, ending)]

    def make_life(self, name: str, ending: Ending, *, crowded: bool = False) -> Life:
        """One life."""
        self.tally[ending.value] += 1
        return Life(self.place, self.game, self.git, name, ending, crowded)

    def end(self, lives: list[Life]) -> None:
        """Let the lives begin, wait for their ends, and note what they were told."""
        begun = [(life, *begin_life(life)) for life in lives]
        for life, child, ear in begun:
            events = end_life(life, child, ear)
            self.told.take(life, events)
            self.tally.update(event[1] for event in events if event[0] == "killed")
            self.tally["turns that failed on a full disk"] += sum(
                event[0] == "result" and event[3] == "unsaved" for event in events
            )

    async def check(self, name: str) -> None:
        """Open the campaign in a new life, hold it against what was told, and mostly go on with it."""
        chronicle = self.place / CAMPAIGN / CHRONICLE
        if not chronicle.exists():
            assert not self.told.begun, "the campaign is gone"
            return
        self.told.begun = True
        self.tally["torn"] += check_bytes(chronicle.read_bytes())
        lobby = make_lobby(self.place, self.git, f"{self.seed}, check {name}", Disk())
        session = await lobby.open(CAMPAIGN)
        book = session.seat.road.book
        status = await book.look()
        assert status.damage is None, status.damage
        assert not check_bytes(chronicle.read_bytes())
        # What was left waiting is looked for before the opening, which goes on with it by itself.
        check_records([record async for record in book.records()], status, self.told)
        await check_head(session, self.told, status)
        waits = find_waiting(status, status.branch, status.head) is not None
        self.tally["waiting"] += waits
        if session.opening is None:
            assert bool((await session.view()).unfinished) is waits
        else:
            assert (await session.opening).kind is ResultKind.COMMITTED
        way = self.rng.random()
        if way < 0.7:
            await go_on(session, self.told, again=way < 0.3)
            records = [record async for record in book.records()]
            check_records(records, await book.look(), self.told)
        await session.close()

    async def verify(self) -> None:
        """Take another turn, and verify the whole."""
        if not self.told.begun:
            return
        life = self.make_life(f"{self.seed}:last", Ending.NONE)
        events: list[list[str]] = []
        player = Player(life, lambda *words: events.append(list(words)), Disk())
        while (result := await player.act()) is None or result.kind is not ResultKind.COMMITTED:
            assert result is None or result.kind is ResultKind.UNSPENT, result
        self.told.take(life, events)
        session = player.session
        assert session is not None
        await session.seat.afterwards.rest()
        book = session.seat.road.book
        check_records([record async for record in book.records()], await book.look(), self.told)
        assert (await book.look()).notices == (), (await book.look()).notices
        seen = self.told.committed.values()
        report = await verify(book, editions=shelve(), secret=await book.secret(), seen=seen)
        assert report.good, report.violations
        unproven = [turn for turn in report.turns if turn.verdict.standing is not TurnStanding.PROVEN]
        assert not unproven, unproven
        self.tally["turns verified"] += len(report.turns)
        self.tally["campaigns"] += 1
        await session.close()
