"""The release: built twice with the same bytes, and nothing in it that does not belong there."""

import zipfile
from pathlib import Path

import pytest

from tests import release


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return release.build_twice(tmp_path_factory.mktemp("release"))


def test_contents_and_sizes_are_right(built: tuple[Path, Path]) -> None:
    print([(file.name, file.stat().st_size) for file in built])
    assert list(release.find_faults(*built)) == []


def test_version_is_the_one_the_changelog_names(built: tuple[Path, Path]) -> None:
    wheel, _ = built
    version = wheel.name.split("-")[1]
    lines = (release.ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
    headings = [line.split()[1] for line in lines if line.startswith("## ")]
    # What comes next has no number before it is released.
    assert next(name for name in headings if name != "Unreleased") == version


def test_faults_are_named(built: tuple[Path, Path], tmp_path: Path) -> None:
    _, sdist = built
    wheel = tmp_path / "talewright-9-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as opened:
        opened.writestr("talewright/py.typed", "")
        opened.writestr("tests/__pycache__/a.pyc", "")
    assert list(release.find_faults(wheel, sdist)) == [
        f"{wheel.name}: talewright/games/mist_harbor/game.yaml is missing",
        f"{wheel.name}: talewright/cli/__init__.py is missing",
        f"{wheel.name}: tests/__pycache__/a.pyc does not belong in it",
        f"{wheel.name}: tests/__pycache__/a.pyc does not belong in it",
    ]


def test_every_extra_is_installed() -> None:
    assert release.list_extras() == ("", "anthropic", "google", "hosted", "keyring", "mcp", "server", "tui")
