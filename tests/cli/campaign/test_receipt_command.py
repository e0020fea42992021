"""`talewright receipt`, and `verify --receipt`."""

import json

from tests.cli.campaigns import NAME, SECRET, Console


def test_receipt_is_one_line_that_verify_takes(console: Console) -> None:
    answer = console.run("receipt")
    assert (answer.code, len(answer.lines)) == (0, 1)
    line = answer.lines[0]
    assert SECRET.hex() not in line
    told = json.loads(console.run("receipt", NAME, "--json").out)
    assert (told["campaign"], told["receipt"]) == (NAME, line)
    checked = console.run("verify", "--receipt", line)
    assert checked.code == 0
    assert checked.lines[-1] == f"The first {told['records']} records match the receipt."
    report = json.loads(console.run("verify", "--receipt", line, "--json").out)
    assert report["receipt"] == told["records"]


def test_without_a_receipt_it_says_what_is_not_shown(console: Console) -> None:
    answer = console.run("verify")
    assert answer.lines[-1].endswith("Only a receipt can prove that it was never replaced.")


def test_receipt_that_does_not_hold(console: Console) -> None:
    line = console.run("receipt").lines[0]
    form, length, mac, commitment = line.split(":")
    other = ":".join((form, length, mac[::-1], commitment))
    answer = console.run("verify", "--receipt", other)
    assert answer.code == 1
    assert answer.lines[0].startswith("I15: one of the first ")


def test_receipt_without_the_secret(own_console: Console) -> None:
    line = own_console.run("receipt").lines[0]
    (own_console.saves / NAME / "secret").unlink()
    answer = own_console.run("verify", "--receipt", line)
    assert answer.code == 2
    assert "a receipt cannot be checked without the campaign's secret" in answer.err
    assert own_console.run("verify", "--receipt", line, "--secret", SECRET.hex()).code == 0
    # Nor can one be made.
    assert own_console.run("receipt").code == 2


def test_line_that_is_no_receipt(console: Console) -> None:
    answer = console.run("verify", "--receipt", "hello")
    assert answer.code == 2
    assert "this is not a receipt" in answer.err
