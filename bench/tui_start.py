"""The first full frame of the terminal face, beside that of an empty Textual app.

Each case is a process in a pseudo-terminal of its own, 100 by 30, with compiled bytecode at hand, as after
the first start; ours has no campaigns yet. What takes place after the first frame, until the games are
listed, is measured too and has no limit. Which libraries are loaded by then is asked of a run with a driver
that looks when it writes the frame.
"""

import json
import os
import statistics
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from textual.drivers.linux_driver import LinuxDriver

from bench.figures import at_most, report
from tests.faces.tui.story.terminal import Terminal

ROOT: Final = Path(__file__).parents[1]
ROUNDS: Final = 15
ROWS: Final = 30
LAST_ROW: Final = f"\x1b[{ROWS};1H"
"""How a driver begins the last row of a frame."""

SHARE: Final = 1.2
BEYOND_MAX_MS: Final = 300.0
NAME: Final = "T A L E W R I G H T"
"""What stands in the first frame of ours."""

FIRST_GAME: Final = "Mist Harbor"
MODEL_LIBRARIES: Final = frozenset(
    "anthropic boto3 cohere google groq httpx huggingface_hub mistralai openai pydantic pydantic_ai "
    "tiktoken tokenizers transformers".split()
)

EMPTY: Final = (sys.executable, "-c", "from textual.app import App; App().run()")
OURS: Final = (sys.executable, "-m", "talewright")


class Watching(LinuxDriver):
    """A driver that tells what is loaded when the first frame is written."""

    _told = False

    def write(self, data: str) -> None:
        """Write, and look once."""
        super().write(data)
        if LAST_ROW in data and not self._told:
            self._told = True
            os.write(Terminal.channel(), json.dumps(sorted(sys.modules)).encode() + b"\n")


def paint(command: tuple[str, ...], environment: Mapping[str, str], words: str) -> float:
    """Milliseconds until the first full frame is there, and some words."""
    with Terminal(command, columns=100, rows=ROWS, environment=environment) as terminal:
        terminal.wait_for(LAST_ROW)
        return (terminal.wait_for(words) - terminal.begun) * 1e3


def find_libraries(environment: Mapping[str, str]) -> list[str]:
    """The model libraries that are loaded at the first frame."""
    watching = {**environment, "TEXTUAL_DRIVER": "bench.tui_start:Watching"}
    with Terminal(OURS, columns=100, rows=ROWS, environment=watching) as terminal:
        loaded = json.loads(terminal.wait_told())
    assert "talewright.faces.tui.app" in loaded
    return sorted({name.partition(".")[0] for name in loaded} & MODEL_LIBRARIES)


def measure(environment: Mapping[str, str]) -> tuple[float, list[str]]:
    """How much later than its share ours paints, in milliseconds, and what it has loaded by then."""
    cases = {"empty": (EMPTY, ""), "ours": (OURS, NAME), "ours, games listed": (OURS, FIRST_GAME)}
    times: dict[str, list[float]] = {name: [] for name in cases}
    for turn in range(-1, ROUNDS):
        for name in list(cases)[:: 1 if turn % 2 else -1]:
            command, words = cases[name]
            taken = paint(command, environment, words)
            # The first round writes the bytecode and the covers of the games, and is not counted.
            if turn >= 0:
                times[name].append(taken)
    for name, taken_ms in times.items():
        print(
            f"  {name}: {statistics.median(taken_ms):.0f} ms, from {min(taken_ms):.0f} to {max(taken_ms):.0f}"
        )
    pairs = zip(times["ours"], times["empty"], strict=True)
    return statistics.median(ours - SHARE * empty for ours, empty in pairs), find_libraries(environment)


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        environment = {
            **{key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"},
            "TALEWRIGHT_HOME": str(Path(name) / "home"),
            "PYTHONPYCACHEPREFIX": str(Path(name) / "bytecode"),
            "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
            "LC_ALL": "en_US.UTF-8",
        }
        beyond, libraries = measure(environment)
    if libraries:
        print(f"loaded before the first frame: {', '.join(libraries)}")
        return 1
    return report([at_most("first_paint_beyond_1.2_textual_ms", beyond, BEYOND_MAX_MS)])


if __name__ == "__main__":
    raise SystemExit(main())
