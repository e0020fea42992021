"""Saves presence: whoever comes second is told, and nobody is kept out."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from talewright.bootstrap.serving.saves_presence import PRESENCE_FILE, enter_saves
from tests.warm_homes import warm

HOLD = """
import sys
from pathlib import Path
from talewright.bootstrap.serving.saves_presence import enter_saves
with enter_saves(Path(sys.argv[1])) as shared:
    print(shared, flush=True)
    sys.stdin.read()
"""


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="no shared locks")
def test_another_program_is_noticed_until_it_ends(tmp_path: Path) -> None:
    with enter_saves(tmp_path) as shared:
        assert not shared
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "False\n"
    with enter_saves(tmp_path) as shared, enter_saves(tmp_path) as third:
        assert shared
        assert third
    other.kill()
    other.communicate()
    with enter_saves(tmp_path) as shared:
        assert not shared
    assert [path.name for path in tmp_path.iterdir()] == [PRESENCE_FILE]
    assert (tmp_path / PRESENCE_FILE).read_bytes() == b""


def test_a_missing_folder_is_not_made(tmp_path: Path) -> None:
    with enter_saves(tmp_path / "none") as shared:
        assert not shared
    assert not (tmp_path / "none").exists()


def test_an_odd_file_in_its_place_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("mine")
    (tmp_path / PRESENCE_FILE).symlink_to(tmp_path / "target")
    with enter_saves(tmp_path) as shared:
        assert not shared
    assert (tmp_path / "target").read_text() == "mine"


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="no shared locks")
def test_somebody_who_plays_is_present(tmp_path: Path) -> None:
    words = ["play", "lantern_road", "--plain", "--language", "en", "--no-git", "--saves", str(tmp_path)]
    playing = subprocess.Popen(
        [sys.executable, "-m", "talewright", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "TALEWRIGHT_HOME": str(warm(tmp_path / "home")),
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
    )
    assert playing.stdout is not None
    # The first choice is shown when the opening is told.
    assert any("1." in line or "1)" in line for line in iter(playing.stdout.readline, ""))
    with enter_saves(tmp_path) as shared:
        assert shared
    playing.communicate("/quit\n", timeout=60)
    with enter_saves(tmp_path) as shared:
        assert not shared
