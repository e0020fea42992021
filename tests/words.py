"""Writes the list of modules in `docs/words.md` and that of `docs/run/error_codes.md`: `make words`.

What stands above the lists is kept by hand and not touched.
"""

from pathlib import Path

from talewright.play.error_codes import ERROR_CODES
from tests import house

ROOT = Path(__file__).parents[1]
WORDS = ROOT / "docs" / "words.md"
CODES = ROOT / "docs" / "run" / "error_codes.md"
CODES_HEADING = "| code | meaning |\n|---|---|\n"
"""Where the generated part of it begins; everything after it is replaced."""


def write_codes(text: str) -> str:
    """The page of error codes with its table as it should be."""
    rows = (f"| `{row.code}` | {row.meaning} |\n" for row in sorted(ERROR_CODES, key=lambda row: row.code))
    return text.partition(CODES_HEADING)[0] + CODES_HEADING + "".join(rows)


def main() -> None:
    """Rewrite the list."""
    tree = house.read_tree(ROOT / "src" / house.PACKAGE)
    WORDS.write_text(house.write_words(tree, WORDS.read_text("utf-8")), "utf-8")
    CODES.write_text(write_codes(CODES.read_text("utf-8")), "utf-8")
    print(f"{WORDS.relative_to(ROOT)}: {len(tree)} modules")


if __name__ == "__main__":
    main()
