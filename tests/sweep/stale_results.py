"""Stale results: which files of `bench/results/` describe code that has changed since.

A result belongs to the rooms that its check or bench imports, and to those below them. It is stale if one of
their files, or the check itself, has changed since the commit that the result names. Nothing fails because of
it: the list says what to run again.
"""

import ast
import json
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.house import ARROWS, GROUND, PACKAGE
from tests.sweep.ledger import RESULTS, ROOT

SOURCE = "src/talewright"
CHECKS = ("tests", "bench")
"""Top folders of what may be part of a check."""


def list_stale(folder: Path = RESULTS, root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Each stale result by the path of its file, with the reason."""
    for file in sorted(folder.rglob("*.json")):
        reason = find_reason(file, root)
        if reason:
            yield file.relative_to(folder).as_posix(), reason


def find_reason(file: Path, root: Path = ROOT) -> str:
    """Why a result is stale; empty if it is not."""
    try:
        record = json.loads(file.read_text("utf-8"))
    except ValueError:
        return "cannot be read"
    commit = record.get("commit") if isinstance(record, dict) else None
    if not commit:
        return "names no commit"
    if record.get("changed_since_commit"):
        return f"was made with files that differ from {commit[:8]}"
    check = find_check(record, root)
    if check is None:
        return "its check does not exist any more"
    if not _is_known(commit, root):
        return f"its commit {commit[:8]} is not in this repository"
    changed = list_changed(commit, [check, *_list_sources(check, root)], root)
    if not changed:
        return ""
    more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
    return f"{changed[0]}{more} changed since {commit[:8]}"


def find_check(record: dict[str, object], root: Path = ROOT) -> str | None:
    """The file of the check or bench that made a result."""
    places = (f"tests/sweep/{record.get('part')}.py", f"bench/{record.get('bench')}.py")
    return next((place for place in places if (root / place).is_file()), None)


def list_changed(commit: str, places: list[str], root: Path = ROOT) -> list[str]:
    """Files in these places that differ from a commit."""
    done = _run_git(root, "diff", "--name-only", commit, "--", *places)
    return done.stdout.split()


def find_rooms(check: str, root: Path = ROOT) -> set[str]:
    """The rooms that a check imports, itself or through other modules of the tests, and all below them.

    A check that imports none starts the program, which is made of all of them.
    """
    rooms = {name.split(".")[1] for name in _list_imports(root, check) if name.startswith(f"{PACKAGE}.")}
    waiting = list(rooms or ARROWS)
    found: set[str] = set(GROUND)
    while waiting:
        room = waiting.pop()
        if room not in found:
            found.add(room)
            waiting += ARROWS.get(room, ())
    return found


def _list_sources(check: str, root: Path) -> list[str]:
    """The folders and files of the rooms of a check."""
    rooms = find_rooms(check, root)
    if rooms >= set(ARROWS):
        return [SOURCE]
    return [f"{SOURCE}/{room}" for room in sorted(rooms) if room] + [
        f"{SOURCE}/{room}.py" for room in sorted(rooms) if room
    ]


def _list_imports(root: Path, check: str) -> set[str]:
    """Names that a check imports from the package, followed through the modules of the tests and benches."""
    seen: set[str] = set()
    names: set[str] = set()
    waiting = [check]
    while waiting:
        place = waiting.pop()
        if place in seen:
            continue
        seen.add(place)
        for name in _read_imports(root / place):
            if name.startswith(f"{PACKAGE}."):
                names.add(name)
            elif name.split(".")[0] in CHECKS:
                file = f"{name.replace('.', '/')}.py"
                waiting += [file] if (root / file).is_file() else []
    return names


@cache
def _read_imports(path: Path) -> frozenset[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
        elif isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
    return frozenset(names)


def _is_known(commit: str, root: Path) -> bool:
    return _run_git(root, "cat-file", "-e", f"{commit}^{{commit}}").returncode == 0


def _run_git(root: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
