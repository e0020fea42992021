"""Documents of this repository: the commands and the links in its Markdown files.

Commands stand in `console` blocks, in lines that start with `$ `. A block whose commands end with another
exit code than 0 says so: ```` ```console exit=1 ````. Nothing here runs a command.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"^```console(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
EXIT = re.compile(r"\bexit=(\d+)\b")
PROGRAM = re.compile(r"^```python\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?!https?:|mailto:|#)([^)#\s]+)")
ANY_BLOCK = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Command:
    """One command that a document shows."""

    line: int
    text: str
    code: int
    """The exit code it must end with."""


def find_documents(root: Path) -> list[Path]:
    """The README, the other pages beside it, everything under `docs/`, and the README of every game."""
    games = (root / "games").glob("*/README.md")
    return sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md"), *games])


def find_commands(text: str) -> Iterator[Command]:
    """The commands of a document, in order."""
    for block in BLOCK.finditer(text):
        stated = EXIT.search(block["info"])
        first = text.count("\n", 0, block.start("body")) + 1
        for offset, line in enumerate(block["body"].splitlines()):
            if line.startswith("$ "):
                yield Command(first + offset, line.removeprefix("$ "), int(stated[1]) if stated else 0)


def find_shell_lines(page: Path, heading: str) -> list[str]:
    """The `talewright` commands in the `sh` and `console` blocks under a heading."""
    part = page.read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    blocks = re.findall(r"^```(?:sh|console)\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("talewright ")]


def find_programs(text: str) -> list[str]:
    """The Python programs of a document, in order."""
    return [block["body"] for block in PROGRAM.finditer(text)]


def find_links(text: str) -> list[str]:
    """Links of a document to files of the repository."""
    return LINK.findall(ANY_BLOCK.sub("", text))
