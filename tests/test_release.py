"""The release: built twice with the same bytes, and nothing in it that does not belong there."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path
from typing import Any

import pytest

from hatch_build import LINK
from tests import release
from tests.documents import find_links
from tests.release_formats import MANIFEST, PUBLISHED_MANIFEST, PUBLISHED_SERVER, SERVER, find_format_faults
from tools.mcp_bundle import (
    ENTRY_POINT,
    EXAMPLE_BASE,
    make_manifest,
    make_semantic,
    make_server_document,
    read_project,
)

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return release.build_twice(tmp_path_factory.mktemp("release"))


def test_contents_and_sizes_are_right(built: tuple[Path, Path]) -> None:
    print([(file.name, file.stat().st_size) for file in built])
    assert list(release.find_faults(*built)) == []


@pytest.fixture(scope="module")
def testkit(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return release.build_twice(tmp_path_factory.mktemp("testkit"), release.TESTKIT)


def test_contents_and_sizes_of_the_testkit_are_right(testkit: tuple[Path, Path]) -> None:
    print([(file.name, file.stat().st_size) for file in testkit])
    assert list(release.find_testkit_faults(*testkit)) == []


def test_the_testkit_has_the_version_of_the_engine(
    built: tuple[Path, Path], testkit: tuple[Path, Path]
) -> None:
    assert [file.name.split("-")[1] for file in testkit][:1] == [built[0].name.split("-")[1]]


def test_players_get_no_servers_for_tests(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        testing = {name.split("/")[2] for name in wheel.namelist() if name.startswith("talewright/testing/")}
    assert testing == {
        "__init__.py",
        "expectations.py",
        "lobby_checks",
        "lobby_suite.py",
        "provider_suite.py",
        "store_checks",
        "store_suite.py",
    }


def test_version_is_the_one_the_changelog_names(built: tuple[Path, Path]) -> None:
    wheel, _ = built
    version = wheel.name.split("-")[1]
    lines = (release.ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
    headings = [line.split()[1] for line in lines if line.startswith("## ")]
    if ".dev" in version:
        assert headings[0] == "Unreleased"
        assert headings[1] != version.partition(".dev")[0], "this version was released already"
    else:
        assert headings[0] == version


@pytest.fixture(scope="module")
def mcp_files(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return release.build_mcp_files(built[0], tmp_path_factory.mktemp("mcp"))


def test_the_mcp_files_have_their_formats(built: tuple[Path, Path], mcp_files: tuple[Path, Path]) -> None:
    assert list(release.find_mcp_faults(built[0], *mcp_files)) == []


def test_the_mcp_files_name_each_other_and_no_registry(mcp_files: tuple[Path, Path]) -> None:
    bundle, document = mcp_files
    text = document.read_text("utf-8")
    server = json.loads(text)
    assert "registryBaseUrl" not in text
    assert server["name"] == "org.example/talewright", "an example, while there is no address"
    package, bundled = server["packages"]
    assert package["version"] == bundle.stem.split("-")[1]
    assert bundled["identifier"].startswith(f"{EXAMPLE_BASE}/")
    assert bundled["identifier"].endswith(f"/{bundle.name}")
    assert bundled["fileSha256"] == hashlib.sha256(bundle.read_bytes()).hexdigest()


def test_the_server_of_the_mcp_bundle_serves(mcp_files: tuple[Path, Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(mcp_files[0]) as opened:
        opened.extractall(tmp_path / "bundle")
    greeted = release.greet_server([sys.executable, ENTRY_POINT], tmp_path / "bundle", tmp_path)
    assert "create_game" in json.loads(greeted)["result"]["instructions"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"registryBaseUrl": "https://registry.example"}, "is not valid under any of the given schemas"),
        ({"version": "latest"}, "is not valid under any of the given schemas"),
    ],
)
def test_faults_of_mcp_files_are_named(
    change: dict[str, str], told: str, built: tuple[Path, Path], mcp_files: tuple[Path, Path], tmp_path: Path
) -> None:
    server = json.loads(mcp_files[1].read_text("utf-8"))
    server["packages"][0] |= change
    document = tmp_path / "server.json"
    document.write_text(json.dumps(server), "utf-8")
    fault, *_ = release.find_mcp_faults(built[0], mcp_files[0], document)
    assert told in fault


@pytest.mark.parametrize(
    ("base", "name", "source"),
    [
        ("https://github.com/someone/talewright", "io.github.someone/talewright", "github"),
        ("https://code.example.org/talewright", "org.example.code/talewright", None),
    ],
)
def test_the_address_names_the_server(
    base: str, name: str, source: str | None, mcp_files: tuple[Path, Path]
) -> None:
    project = read_project()
    project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["base-url"] = f"{base}/"
    server = make_server_document(project, "1.2.3", mcp_files[0])
    assert (server["name"], server["websiteUrl"]) == (name, base)
    assert server.get("repository") == ({"url": base, "source": source} if source else None)
    assert list(find_format_faults("server.json", server, SERVER, PUBLISHED_SERVER)) == []
    manifest = make_manifest(project, "1.2.3")
    assert manifest["homepage"] == base
    assert list(find_format_faults("manifest.json", manifest, MANIFEST, PUBLISHED_MANIFEST)) == []


@pytest.mark.parametrize(
    ("version", "semantic"),
    [("1.2.3", "1.2.3"), ("0.3.0.dev0", "0.3.0-dev.0"), ("1.0.0rc2", "1.0.0-rc.2"), ("1.0.0b1", "1.0.0-b.1")],
)
def test_versions_of_mcp_files_are_semantic(version: str, semantic: str) -> None:
    assert make_semantic(version) == semantic


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
    assert release.list_extras() == (
        "",
        "anthropic",
        "google",
        "hosted",
        "keyring",
        "mcp",
        "play",
        "server",
        "tui",
    )


def test_playing_includes_terminal_browser_and_keyring(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
        needed = Parser().parsestr(wheel.read(name).decode()).get_all("Requires-Dist", [])
    by_extra = {
        extra: {line.partition(";")[0] for line in needed if line.endswith(f"extra == '{extra}'")}
        for extra in ("play", "tui", "server", "keyring")
    }
    assert by_extra.pop("play") == set().union(*by_extra.values())


BASE = "https://example.org/talewright"


def read_metadata(folder: Path, base: str) -> dict[str, Any]:
    """The metadata of the package with this base address."""
    for name in ("README.md", "LICENSE", "hatch_build.py", "src/talewright/version.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(release.ROOT / name, folder / name)
    project = (release.ROOT / "pyproject.toml").read_text("utf-8")
    assert project.count('base-url = ""') == 1
    (folder / "pyproject.toml").write_text(project.replace('base-url = ""', f'base-url = "{base}"'), "utf-8")
    command = [sys.executable, "-m", "hatchling", "metadata"]
    metadata: dict[str, Any] = json.loads(subprocess.check_output(command, cwd=folder, encoding="utf-8"))
    return metadata


def test_without_an_address_the_long_description_has_no_relative_links(tmp_path: Path) -> None:
    metadata = read_metadata(tmp_path, "")
    text = metadata["readme"]["text"]
    assert "urls" not in metadata
    assert LINK.search(text) is None
    assert "mcp-name" not in text
    assert "![" not in text
    assert "your saves are safe: newer versions open older saves." in " ".join(text.split())


def test_with_an_address_every_link_is_absolute(tmp_path: Path) -> None:
    metadata = read_metadata(tmp_path, f"{BASE}/")
    text = metadata["readme"]["text"]
    assert metadata["urls"]["Homepage"] == BASE
    assert metadata["urls"]["Documentation"] == f"{BASE}/blob/HEAD/docs/README.md"
    assert LINK.search(text) is None
    assert "<!-- mcp-name: org.example/talewright -->" in text
    for link in find_links((release.ROOT / "README.md").read_text("utf-8")):
        # A link may name a part of a page.
        assert re.search(rf"\]\({re.escape(f'{BASE}/blob/HEAD/{link}')}(#[^)]*)?\)", text), link
    assert f"]({BASE}/raw/HEAD/docs/pictures/table-movie.svg)" in text
