"""Snapshots of what is understood of each rulebook: `python -m tests.systems.tabletop.rulebook_snapshots`.

Read the differences before you commit them.
"""

from pathlib import Path

from talewright.systems.tabletop import checks
from talewright.systems.tabletop.reports.rulebook_report import report_lines
from talewright.systems.tabletop.rulebook import FILE, read_rulebook

FOLDER = Path(__file__).parent / "rulebooks"
REFERENCE = Path(checks.__file__).parent / "reference_rulebooks"
BOOKS = {path.stem: path for path in sorted([*FOLDER.glob("*.md"), *REFERENCE.glob("*.md")])}
"""The rulebooks by name: those of the tests, and those to start from."""


def understand(name: str) -> str:
    """What is understood of a rulebook."""
    book, warnings = read_rulebook({FILE: BOOKS[name].read_text("utf-8")})
    return "\n".join(report_lines(book, warnings)) + "\n"


def snapshot_of(name: str) -> Path:
    """Where its snapshot is."""
    return FOLDER / f"{name}.understood.txt"


def main() -> None:
    """Write all of them."""
    for name in BOOKS:
        snapshot_of(name).write_text(understand(name), "utf-8")
    print(f"{len(BOOKS)} snapshots")


if __name__ == "__main__":
    main()
