"""The ledger: which code was swept, how far, and with what result.

Progress stands in `.sweep/` under the digest of the code it belongs to; results in `bench/results/`.
"""

import hashlib
import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tests.sweep.parts import Order, Outcome, Part

ROOT = Path(__file__).parents[2]
PROGRESS = ROOT / ".sweep"
RESULTS = ROOT / "bench" / "results"

SWEPT = (
    *("src/talewright", "games", "tests/sweep", "tests/kernel", "tests/chronicle", "tests/contract"),
    *(
        "tests/bootstrap/serving/processes.py",
        "tests/games",
        "tests/hosting/chaos",
        "tests/hosting/cancel_storm.py",
        "tests/hosting/crash_grid.py",
        "tests/hosting/crash_host.py",
        "tests/hosting/forked_processes.py",
        "tests/hosting/hosted_plays.py",
        "tests/hosting/page_commands.py",
        "tests/hosting/play_host.py",
        "tests/hosting/storm_host.py",
        "tests/injections",
        "tests/kept_campaigns",
        "tests/models",
        "tests/play",
        "tests/plays",
        "tests/plugs",
        "tests/provider_faults",
        "tests/remote",
        "tests/stores",
        "tests/systems/tabletop",
        "tests/systems/world",
        "tests/turn",
    ),
    *(
        "tests/conftest.py",
        "tests/documents.py",
        "tests/faces/http",
        "tests/faces/mcp/goblin_road_script.py",
        "tests/faces/mcp/scripted_master.py",
        "tests/faces/mcp/serving.py",
        "tests/faces/tui/fakes.py",
        "tests/faces/tui/samples.py",
        "tests/faces/web/chromium.py",
        "tests/faces/web/in_chromium/hostile_games.py",
        "tests/faces/web/in_chromium/hostile_texts.py",
        "tests/faces/web/in_chromium/hostile_visit.py",
        "tests/faces/web/in_chromium/table_player.py",
        "tests/house.py",
        "tests/loopback.py",
        "tests/odd_files.py",
        "tests/opened.py",
        "tests/pacing.py",
        "tests/pack/lint/making.py",
        "tests/pack/making.py",
        "tests/privacy.py",
        "tests/processor_speed.py",
        "tests/servers.py",
        "tests/tar_archives.py",
        "tests/warm_homes.py",
        "tools/words.py",
    ),
)
"""What a result depends on; a change of anything else does not make progress worthless."""


def digest_code(places: Iterable[str] = SWEPT, root: Path = ROOT) -> str:
    """A digest of the code that is swept, committed or not."""
    total = hashlib.sha256()
    for place in places:
        top = root / place
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                total.update(f"{path.relative_to(root).as_posix()}\0{path.stat().st_size}\0".encode())
                total.update(path.read_bytes())
    return total.hexdigest()[:16]


def read_commit(root: Path = ROOT) -> tuple[str, bool]:
    """The commit at hand, and whether the files differ from it."""
    head = subprocess.run(["git", "rev-parse", "--verify", "HEAD"], cwd=root, capture_output=True, text=True)
    state = subprocess.run(
        ["git", "status", "--porcelain", "--", *SWEPT], cwd=root, capture_output=True, text=True
    )
    return head.stdout.strip() or "none", bool(state.stdout.strip()) or head.returncode != 0


class Chunks:
    """Which chunks of a part are done, kept in a file so that a stopped sweep goes on where it was."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.counts: dict[int, int] = {}
        """Examples checked, by chunk number."""

        self.seconds = 0.0
        """Time spent on them, over all runs."""

        if path.exists():
            stored = json.loads(path.read_text())
            self.counts = {int(number): count for number, count in stored["counts"].items()}
            self.seconds = stored["seconds"]

    @property
    def done(self) -> int:
        """Examples checked in all."""
        return sum(self.counts.values())

    def add(self, number: int, count: int, seconds: float) -> None:
        """Note a finished chunk, at once: the next interruption may come any time."""
        self.counts[number] = count
        self.seconds += seconds
        self.path.parent.mkdir(exist_ok=True)
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps({"counts": self.counts, "seconds": self.seconds}))
        fresh.replace(self.path)


def open_chunks(part: Part, seed: int) -> Chunks:
    """The chunks of a part for the code at hand and a seed."""
    return Chunks(PROGRESS / f"{part.name}-{digest_code()}-{seed}-{part.chunk}.json")


def write_result(part: Part, order: Order, outcome: Outcome, folder: Path = RESULTS) -> Path:
    """Write the result file of a part; the last one stands."""
    commit, changed = read_commit()
    record = {
        "part": part.name,
        "result": outcome.result,
        "count": outcome.done,
        "of": outcome.total,
        "seed": order.seed,
        "seconds": round(outcome.seconds, 1),
        "commit": commit,
        "changed_since_commit": changed,
        "code_digest": digest_code(),
        **({"failure": outcome.failure} if outcome.failure else {}),
        **outcome.detail,
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{part.name}.json"
    path.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n")
    return path
