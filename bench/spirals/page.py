"""The page: the tables of `docs/play/spiral.md`, so that no number there is copied by hand.

It only writes lines of Markdown: `python -m bench.spirals.page` prints them, and a test looks for them.
"""

from bench.spirals.chain import Run, scattered, solve_run, steady
from bench.spirals.days import Habit, Life, live
from bench.spirals.options import CLEAN_FIVE, FLUSH_ON_BOTCH, SEED, oracle_of
from bench.spirals.pictures import (
    COUNTS,
    GROUPS,
    LIFE_DAYS,
    LIFE_DIFFERENCES,
    NET_DICE,
    SHEETS,
    TICK_SEGMENTS,
)
from talewright.systems.spiral.oracle import chance_of
from talewright.systems.spiral.slots import CLOCK_USUAL, SEGMENTS

CHECKS_A_DAY = 8
DIFFERENCE = 3
"""Dice at which the options are set side by side."""


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]]


def answers_table() -> list[str]:
    """Per cent of each answer, the best first."""
    groups = GROUPS[::-1]
    rows = [
        [
            str(net),
            *(f"{100 * float(sum(chance_of(face, net) for face in faces)):.2f}" for _, faces in groups),
        ]
        for net in NET_DICE
    ]
    return _table(["net dice", *(name for name, _ in groups)], rows)


def length_table() -> list[str]:
    """What a run brings, by how many dice more stand for it than against it."""
    rows = []
    for more in range(6):
        pools = [f"{more + danger}:{danger}" for danger in range(3) if 2 <= more + danger <= 5]
        run = solve_run(oracle_of(SEED), steady(more))
        rows.append(
            [
                str(more),
                ", ".join(pools),
                f"{float(run.checks):.2f}",
                f"{float(run.successes):.2f}",
                f"{float(run.flushed):.2f}",
                f"{float(run.conditions):.0%}",
                f"{float(CHECKS_A_DAY * run.conditions_a_check):.2f}",
            ]
        )
    head = ["action minus danger dice", "pools", "checks until the flush", "successes", "glitches flushed"]
    return _table([*head, "flushes with a condition", f"conditions in {CHECKS_A_DAY} checks"], rows)


def resist_table() -> list[str]:
    """The habits beside one another."""
    rows = []
    for difference in LIFE_DIFFERENCES:
        for habit in Habit:
            days = list(live(Life(difference, habit), LIFE_DAYS))
            counts = [days[0].successes, days[-1].successes, days[0].gained, days[-1].conditions]
            rows.append([str(difference), habit.value, *(f"{count:.2f}" for count in counts)])
    head = [
        "action minus danger dice",
        "use of resist",
        "successes on day 1",
        f"on day {LIFE_DAYS}",
        "new conditions on day 1",
    ]
    return _table([*head, f"conditions after day {LIFE_DAYS}"], rows)


def options_table() -> list[str]:
    """Every option in the same four numbers."""
    runs: dict[str, Run] = {
        "the default rules": solve_run(oracle_of(SEED), steady(DIFFERENCE)),
        "`oracle`: a 5 brings no glitch": solve_run(oracle_of(CLEAN_FIVE), steady(DIFFERENCE)),
        "`flush_on: botch`": solve_run(oracle_of(FLUSH_ON_BOTCH), steady(DIFFERENCE)),
        "one of a companion's tags counted": solve_run(oracle_of(SEED), steady(DIFFERENCE + 1)),
        "two of a companion's tags counted": solve_run(oracle_of(SEED), steady(DIFFERENCE + 2)),
    }
    (name, sheet), *_ = SHEETS.items()
    for word, share in COUNTS.items():
        runs[f"`relevance: {word.value}`, {name}"] = solve_run(oracle_of(SEED), scattered(*sheet, share))
    rows = [
        [
            kind,
            f"{float(run.success_share):.1%}",
            f"{float(run.checks):.1f}",
            f"{float(10 * run.conditions_a_check):.2f}",
        ]
        for kind, run in runs.items()
    ]
    return _table(["rules", "checks that succeed", "checks until the flush", "conditions in 10 checks"], rows)


def tick_table() -> list[str]:
    """How soon a usual clock is full, and what has been won by then."""
    share = float(solve_run(oracle_of(SEED), steady(DIFFERENCE)).success_share)
    rows = []
    for tick, step in TICK_SEGMENTS.items():
        days = CLOCK_USUAL * step / SEGMENTS
        won = [f"{days * checks * share:.1f}" for checks in (4, 8, 12)]
        rows.append([f"`tick: {tick.value}`", f"{days:g}", *won])
    head = [
        "rules",
        f"days until a clock with {CLOCK_USUAL} steps is full",
        "successes by then with 4 checks a day",
    ]
    return _table([*head, "with 8 checks a day", "with 12 checks a day"], rows)


TABLES = (answers_table, length_table, resist_table, options_table, tick_table)

if __name__ == "__main__":
    for table in TABLES:
        print("\n".join(table()), end="\n\n")
