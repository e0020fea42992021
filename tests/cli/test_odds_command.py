"""`talewright odds`: the histogram, the target line, and JSON with exact fractions."""

import argparse
import io
import json
import sys
from fractions import Fraction

import pytest

from talewright.cli import odds_command
from talewright.cli.odds_command import ROWS_MAX, make_rows, tell_percent
from talewright.kernel.dice.dice_odds import distribution
from talewright.kernel.dice.dice_parser import parse


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def run(*words: str) -> int:
    parser = argparse.ArgumentParser(prog="talewright")
    odds_command.add_odds(parser.add_subparsers())
    arguments = parser.parse_args(["odds", *words])
    code: int = arguments.run(arguments)
    return code


def test_histogram(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "28")
    assert run("2d4+8", "--vs", "14") == 0
    assert capsys.readouterr().out == (
        "2d4+8: 10 to 16, mean 13, deviation 1.58\n\n"
        "  10   6.25%  ▒▒▒▒\n"
        "  11  12.50%  ▒▒▒▒▒▒▒\n"
        "  12  18.75%  ▒▒▒▒▒▒▒▒▒▒\n"
        "  13  25.00%  ▒▒▒▒▒▒▒▒▒▒▒▒▒▒\n"
        "  --- 14 or more: 37.50%, 3 in 8 ---\n"
        "  14  18.75%  ██████████\n"
        "  15  12.50%  ███████\n"
        "  16   6.25%  ████\n"
    )


@pytest.mark.parametrize(
    ("target", "line", "told"), [(-9, 2, "100.00%"), (2, 2, "100.00%"), (99, 13, "0.00%")]
)
def test_target_beyond_the_ends(
    capsys: pytest.CaptureFixture[str], target: int, line: int, told: str
) -> None:
    assert run("2d6", "--vs", str(target)) == 0
    assert capsys.readouterr().out.splitlines()[line] == f"  --- {target} or more: {told} ---"


def test_without_a_target_all_bars_are_alike(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("3") == 0
    assert capsys.readouterr().out == f"3: always 3, mean 3, deviation 0\n\n  3  100.00%  {'█' * 66}\n"


@pytest.mark.parametrize("text", ["100d6", "6d6e6", "20d100", "d%", "d1000", "4dF", "d6*1000", "60d2"])
@pytest.mark.parametrize("columns", ["20", "80", "200"])
def test_every_line_fits_and_all_chances_are_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert run(text, "--vs", "40") == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    bars = [line for line in lines[2:] if "or more" not in line]
    assert len(bars) <= ROWS_MAX + 3
    assert all(line.startswith("  ") and "%  " in line for line in bars)


@pytest.mark.parametrize("target", [None, 1, 100, 200, 333, 350, 380, 600, 601])
def test_steps_begin_at_the_target(target: int | None) -> None:
    exact = distribution(parse("100d6"))
    rows = make_rows(exact, target)
    assert sum(row.chance for row in rows) == 1
    assert [row.first for row in rows] == sorted({row.first for row in rows})
    if target is not None:
        assert sum(row.chance for row in rows if row.first >= target) == exact.at_least(target)


def test_labels_of_steps() -> None:
    labels = [row.label for row in make_rows(distribution(parse("100d6")), 360)]
    assert (labels[0], labels[1], labels[-1]) == ("to 295", "296 to 299", "from 404")
    assert "360 to 363" in labels
    # 31 totals are one too many for a row each, but a step of one is enough between the tails.
    labels = [row.label for row in make_rows(distribution(parse("6d6")), None)]
    assert (labels[0], labels[1], labels[-1]) == ("to 8", "9", "from 34")


def test_terminal_that_knows_only_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    assert run("4d6kh3", "--vs", "12") == 0
    sys.stdout.flush()
    lines = written.getvalue().decode("ascii").splitlines()
    assert lines[2].endswith("%  .")
    assert lines[3].endswith("%  --")
    assert lines[-1].endswith("%  ########")


@pytest.mark.parametrize(
    ("chance", "told"),
    [
        (Fraction(0), "0.00%"),
        (Fraction(1), "100.00%"),
        (Fraction(1, 3), "33.33%"),
        (Fraction(5, 10**5), "<0.01%"),
        (Fraction(51, 10**6), "0.01%"),
        (Fraction(1, 10**400), "<0.01%"),
        (1 - Fraction(1, 10**400), ">99.99%"),
        (1 - Fraction(5, 10**5), ">99.99%"),
        (1 - Fraction(51, 10**6), "99.99%"),
    ],
)
def test_percent_is_never_rounded_to_nothing_or_all(chance: Fraction, told: str) -> None:
    assert tell_percent(chance) == told


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("d2+d2", "--vs", "3", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "dice": "d2+d2",
        "mean": 3.0,
        "deviation": 0.7071067811865476,
        "totals": [
            {"total": 2, "chance": 0.25, "exact": "1/4"},
            {"total": 3, "chance": 0.5, "exact": "1/2"},
            {"total": 4, "chance": 0.25, "exact": "1/4"},
        ],
        "at_least": {"target": 3, "chance": 0.75, "exact": "3/4"},
    }


def test_json_leaves_out_fractions_that_no_one_reads(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("300d6", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert "at_least" not in report
    assert "exact" not in report["totals"][0]
    assert report["totals"][0]["chance"] == pytest.approx(6.0**-300)


def test_refusal(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("500d1000") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "talewright: the exact odds of 500d1000 take too long to work out; fewer dice,\n"
        "  sides, explosions or products are taken\n"
        "  500d1000\n"
        "  ^\n"
        "Roll it many times instead to see how it falls.\n"
    )
