"""Damage as every command meets it: an error that says what to do; no traceback, and no success."""

import io
import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.campaigns import NAME, TURNS, Answer, Console
from tests.stores.sessions import find_frames

COMMANDS = {
    "saves export": ("saves", "export", NAME, "-"),
    "verify": ("verify", NAME),
    "verify --reveal": ("verify", NAME, "--reveal"),
    "replay": ("replay", NAME),
    "undo": ("undo", "--no-git", "-c", NAME),
    "fork": ("fork", "0", "--no-git", "-c", NAME),
    "tree": ("tree", NAME),
    "tree --json": ("tree", NAME, "--json"),
    "diff": ("diff", "0", "0", "-c", NAME),
    "blame": ("blame", "suspicion", "-c", NAME),
    "cost": ("cost", "-c", NAME),
    "inspect": ("inspect", "0", "-c", NAME),
    "export": ("export", NAME, "-o", "-"),
    "play": ("play", "--campaign", NAME, "--plain", "--no-git", "--no-model"),
}


def run_on(console: Console, data: bytes | None, command: str, monkeypatch: pytest.MonkeyPatch) -> Answer:
    """A command on a campaign with another chronicle, or none."""
    chronicle = console.saves / NAME / "chronicle.jsonl"
    shutil.copytree(console.saves / NAME, console.saves.parent / "kept")
    chronicle.unlink()
    if data is not None:
        chronicle.write_bytes(data)
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n"))
    found = console.run(*COMMANDS[command])
    if data is not None:
        assert chronicle.read_bytes() == data
    shutil.rmtree(console.saves / NAME)
    (console.saves.parent / "kept").rename(console.saves / NAME)
    return found


def expect_told(found: Answer) -> None:
    """The command failed and said what to do."""
    told = found.out + found.err
    assert found.code in (1, 2)
    assert "Traceback" not in told
    assert "saves recover" in told
    assert "all digests equal" not in told


def damage(good: bytes) -> dict[str, bytes | None]:
    """Damage at every record, and of the whole file."""
    found: dict[str, bytes | None] = {"empty": b"", "missing": None, "torn first": good[:50]}
    found["zeros"] = bytes(len(good))
    for number, begin in enumerate(find_frames(good)[:-1]):
        at = begin + 120
        found[f"record {number}"] = good[:at] + bytes([good[at] ^ 4]) + good[at + 1 :]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_takes_damage_for_success(
    own_console: Console, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = (own_console.saves / NAME / "chronicle.jsonl").read_bytes()
    cases = damage(good)
    assert len(cases) > 3 * TURNS
    for name, data in cases.items():
        try:
            expect_told(run_on(own_console, data, command, monkeypatch))
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from error


def test_nothing_is_written_where_a_story_is_not_whole(own_console: Console, tmp_path: Path) -> None:
    chronicle = own_console.saves / NAME / "chronicle.jsonl"
    good = chronicle.read_bytes()
    chronicle.write_bytes(damage(good)["record 9"] or b"")
    for words in (("export", NAME, "-o"), ("saves", "export", NAME)):
        assert own_console.run(*words, str(tmp_path / "story")).code == 2
        assert not (tmp_path / "story").exists()


def test_a_tree_is_drawn_as_far_as_it_is_good(own_console: Console) -> None:
    chronicle = own_console.saves / NAME / "chronicle.jsonl"
    chronicle.write_bytes(damage(chronicle.read_bytes())["record 9"] or b"")
    found = own_console.run("tree", NAME)
    assert found.out
    assert "read-only" in found.err


@pytest.mark.process
def test_the_list_and_the_doctor_name_what_is_damaged(
    own_console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    chronicle = own_console.saves / NAME / "chronicle.jsonl"
    cases = damage(chronicle.read_bytes())
    for name in ("empty", "zeros", "record 0"):
        chronicle.write_bytes(cases[name] or b"")
        (row,) = json.loads(own_console.run("saves", "--json").out)
        assert row["damaged"], name
    chronicle.write_bytes(cases["record 5"] or b"")
    findings = json.loads(own_console.run("doctor", "--json").out)["findings"]
    (finding,) = (one for one in findings if one["subject"] == f"campaign {NAME}")
    assert finding["text"] == "part of its record is damaged"
    assert finding["todo"] == f"Run: talewright saves recover {NAME}"
