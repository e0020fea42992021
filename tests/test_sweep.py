"""The frame of the sweeps: parts, chunks that are taken up again, forks with a verdict."""

import ast
import json
import os
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from tests.sweep.book import TRIED
from tests.sweep.forks import Verdict, run_forked
from tests.sweep.ledger import ROOT, SWEPT, Chunks, digest_code, write_result
from tests.sweep.parts import Order, Outcome, Part, Progress, find_part, find_parts, read_part
from tests.sweep.rooms import ROOMS, folder_of
from tests.sweep.workers import sweep_chunks

ORDER = Order(count=None, seed=100, seconds=60.0)


def silent(line: str) -> None:
    """Say nothing."""


def run_well(count: int, seed: int, progress: Progress | None = None) -> int:
    """A part that finds nothing."""
    if progress:
        progress(count)
    return count


def run_badly(count: int, seed: int, progress: Progress | None = None) -> int:
    """A part that fails in one chunk."""
    assert seed != 102, "example 7"
    return count


def run_lazily(count: int, seed: int, progress: Progress | None = None) -> int:
    """A part that does less than it was told."""
    return count - 1


def test_parts_are_found_by_looking() -> None:
    names = [part.name for part in find_parts()]
    assert {"mutation", "mutation_chronicle", "mutation_contract"} <= set(names)
    assert {"contract_cards", "contract_patch", "contract_tools", "fuzz", "privacy"} <= set(names)
    assert names == sorted(names)
    assert not {"parts", "workers", "ledger", "forks", "rooms"} & set(names)
    assert find_part("nothing") is None
    assert find_part("parts") is None


def test_part_is_read_from_its_module() -> None:
    module = ModuleType("tests.sweep.made_up")
    assert read_part(module) is None
    module.__dict__.update(FULL_COUNT=5_000, run=run_well)
    assert read_part(module) == Part("made_up", 5_000, 50, run_well)
    module.__dict__.update(CHUNK=7)
    assert read_part(module) == Part("made_up", 5_000, 7, run_well)


@pytest.mark.process
def test_all_chunks_are_run_and_the_last_is_shorter(tmp_path: Path) -> None:
    chunks = Chunks(tmp_path / "progress.json")
    outcome = sweep_chunks(Part("well", 25, 10, run_well), ORDER, chunks, silent)
    assert (outcome.done, outcome.total, outcome.result) == (25, 25, "passed")
    assert chunks.counts == {0: 10, 1: 10, 2: 5}


@pytest.mark.process
def test_progress_is_taken_up_again(tmp_path: Path) -> None:
    part = Part("badly", 50, 10, run_badly)
    failed = sweep_chunks(part, ORDER, Chunks(tmp_path / "progress.json"), silent)
    assert failed.result == "failed"
    assert failed.failure.startswith("chunk 2, seed 102: Traceback")
    assert "example 7" in failed.failure
    again = Chunks(tmp_path / "progress.json")
    assert again.counts[0] == again.counts[1] == 10
    assert 2 not in again.counts
    mended = sweep_chunks(Part("badly", 50, 10, run_well), ORDER, again, silent)
    assert mended.result == "passed"
    assert Chunks(tmp_path / "progress.json").done == 50


@pytest.mark.process
def test_part_that_checks_too_little_fails(tmp_path: Path) -> None:
    outcome = sweep_chunks(Part("lazily", 10, 10, run_lazily), ORDER, Chunks(tmp_path / "p.json"), silent)
    assert "only 9 of 10 examples were checked" in outcome.failure


def test_time_that_is_up_leaves_the_part_unfinished(tmp_path: Path) -> None:
    order = Order(count=None, seed=1, seconds=0.0)
    outcome = sweep_chunks(Part("well", 20, 10, run_well), order, Chunks(tmp_path / "p.json"), silent)
    assert (outcome.done, outcome.result) == (0, "unfinished")


@pytest.mark.process
def test_result_names_commit_count_and_seed(tmp_path: Path) -> None:
    outcome = Outcome(done=20, total=20, seconds=1.26, detail={"score": 0.9})
    path = write_result(Part("well", 20, 10, run_well), ORDER, outcome, tmp_path)
    record = json.loads(path.read_text())
    assert path.name == "well.json"
    assert record["commit"]
    assert {key: record[key] for key in ("part", "result", "count", "of", "seed", "seconds", "score")} == {
        "part": "well",
        "result": "passed",
        "count": 20,
        "of": 20,
        "seed": 100,
        "seconds": 1.3,
        "score": 0.9,
    }
    assert "failure" not in record


def test_digest_changes_with_the_code(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("x = 1\n")
    first = digest_code(["src"], tmp_path)
    (tmp_path / "other.py").write_text("y = 1\n")
    assert digest_code(["src"], tmp_path) == first
    (tmp_path / "src" / "a.py").write_text("x = 2\n")
    assert digest_code(["src"], tmp_path) != first


def find_uses(places: Sequence[str]) -> Iterator[tuple[Path, Path]]:
    """Files of the tests in some places, each with a file of the tests that it imports."""
    tops = [ROOT / place for place in places if place.startswith("tests/")]
    for path in (path for top in tops for path in ([top] if top.is_file() else sorted(top.rglob("*.py")))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            files = (ROOT.joinpath(*name.split(".")).with_suffix(".py") for name in names)
            yield from ((path, file) for file in files if file.is_file())


# A room's tests call a few of the sweeps; what the others are made of has no part in a verdict.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("places", "asked"),
    [(SWEPT, ["tests/sweep"]), (TRIED, [folder_of(room) for room in ROOMS])],
    ids=["sweeps", "mutation"],
)
def test_what_a_result_depends_on_is_named(places: Sequence[str], asked: list[str]) -> None:
    assert {*asked, "src/talewright", "games", "tests/sweep", "tests/conftest.py"} <= set(places)
    passed_over = {"tests/sweep"} - set(asked)
    for path, file in find_uses([place for place in places if place not in passed_over]):
        assert any(file.is_relative_to(ROOT / place) for place in places), f"{path} uses {file}"


def behave(job: str) -> Verdict:
    """A trial that does what it is told."""
    match job:
        case "hang":
            while True:
                pass
        case "crash":
            os.kill(os.getpid(), signal.SIGKILL)
        case "syntax":
            compile("x =", "made-up", "exec")
        case "break":
            raise KeyError(job)
        case _:
            pass
    return Verdict[job]


@pytest.mark.process
def test_forked_trials_give_their_verdicts() -> None:
    jobs = ["KILLED", "SURVIVED", "hang", "crash", "syntax"]
    verdicts = dict(run_forked(jobs, behave, lambda job: 0.2, time.monotonic() + 60))
    assert verdicts == {
        "KILLED": Verdict.KILLED,
        "SURVIVED": Verdict.SURVIVED,
        "hang": Verdict.STOPPED,
        "crash": Verdict.STOPPED,
        "syntax": Verdict.STILLBORN,
    }


@pytest.mark.process
def test_trial_that_breaks_is_no_verdict() -> None:
    with pytest.raises(RuntimeError, match="exit code 1 and without a verdict: break"):
        list(run_forked(["break"], behave, lambda job: 5.0, time.monotonic() + 60))


def test_no_trial_starts_when_the_time_is_up() -> None:
    assert list(run_forked(["KILLED"], behave, lambda job: 5.0, time.monotonic() - 1)) == []
