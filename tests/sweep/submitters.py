"""Submitters: many at once, in several processes, on one campaign; exactly one of them takes each turn.

Every submitter plays on from the head it saw. Whoever loses is told so, and nothing of it is in the story.
"""

import asyncio
import json
import os
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from talewright.chronicle.records import MAIN, Commit
from talewright.chronicle.store import CampaignBook
from talewright.play.verify.campaign_verification import verify
from talewright.stores.folder.folder_store import FolderStore
from talewright.turn.inputs.player_inputs import Choose, Opening
from talewright.turn.new_campaign import write_first_commit
from talewright.turn.pipeline import take_turn
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import Committed, Failed, OutcomeReason
from tests.plays.stage import CAMPAIGN, SECRET, Shelf, load_edition

FULL_COUNT = 1_000
"""Turns of the campaign."""

PROCESSES = 4
SUBMITTERS = 64
"""In all processes together."""

GAME = "tests/plays/games/ferry"


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Play that many turns; the seed is not needed, since nothing here is drawn."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        asyncio.run(_found(root))
        told = [_fork(root, number, count) for number in range(PROCESSES)]
        outcomes: Counter[str] = Counter()
        seen: list[str] = []
        for child, file in told:
            os.waitpid(child, 0)
            report = json.loads(file.read_text())
            outcomes.update(report["outcomes"])
            seen += report["seen"]
        asyncio.run(_check(root, count, seen))
        print(f"{PROCESSES} processes, {SUBMITTERS} submitters: {dict(sorted(outcomes.items()))}")
        assert set(outcomes) <= {"committed", "failed: moved"}, outcomes
    if progress is not None:
        progress(count)
    return count


async def _found(root: Path) -> None:
    book = await write_first_commit(
        FolderStore(root, git=False),
        load_edition(GAME),
        campaign=CAMPAIGN,
        language="en",
        secret=SECRET,
        now=lambda: "now",
        new_id=lambda: os.urandom(16).hex(),
    )
    road = _road(book)
    assert isinstance(await take_turn(road, MAIN, Opening(), "opening"), Committed)
    await book.close()


def _road(book: CampaignBook) -> Road:
    return Road(
        book=book,
        editions=Shelf(GAME),
        now=lambda: "now",
        new_id=lambda: os.urandom(16).hex(),
    )


def _fork(root: Path, number: int, count: int) -> tuple[int, Path]:
    file = root / f"process-{number}.json"
    child = os.fork()
    if child == 0:
        code = 1
        try:
            file.write_text(json.dumps(asyncio.run(_submit_all(root, count))))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return child, file


async def _submit_all(root: Path, count: int) -> dict[str, object]:
    outcomes: Counter[str] = Counter()
    seen: list[str] = []

    async def submit() -> None:
        book = await FolderStore(root, git=False).open(CAMPAIGN)
        road = _road(book)
        while True:
            head = (await book.look(MAIN)).head
            if (await book.read(head)).version >= count:
                break
            outcome = await take_turn(road, MAIN, Choose("wait"), os.urandom(16).hex(), head)
            if isinstance(outcome, Committed):
                seen.append(outcome.commit.id)
                outcomes["committed"] += 1
            else:
                moved = isinstance(outcome, Failed) and outcome.reason is OutcomeReason.MOVED and outcome.head
                outcomes["failed: moved" if moved else repr(outcome)] += 1
        await book.close()

    await asyncio.gather(*(submit() for _ in range(SUBMITTERS // PROCESSES)))
    return {"outcomes": outcomes, "seen": seen}


async def _check(root: Path, count: int, seen: list[str]) -> None:
    book = await FolderStore(root, git=False).open(CAMPAIGN)
    commits = [record async for record in book.records() if isinstance(record, Commit)]
    assert [commit.version for commit in commits] == list(range(count + 1))
    assert len({commit.parent for commit in commits}) == count + 1
    assert sorted(seen) == sorted(commit.id for commit in commits[2:])
    report = await verify(book, secret=SECRET, seen=seen)
    assert report.good, report.violations
    await book.close()
