"""The commands on the pages for operators: found there, and run as a shell would run them.

So what a page says and what a test does cannot differ.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from talewright_testkit.servers.postgres_server import find_postgres_program

PAGES = Path(__file__).parents[2] / "docs" / "run"
HOSTING_PAGE = PAGES / "hosting.md"
OPERATIONS_PAGE = PAGES / "operations.md"
BACKUP_PAGE = PAGES / "backup.md"

_BLOCK = re.compile(r"^```(sh|text|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def find_lines(page: Path, heading: str) -> list[str]:
    """The shell commands under a heading, except those for containers."""
    part = page.read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for kind, block in _find_blocks(part) if kind == "sh" for line in block.splitlines()]
    return [line for line in lines if not line.startswith("docker ")]


def find_line(page: Path, start: str) -> str:
    """The first command of a page that begins like this."""
    blocks = [block for kind, block in _find_blocks(page.read_text("utf-8")) if kind != "toml"]
    return next(line for block in blocks for line in block.splitlines() if line.startswith(start))


def find_settings(page: Path) -> str:
    """The settings file that a page shows."""
    return next(block for kind, block in _find_blocks(page.read_text("utf-8")) if kind == "toml")


def _find_blocks(text: str) -> list[tuple[str, str]]:
    """The blocks of a text, each with its kind."""
    return [(found[1], found[2]) for found in _BLOCK.finditer(text)]


def read_words(line: str, environment: Mapping[str, str], names: Mapping[str, str]) -> list[str]:
    """The words of a command, with the variables of the environment.

    `names` has what an operator puts in the place of words such as ID.
    """
    words = [re.sub(r"\$(\w+)", lambda found: environment[found[1]], word) for word in shlex.split(line)]
    return [names.get(word, word) for word in words]


def run_line(line: str, folder: Path, environment: Mapping[str, str]) -> str:
    """Run a command as a shell would, with the programs of PostgreSQL; returns what it printed."""
    words = read_words(line, environment, {})
    if words[0] == "export":
        # The addresses of the page are examples; those of the test are in the environment.
        assert words[1].partition("=")[0] in environment
        return ""
    if words[0] == "talewright":
        words[:1] = [sys.executable, "-m", "talewright"]
    elif words[0] == "python":
        words[0] = sys.executable
    elif words[0] != "redis-cli":
        words[0] = find_postgres_program(words[0])
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return done.stdout
