"""Writes the list of modules in `docs/words.md` from the first lines of the modules: `make words`.

The glossary above the list is kept by hand and not touched.
"""

from pathlib import Path

from tests import house

ROOT = Path(__file__).parents[1]
WORDS = ROOT / "docs" / "words.md"


def main() -> None:
    """Rewrite the list."""
    tree = house.read_tree(ROOT / "src" / house.PACKAGE)
    WORDS.write_text(house.write_words(tree, WORDS.read_text("utf-8")), "utf-8")
    print(f"{WORDS.relative_to(ROOT)}: {len(tree)} modules")


if __name__ == "__main__":
    main()
