"""The wheel: built, put into an empty environment with nothing but what it depends on, and played."""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import distribution
from pathlib import Path

import pytest

from talewright_testkit.fake_provider.fake_server import serve
from talewright_testkit.fake_provider.wires.vendor_dialects import LLAMA_CPP
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.documents import find_shell_lines
from tests.models.server_process import MODEL
from tests.models.serving import MISSING, find_weights, serve_model
from tests.release import build_wheel, copy_sources

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[1]
INSTALLED_BYTES_MAX = 60 * 1024 * 1024
DEPENDENCIES = (
    "PyYAML",
    "rfc8785",
    "httpx",
    "httpcore",
    "h11",
    "anyio",
    "certifi",
    "idna",
    "typing_extensions",
)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`talewright` in an environment of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    copy_sources(folder / "source")
    wheel = build_wheel(folder / "source", folder / "dist")
    venv.create(folder / "env", with_pip=False)
    python = folder / "env" / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
    subprocess.run([*install, "--no-index", str(wheel)], check=True, capture_output=True)
    _copy_dependencies(_site_packages(folder / "env"))
    return folder / "env" / "bin" / "talewright"


def _site_packages(environment: Path) -> Path:
    return Path(sysconfig.get_path("purelib", vars={"base": str(environment), "platbase": str(environment)}))


def _copy_dependencies(target: Path) -> None:
    for name in DEPENDENCIES:
        for file in distribution(name).files or ():
            if ".." not in file.parts and "__pycache__" not in file.parts:
                place = target / str(file)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(Path(str(file.locate())), place)


def run(
    program: Path, home: Path, typed: str, *words: str, seconds_max: float = 60.0
) -> subprocess.CompletedProcess[str]:
    clean = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONUTF8": "1", "LANG": "C.UTF-8"}
    return subprocess.run(
        [str(program), *words],
        cwd=home,
        env=clean,
        input=typed,
        capture_output=True,
        encoding="utf-8",
        timeout=seconds_max,
        check=False,
    )


@pytest.mark.parametrize(("language", "words"), [("en", "Crow's Nest"), ("zh-CN", "雾港")])
def test_it_plays_a_shipped_game(program: Path, tmp_path: Path, language: str, words: str) -> None:
    done = run(program, tmp_path, "1\n/quit\n", "play", "mist_harbor", "--language", language)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert words in done.stdout


def test_it_is_small(program: Path) -> None:
    site = _site_packages(program.parents[1])
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    print(f"installed: {size / 1e6:.1f} MB")
    assert size < INSTALLED_BYTES_MAX


def test_every_game_is_in_it(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, "", "play")
    for name in ("mist_harbor", "lantern_road", "chapel_watch", "goblin_road", "dusty_tankard", "solo"):
        assert name in done.stdout, done.stderr


TOLD = "Rain walks up the street on its toes."


def test_readme_leads_to_a_game_in_one_command(program: Path, tmp_path: Path) -> None:
    (command,) = [line for line in find_shell_lines(ROOT / "README.md", "Play") if " play " in line]
    done = run(program, tmp_path, "1\n/quit\n", *command.split()[1:])
    assert done.returncode == 0, done.stderr
    assert "Crow's Nest" in done.stdout


def test_readme_leads_to_a_turn_told_by_a_model_in_three(program: Path, tmp_path: Path) -> None:
    """Installing was the first; the other two are those of the page, with the address of our own server."""
    commands = find_shell_lines(ROOT / "README.md", "Add a model")[:2]
    assert [command.split()[1] for command in commands] == ["setup", "play"]
    answer = json.dumps(
        {
            "narrative_markdown": TOLD,
            "choices": [
                {"id": label.lower(), "label": label, "hint": "", "risk": "low"}
                for label in ("Wait", "Go", "Ask")
            ],
            "state_updates": [],
            "new_facts": [],
            "events": [],
            "end": {"is_game_over": False, "ending_id": "", "reason": ""},
        }
    )

    async def follow() -> list[subprocess.CompletedProcess[str]]:
        async with serve(Wire.OPENAI, lambda asked: answer, dialect=LLAMA_CPP) as server:
            words = [re.sub(r"http://\S+", f"{server.url}/v1", command).split()[1:] for command in commands]
            return [
                await asyncio.to_thread(run, program, tmp_path, typed, *each)
                for typed, each in zip(("", "I look out of the window.\n/quit\n"), words, strict=True)
            ]

    for done in asyncio.run(follow()):
        assert done.returncode == 0, (done.stdout, done.stderr)
    assert TOLD in done.stdout


REAL_SECONDS_MAX = 180.0
"""How long a command may take with a real model on a busy machine."""


TURNS_MAX = 3
"""Turns in which the model may tell one: it has as long as it needed when it was set up, on a machine that
may have been less busy then.
"""


@pytest.mark.timeout(900)
def test_readme_leads_to_a_turn_told_by_a_small_model_of_ones_own(program: Path, tmp_path: Path) -> None:
    """The same commands, to a real llama.cpp server: it is set up without any further option."""
    weights = find_weights()
    if weights is None:
        pytest.skip(MISSING)
    setup, play = find_shell_lines(ROOT / "README.md", "Add a model")[:2]
    with serve_model(weights) as served:

        def follow(command: str, typed: str = "") -> None:
            words = re.sub(r"http://\S+", served.url, command).replace("my-model", MODEL).split()[1:]
            done = run(program, tmp_path, typed, *words, seconds_max=REAL_SECONDS_MAX)
            assert done.returncode == 0, (done.stdout, done.stderr)
            print(done.stdout)

        follow(setup)
        for version in range(2, 2 + TURNS_MAX):
            follow(play, "1\n/quit\n")
            turn = json.loads(run(program, tmp_path, "", "inspect", str(version), "--json").stdout)
            if turn["body"]["told"] == "model":
                return
    pytest.fail(f"no turn was told by the model: {turn['attempts']}")
