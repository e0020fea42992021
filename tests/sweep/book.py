"""The book of mutants: verdicts written down as they come, and what they add up to.

It belongs to one state of code and tests; a change of either opens another book.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.sweep.forks import Verdict
from tests.sweep.ledger import PROGRESS, SWEPT, digest_code
from tests.sweep.mutants import Mutant
from tests.sweep.rooms import folders_of
from tests.sweep.workers import Meter

SCORE_MIN = 0.85
"""The share of mutants that must be noticed, texts not counted."""

TRIED = (
    *SWEPT,
    "hatch_build.py",
    "testkit/src",
    "tests/cli/campaigns.py",
    "tests/common",
    "tests/config",
    "tests/deploy/test_deploy_files.py",
    "tests/hosting",
    "tests/leaks",
    "tests/llm",
    "tests/pseudo_language.py",
    "tools",
)
"""What a verdict depends on."""

NOTICED = (Verdict.KILLED, Verdict.STOPPED)
LOST = (Verdict.SURVIVED, Verdict.UNCOVERED)


class Book:
    """Verdicts by mutant of one room, written down one by one under the digest of code and tests."""

    def __init__(
        self,
        room: str,
        mutants: Sequence[Mutant],
        path: Path,
        say: Callable[[str], None] = print,
        tests: Sequence[str] = (),
    ) -> None:
        self.room, self.mutants, self.path = room, mutants, path
        self.tests = tests
        """Folders and files of the tests that must notice them."""

        self.verdicts: dict[str, Verdict] = {}
        self.seconds = self.processor_seconds = 0.0
        """Time spent, over all runs."""

        self.read()
        self.meter = Meter(f"mutation of {room}", self.done, len(mutants), say)

    def read(self) -> None:
        """Take up what this or another process has written."""
        self.seconds = self.processor_seconds = 0.0
        for line in self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else ():
            key, value = json.loads(line)
            if key == "seconds":
                self.seconds += value
            elif key == "processor_seconds":
                self.processor_seconds += value
            else:
                self.verdicts[key] = Verdict[value]

    @property
    def done(self) -> int:
        """How many of the mutants at hand have a verdict."""
        return sum(mutant.key in self.verdicts for mutant in self.mutants)

    def missing(self) -> list[Mutant]:
        """Mutants that have no verdict yet."""
        return [mutant for mutant in self.mutants if mutant.key not in self.verdicts]

    def note(self, mutant: Mutant, verdict: Verdict) -> None:
        """Write a verdict down."""
        self.verdicts[mutant.key] = verdict
        self.write(mutant.key, verdict.name)
        self.meter.show(self.done)

    def write(self, key: str, value: str | float) -> None:
        """Write one line."""
        self.path.parent.mkdir(exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([key, value], ensure_ascii=False) + "\n")


def open_book(
    room: str, mutants: Sequence[Mutant], say: Callable[[str], None] = print, tests: Sequence[str] = ()
) -> Book:
    """The book of a room for the code and the tests at hand: the room's own, unless others are named."""
    kind = "others" if tests else "mutation"
    path = PROGRESS / f"{kind}-{room.replace('/', '_')}-{digest_code(TRIED)}.jsonl"
    return Book(room, mutants, path, say, tests or folders_of(room))


def sum_up(book: Book) -> dict[str, object]:
    """Score, counts by file, and every mutant that nobody noticed."""
    counted: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    files: dict[str, Counter[str]] = {}
    for mutant in book.mutants:
        verdict = book.verdicts.get(mutant.key)
        if verdict is None or verdict is Verdict.STILLBORN:
            continue
        name = "killed" if verdict in NOTICED else verdict.name.lower()
        counted[mutant.is_text].update([name, "total"])
        if not mutant.is_text:
            files.setdefault(mutant.file, Counter()).update([name, "total"])
    plain = counted[False]
    lost = [mutant for mutant in book.mutants if book.verdicts.get(mutant.key) in LOST]
    return {
        "score": round(plain["killed"] / max(1, plain["total"]), 4),
        "score_at_least": SCORE_MIN,
        "mutants": dict(plain),
        "texts": dict(counted[True]),
        "files": {file: dict(counts) for file, counts in sorted(files.items())},
        "survivors": [_describe(mutant, book) for mutant in lost if not mutant.is_text],
        "text_survivors": [_describe(mutant, book) for mutant in lost if mutant.is_text],
    }


def _describe(mutant: Mutant, book: Book) -> str:
    note = " (no test runs this)" if book.verdicts[mutant.key] is Verdict.UNCOVERED else ""
    return f"{mutant.file}:{mutant.line}: {mutant.label}{note}"
