"""Pictures: what `docs/play/spiral.md` shows, drawn from what was computed and from a kept record.

It throws nothing and plays nothing; the same record gives the same bytes.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from bench.spirals.chain import Run, running_after, scattered, solve_run, steady
from bench.spirals.days import Day, Habit, Life, live
from bench.spirals.drawing import Bar, Line, Panel, draw_bars, draw_chart
from bench.spirals.options import CLEAN_FIVE, FLUSH_ON_BOTCH, SEED, oracle_of
from bench.spirals.records import Record
from talewright.systems.spiral.oracle import DEFAULT_ORACLE, Oracle, chance_of
from talewright.systems.spiral.rulebook import ClockTick, TagRelevance
from talewright.systems.spiral.slots import CLOCK_MAX, CLOCK_USUAL, SEGMENTS

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"

NET_DICE = range(9)
DIFFERENCES = range(1, 7)
GROUPS = (
    ("1: no, and", (1,)),
    ("2: no", (2,)),
    ("3: no, but", (3,)),
    ("4-5: yes, but", (4, 5)),
    ("6: yes, and", (6,)),
)
"""Faces with the same effects, the worst first."""

MORE_FOR = "action dice minus danger dice"
SHARES = (0, 0.25, 0.5, 0.75, 1)
LONG = (1, 3, 10, 30, 100, 300, 1_000)
GREY = "#56606b"
LIFE_DAYS = 10
LIFE_DIFFERENCES = (3, 4)
PLAYED_DAYS = 6

COUNTS: Mapping[TagRelevance, Fraction] = {
    TagRelevance.STRICT: Fraction(1, 4),
    TagRelevance.FAIR: Fraction(1, 2),
    TagRelevance.GENEROUS: Fraction(3, 4),
}
"""Our reading of the three words: the chance that a tag counts in a check. The engine fixes no number."""

SHEETS = {"6 tags for, 3 against": (6, 3), "4 tags for, 4 against": (4, 4)}
TICK_SEGMENTS = {ClockTick.DAY: SEGMENTS, ClockTick.HALF_DAY: SEGMENTS // 2}
"""Segments from one movement of the clocks to the next."""


def draw_answers(record: Record) -> str:
    """How likely each answer is, by net dice."""
    bars = []
    for net in NET_DICE:
        counts = record.rolls[net]
        parts = [float(sum(chance_of(face, net) for face in faces)) for _, faces in GROUPS]
        # The border between two groups lies where the faces of the lower one end.
        ticks = [sum(counts[: faces[-1]]) / sum(counts) for _, faces in GROUPS[:-1]] if net else []
        bars.append(Bar(str(net), parts, ticks))
    title = "What the highest die answers, in per cent"
    return draw_bars(title, "net dice", [name for name, _ in GROUPS], bars)


def draw_length(record: Record) -> str:
    """How long a spiral lasts, and what it brings."""
    running = [
        Line(
            f"{more} more for than against",
            list(enumerate(map(float, running_after(DEFAULT_ORACLE, steady(more), 20)))),
        )
        for more in range(1, 6)
    ]
    runs = {more: solve_run(DEFAULT_ORACLE, steady(more)) for more in range(6)}
    panels = [Panel("still running after so many checks", "checks", range(0, 21, 5), SHARES, running, True)]
    looks: list[tuple[str, str, Callable[[Run], Fraction]]] = [
        ("checks", "checks until the flush", lambda run: run.checks),
        ("successes", "successes before the flush", lambda run: run.successes),
    ]
    for what, title, look in looks:
        dots = [
            (action - danger, record.find(f"{what}: seed, {action} against {danger}").mean)
            for action in range(2, 6)
            for danger in range(3)
        ]
        line = Line("", [(more, float(look(run))) for more, run in runs.items()], dots, GREY)
        panels.append(Panel(title, MORE_FOR, range(6), range(0, 26, 5), [line]))
    return draw_chart("How long a spiral lasts", panels)


def draw_resist(record: Record) -> str:
    """What each habit with resist comes to."""
    looks: list[tuple[str, str, Callable[[Day], float]]] = [
        ("conditions", "conditions at a day's end", lambda day: day.conditions),
        ("successes", "successes in 8 checks", lambda day: day.successes),
    ]
    panels = []
    for difference in LIFE_DIFFERENCES:
        lives = {habit: list(live(Life(difference, habit), LIFE_DAYS)) for habit in Habit}
        # Only the first of the two was played.
        last = PLAYED_DAYS if difference == LIFE_DIFFERENCES[0] else 0
        for what, title, look in looks:
            lines = [
                Line(
                    habit.value,
                    [(number, look(day)) for number, day in enumerate(days, 1)],
                    [(day, record.find(f"{what}: {habit}, day {day}").mean) for day in range(1, last + 1)],
                )
                for habit, days in lives.items()
            ]
            about = f"{title}, {difference} dice"
            panels.append(Panel(about, "day", range(1, LIFE_DAYS + 1), range(0, 9, 2), lines))
    return draw_chart("What resist is worth", panels, per_row=2)


def _compare(
    runs: Mapping[str, Mapping[float, Run]],
    x_label: str = MORE_FOR,
    x_ticks: Sequence[float] = DIFFERENCES,
    marks: Sequence[tuple[float, str]] = (),
) -> list[Panel]:
    """Three panels that say what an option does."""
    looks: list[tuple[str, Callable[[Run], Fraction], Sequence[float], bool, bool]] = [
        ("checks that succeed", lambda run: run.success_share, SHARES, True, False),
        ("checks until the flush", lambda run: run.checks, LONG, False, True),
        ("conditions in 10 checks", lambda run: 10 * run.conditions_a_check, range(7), False, False),
    ]
    panels = []
    for title, look, y_ticks, is_percent, is_log in looks:
        lines = [
            Line(name, [(x, float(look(run))) for x, run in found.items()]) for name, found in runs.items()
        ]
        panels.append(Panel(title, x_label, x_ticks, y_ticks, lines, is_percent, is_log, marks))
    return panels


def _by_difference(oracle: Oracle = DEFAULT_ORACLE, more: int = 0) -> Mapping[float, Run]:
    return {difference: solve_run(oracle, steady(difference + more)) for difference in DIFFERENCES}


def draw_oracle(_: Record) -> str:
    """A clean five beside the default table."""
    runs = {
        "5 leaves a glitch (default)": _by_difference(oracle_of(SEED)),
        "5 is clean": _by_difference(oracle_of(CLEAN_FIVE)),
    }
    return draw_chart("oracle: what if a 5 is clean?", _compare(runs))


def draw_flush(_: Record) -> str:
    """Flushing on a botch alone beside flushing on both failures."""
    runs = {
        "flush_on: failure (default)": _by_difference(oracle_of(SEED)),
        "flush_on: botch": _by_difference(oracle_of(FLUSH_ON_BOTCH)),
    }
    return draw_chart("flush_on: what if only a 1 flushes?", _compare(runs))


def draw_companion(_: Record) -> str:
    """What a companion's tags are worth."""
    runs = {
        "told, or nobody": _by_difference(),
        "counted, one tag": _by_difference(more=1),
        "counted, two tags": _by_difference(more=2),
    }
    panels = _compare(runs, "dice more, companion apart")
    return draw_chart("companion_dice: what are a companion's tags worth?", panels)


def draw_relevance(_: Record) -> str:
    """What a readier hand with tags does, on two sheets."""
    grid = [Fraction(step, 10) for step in range(11)]
    runs = {
        name: {float(share): solve_run(DEFAULT_ORACLE, scattered(good, bad, share)) for share in grid}
        for name, (good, bad) in SHEETS.items()
    }
    marks = [(float(share), word.value) for word, share in COUNTS.items()]
    panels = _compare(runs, "chance that a tag counts", SHARES, marks)
    return draw_chart("relevance: what if tags count more readily?", panels)


def draw_tick(_: Record) -> str:
    """How soon clocks are full."""
    share = float(solve_run(DEFAULT_ORACLE, steady(3)).success_share)
    sizes, checks = range(1, CLOCK_MAX + 1), range(2, 13, 2)
    days = [
        Line(f"tick: {tick.value}", [(size, size * step / SEGMENTS) for size in sizes])
        for tick, step in TICK_SEGMENTS.items()
    ]
    successes = [
        Line(line.name, [(number, CLOCK_USUAL * step / SEGMENTS * number * share) for number in checks])
        for line, step in zip(days, TICK_SEGMENTS.values(), strict=True)
    ]
    panels = [
        Panel("days until a new clock is full", "size of the clock", range(0, 13, 2), range(0, 13, 2), days),
        Panel(
            f"successes before a clock of {CLOCK_USUAL} is full",
            "checks a day, 3 dice",
            checks,
            range(0, 41, 10),
            successes,
        ),
    ]
    return draw_chart("tick: how soon are clocks full?", panels)


PICTURES: Mapping[str, Callable[[Record], str]] = {
    "spiral-answers.svg": draw_answers,
    "spiral-length.svg": draw_length,
    "spiral-resist.svg": draw_resist,
    "spiral-oracle.svg": draw_oracle,
    "spiral-relevance.svg": draw_relevance,
    "spiral-tick.svg": draw_tick,
    "spiral-flush.svg": draw_flush,
    "spiral-companion.svg": draw_companion,
}
"""By file name."""


def draw_all(record: Record, folder: Path = FOLDER) -> None:
    """Write every picture."""
    for name, draw in PICTURES.items():
        (folder / name).write_text(draw(record), encoding="utf-8")
