"""Many submitters in several processes on one campaign of the folder store.

Exactly one commit follows each head, every loser is told, and what was told stands in the records.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from talewright.chronicle.record_order_checks import inspect_records
from talewright.chronicle.records import MAIN, Accepted, Attempt, AttemptVerdict, Commit, Record
from talewright.chronicle.store import CampaignBook, HeadMovedError
from tests.stores.sessions import CAMPAIGN, begin, open_store, read_all
from tests.sweep.parts import Progress

FULL_COUNT = 1_000
"""Commits."""

CHUNK = 1_000

PROCESSES = 4
SUBMITTERS = 16
"""In each process."""

ASKING_SECONDS = 0.001
"""What stands for the time a model takes."""

SECONDS_MAX = 600
"""How long one process may take."""


@dataclass(slots=True)
class Tally:
    """What the submitters of one process were told."""

    won: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    """Operations that were accepted and not committed."""

    late: int = 0
    """Inputs that were refused at once."""


async def submit(book: CampaignBook, name: str, target: int, tally: Tally) -> None:
    """Take turns against all others until there are enough, and at least one is this process's own.

    On a busy machine one process may make all the commits before another gets to its first.
    """
    number = 0
    while True:
        head = await book.read((await book.look(MAIN)).head)
        if head.version >= target and tally.won:
            return
        number += 1
        operation = f"{name}-{number}"
        at = f"t{head.version + 1}"
        try:
            await book.accept(Accepted(operation, MAIN, head.id, "on", at))
        except HeadMovedError:
            tally.late += 1
            continue
        # Whoever asks a model waits here, and the other processes have their turn.
        await asyncio.sleep(ASKING_SECONDS)
        turn = Commit(f"c-{operation}", head.id, MAIN, head.version + 1, operation, at, "g", "s")
        attempt = Attempt(f"a-{operation}", operation, MAIN, head.id, at, AttemptVerdict.COMMITTED)
        try:
            await book.commit(turn, attempt)
        except HeadMovedError:
            await book.add(replace(attempt, verdict=AttemptVerdict.LOST))
            tally.lost.append(operation)
        else:
            tally.won.append(operation)


async def work(place: Path, worker: str, target: int, submitters: int) -> Tally:
    """One process: its submitters share two books."""
    tally = Tally()
    books = [await open_store(place).open(CAMPAIGN) for _ in range(2)]
    names = [f"{worker}-{number}" for number in range(submitters)]
    await asyncio.gather(
        *(submit(books[number % 2], name, target, tally) for number, name in enumerate(names))
    )
    for book in books:
        await book.close()
    return tally


def check(records: list[Record], tallies: list[Tally], target: int) -> None:
    """Whether the records hold what the submitters were told, and nothing else."""
    assert inspect_records(records) == ()
    commits = [record for record in records if isinstance(record, Commit)][1:]
    won = [operation for tally in tallies for operation in tally.won]
    lost = [operation for tally in tallies for operation in tally.lost]
    assert sorted(commit.operation_id for commit in commits) == sorted(won)
    assert max(Counter(commit.parent for commit in commits).values()) == 1
    assert [commit.version for commit in commits] == list(range(1, len(commits) + 1))
    assert len(commits) >= target
    attempts = [record for record in records if isinstance(record, Attempt)]
    told = {
        verdict: sorted(a.operation_id for a in attempts if a.verdict is verdict)
        for verdict in AttemptVerdict
    }
    assert told[AttemptVerdict.COMMITTED] == sorted(won)
    assert told[AttemptVerdict.LOST] == sorted(lost)
    accepted = [record.operation_id for record in records if isinstance(record, Accepted)]
    assert sorted(accepted) == sorted(won + lost)


async def found(place: Path) -> None:
    """Begin the campaign."""
    await (await begin(open_store(place))).close()


async def collect(place: Path) -> list[Record]:
    """All records."""
    book = await open_store(place).open(CAMPAIGN)
    outlook = await book.look()
    assert outlook.waiting == ()
    assert outlook.damage is None
    records = await read_all(book)
    await book.close()
    return records


def race(place: Path, target: int, submitters: int, seed: int) -> list[Tally]:
    """Let several processes loose on one campaign; what each was told."""
    command = [
        sys.executable,
        "-m",
        "tests.sweep.store_concurrency",
        str(place),
        str(target),
        str(submitters),
    ]
    workers = [
        subprocess.Popen(
            [*command, f"{seed}-{number}"],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(PROCESSES)
    ]
    for worker in workers:
        # They start together, when the last of them is ready.
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    tallies = []
    for worker in workers:
        out, _ = worker.communicate(timeout=SECONDS_MAX)
        assert worker.returncode == 0, f"a process ended with {worker.returncode}"
        tallies.append(Tally(**json.loads(out)))
    return tallies


def run(count: int, seed: int, progress: Progress | None = None, *, submitters: int = SUBMITTERS) -> int:
    """A campaign of this many commits, fought over."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        asyncio.run(found(place))
        tallies = race(place, count, submitters, seed)
        check(asyncio.run(collect(place)), tallies, count)
        assert sum(tally.late + len(tally.lost) for tally in tallies), "nobody was in anybody's way"
    if progress:
        progress(count)
    return count


def main(place: str, target: str, submitters: str, worker: str) -> None:
    """One process of the race."""
    print("ready", flush=True)
    sys.stdin.readline()
    tally = asyncio.run(work(Path(place), worker, int(target), int(submitters)))
    print(json.dumps({"won": tally.won, "lost": tally.lost, "late": tally.late}))


if __name__ == "__main__":
    main(*sys.argv[1:])
