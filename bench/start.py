"""The first words of a game on the screen, beside an interpreter that imports pydantic and yaml.

Each case is a process of its own, with compiled bytecode and a compiled game at hand, as after the first
start. The first choices have a limit of their own; an old campaign, and the same game with a model that is
set up and not yet asked, are measured without one. The overview of all commands stands
beside an interpreter that imports pydantic alone.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

from bench.figures import Timings, at_most, report

ROOT = Path(__file__).parents[1]
GAME = "mist_harbor"
FIRST_WORDS = "Mist Harbor, ten past eight"
"""How the story of the game begins in English."""

ROUNDS = 21
BASE = (sys.executable, "-c", "import pydantic, yaml")
HELP_BASE = (sys.executable, "-c", "import pydantic")
HELP = (sys.executable, "-m", "talewright", "--help")
MODEL = {"TALEWRIGHT_MODEL": "ollama/any"}
"""A model that is set up; nobody asks it anything here."""

PLAY = (sys.executable, "-m", "talewright", "play", GAME, "--language", "en", "--no-git")


def run_out(command: tuple[str, ...], environment: dict[str, str]) -> float:
    """Seconds until a program has ended."""
    start = perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start


def wait_for(words: str, command: tuple[str, ...], environment: dict[str, str]) -> float:
    """Seconds until a line with these words can be read."""
    start = perf_counter()
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        found = any(words in line for line in process.stdout)
        taken = perf_counter() - start
        process.communicate()
    assert found, f"{words!r} was not told"
    return taken


def main() -> int:
    if importlib.util.find_spec("pydantic") is None:
        print("pydantic is not installed; it stands in requirements/dev.in for this bench")
        return 1
    with tempfile.TemporaryDirectory() as name:
        environment = {
            **{key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"},
            "TALEWRIGHT_HOME": str(Path(name) / "home"),
            "PYTHONPYCACHEPREFIX": str(Path(name) / "bytecode"),
            "PYTHONPATH": str(ROOT / "src"),
        }
        cases: dict[str, Callable[[], float]] = {
            "import pydantic, yaml": partial(run_out, BASE, environment),
            "first words": partial(wait_for, FIRST_WORDS, (*PLAY, "--new"), environment),
            "first choices": partial(wait_for, "1. ", (*PLAY, "--new"), environment),
            "an old campaign": partial(wait_for, "1. ", PLAY, environment),
            "first choices, model set up": partial(wait_for, "1. ", (*PLAY, "--new"), environment | MODEL),
            "import pydantic": partial(run_out, HELP_BASE, environment),
            "--help": partial(run_out, HELP, environment),
        }
        # The first round writes the bytecode, the compiled game and its cover, and is not counted.
        for case in cases.values():
            case()
        seconds: dict[str, list[float]] = {name: [] for name in cases}
        for _ in range(ROUNDS):
            for case_name, case in cases.items():
                seconds[case_name].append(case())
    timings = Timings(seconds)
    base = "import pydantic, yaml"
    for case_name in cases:
        milliseconds = 1000 * timings.median(case_name)
        print(f"  {case_name}: {milliseconds:.0f} ms, {timings.ratio(case_name, base):.2f} times the base")
    return report(
        [
            at_most("first_words_vs_imports", timings.ratio("first words", base), 2.0),
            at_most("first_choices_vs_imports", timings.ratio("first choices", base), 4.5),
            at_most("help_vs_import_pydantic", timings.ratio("--help", "import pydantic"), 1.0),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
