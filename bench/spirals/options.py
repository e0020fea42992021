"""Options: the rules an author can set in `prompt.md`, as the page shows them.

Each is the text an author writes, so that curves, play and page cannot speak of different rules.
"""

from talewright.systems.spiral.oracle import Oracle
from talewright.systems.spiral.rulebook import read_rulebook

SEED = "---\nflush_on: failure\n---\n"
"""The rules of the original design."""

CLEAN_FIVE = '---\noracle:\n  5: {word: "Yes", effects: []}\n---\n'
FLUSH_ON_BOTCH = "---\nflush_on: botch\n---\n"
HALF_DAY = "---\ntick: half_day\n---\n"
TOLD = "---\ncompanion_dice: told\n---\n"


def oracle_of(prompt: str) -> Oracle:
    """The table that holds under a `prompt.md`."""
    rules, faults = read_rulebook(prompt)
    if faults:
        raise ValueError(f"{faults[0].message} in {prompt!r}")
    return rules.table
