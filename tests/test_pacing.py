"""The order of the tests: folders that took long come first, and every folder stays together."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.pacing import folder_of, put_long_folders_first, read_folder_seconds

QUICK = ["tests/kernel/dice/test_a.py::test_one", "tests/kernel/dice/test_b.py::test_two"]
NEW = ["tests/new/test_c.py::test_three"]
LONG = ["tests/faces/web/in_chromium/test_d.py::test_four[x]", "tests/faces/web/test_e.py::test_five"]


def order(names: list[str], seconds: dict[str, float]) -> list[str]:
    items: list[Any] = [SimpleNamespace(nodeid=name) for name in names]
    put_long_folders_first(items, seconds)
    return [item.nodeid for item in items]


def test_long_folders_come_first_and_stay_in_order() -> None:
    seconds = {"tests/faces/web": 370.0, "tests/kernel/dice": 32.0}
    assert order([*QUICK, *NEW, *LONG], seconds) == [*LONG, *QUICK, *NEW]


def test_without_a_record_the_order_stays(tmp_path: Path) -> None:
    assert read_folder_seconds(tmp_path / "missing.json") == {}
    assert order([*QUICK, *NEW, *LONG], {}) == [*QUICK, *NEW, *LONG]


def test_the_record_is_read_by_folder(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text(json.dumps({"folders": {folder_of(LONG[0]): {"wall": 370.0, "processor": 1.0}}}))
    assert read_folder_seconds(kept) == {"tests/faces/web": 370.0}


def test_the_folders_of_the_record_exist() -> None:
    root = Path(__file__).parents[1]
    seconds = read_folder_seconds()
    assert len(seconds) > 50
    assert sum((root / folder).exists() for folder in seconds) > 0.9 * len(seconds)
