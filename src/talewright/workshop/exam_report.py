"""Reports of an examination: a table for people, JSON for programs.

The same results give the same bytes. Times are the only part that differs between two runs of the same model;
they can be left out.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final, TypeVar

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.turn.records.flaw_kinds import FlawKind
from talewright.workshop.exam_figures import ExamFigures
from talewright.workshop.examination import ExamResult

FORMAT: Final = 1
"""The version of the JSON format."""

REASONS_MAX = 5
"""How many reasons the table shows for each result."""

REASON_LENGTH_MAX = 100
"""How many characters of a reason the table shows."""


@frozen
class ExamReport:
    """The results of one or several models on one or several games."""

    seed: int
    turns: int
    """How many turns each model was to narrate in each game."""

    results: tuple[ExamResult, ...]
    times: bool = True
    """Whether it says how long the turns took."""


def write_report(report: ExamReport) -> dict[str, Json]:
    """A report as data."""
    return {
        "exam": FORMAT,
        "seed": report.seed,
        "turns": report.turns,
        "results": [_write_result(result, times=report.times) for result in report.results],
    }


def _write_result(result: ExamResult, *, times: bool) -> dict[str, Json]:
    figures = result.figures
    told = {
        "at_once": figures.at_once,
        "repaired": figures.repaired,
        "by_scene": figures.by_scene,
        "untold": figures.untold,
    }
    raw: dict[str, Json] = {
        "model": result.model,
        "game": result.game,
        "language": result.language,
        "campaigns": figures.campaigns,
        "given_up": result.given_up,
        "turns": figures.turns,
        **told,
        "shares": {name: round(figures.share(number), 4) for name, number in told.items()},
        "repairs": figures.repairs,
        "repair_reasons": [
            {"kind": kind.value, "reason": reason, "count": number}
            for (kind, reason), number in _sort(figures.flaws)
        ],
        "refused_proposals": figures.refused,
        "refused_without_repair": [
            {"reason": reason, "count": number} for reason, number in _sort(figures.dropped)
        ],
        "hidden_quoted": figures.hidden,
        "in_circles": figures.count(FlawKind.REPETITION),
        "cut_off": figures.cut,
        "unanswered_requests": figures.unanswered,
        "in_language": figures.in_language,
        "tokens": figures.cost.to_json(),
        "cached_share": round(figures.cached_share, 4),
    }
    if times:
        spent = figures.times
        raw["seconds"] = {
            "median_turn": round(spent.median, 2),
            "longest_turn": round(spent.longest, 2),
            "total": round(spent.total, 2),
        }
    return raw


T = TypeVar("T")


def _sort(counts: Counter[T]) -> list[tuple[T, int]]:
    """The most frequent first; equally frequent ones in alphabetical order."""
    return sorted(counts.items(), key=lambda one: (-one[1], str(one[0])))


TURN_COLUMNS = {
    "at once": "first try",
    "repaired": "after repair",
    "by scene": "by scene",
    "untold": "failed",
}
"""How turns went: the names of the figures, and as readers see them."""

COLUMNS = ("model", "game", "turns", *TURN_COLUMNS.values(), "refused", "hidden", "language")
COST_COLUMNS = ("tokens read", "cached", "written", "dollars")
TIME_COLUMNS = ("seconds", "max")


def tell_report(report: ExamReport) -> Iterator[str]:
    """A report as lines of text: a table, then why answers were requested again."""
    columns = (*COLUMNS, *COST_COLUMNS, *(TIME_COLUMNS if report.times else ()))
    rows = [columns, *(_tell_row(result, times=report.times) for result in report.results)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(columns))]
    for row in rows:
        # Names are aligned to the left, figures to the right.
        cells = [
            cell.ljust(width) if at < 2 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
    for result in report.results:
        yield from _tell_reasons(result)


def _tell_row(result: ExamResult, *, times: bool) -> tuple[str, ...]:
    figures, cost = result.figures, result.figures.cost
    shares = (figures.at_once, figures.repaired, figures.by_scene, figures.untold)
    dollars = "?" if cost.dollars is None else f"{cost.dollars:.4f}"
    spent = figures.times
    return (
        result.model,
        result.game,
        str(figures.turns),
        *(f"{number} ({figures.share(number):.0%})" for number in shares),
        str(figures.refused),
        str(figures.hidden),
        f"{figures.in_language} of {figures.told}",
        str(cost.uncached_tokens + cost.cached_tokens),
        f"{figures.cached_share:.0%}",
        str(cost.output_tokens),
        dollars,
        *((f"{spent.median:.1f}", f"{spent.longest:.1f}") if times else ()),
    )


def _tell_reasons(result: ExamResult) -> Iterator[str]:
    figures = result.figures
    if result.given_up:
        yield f"\n{result.model}, {result.game}: given up, because the model did not answer."
    reasons = [*_list_reasons(figures)]
    if reasons:
        yield f"\n{result.model}, {result.game}: why answers were requested again or proposals refused"
        yield from reasons[:REASONS_MAX]
        if len(reasons) > REASONS_MAX:
            yield f"  ... and {len(reasons) - REASONS_MAX} more; --json lists all of them"


def _list_reasons(figures: ExamFigures) -> Iterator[str]:
    counts: Counter[str] = Counter()
    for (kind, reason), number in figures.flaws.items():
        counts[f"{kind.value}: {_shorten(reason)}"] += number
    for reason, number in figures.dropped.items():
        counts[f"dropped: {_shorten(reason)}"] += number
    for line, number in _sort(counts):
        yield f"  {number} x {line}"


def _shorten(reason: str) -> str:
    line = " ".join(reason.split())
    return line if len(line) <= REASON_LENGTH_MAX else line[: REASON_LENGTH_MAX - 3] + "..."
