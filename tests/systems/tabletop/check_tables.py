"""Tables of checks, written by hand from the rules as they are printed, not from the code.

d20: the total of die and modifier must reach the difficulty; a natural 20 always succeeds critically, and a
natural 1 always fails critically. PbtA: 6 or less fails, 7 to 9 succeeds at a cost, 10 or more succeeds.
Fate: below the difficulty fails, a tie succeeds at a cost, above it succeeds, three or more above it with
style.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SHORT = {"S+": "critical_success", "S": "success", "P": "partial_success", "F": "failure"} | {
    "F-": "critical_failure"
}

D20_TABLE = """
DC  5, -2: F- F  F  F  F  F  S  S  S  S  S  S  S  S  S  S  S  S  S  S+
DC  5, +0: F- F  F  F  S  S  S  S  S  S  S  S  S  S  S  S  S  S  S  S+
DC 10, +0: F- F  F  F  F  F  F  F  F  S  S  S  S  S  S  S  S  S  S  S+
DC 10, +5: F- F  F  F  S  S  S  S  S  S  S  S  S  S  S  S  S  S  S  S+
DC 15, +2: F- F  F  F  F  F  F  F  F  F  F  F  S  S  S  S  S  S  S  S+
DC 15, -1: F- F  F  F  F  F  F  F  F  F  F  F  F  F  F  S  S  S  S  S+
DC 20, +0: F- F  F  F  F  F  F  F  F  F  F  F  F  F  F  F  F  F  F  S+
DC 25, +0: F- F  F  F  F  F  F  F  F  F  F  F  F  F  F  F  F  F  F  S+
DC  1, +9: F- S  S  S  S  S  S  S  S  S  S  S  S  S  S  S  S  S  S  S+
"""
"""Written by hand: a line for a difficulty and a modifier, a column for each natural result."""

PBTA_TABLE = """
-4: F  F  F  F  F  F  F  F  F  P  P
-3: F  F  F  F  F  F  F  F  P  P  P
-2: F  F  F  F  F  F  F  P  P  P  S
-1: F  F  F  F  F  F  P  P  P  S  S
+0: F  F  F  F  F  P  P  P  S  S  S
+1: F  F  F  F  P  P  P  S  S  S  S
+2: F  F  F  P  P  P  S  S  S  S  S
+3: F  F  P  P  P  S  S  S  S  S  S
+4: F  P  P  P  S  S  S  S  S  S  S
+5: P  P  P  S  S  S  S  S  S  S  S
"""
"""Written by hand: a line for a modifier, a column for each sum of two dice from 2 to 12."""

FATE_TABLE = """
-4, -3: F  F  F  F  F  P  S  S  S+
+0, +0: F  F  F  F  P  S  S  S+ S+
+0, +2: F  F  F  F  F  F  P  S  S
+1, +0: F  F  F  P  S  S  S+ S+ S+
+1, +4: F  F  F  F  F  F  F  P  S
+2, +1: F  F  F  P  S  S  S+ S+ S+
+2, +2: F  F  F  F  P  S  S  S+ S+
+2, +6: F  F  F  F  F  F  F  F  P
+3, -1: P  S  S  S+ S+ S+ S+ S+ S+
+4, +0: P  S  S  S+ S+ S+ S+ S+ S+
+4, +2: F  F  P  S  S  S+ S+ S+ S+
+4, +8: F  F  F  F  F  F  F  F  P
+5, +8: F  F  F  F  F  F  F  P  S
"""
"""Written by hand: a line for a skill and a difficulty, a column for each sum of four dice from -4 to +4."""

ROWS = {"d20": D20_TABLE, "pbta": PBTA_TABLE, "fate": FATE_TABLE}


@dataclass(frozen=True, slots=True)
class CheckCase:
    """One cell of a table."""

    dice: tuple[int, ...]
    modifier: int
    difficulty: int | None
    outcome: str


def read_table(table: str) -> list[tuple[str, list[str]]]:
    """The lines of a table: what stands before the colon, and the outcomes in full."""
    lines = [line.partition(":") for line in table.strip().splitlines()]
    return [(head, [SHORT[cell] for cell in cells.split()]) for head, _, cells in lines]


PBTA_DICE = ((1, 1), (1, 2), (2, 2), (1, 4), (2, 4), (6, 1), (3, 5), (3, 6), (5, 5), (6, 5), (6, 6))
"""Two dice for each sum from 2 to 12."""

FATE_DICE = (
    *((-1, -1, -1, -1), (-1, 0, -1, -1), (0, -1, -1, 0), (1, -1, -1, 0), (0, 0, 0, 0)),
    *((1, -1, 0, 1), (0, 1, 1, 0), (1, 1, 0, 1), (1, 1, 1, 1)),
)
"""Four dice for each sum from -4 to +4."""


def list_cases(rule: str) -> Iterator[CheckCase]:
    """Every cell of the table of a rule, with dice that show what its column says."""
    for head, cells in read_table(ROWS[rule]):
        numbers = [int(number) for number in head.removeprefix("DC").split(",")]
        dice: Sequence[tuple[int, ...]] = {
            "d20": [(natural,) for natural in range(1, 21)],
            "pbta": PBTA_DICE,
            "fate": FATE_DICE,
        }[rule]
        modifier = numbers[1] if rule == "d20" else numbers[0]
        difficulty = {"d20": numbers[0], "pbta": None, "fate": numbers[-1]}[rule]
        for faces, outcome in zip(dice, cells, strict=True):
            yield CheckCase(faces, modifier, difficulty, outcome)
