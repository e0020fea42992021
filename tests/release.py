"""Builds a release and checks it: `make dist`. Wheel and sdist end up in `dist/`.

Both are built twice from separate copies and must have the same bytes. Then their contents and sizes are
checked, and every extra is installed into an empty environment, in which a game is played. That part needs a
package index.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]

WHEEL_BYTES_MAX = 5 * 1024 * 1024 // 2
"""Six games in two languages are a third of it."""

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

TYPED = "1\n/quit\n"
PLAY = ("play", "lantern_road", "--plain", "--language", "en")
TOLD = "Ferry House"
"""Words of the opening of that game."""


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


def build_twice(folder: Path) -> tuple[Path, Path]:
    """Wheel and sdist, whose bytes do not depend on when and where they were built."""
    built = []
    for name in ("first", "second"):
        copy_sources(folder / name / "source")
        built.append(build(folder / name / "source", folder / name / "dist"))
    for one, other in zip(*built, strict=True):
        if one.read_bytes() != other.read_bytes():
            raise ReleaseError(f"{one.name}: built twice, the bytes differ")
    return built[0]


def find_faults(wheel: Path, sdist: Path) -> Iterator[str]:
    """What is wrong with contents and sizes."""
    yield from _find_missing(wheel.name, zipfile.ZipFile(wheel).namelist(), NEEDED_IN_WHEEL)
    for name in zipfile.ZipFile(wheel).namelist():
        if not name.startswith(WHEEL_ROOTS):
            yield f"{wheel.name}: {name} does not belong in it"
    with tarfile.open(sdist) as opened:
        names = [name.partition("/")[2] for name in opened.getnames()]
    yield from _find_missing(sdist.name, names, NEEDED_IN_SDIST)
    for file, limit in ((wheel, WHEEL_BYTES_MAX), (sdist, SDIST_BYTES_MAX)):
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
    environment = folder / "env"
    venv.create(environment, with_pip=True)
    wanted = f"{file}[{extra}]" if extra else str(file)
    install = [str(environment / "bin" / "pip"), "install", "--quiet", wanted]
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ReleaseError(f"{wanted} cannot be installed:\n{done.stderr}")
    clean = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONUTF8": "1"}
    program = str(environment / "bin" / "talewright")
    done = subprocess.run(
        [program, *PLAY], cwd=folder, env=clean, input=TYPED, capture_output=True, text=True, check=False
    )
    if done.returncode or done.stderr or TOLD not in done.stdout:
        raise ReleaseError(f"{wanted} does not play:\n{done.stdout[-500:]}\n{done.stderr}")


def main() -> int:
    """Build, check, install and play; the exit code."""
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        wheel, sdist = build_twice(Path(name))
        print("built twice, same bytes")
        if faults := list(find_faults(wheel, sdist)):
            raise ReleaseError("\n".join(faults))
        subprocess.run([sys.executable, "-m", "twine", "check", "--strict", wheel, sdist], check=True)
        for file, extra in [*((wheel, extra) for extra in list_extras()), (sdist, "")]:
            with tempfile.TemporaryDirectory() as place:
                play_installed(file, extra, Path(place))
            print(f"installed and played: {file.name}" + (f" with {extra}" if extra else ""), flush=True)
        (ROOT / "dist").mkdir()
        for file in (wheel, sdist):
            shutil.copyfile(file, ROOT / "dist" / file.name)
            print(f"dist/{file.name}  {file.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ReleaseError as error:
        sys.exit(f"make dist: {error}")
