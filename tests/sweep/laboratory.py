"""The laboratory: a pytest session that runs its tests once as they are, then once for each mutant.

A mutant is swapped into the functions that are already loaded, in a forked process, which costs milliseconds.
Those that matter while modules are loaded or tests collected cannot be tried here and are handed back.
"""

import functools
import gc
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FunctionType
from typing import TypeAlias, cast

import coverage
import pytest
from _pytest.runner import runtestprotocol

from tests import house
from tests.sweep.forks import Patience, Verdict, run_forked
from tests.sweep.mutants import Mutant, Scope

TESTS_SECONDS_MAX = 5.0
"""Processor time of the tests that one mutant is tried against; those that mirror its file always run.

What only a slower test would notice counts as not noticed.
"""

TESTS_WALL_MAX = 30.0
"""Seconds that these tests may last, for those that wait for a server."""

PATIENCE_FACTOR = 4.0
"""How many times the usual processor time of its tests a mutant may take before it counts as hanging,"""

PATIENCE_SECONDS = 2.0
"""on top of this."""

PATIENCE_WALL = 30.0
"""Seconds on the clock on top of as many times the usual ones: the machine may be busy."""

CONTROL = Patience(600.0, 1800.0)
"""What the tests may take with no mistake put in."""


@dataclass(frozen=True, slots=True)
class Job:
    """A mutant and the tests it is tried against."""

    mutant: Mutant
    tests: Sequence[str]
    """Names of tests, quickest first."""

    patience: Patience


@dataclass(frozen=True, slots=True)
class Baseline:
    """What is known about the tests with no mistake put in."""

    covering: dict[str, dict[int, frozenset[str]]]
    """Tests by file and line; the empty name stands for loading and collecting."""

    seconds: dict[str, float]
    """Processor time by test."""

    wall: dict[str, float]
    """Time on the clock by test."""

    importers: dict[str, frozenset[str]]
    """Files by the file they import."""

    def plan(self, mutant: Mutant) -> Job:
        """The tests that run a mutant's lines; of a line that runs on loading, those that may feel it."""
        names = (self._near(mutant.file) if mutant.scope is None else self._covering(mutant)) - {""}
        own, seconds, wall = mirror(names, mutant.file), 0.0, 0.0
        tests = []
        for name in sorted(names, key=self.seconds.__getitem__):
            more, longer = seconds + self.seconds[name], wall + self.wall[name]
            if name in own or (more <= TESTS_SECONDS_MAX and longer <= TESTS_WALL_MAX):
                tests.append(name)
                seconds, wall = more, longer
        work, time_on_clock = PATIENCE_FACTOR * seconds, PATIENCE_FACTOR * wall
        return Job(mutant, tests, Patience(PATIENCE_SECONDS + work, PATIENCE_WALL + time_on_clock))

    def is_loaded(self, mutant: Mutant) -> bool:
        """Whether the mistake has its effect before the first test runs."""
        return mutant.scope is None or "" in self._covering(mutant)

    def _near(self, file: str) -> frozenset[str]:
        """Tests of the file itself, and those that run something of it or of a file that imports it."""
        files = {file} | self.importers.get(file, frozenset())
        run = (names for near in files for names in self.covering.get(near, {}).values())
        return mirror(self.seconds, file).union(*run)

    def _covering(self, mutant: Mutant) -> frozenset[str]:
        by_line = self.covering.get(mutant.file, {})
        return frozenset[str]().union(*(by_line.get(line, ()) for line in mutant.lines))


def patience_of(job: Job) -> Patience:
    """How long a mutant may take."""
    return job.patience


def mirror(tests: Iterable[str], file: str) -> frozenset[str]:
    """The tests whose file mirrors a source file, such as `test_slots.py` or `test_slots_carry.py`."""
    path = Path("tests", file)
    stem = path.with_name(f"test_{path.stem}").as_posix()
    return frozenset(name for name in tests if name.startswith((f"{stem}.py::", f"{stem}_")))


def find_importers(source: Path) -> dict[str, frozenset[str]]:
    """Which file is imported by which others."""
    tree = house.read_tree(source)
    importers: dict[str, set[str]] = {}
    for module in tree.values():
        for _, name in house.find_imports(module, tree):
            target = tree.get(house.resolve(name, tree) or "")
            if target is not None:
                importers.setdefault(target.file, set()).add(module.file)
    return {file: frozenset(names) for file, names in importers.items()}


Note: TypeAlias = Callable[[Mutant, Verdict], None]
"""Told every verdict as it comes."""


class Laboratory:
    """The plugin. `fresh` holds what could not be tried here, `problem` why nothing was tried."""

    def __init__(
        self,
        source: Path,
        mutants: Sequence[Mutant],
        note: Note,
        stop_at: float,
        workers: int | None = None,
    ) -> None:
        self.source, self.mutants, self.note, self.stop_at = source, mutants, note, stop_at
        self.workers = workers
        self.fresh: list[Job] = []
        self.problem = ""
        self.failure = ""
        """What the last test printed that failed."""

        self.items: dict[str, pytest.Item] = {}
        self.functions: dict[tuple[str, Scope | None], list[FunctionType]] = {}
        self.caches: list[Callable[[], None]] = []
        """How to empty each cache of the engine."""

        self.coverage = coverage.Coverage(data_file=None, config_file=False, include=[f"{source}/*"])
        self.coverage.start()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Takes the place of pytest's own loop."""
        self.items = {item.nodeid: item for item in session.items}
        self._find_functions()
        baseline = self._observe()
        if self.problem:
            return True
        # Again: some modules are only loaded when a test needs them.
        self._find_functions()
        quick: list[Job] = []
        for mutant in self.mutants:
            job = baseline.plan(mutant)
            if not job.tests:
                self.note(mutant, Verdict.UNCOVERED)
            elif baseline.is_loaded(mutant) or (mutant.file, mutant.scope) not in self.functions:
                self.fresh.append(job)
            else:
                quick.append(job)
        gc.collect()
        gc.freeze()
        if not self._holds(quick):
            self.problem = "the tests fail in a forked process with no mistake put in"
            return True
        for job, verdict in run_forked(quick, self._try, patience_of, self.stop_at, self.workers):
            if verdict is Verdict.UNFIT:
                self.fresh.append(job)
            else:
                self.note(job.mutant, verdict)
        return True

    def _observe(self) -> Baseline:
        """Run every test once, noting what it covers and how long it takes."""
        seconds: dict[str, float] = {}
        wall: dict[str, float] = {}
        names = list(self.items)
        for name, following in zip_longest(names, names[1:]):
            self.coverage.switch_context(name)
            started, since = time.process_time(), time.monotonic()
            if not self._passes(name, following):
                self.problem = f"{name} fails with no mistake put in: {self.failure}"
                break
            seconds[name], wall[name] = time.process_time() - started, time.monotonic() - since
        self.coverage.stop()
        data = self.coverage.get_data()
        covering = {
            Path(path).relative_to(self.source).as_posix(): {
                line: frozenset(names) for line, names in data.contexts_by_lineno(path).items()
            }
            for path in data.measured_files()
        }
        return Baseline(covering, seconds, wall, find_importers(self.source))

    def _find_functions(self) -> None:
        """Every function of the engine that is alive, by file and place, and every cache."""
        self.functions.clear()
        self.caches.clear()
        for thing in gc.get_objects():
            if isinstance(thing, functools._lru_cache_wrapper) and self._is_ours(thing.__wrapped__):
                self.caches.append(thing.cache_clear)
            elif isinstance(thing, FunctionType) and self._is_ours(thing):
                file = Path(thing.__code__.co_filename).relative_to(self.source).as_posix()
                scope = Scope(thing.__code__.co_qualname, thing.__code__.co_firstlineno)
                self.functions.setdefault((file, scope), []).append(thing)

    def _is_ours(self, thing: object) -> bool:
        return isinstance(thing, FunctionType) and thing.__code__.co_filename.startswith(f"{self.source}/")

    def _holds(self, jobs: Sequence[Job]) -> bool:
        """Whether the tests of all jobs pass in a forked process; if not, no verdict means anything."""
        if not jobs or time.monotonic() > self.stop_at:
            return True
        names = {name for job in jobs for name in job.tests}
        control = Job(jobs[0].mutant, [name for name in self.items if name in names], CONTROL)
        ((_, verdict),) = run_forked([control], self._run, patience_of, self.stop_at)
        return verdict is Verdict.SURVIVED

    def _try(self, job: Job) -> Verdict:
        """In a forked process: swap the mutant in and run its tests."""
        mutant = job.mutant
        assert mutant.scope is not None
        code = find_code(mutant.compile(str(self.source / mutant.file)), mutant.scope)
        for function in self.functions[mutant.file, mutant.scope]:
            # A function cannot take code with another number of names from around it.
            if code is None or len(code.co_freevars) != len(function.__code__.co_freevars):
                return Verdict.UNFIT
            function.__code__ = code
        return self._run(job)

    def _run(self, job: Job) -> Verdict:
        """In a forked process: run the tests of a job until one fails."""
        for name, following in zip_longest(job.tests, job.tests[1:]):
            if not self._passes(name, following):
                return Verdict.KILLED
        return Verdict.SURVIVED

    def _passes(self, name: str, following: str | None) -> bool:
        # What an earlier test left in a cache would hide which lines this one needs.
        for forget in self.caches:
            forget()
        # After the last test the session stays open: no trial may end the servers that all of them use.
        then = self.items[following] if following is not None else self.items[name].session
        reports = runtestprotocol(self.items[name], log=False, nextitem=cast("pytest.Item", then))
        self.failure = next((report.longreprtext for report in reports if report.failed), "")
        return not any(report.failed for report in reports)


def find_code(code: CodeType, scope: Scope) -> CodeType | None:
    """The code of a function within the code of its module."""
    if code.co_qualname == scope.qualname and code.co_firstlineno == scope.first_line:
        return code
    inner = (find_code(part, scope) for part in code.co_consts if isinstance(part, CodeType))
    return next((found for found in inner if found is not None), None)
