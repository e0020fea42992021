"""Builds a release and checks it: `make dist`. Wheels, sdists and what MCP clients install end up in `dist/`.

There are two distributions: `talewright`, and `talewright-testkit` with servers for tests. All files are
built twice from separate copies and must have the same bytes. Then their contents and sizes are checked, and
every extra is installed into an empty environment, in which a game is played. The testkit is installed too,
to ask a fake model; and the server in the MCP bundle is started. That part needs a package index.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.release_formats import (
    MANIFEST,
    PUBLISHED_MANIFEST,
    PUBLISHED_SERVER,
    SERVER,
    find_format_faults,
)
from tools.mcp_bundle import ENTRY_POINT, write_bundle, write_server_document

ROOT = Path(__file__).parents[1]

WHEEL_BYTES_MAX = 3 * 1024 * 1024
"""Six games in two languages are about 0.6 MB of it, and the code of a server and a host about 1 MB."""

SDIST_BYTES_MAX = 16 * 1024 * 1024

NEEDED_IN_WHEEL = (
    "talewright/py.typed",
    "talewright/games/mist_harbor/game.yaml",
    "talewright/cli/__init__.py",
)
NEEDED_IN_SDIST = (
    "pyproject.toml",
    "hatch_build.py",
    "LICENSE",
    "README.md",
    "src/talewright/py.typed",
    "games/solo/game.yaml",
)
WHEEL_ROOTS = ("talewright/", "talewright-")

BUNDLE_BYTES_MAX = WHEEL_BYTES_MAX + 64 * 1024
GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "release", "version": "1"},
    },
}
"""The first message of a client."""

TESTKIT = "testkit"
"""The folder of the second distribution."""

TESTKIT_BYTES_MAX = 256 * 1024
NEEDED_IN_TESTKIT_WHEEL = (
    "talewright_testkit/py.typed",
    "talewright_testkit/fake_provider/fake_server.py",
    "talewright_testkit/servers/postgres_server.py",
)
NEEDED_IN_TESTKIT_SDIST = ("pyproject.toml", "LICENSE", "README.md", "src/talewright_testkit/py.typed")
TESTKIT_ROOTS = ("talewright_testkit/", "talewright_testkit-")

TYPED = "1\n/quit\n"
PLAY = ("play", "lantern_road", "--plain", "--language", "en")
TOLD = "Ferry House"
"""Words of the opening of that game."""

ASK_FAKE = """
import asyncio, httpx
from talewright_testkit.fake_provider.fake_server import serve
from talewright_testkit.fake_provider.wires.wire_form import Wire

async def main():
    async with serve(Wire.OPENAI, ["The bell rings."]) as server, httpx.AsyncClient() as client:
        asked = {"model": "fake", "messages": [{"role": "user", "content": "What do I hear?"}]}
        headers = {"Authorization": f"Bearer {server.key}"}
        answer = await client.post(f"{server.url}/v1/chat/completions", json=asked, headers=headers)
        print(answer.json()["choices"][0]["message"]["content"])

asyncio.run(main())
"""
FAKED = "The bell rings.\n"


class ReleaseError(Exception):
    """What is wrong with a release, in words."""


def copy_sources(target: Path) -> None:
    """Copy the files that git tracks, as they are in the work tree."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    for name in listed.decode().split("\0"):
        if name and (ROOT / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)


def build(source: Path, target: Path) -> tuple[Path, Path]:
    """Build wheel and sdist of a copy."""
    _build(source, target, "sdist")
    (sdist,) = target.glob("*.tar.gz")
    return build_wheel(source, target), sdist


def build_wheel(source: Path, target: Path) -> Path:
    """Build the wheel of a copy."""
    _build(source, target, "wheel")
    (wheel,) = target.glob("*.whl")
    return wheel


def _build(source: Path, target: Path, kind: str) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)


def build_twice(folder: Path, part: str = "") -> tuple[Path, Path]:
    """Wheel and sdist, whose bytes do not depend on when and where they were built.

    `part` is the folder of the distribution: empty for `talewright` itself, or TESTKIT.
    """
    built = []
    for name in ("first", "second"):
        copy_sources(folder / name / "source")
        built.append(build(folder / name / "source" / part, folder / name / "dist"))
    for one, other in zip(*built, strict=True):
        if one.read_bytes() != other.read_bytes():
            raise ReleaseError(f"{one.name}: built twice, the bytes differ")
    return built[0]


def find_faults(wheel: Path, sdist: Path) -> Iterator[str]:
    """What is wrong with contents and sizes."""
    yield from _find_in_wheel(wheel, NEEDED_IN_WHEEL, WHEEL_ROOTS)
    yield from _find_in_sdist(sdist, NEEDED_IN_SDIST)
    yield from _find_large({wheel: WHEEL_BYTES_MAX, sdist: SDIST_BYTES_MAX})


def find_testkit_faults(wheel: Path, sdist: Path) -> Iterator[str]:
    """What is wrong with contents and sizes of the testkit."""
    yield from _find_in_wheel(wheel, NEEDED_IN_TESTKIT_WHEEL, TESTKIT_ROOTS)
    yield from _find_in_sdist(sdist, NEEDED_IN_TESTKIT_SDIST)
    yield from _find_large({wheel: TESTKIT_BYTES_MAX, sdist: TESTKIT_BYTES_MAX})


def build_mcp_files(wheel: Path, folder: Path) -> tuple[Path, Path]:
    """The MCP bundle of a wheel and `server.json`, built twice."""
    built = []
    for name in ("first", "second"):
        (folder / name).mkdir(parents=True)
        bundle = write_bundle(wheel, folder / name)
        built.append((bundle, write_server_document(bundle, folder / name)))
    for one, other in zip(*built, strict=True):
        if one.read_bytes() != other.read_bytes():
            raise ReleaseError(f"{one.name}: built twice, the bytes differ")
    return built[0]


def find_mcp_faults(wheel: Path, bundle: Path, document: Path) -> Iterator[str]:
    """What is wrong with the MCP bundle and `server.json`."""
    with zipfile.ZipFile(bundle) as opened:
        names = opened.namelist()
        manifest = json.loads(opened.read("manifest.json"))
    yield from _find_missing(bundle.name, names, (wheel.name, ENTRY_POINT, "pyproject.toml", "LICENSE"))
    yield from _find_large({bundle: BUNDLE_BYTES_MAX})
    yield from find_format_faults(f"{bundle.name}: manifest.json", manifest, MANIFEST, PUBLISHED_MANIFEST)
    server = json.loads(document.read_text("utf-8"))
    yield from find_format_faults(document.name, server, SERVER, PUBLISHED_SERVER)


def greet_server(command: list[str], folder: Path, home: Path) -> str:
    """Start a server over standard input and output, greet it, and stop it; returns its answer."""
    clean = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONUTF8": "1"}
    message = json.dumps(GREETING) + "\n"
    done = subprocess.run(
        command, cwd=folder, env=clean, input=message, capture_output=True, text=True, check=False
    )
    if done.returncode or '"serverInfo"' not in done.stdout:
        raise ReleaseError(f"{' '.join(command)} does not serve:\n{done.stdout[-500:]}\n{done.stderr}")
    return done.stdout


def serve_installed(bundle: Path, folder: Path) -> None:
    """Unpack a bundle, install its wheel into an empty environment as uv does, and greet its server."""
    with zipfile.ZipFile(bundle) as opened:
        opened.extractall(folder / "bundle")
    (wheel,) = (folder / "bundle").glob("*.whl")
    environment = _install(folder, f"{wheel}[mcp]")
    greet_server([str(environment / "bin" / "python"), ENTRY_POINT], folder / "bundle", folder)


def _find_in_wheel(wheel: Path, needed: tuple[str, ...], roots: tuple[str, ...]) -> Iterator[str]:
    names = zipfile.ZipFile(wheel).namelist()
    yield from _find_missing(wheel.name, names, needed)
    for name in names:
        if not name.startswith(roots):
            yield f"{wheel.name}: {name} does not belong in it"


def _find_in_sdist(sdist: Path, needed: tuple[str, ...]) -> Iterator[str]:
    with tarfile.open(sdist) as opened:
        names = [name.partition("/")[2] for name in opened.getnames()]
    yield from _find_missing(sdist.name, names, needed)


def _find_large(limits: Mapping[Path, int]) -> Iterator[str]:
    for file, limit in limits.items():
        if (size := file.stat().st_size) > limit:
            yield f"{file.name}: {size:,} bytes, the limit is {limit:,}"


def _find_missing(file: str, names: list[str], needed: tuple[str, ...]) -> Iterator[str]:
    for name in needed:
        if name not in names:
            yield f"{file}: {name} is missing"
    for name in names:
        if "__pycache__" in name or name.endswith(".pyc"):
            yield f"{file}: {name} does not belong in it"


def list_extras() -> tuple[str, ...]:
    """The extras of the package; the empty one is the package alone."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return ("", *sorted(project["optional-dependencies"]))


def play_installed(file: Path, extra: str, folder: Path) -> None:
    """Install a built file with an extra into an empty environment, and play two turns."""
    wanted = f"{file}[{extra}]" if extra else str(file)
    environment = _install(folder, wanted)
    clean = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONUTF8": "1"}
    program = str(environment / "bin" / "talewright")
    done = subprocess.run(
        [program, *PLAY], cwd=folder, env=clean, input=TYPED, capture_output=True, text=True, check=False
    )
    if done.returncode or done.stderr or TOLD not in done.stdout:
        raise ReleaseError(f"{wanted} does not play:\n{done.stdout[-500:]}\n{done.stderr}")


def ask_installed(testkit: Path, wheel: Path, folder: Path) -> None:
    """Install a built file of the testkit beside the wheel, and ask a fake model."""
    environment = _install(folder, str(wheel), str(testkit))
    program = [str(environment / "bin" / "python"), "-c", ASK_FAKE]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode or done.stdout != FAKED:
        raise ReleaseError(f"{testkit} does not answer:\n{done.stdout[-500:]}\n{done.stderr}")


def _install(folder: Path, *wanted: str) -> Path:
    """An empty environment with these packages and what they need."""
    environment = folder / "env"
    venv.create(environment, with_pip=True)
    install = [str(environment / "bin" / "pip"), "install", "--quiet", *wanted]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"{', '.join(wanted)} cannot be installed:\n{done.stderr}")
    return environment


def main() -> int:
    """Build, check, install and play; the exit code."""
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        wheel, sdist = build_twice(Path(name) / "engine")
        kit = build_twice(Path(name) / TESTKIT, TESTKIT)
        bundle, document = build_mcp_files(wheel, Path(name) / "mcp")
        print("built twice, same bytes")
        faults = [*find_faults(wheel, sdist), *find_testkit_faults(*kit)]
        if faults := [*faults, *find_mcp_faults(wheel, bundle, document)]:
            raise ReleaseError("\n".join(faults))
        subprocess.run([sys.executable, "-m", "twine", "check", "--strict", wheel, sdist, *kit], check=True)
        for file, extra in [*((wheel, extra) for extra in list_extras()), (sdist, "")]:
            with tempfile.TemporaryDirectory() as place:
                play_installed(file, extra, Path(place))
            print(f"installed and played: {file.name}" + (f" with {extra}" if extra else ""), flush=True)
        for file in kit:
            with tempfile.TemporaryDirectory() as place:
                ask_installed(file, wheel, Path(place))
            print(f"installed and asked: {file.name}", flush=True)
        with tempfile.TemporaryDirectory() as place:
            serve_installed(bundle, Path(place))
        print(f"installed and greeted: {bundle.name}", flush=True)
        (ROOT / "dist").mkdir()
        for file in (wheel, sdist, *kit, bundle, document):
            shutil.copyfile(file, ROOT / "dist" / file.name)
            print(f"dist/{file.name}  {file.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ReleaseError as error:
        sys.exit(f"make dist: {error}")
