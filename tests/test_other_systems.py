"""Systems that the tests may not run on here: the workflow that tests them, and code that would fail there.

It reads the workflow and the sources; actionlint checks the workflow where it is installed.
"""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import NEEDS_UNIX

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "talewright"
WORKFLOW = ROOT / ".github" / "workflows" / "tests.yml"

UNIX_MODULES = frozenset({"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"})
"""Modules that Windows does not have."""

TEXT_MODES = frozenset({"w", "x", "a", "wt", "xt", "at"})


def read_workflow() -> dict[str, Any]:
    """The workflow. YAML takes the key `on` for a truth value."""
    read: dict[Any, Any] = yaml.safe_load(WORKFLOW.read_text("utf-8"))
    return {"on" if key is True else str(key): value for key, value in read.items()}


def find_actionlint() -> str | None:
    """The program, from this environment or from the path."""
    return shutil.which("actionlint", path=str(Path(sys.executable).parent)) or shutil.which("actionlint")


def test_actionlint_has_no_complaint() -> None:
    program = find_actionlint()
    if program is None and os.environ.get("TALEWRIGHT_ACTIONLINT") != "required":
        pytest.skip("actionlint is not installed: pip install -r requirements/workflows.txt")
    assert program is not None, "actionlint is required here and is not installed"
    done = subprocess.run([program, "-no-color", str(WORKFLOW)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_workflow_runs_every_supported_python_on_every_system() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    head = "Programming Language :: Python :: 3."
    matrix = read_workflow()["jobs"]["systems"]["strategy"]["matrix"]
    assert matrix["python"] == [
        f"3.{name.removeprefix(head)}" for name in project["classifiers"] if name.startswith(head)
    ]
    assert project["requires-python"] == f">={matrix['python'][0]}"
    assert matrix["system"] == ["ubuntu-latest", "macos-latest", "windows-latest"]


def test_workflow_has_no_secret_and_may_write_nothing() -> None:
    assert "secrets." not in WORKFLOW.read_text("utf-8")
    workflow = read_workflow()
    assert workflow["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in workflow["jobs"].values())
    assert "pull_request_target" not in workflow["on"]


def test_files_that_windows_leaves_out_exist() -> None:
    assert [name for name in NEEDS_UNIX if not list((ROOT / "tests").glob(name))] == []


def walk_sources() -> Iterator[tuple[str, ast.AST]]:
    """Every node of every source file, with the file's path."""
    for file in sorted(SOURCE.rglob("*.py")):
        name = file.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            yield name, node


def find_mode(call: ast.Call) -> str:
    """The mode that a call of `open` or of `Path.open` names; empty if it names none."""
    words = (*call.args, *(key.value for key in call.keywords if key.arg == "mode"))
    given = (one.value for one in words if isinstance(one, ast.Constant))
    return next((str(one) for one in given if one in TEXT_MODES), "")


def test_text_is_written_with_the_same_line_ends_everywhere() -> None:
    bad = []
    for file, node in walk_sources():
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        writes = called == "write_text" or (called in ("open", "fdopen") and find_mode(node))
        if writes and not any(key.arg == "newline" for key in node.keywords):
            bad.append(f"{file}:{node.lineno} writes text without newline=")
    assert bad == []


def test_modules_that_windows_lacks_are_imported_where_they_are_used() -> None:
    bad = []
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(file.read_text("utf-8")).body:
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            bad += [f"{file.name}: {name}" for name in names if name in UNIX_MODULES]
    assert bad == []
