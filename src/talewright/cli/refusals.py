"""Refusals: dice that cannot be rolled, shown with a mark under the place and what would be taken.

It draws; what is refused is the kernel's to say.
"""

import sys

from talewright.cli.quotes import printable, width, wrap
from talewright.kernel.dice.dice_tree import DiceError

REFUSED = 2
"""The exit code of a command that was given dice it cannot roll."""

SHOWN_MAX = 60
"""Characters of the text that are shown around the place."""

COLUMNS = 80


def tell_refusal(text: str, error: DiceError) -> int:
    """Print the refusal to the error stream and give the exit code."""
    lines = [wrap(f"talewright: {error.message}", COLUMNS, "  "), *mark(text, error.column)]
    if error.hint:
        lines.append(wrap(error.hint, COLUMNS, "  "))
    print("\n".join(lines), file=sys.stderr)
    return REFUSED


def mark(text: str, column: int) -> list[str]:
    """The text and, beneath it, a caret under the column; a long text is cut around it."""
    at = min(column - 1, len(text))
    start = max(0, min(at - SHOWN_MAX // 2, len(text) - SHOWN_MAX))
    shown = printable(text[start : start + SHOWN_MAX])
    return [f"  {shown}", f"  {' ' * width(shown[: at - start])}^"]
