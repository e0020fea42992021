"""Durations: what the tests of the last `make test-all` cost, for `bench/results/test_durations.json`.

`python -m tests.durations` reads what the runs have left in `.costs/`. It runs no test.
"""

import json
from collections.abc import Iterable
from typing import Any

from tests.pacing import KEPT, folder_of
from tests.sweep.ledger import ROOT, read_commit

COSTS = ROOT / ".costs"

SLOWEST = 60
"""How many of the most expensive tests are named."""


def sum_up(costs: dict[str, dict[str, Any]]) -> dict[str, object]:
    """Seconds by folder, the share without a marker, and the most expensive tests."""
    quick = [cost for cost in costs.values() if not cost["marked"]]
    folders: dict[str, list[dict[str, Any]]] = {}
    for name, cost in costs.items():
        folders.setdefault(folder_of(name), []).append(cost)
    dear = sorted(costs.items(), key=lambda pair: -pair[1]["processor"])[:SLOWEST]
    by_seconds = sorted(folders.items(), key=lambda pair: -add(pair[1], "processor"))
    return {
        "all": describe(costs.values()),
        "without_marker": describe(quick),
        "folders": {name: describe(found) for name, found in by_seconds},
        "slowest": {name: {key: cost[key] for key in ("processor", "wall")} for name, cost in dear},
    }


def describe(costs: Iterable[dict[str, Any]]) -> dict[str, float]:
    """How many tests, and their seconds."""
    found = list(costs)
    return {"tests": len(found), "processor": add(found, "processor"), "wall": add(found, "wall")}


def add(costs: Iterable[dict[str, Any]], key: str) -> float:
    """Seconds in all."""
    return round(sum(float(cost[key]) for cost in costs), 1)


def main() -> int:
    """Write the result."""
    costs: dict[str, dict[str, Any]] = {}
    for file in sorted(COSTS.glob("*.json")):
        costs |= json.loads(file.read_text("utf-8"))
    if not costs:
        print("nothing is known: run `make test-all` first")
        return 1
    commit, changed = read_commit()
    record = {"commit": commit, "changed_since_commit": changed, **sum_up(costs)}
    KEPT.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"{KEPT.relative_to(ROOT)}: {record['all']}, without a marker {record['without_marker']}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
