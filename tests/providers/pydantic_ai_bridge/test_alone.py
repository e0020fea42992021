"""The vendors' libraries are dear to load: nobody else imports them, and nobody loads them unasked."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[3] / "src" / "talewright"
PACKAGE = SOURCE / "providers" / "pydantic_ai_bridge"
DEAR = frozenset({"pydantic_ai", "anthropic", "google", "httpx2"})


def list_imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


@pytest.mark.slow
def test_only_the_bridge_imports_the_libraries() -> None:
    elsewhere = [path for path in SOURCE.rglob("*.py") if PACKAGE not in path.parents]
    assert [path for path in elsewhere if list_imports(path) & DEAR] == []


def test_only_its_own_side_imports_a_vendor() -> None:
    imports = {path.stem: list_imports(path) for path in PACKAGE.glob("*.py")}
    assert [name for name, found in imports.items() if "anthropic" in found] == ["anthropic_client"]
    assert [name for name, found in imports.items() if "google" in found] == ["google_client"]


@pytest.mark.process
def test_the_program_starts_without_them() -> None:
    code = (
        "import sys, talewright.cli; print(sorted(set(sys.modules) & {'pydantic_ai', 'anthropic', 'httpx2'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
