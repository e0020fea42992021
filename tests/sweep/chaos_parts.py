"""Parts of chaos: how the runs of `tests.hosting.chaos` become parts of the sweep.

A chunk is a whole run on a host of its own, one after the other, because a run needs the whole machine.
"""

import json
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from tests.hosting.chaos.chaos_runs import ChaosPlan, run_chaos
from tests.sweep.ledger import PROGRESS, Chunks, open_chunks
from tests.sweep.parts import Order, Outcome, Part

PLAYERS = 200
_MOST = ("recovery_seconds_max", "turn_seconds_max", "turn_seconds_median")
_SUMS = ("turns", "repeated_asks", "news_cut")
_COUNTS = ("faults", "troubles")


def sweep_chaos(plan: ChaosPlan, total: int, order: Order) -> Outcome:
    """Repeat a plan until all turns are taken, one run fails, or the time is up."""
    total = total if order.count is None else order.count
    part = Part(plan.name, total, plan.turns)
    chunks, figures = open_chunks(part, order.seed), Figures(part, order.seed)
    started, slowest, failure = time.monotonic(), 0.0, ""
    for number, first in enumerate(range(0, total, plan.turns)):
        if number in chunks.counts:
            continue
        begun = time.monotonic()
        if begun - started + slowest > order.seconds:
            break
        failure = _run(replace(plan, turns=min(plan.turns, total - first)), order, number, chunks, figures)
        if failure:
            break
        slowest = max(slowest, time.monotonic() - begun)
        print(f"{plan.name}: {chunks.done:,} of {total:,} turns", flush=True)
    return Outcome(min(chunks.done, total), total, chunks.seconds, failure, figures.merge())


def _run(plan: ChaosPlan, order: Order, number: int, chunks: Chunks, figures: "Figures") -> str:
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            made = run_chaos(replace(plan, seed=order.seed + number), Path(folder))
        except Exception:  # Whatever goes wrong in a part is its result.
            return f"chunk {number}, seed {order.seed + number}: {traceback.format_exc()}"
    figures.add(made)
    chunks.add(number, plan.turns, time.monotonic() - begun)
    return ""


class Figures:
    """The figures of the chunks so far, kept beside their progress."""

    def __init__(self, part: Part, seed: int) -> None:
        progress = open_chunks(part, seed).path
        self._path = progress.with_suffix(".figures")
        self._all: list[Mapping[str, Any]] = json.loads(self._path.read_text()) if self._path.exists() else []

    def add(self, figures: Mapping[str, object]) -> None:
        """Keep the figures of a chunk."""
        self._all.append(figures)
        PROGRESS.mkdir(exist_ok=True)
        self._path.write_text(json.dumps(self._all))

    def merge(self) -> dict[str, object]:
        """The figures of all: sums, and the worst."""
        if not self._all:
            return {}
        made: dict[str, object] = {name: sum(self._pick(name)) for name in _SUMS}
        made |= {name: max(self._pick(name)) for name in _MOST}
        for name in _COUNTS:
            counted: Counter[str] = Counter()
            for one in self._all:
                counted.update(cast(Mapping[str, int], one[name]))
            made[name] = dict(counted)
        return made

    def _pick(self, name: str) -> Sequence[Any]:
        return [one[name] for one in self._all]
