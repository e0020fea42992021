"""Writes the list in `docs/run/error_codes.md`: `make words`.

What stands above the list is kept by hand and not touched.
"""

from pathlib import Path

from talewright.play.error_codes import ERROR_CODES

ROOT = Path(__file__).parents[1]
CODES = ROOT / "docs" / "run" / "error_codes.md"
CODES_HEADING = "| code | meaning |\n|---|---|\n"
"""Where the generated part of it begins; everything after it is replaced."""


def write_codes(text: str) -> str:
    """The page of error codes with its table as it should be."""
    rows = (f"| `{row.code}` | {row.meaning} |\n" for row in sorted(ERROR_CODES, key=lambda row: row.code))
    return text.partition(CODES_HEADING)[0] + CODES_HEADING + "".join(rows)


def main() -> None:
    """Rewrite the list."""
    CODES.write_text(write_codes(CODES.read_text("utf-8")), "utf-8", newline="\n")
    print(f"{CODES.relative_to(ROOT)}: {len(ERROR_CODES)} codes")


if __name__ == "__main__":
    main()
