"""The frame of the benches: figures, limits, and what is printed last."""

from pathlib import Path

import pytest

from bench.__main__ import find_benches
from bench.__main__ import main as run_benches
from bench.figures import Figure, Timings, at_least, at_most, measure, report

ROOT = Path(__file__).parents[1]

FIGURES = [
    (at_most("a", 0.4, 0.5), True, 0.8),
    (at_most("a", 0.5, 0.5), True, 1.0),
    (at_most("a", 0.6, 0.5), False, 1.2),
    (at_least("a", 6.0, 3.0), True, 0.5),
    (at_least("a", 3.0, 3.0), True, 1.0),
    (at_least("a", 2.0, 3.0), False, 1.5),
    (at_least("a", 0.0, 3.0), False, float("inf")),
]


@pytest.mark.parametrize(("figure", "ok", "strain"), FIGURES)
def test_figure_against_its_limit(figure: Figure, ok: bool, strain: float) -> None:
    assert figure.ok is ok
    assert figure.strain == pytest.approx(strain)


def test_the_figure_nearest_its_limit_is_printed_last(capsys: pytest.CaptureFixture[str]) -> None:
    figures = [at_most("near", 0.49, 0.5), at_least("far", 9.0, 3.0)]
    assert report(figures) == 0
    assert capsys.readouterr().out.splitlines() == [
        "  far: 9, at least 3",
        "  near: 0.49, at most 0.5",
        "near 0.49 0.5 ok",
    ]


def test_one_short_figure_fails_the_bench(capsys: pytest.CaptureFixture[str]) -> None:
    assert report([at_most("good", 0.1, 0.5), at_least("bad", 1.0, 3.0)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "bad 1 3 short"


def test_ratio_is_taken_round_by_round() -> None:
    timings = Timings({"ours": [2.0, 20.0, 3.0], "base": [1.0, 10.0, 1.0]})
    assert timings.median("ours") == 3.0
    assert timings.ratio("ours", "base") == 2.0


def test_cases_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    # Collecting takes seconds where thousands of tests have run.
    monkeypatch.setattr("gc.collect", lambda: 0)
    calls: list[str] = []
    times = iter(range(1_000))
    timings = measure(
        {"a": lambda: calls.append("a"), "b": lambda: calls.append("b")},
        rounds=3,
        sample_seconds=0.0,
        clock=lambda: float(next(times)),
    )
    # Two calls each to warm up and to count, then three rounds, each starting with another case.
    assert "".join(calls) == "aabb" + "ab" + "ba" + "ab"
    assert timings.seconds == {"a": [1.0, 1.0, 1.0], "b": [1.0, 1.0, 1.0]}


def test_absolute_values_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    Timings({"judge": [0.00025], "load": [1.5], "draw": [0.0000005]}).show()
    assert capsys.readouterr().out.splitlines() == [
        "  judge: 250 us a call, 4,000 a second",
        "  load: 1.5 s a call, 1 a second",
        "  draw: 500 ns a call, 2,000,000 a second",
    ]


def test_unknown_bench_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_benches(["nothing"]) == 2
    assert "no bench is called nothing" in capsys.readouterr().err


def test_every_bench_has_a_main() -> None:
    for name in find_benches(ROOT / "bench"):
        assert "def main() -> int:" in (ROOT / "bench" / f"{name}.py").read_text(encoding="utf-8"), name
