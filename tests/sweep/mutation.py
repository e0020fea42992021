"""Mutation testing of a room: does some test of its own notice each small mistake?

`python -m tests.sweep.mutation slots contract/cards` tries files or folders and lists what goes unseen; the
part `mutation` of `make sweep` tries all rooms. Each mutant runs in a forked process against the tests that
cover its lines, quickest first, until one fails. Tests that start a process or a browser are not among them.
Nothing is written to the source, and this process loads nothing of the engine.
"""

import argparse
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from pathlib import Path
from types import CodeType, ModuleType

# Loaded before the forks, so that no mutant pays for them.
import hypothesis.strategies  # noqa: F401
import jsonpatch  # noqa: F401
import jsonschema  # noqa: F401
import pytest

from tests.pacing import processor_seconds
from tests.sweep.book import SCORE_MIN, Book, open_book, sum_up
from tests.sweep.forks import Patience, Verdict, run_forked
from tests.sweep.laboratory import CONTROL, Job, Laboratory, mirror
from tests.sweep.ledger import PROGRESS, ROOT
from tests.sweep.parts import SEED, Order, Outcome
from tests.sweep.rooms import (
    ONE_AT_A_TIME,
    ROOMS,
    SOURCE,
    answers_to,
    choose,
    find_all,
    find_room,
    left_out_of,
    list_files,
    rank,
    room_of,
)

PATIENCE_AFRESH = Patience(10.0, 60.0)
"""What loading, collecting and starting servers may take in a fresh process, on top of the tests."""

UNUSED = ("anyio", "pytest_cov", "schemathesis", "xdist", "xdist.looponfail")
"""Plugins of pytest that no test of a room needs and every fresh process would load for a second."""

PYTEST = (
    *("-x", "-s", "-qq", "--no-header", "--no-summary", "-p", "no:cacheprovider"),
    # A library that is compiled for the first time may warn of its own strings.
    *("-W", "ignore:invalid escape sequence:DeprecationWarning"),
    *("--timeout=0", "--hypothesis-profile=mutation", "--assert=plain", "-m", "not process and not browser"),
    *(word for name in UNUSED for word in ("-p", f"no:{name}")),
)
"""How the tests are run: silently, without shrinking, and with the patience of `forks` alone."""


class Swapped(importlib.abc.MetaPathFinder):
    """Loads one module from code that was made already, and leaves all others alone."""

    def __init__(self, module: str, path: Path, code: CodeType) -> None:
        self.module, self.path, self.code = module, path, code

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of the module, if it is the one."""
        if fullname != self.module:
            return None
        loader = Ready(fullname, str(self.path))
        loader.code = self.code
        return importlib.util.spec_from_file_location(fullname, self.path, loader=loader)


class Ready(importlib.machinery.SourceFileLoader):
    """A loader whose code is there already."""

    code: CodeType

    def get_code(self, fullname: str) -> CodeType:
        """The code that was made."""
        return self.code


def try_afresh(job: Job) -> Verdict:
    """In a forked process: load the mutant with everything else and run its tests, its mirror first."""
    mutant, path = job.mutant, SOURCE / job.mutant.file
    module = ".".join(("talewright", *Path(mutant.file).with_suffix("").parts)).removesuffix(".__init__")
    sys.meta_path.insert(0, Swapped(module, path, mutant.compile(str(path))))
    own = mirror(job.tests, mutant.file)
    first, rest = [name for name in job.tests if name in own], [name for name in job.tests if name not in own]
    return Verdict.SURVIVED if _all_pass(first) and _all_pass(rest) else Verdict.KILLED


class Selection:
    """A pytest plugin that keeps some tests, in the order given."""

    def __init__(self, tests: Iterable[str]) -> None:
        self.places = {name: place for place, name in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep, and sort."""
        kept = (item for item in items if item.nodeid in self.places)
        items[:] = sorted(kept, key=lambda item: self.places[item.nodeid])


def _all_pass(tests: Iterable[str]) -> bool:
    selection = Selection(tests)
    files = sorted({name.partition("::")[0] for name in selection.places})
    if not files:
        return True
    try:
        code = pytest.main([*PYTEST, *files], plugins=[selection])
    except (ExceptionGroup, pytest.PytestUnraisableExceptionWarning):
        # What was never closed is only noticed at the end, outside of any test.
        return False
    if code == pytest.ExitCode.USAGE_ERROR:
        raise RuntimeError(f"pytest does not take {files}")
    return code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def try_control(job: Job) -> Verdict:
    """In a forked process: the same with no mistake put in; it must survive, or no verdict means anything."""
    return Verdict.SURVIVED if _all_pass(job.tests) else Verdict.KILLED


def experiment(book: Book, stop_at: float, workers: int | None = None, seed: int = SEED) -> str:
    """Try every mutant that has no verdict, as drawn; says what is wrong if nothing could be tried."""
    handed = PROGRESS / f"fresh-{os.getpid()}.json"
    PROGRESS.mkdir(exist_ok=True)
    tests = " and ".join(book.tests)
    left_out = [f"--deselect={name}" for name in left_out_of(book.room)]
    workers = 1 if book.room in ONE_AT_A_TIME else workers
    mutants = {mutant.key: mutant for mutant in rank(book.missing(), seed)}
    pid = os.fork()
    if pid == 0:
        # All that this process loads is gone with it: the one that waits stays fresh.
        status = 1
        try:
            laboratory = Laboratory(SOURCE, list(mutants.values()), book.note, stop_at, workers)
            status = int(pytest.main([*PYTEST, *left_out, *book.tests], plugins=[laboratory]))
            jobs = [(job.mutant.key, job.tests, astuple(job.patience)) for job in laboratory.fresh]
            handed.write_text(json.dumps({"problem": laboratory.problem, "jobs": jobs}))
        except BaseException:  # This process ends here whatever happens, but not silently.
            traceback.print_exc()
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if not handed.exists():
        return f"the tests of {tests} could not be collected (exit code {status})"
    answer = json.loads(handed.read_text())
    handed.unlink()
    if answer["problem"] or status:
        return answer["problem"] or f"the tests of {tests} could not be collected (exit code {status})"
    book.read()
    fresh = [Job(mutants[key], names, Patience(*patience)) for key, names, patience in answer["jobs"]]
    if fresh and time.monotonic() < stop_at:
        longest = max(fresh, key=lambda job: job.patience.processor)
        ((_, control),) = run_forked([longest], try_control, lambda _: CONTROL, stop_at, workers)
        if control is not Verdict.SURVIVED:
            return f"the tests of {tests} fail in a fresh process with no mistake put in"
    for job, verdict in run_forked(fresh, try_afresh, _patience_afresh, stop_at, workers):
        book.note(job.mutant, verdict)
    return ""


def _patience_afresh(job: Job) -> Patience:
    usual = job.patience
    return Patience(usual.processor + PATIENCE_AFRESH.processor, usual.wall + PATIENCE_AFRESH.wall)


def sweep(order: Order) -> Outcome:
    """The part: all mutants of all rooms; each room has an equal share of the time that is left."""
    count = None if order.count is None else -(-order.count // len(ROOMS))
    stop_at = time.monotonic() + order.seconds
    outcomes: dict[str, Outcome] = {}
    for number, room in enumerate(ROOMS):
        share = (stop_at - time.monotonic()) / (len(ROOMS) - number)
        outcomes[room] = sweep_room(room, Order(count, order.seed, max(0.0, share)))
    return Outcome(
        sum(outcome.done for outcome in outcomes.values()),
        sum(outcome.total for outcome in outcomes.values()),
        sum(outcome.seconds for outcome in outcomes.values()),
        "\n".join(f"{room}: {outcome.failure}" for room, outcome in outcomes.items() if outcome.failure),
        {"rooms": {room: outcome.detail for room, outcome in outcomes.items()}},
    )


def sweep_room(room: str, order: Order) -> Outcome:
    """All mutants of a room, in a process of its own, because this one may have loaded the engine."""
    count = [] if order.count is None else [f"--count={order.count}"]
    limits = [f"--seconds={order.seconds}", f"--seed={order.seed}"]
    code = run_apart("mutation", room, "--brief", *count, *limits)
    book = open_book(room, choose(find_room(room), order.count, order.seed))
    failure = "the experiment could not be made" if code else ""
    detail = {"count": book.done, "of": len(book.mutants), **sum_up(book)}
    score = detail["score"]
    assert isinstance(score, float)
    if not failure and not book.missing() and score < SCORE_MIN:
        failure = f"{score:.1%} of the mutants were noticed, at least {SCORE_MIN:.0%} should be"
    return Outcome(book.done, len(book.mutants), book.seconds, failure, detail)


def run_apart(module: str, *words: str) -> int:
    """Run a command of this folder in a process that has loaded nothing of the engine; its exit code."""
    command = [sys.executable, "-m", f"tests.sweep.{module}", *words]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def main(arguments: Sequence[str]) -> int:
    """The command; exit code 1 where the tests fail by themselves, 2 where a name is no module's."""
    parser = argparse.ArgumentParser(prog="python -m tests.sweep.mutation", description=__doc__)
    named = "modules or folders, such as slots or contract/cards; all rooms without a name"
    parser.add_argument("modules", nargs="*", default=list(ROOMS), help=named)
    parser.add_argument("--count", type=int, help="try a sample of so many")
    parser.add_argument("--seed", type=int, default=SEED, help="which sample")
    parser.add_argument("--seconds", type=float, default=1200.0, help="stop after this long")
    parser.add_argument("--workers", type=int, help="mutants at a time; one for each processor if not said")
    parser.add_argument("--brief", action="store_true", help="do not list the survivors")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.modules if not any(answers_to(file, name) for file in list_files())]
    if unknown:
        print(f"no module of {', '.join(ROOMS)} is called {', '.join(unknown)}")
        return 2
    keep_compiled()
    stop_at = time.monotonic() + given.seconds
    chosen = choose(find_all(given.modules), given.count, given.seed)
    problems = ""
    for room in ROOMS:
        mutants = [mutant for mutant in chosen if room_of(mutant) == room]
        if mutants:
            book = open_book(room, mutants, say)
            problems += try_room(book, stop_at, given.workers, given.seed, brief=given.brief)
    return 1 if problems else 0


def keep_compiled() -> None:
    """Let fresh processes find the modules compiled that all of them load, out of the way."""
    sys.dont_write_bytecode, sys.pycache_prefix = False, str(PROGRESS / "pycache")


def try_room(
    book: Book, stop_at: float, workers: int | None = None, seed: int = SEED, *, brief: bool = False
) -> str:
    """Try the mutants of a room and print what came of it; says what is wrong if nothing could be tried."""
    started, spent = time.monotonic(), processor_seconds()
    problem = experiment(book, stop_at, workers, seed) if book.missing() and started < stop_at else ""
    book.write("seconds", round(time.monotonic() - started, 1))
    book.write("processor_seconds", round(processor_seconds() - spent, 1))
    book.read()
    if problem:
        print(problem)
        return problem
    report = sum_up(book)
    for name in () if brief else ("survivors", "text_survivors"):
        lines = report[name]
        assert isinstance(lines, list)
        print(f"{name}:", *lines, sep="\n  ")
    print(f"score {report['score']}, {report['mutants']}, texts {report['texts']}")
    print(f"{len(book.missing())} of {len(book.mutants)} still to be tried")
    return ""


def say(line: str) -> None:
    """Print a line of progress where it is seen at once."""
    print(line, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
