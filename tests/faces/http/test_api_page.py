"""The page about the API: its programs play a turn on a real server process."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from talewright.faces.http.news_feed import COALESCE_SECONDS
from tests.faces.http.serving import ROOT, TOKEN, ServerProcess, serve_process

pytestmark = pytest.mark.process

PAGE = (ROOT / "docs" / "plug" / "api.md").read_text("utf-8")
LINES_MAX = 12


@pytest.fixture(scope="module", name="server")
def start_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server."""
    with serve_process(saves=str(tmp_path_factory.mktemp("saves"))) as server:
        yield server


def find_block(kind: str) -> str:
    """The first program of a language."""
    found = re.search(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("kind", "file", "command", "needs"),
    [
        ("python fragment", "play.py", (sys.executable,), ()),
        ("sh", "play.sh", ("sh", "-eu"), ("curl", "jq")),
        ("js", "play.mjs", ("node",), ("node",)),
    ],
    ids=["python", "curl", "javascript"],
)
def test_programs_play_a_turn(
    kind: str,
    file: str,
    command: tuple[str, ...],
    needs: tuple[str, ...],
    server: ServerProcess,
    tmp_path: Path,
) -> None:
    missing = [name for name in needs if shutil.which(name) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed")
    program = find_block(kind)
    assert len([line for line in program.splitlines() if line.strip()]) <= LINES_MAX
    (tmp_path / file).write_text(program, "utf-8")
    settings = {"TALEWRIGHT_URL": server.url, "TALEWRIGHT_TOKEN": TOKEN, "NO_PROXY": "127.0.0.1"}
    played = subprocess.run(
        [*command, file],
        cwd=tmp_path,
        env=os.environ | settings,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert played.returncode == 0, played.stderr
    assert len(played.stdout) > 100, played.stdout


def test_figures_of_the_page_are_those_of_the_code() -> None:
    assert f"every {COALESCE_SECONDS * 1000:.0f} ms" in PAGE
