"""Coverage-guided fuzzing of the contract's readers, ten minutes each: a count is a second.

What each run finds interesting is kept in `.sweep/fuzz/`, and the next goes on from there. Without the
package `atheris` nothing is fuzzed, and the part says so and stays unfinished.
"""

import importlib.util
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.contract import cards_shots, patch_shots, tool_shots
from tests.contract.fire import Shot
from tests.contract.fuzz_targets import write
from tests.sweep.ledger import PROGRESS, ROOT, open_chunks
from tests.sweep.parts import Order, Outcome, Part, Progress
from tests.sweep.workers import sweep_chunks

READERS: dict[str, Callable[[random.Random], Shot]] = {
    "cards": cards_shots.make_shot,
    "patch": patch_shots.make_shot,
    "tools": tool_shots.make_shot,
}

SECONDS = 600 * len(READERS)
CHUNK_SECONDS = 60
"""How long one process fuzzes one reader."""

LENGTH_MAX = 4_096
"""Bytes of an input."""

SEEDS = 100
"""Generated answers from which the fuzzing of a reader starts."""

TOKENS = (
    *(
        "```json",
        "```",
        "~~~",
        "GAME_STATE",
        "STATE_OPS",
        "PATCH_BUNDLE",
        "Game State",
        "\xff",
        "\xfe",
        "\\u",
    ),
    *('"narrative_markdown":', '"choices":', '"state_updates":', '"schema_version":"1.2"', '"mechanics":'),
    *('"operation_id":', '"base_version":12', '"patch":[', '"next_actions":', '"op":', '"path":', '"value":'),
    *(
        "offer_choices",
        "propose_updates",
        "end_game",
        "pay",
        '"updates":',
        '"label":',
        "null",
        "true",
        "{",
        "}",
    ),
)
"""What the fuzzer may put in as a whole."""

FOLDER = PROGRESS / "fuzz"
_EXECUTED = re.compile(r"stat::number_of_executed_units:\s*(\d+)")


def sweep(order: Order) -> Outcome:
    """Fuzz every reader in turns."""
    part = Part("fuzz", SECONDS, CHUNK_SECONDS, run)
    if importlib.util.find_spec("atheris") is None:
        print("fuzz: the package atheris is not installed, so nothing was fuzzed; `pip install atheris`")
        return Outcome(0, SECONDS if order.count is None else order.count, 0.0)
    return sweep_chunks(part, order, open_chunks(part, order.seed))


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Fuzz one reader for so many seconds; which one follows from the seed, so that neighbours differ."""
    reader = [*READERS][seed % len(READERS)]
    executed = fuzz(reader, count, seed, FOLDER)
    print(f"fuzz: {reader}, {count} s, {executed:,} inputs", flush=True)
    if progress:
        progress(count)
    return count


def fuzz(reader: str, seconds: int, seed: int, folder: Path) -> int:
    """Fuzz a reader in a process of its own; how many inputs it tried. A finding is an AssertionError."""
    corpus = folder / reader
    corpus.mkdir(parents=True, exist_ok=True)
    for name, data in make_seeds(reader):
        (corpus / name).write_bytes(data)
    words = folder / "tokens.dict"
    words.write_text("".join(f'"{"".join(map(_escape, token))}"\n' for token in TOKENS), encoding="ascii")
    command = [
        *(sys.executable, "-m", "tests.contract.fuzzing", reader, str(corpus)),
        *(f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={LENGTH_MAX}", "-timeout=20"),
        *(
            f"-dict={words}",
            "-rss_limit_mb=2048",
            "-print_final_stats=1",
            f"-artifact_prefix={folder}/{reader}-",
        ),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace")
    told = done.stdout + done.stderr
    executed = _EXECUTED.search(told)
    assert done.returncode == 0, f"{reader}, seed {seed}: {told[-6_000:]}"
    assert executed is not None, f"{reader}, seed {seed}: nothing was tried: {told[-2_000:]}"
    return int(executed[1])


def _escape(sign: str) -> str:
    return f"\\x{ord(sign):02X}" if sign in '"\\' or not sign.isascii() else sign


def make_seeds(reader: str) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the inputs to start from, the same every time."""
    for number in range(SEEDS):
        rng = random.Random(f"{reader}:{number}")
        shot = READERS[reader](rng)
        data = write(shot.text, shot.calls, rng.randrange(256))
        if len(data) <= LENGTH_MAX:
            yield f"seed-{number:03}", data
