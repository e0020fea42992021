"""What the commands that look back stand on: one campaign in a folder, played once for all of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.campaigns import Console, copy_saves, make_saves
from tests.cli.desk import Desk, sit_down
from tests.cli.oracle import Oracle, consult


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of campaigns that no test may alter."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TALEWRIGHT_HOME", str(home))
        make_saves(home / "saves")
        yield home / "saves"


@pytest.fixture
def console(played: Path, capsys: pytest.CaptureFixture[str]) -> Console:
    """Commands that only read."""
    return Console(played, capsys)


@pytest.fixture
def own_console(played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Console:
    """Commands that may alter what they find."""
    return Console(copy_saves(played, tmp_path / "saves"), capsys)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    """A user with an empty home."""
    return sit_down(tmp_path, monkeypatch, capsys)


@pytest.fixture
def oracle() -> Iterator[Oracle]:
    """A model server on this machine."""
    with consult() as running:
        yield running
