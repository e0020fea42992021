"""`talewright roll`: what it prints, what can be checked, and how it refuses."""

import argparse
import json

import pytest

from talewright.cli import roll_command
from talewright.cli.terminal_text import SHOWN_MAX, mark_column
from talewright.kernel.chance import Draw, verify_draws


def run(*words: str) -> int:
    parser = argparse.ArgumentParser(prog="talewright")
    roll_command.add_roll(parser.add_subparsers())
    arguments = parser.parse_args(["roll", *words])
    code: int = arguments.run(arguments)
    return code


def test_one_roll_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("d20adv+5[hit]", "--seed", "00") == 0
    assert capsys.readouterr().out == "d20adv (1 dropped, 8) + 5 [hit] = 13\n"


def test_many_rolls_are_numbered_and_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("4d6kh3", "-n", "10", "--seed", "01ff") == 0
    lines = capsys.readouterr().out.splitlines()
    totals = [int(line.rpartition(" = ")[2]) for line in lines[:10]]
    assert [line.partition(". 4d6kh3 (")[0] for line in lines[:10]] == [f"{n:>2}" for n in range(1, 11)]
    told = f"lowest {min(totals)}, highest {max(totals)}, average {sum(totals) / 10:.2f}"
    assert lines[10:] == ["", told]


def test_seed_repeats_and_none_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    def told(*words: str) -> str:
        assert run("20d1000", *words) == 0
        return capsys.readouterr().out

    assert told("--seed", "abcd") == told("--seed", "ABCD")
    assert told() != told()


def test_json_can_be_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("2d6ro1+1", "-n", "3", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report) == ["dice", "rolls", "seed", "commitment", "draws"]
    assert report["dice"] == "2d6ro1+1"
    assert [len(one["throws"]) for one in report["rolls"]] == [1, 1, 1]
    seed = bytes.fromhex(report["seed"])
    assert len(seed) == roll_command.SEED_BYTES
    draws = [Draw(**draw) for draw in report["draws"]]
    assert len(draws) >= 6
    assert verify_draws(seed, report["commitment"], draws) == []


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        (
            "4d6k3+2",
            "talewright: after k stands h or l and how many dice: kh3 or kl1\n  4d6k3+2\n     ^\n",
        ),
        ("d6[雾]+d0", "talewright: a die has 1 to 1000 sides, not 0\n  d6[雾]+d0\n          ^\n"),
        ("d6+\x1b[31m", None),
    ],
)
def test_refusal(capsys: pytest.CaptureFixture[str], text: str, refusal: str | None) -> None:
    assert run(text) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert refusal is None or err == refusal
    assert err.replace("\n", "").isprintable()
    assert all(len(line) <= 80 for line in err.splitlines())


def test_long_text_is_cut_around_the_place() -> None:
    text = "d6+" * 60 + "x" + "+d6" * 60
    shown, caret = mark_column(text, 181)
    assert len(shown) == SHOWN_MAX + 2
    assert shown[caret.index("^")] == "x"
    assert mark_column(text, 1)[1] == "  ^"
    assert mark_column("d6+", 4) == ["  d6+", "     ^"]
    assert mark_column("", 1) == ["  ", "  ^"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("d6", "-n", "0"), "expected a number from 1 to 10000, not '0'"),
        (("d6", "-n", "10001"), "expected a number from 1 to 10000, not '10001'"),
        (("d6", "-n", "9" * 5000), "expected a number from 1 to 10000, not"),
        (("d6", "-n", "²"), "expected a number from 1 to 10000, not '²'"),
        (("d6", "--seed", "abc"), "expected pairs of hexadecimal digits, such as 0f3a, not 'abc'"),
    ],
)
def test_wrong_use(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str) -> None:
    with pytest.raises(SystemExit) as caught:
        run(*words)
    assert caught.value.code == 2
    assert told in capsys.readouterr().err
