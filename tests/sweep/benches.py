"""The benches as a part of the sweep: each figure is measured and kept with the commit it belongs to.

A bench runs in a process of its own, as with `make bench`; one that keeps its limits is not run again for the
same code. Its figures stand in `bench/results/figures/`.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tests.sweep.ledger import RESULTS, ROOT, SWEPT, digest_code, read_commit
from tests.sweep.parts import Order, Outcome

FIGURES = RESULTS / "figures"
BENCHES = ROOT / "bench"

BENCH_SECONDS_MAX = 1200.0
"""How long one bench may take."""

FIGURE = re.compile(
    r"^  (?P<name>\w+): (?P<value>\S+), (?P<side>at most|at least) (?P<limit>\S+)$", re.MULTILINE
)
"""A figure, as `bench.figures.report` prints it."""

Run = Callable[[str], "tuple[int, str]"]
"""Runs a bench; returns its exit code and what it printed."""


def sweep(order: Order) -> Outcome:
    """Run the benches that have no good figures yet for the code at hand."""
    names = list_benches()[: order.count]
    return measure(names, order, FIGURES if order.count is None else None, run_bench)


def list_benches() -> list[str]:
    """The names of the benches: the modules with a `main` that measures."""
    scripts = sorted(BENCHES.glob("*.py"))
    return [path.stem for path in scripts if "def main() -> int:" in path.read_text("utf-8")]


def measure(names: Sequence[str], order: Order, folder: Path | None, run: Run) -> Outcome:
    """Run benches until the time is up; those with good figures in the folder are done already."""
    start, digest = time.monotonic(), digest_code(list_places())
    results = {name: None if folder is None else read_figures(folder, name, digest) for name in names}
    for name, known in results.items():
        if known is None and time.monotonic() - start < order.seconds:
            print(f"-- {name}", flush=True)
            results[name] = read_report(*run(name))
            if folder is not None:
                write_figures(folder, name, digest, results[name])
    done = {name: result for name, result in results.items() if result is not None}
    short = [f"{name}: {result['result']}" for name, result in done.items() if result["result"] != "ok"]
    return Outcome(len(done), len(names), time.monotonic() - start, failure="\n".join(short))


def list_places() -> Iterable[str]:
    """What a figure depends on: the code that is swept, and the benches."""
    scripts = [path for path in BENCHES.rglob("*.py") if not path.is_relative_to(RESULTS)]
    return (*SWEPT, *sorted(path.relative_to(ROOT).as_posix() for path in scripts))


def run_bench(name: str) -> tuple[int, str]:
    """Run one bench in a process of its own."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", f"bench.{name}"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            timeout=BENCH_SECONDS_MAX,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 1, f"{name} took more than {BENCH_SECONDS_MAX:.0f} s"
    print(done.stdout, end="", flush=True)
    return done.returncode, done.stdout


def read_report(code: int, printed: str) -> dict[str, object]:
    """The figures that a bench printed, and whether they keep their limits."""
    figures = {
        found["name"]: {"value": float(found["value"]), found["side"]: float(found["limit"])}
        for found in FIGURE.finditer(printed)
    }
    result = "ok" if code == 0 else "short" if figures else "failed"
    return {"result": result, "figures": figures}


def read_figures(folder: Path, name: str, digest: str) -> dict[str, object] | None:
    """Good figures of a bench for this very code; None if there are none."""
    try:
        known: dict[str, object] = json.loads((folder / f"{name}.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return known if known.get("code_digest") == digest and known.get("result") == "ok" else None


def write_figures(folder: Path, name: str, digest: str, measured: dict[str, object] | None) -> None:
    """Keep the figures of a bench with the commit at hand."""
    commit, changed = read_commit()
    facts = {"commit": commit, "changed_since_commit": changed, "code_digest": digest}
    folder.mkdir(parents=True, exist_ok=True)
    record = {"bench": name, **(measured or {}), **facts}
    (folder / f"{name}.json").write_text(json.dumps(record, indent=2) + "\n", "utf-8")
