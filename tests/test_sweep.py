"""The frame of the sweeps: parts, chunks that are taken up again, forks with a verdict."""

import ast
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from bench.__main__ import find_benches
from tests.house import GROUND
from tests.sweep import __main__ as sweep_command
from tests.sweep import benches, hostile_games, promise_mutants
from tests.sweep.book import TRIED
from tests.sweep.forks import Patience, Verdict, find_children, run_forked
from tests.sweep.ledger import ROOT, SWEPT, Chunks, digest_code, write_result
from tests.sweep.parts import Order, Outcome, Part, Progress, find_part, find_parts, read_part
from tests.sweep.rooms import ROOMS, folders_of
from tests.sweep.stale_results import find_reason, find_rooms, list_stale
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
    assert {"mutation", "kept_mutants", "promise_mutants"} <= set(names)
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
    [
        (SWEPT, ["tests/sweep"]),
        (
            TRIED,
            [
                place
                for room in {*ROOMS, *promise_mutants.ROOMS}
                for place in (*folders_of(room), *promise_mutants.TESTED_IN.get(room, ()))
            ],
        ),
    ],
    ids=["sweeps", "mutation"],
)
def test_what_a_result_depends_on_is_named(places: Sequence[str], asked: list[str]) -> None:
    for one in (*asked, "src/talewright", "games", "tests/sweep", "tests/conftest.py"):
        assert any(Path(one).is_relative_to(place) for place in places), one
    passed_over = {"tests/sweep"} - set(asked)
    for path, file in find_uses([place for place in places if place not in passed_over]):
        assert any(file.is_relative_to(ROOT / place) for place in places), f"{path} uses {file}"


@pytest.mark.slow
def test_a_hundredth_of_the_hostile_games() -> None:
    """It measures processor time, so it is not among the tests that are measured themselves."""
    count = hostile_games.FULL_COUNT // 100
    assert hostile_games.run(count, 1) == count


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
        case "leave":
            subprocess.Popen(["sleep", "60"], start_new_session=True)
            os.kill(os.getpid(), signal.SIGKILL)
        case "break":
            raise KeyError(job)
        case _:
            pass
    return Verdict[job]


@pytest.mark.process
def test_forked_trials_give_their_verdicts() -> None:
    jobs = ["KILLED", "SURVIVED", "hang", "crash", "syntax", "leave"]
    before = find_children()
    verdicts = dict(run_forked(jobs, behave, lambda job: Patience(0.2, 4.0), time.monotonic() + 60))
    assert find_children() == before
    assert verdicts == {
        "KILLED": Verdict.KILLED,
        "SURVIVED": Verdict.SURVIVED,
        "hang": Verdict.STOPPED,
        "crash": Verdict.STOPPED,
        "syntax": Verdict.STILLBORN,
        "leave": Verdict.STOPPED,
    }


@pytest.mark.process
def test_trial_that_breaks_is_no_verdict() -> None:
    with pytest.raises(RuntimeError, match="exit code 1 and without a verdict: break"):
        list(run_forked(["break"], behave, lambda job: Patience(5.0, 60.0), time.monotonic() + 60))


def test_no_trial_starts_when_the_time_is_up() -> None:
    assert list(run_forked(["KILLED"], behave, lambda job: Patience(5.0, 60.0), time.monotonic() - 1)) == []


PRINTED = """\
  import pydantic: 88 ms, 1.00 times the base
  help_vs_import_pydantic: 0.74, at most 1
  turns_per_second: 3.1e+03, at least 2000
turns_per_second 3.1e+03 2000 ok
"""


@pytest.mark.process
def test_benches_are_a_part_that_keeps_figures_with_their_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert benches.list_benches() == find_benches(ROOT / "bench")
    monkeypatch.setattr(benches, "digest_code", lambda places: "digest")
    asked: list[str] = []

    def run(name: str) -> tuple[int, str]:
        asked.append(name)
        return (0, PRINTED) if name == "start" else (1, "no browser\n") if name == "web" else (1, PRINTED)

    outcome = benches.measure(["start", "web", "wire"], ORDER, tmp_path, run)
    assert (outcome.done, outcome.total, outcome.result) == (3, 3, "failed")
    assert outcome.failure == "web: failed\nwire: short"
    record = json.loads((tmp_path / "start.json").read_text())
    assert record["commit"]
    assert (record["bench"], record["result"], record["code_digest"]) == ("start", "ok", "digest")
    assert record["figures"] == {
        "help_vs_import_pydantic": {"value": 0.74, "at most": 1.0},
        "turns_per_second": {"value": 3100.0, "at least": 2000.0},
    }
    # What was good is not measured again for the same code; a short figure is.
    benches.measure(["start", "web", "wire"], ORDER, tmp_path, run)
    assert asked == ["start", "web", "wire", "web", "wire"]
    late = Order(count=None, seed=1, seconds=0.0)
    assert benches.measure(["other"], late, tmp_path, run).result == "unfinished"
    assert benches.measure(["start"], ORDER, None, run).result == "passed"
    assert asked[-1] == "start"


def run_git(folder: Path, *words: str) -> str:
    made = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words]
    return subprocess.run(made, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture(name="repository")
def make_repository(tmp_path: Path) -> Path:
    """A repository with a check of the kernel, through another module of the tests, and a bench."""
    files = {
        "src/talewright/kernel/chance.py": "",
        "src/talewright/common/text.py": "",
        "src/talewright/play/lobby.py": "",
        "tests/making.py": "from talewright.kernel import chance\n",
        "tests/sweep/chance.py": "from tests.making import chance\n",
        "bench/start.py": "import subprocess\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    run_git(tmp_path, "init", "-q")
    run_git(tmp_path, "add", "-A")
    run_git(tmp_path, "commit", "-qm", "first")
    return tmp_path


@pytest.mark.process
def test_a_result_is_stale_once_its_rooms_have_changed(repository: Path) -> None:
    commit = run_git(repository, "rev-parse", "HEAD")
    folder = repository / "bench" / "results"
    (folder / "figures").mkdir(parents=True)
    (folder / "chance.json").write_text(json.dumps({"part": "chance", "commit": commit}))
    (folder / "figures" / "start.json").write_text(json.dumps({"bench": "start", "commit": commit}))
    assert list(list_stale(folder, repository)) == []
    (repository / "src/talewright/play/lobby.py").write_text("x = 1\n")
    told = f"src/talewright/play/lobby.py changed since {commit[:8]}"
    assert list(list_stale(folder, repository)) == [("figures/start.json", told)]
    (repository / "src/talewright/common/text.py").write_text("x = 1\n")
    (repository / "tests/sweep/chance.py").write_text("from tests.making import chance\n\n")
    reasons = dict(list_stale(folder, repository))
    assert reasons["chance.json"] == f"src/talewright/common/text.py and 1 more changed since {commit[:8]}"


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("{", "cannot be read"),
        ("[1]", "names no commit"),
        ('{"part": "chance"}', "names no commit"),
        ('{"part": "chance", "commit": "12345678901", "changed_since_commit": true}', "differ from 12345678"),
        ('{"part": "gone", "commit": "12345678901"}', "does not exist any more"),
        ('{"part": "chance", "commit": "12345678901"}', "12345678 is not in this repository"),
    ],
)
@pytest.mark.process
def test_why_a_result_cannot_be_trusted(record: str, reason: str, repository: Path) -> None:
    file = repository / "result.json"
    file.write_text(record)
    assert reason in find_reason(file, repository)


def test_rooms_of_a_check_include_those_below_them() -> None:
    assert find_rooms("tests/sweep/chance.py") == {*GROUND, "kernel"}
    assert find_rooms("bench/start.py") >= {"cli", "bootstrap", "kernel", "faces"}


def test_stale_results_are_listed_and_fail_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sweep_command, "list_stale", lambda: iter([("a.json", "names no commit")]))
    assert sweep_command.main(["--stale"]) == 0
    assert capsys.readouterr().out == "stale results in bench/results: 1\n  a.json: names no commit\n"
    monkeypatch.setattr(sweep_command, "list_stale", lambda: iter(()))
    assert sweep_command.main(["--stale"]) == 0
    assert capsys.readouterr().out == "no result is stale\n"
