"""What the store has noticed of a campaign is told where campaigns are listed, examined and opened."""

import json
from pathlib import Path

import pytest

from tests.cli.campaigns import NAME, Console
from tests.cli.desk import Desk


def lose_the_end(saves: Path) -> None:
    """Take away the newest record, as no crash of ours does."""
    chronicle = saves / NAME / "chronicle.jsonl"
    lines = chronicle.read_bytes().splitlines(keepends=True)
    chronicle.write_bytes(b"".join(lines[:-1]))


def test_nothing_is_said_of_what_is_whole(own_console: Console) -> None:
    (row,) = json.loads(own_console.run("saves", "--json").out)
    assert row["notices"] == []
    assert len(own_console.run("saves").lines) == 1


def test_a_list_says_what_is_gone(own_console: Console) -> None:
    lose_the_end(own_console.saves)
    (row,) = json.loads(own_console.run("saves", "--json").out)
    (notice,) = row["notices"]
    assert notice.startswith("the chronicle is shorter than before: its newest records are missing.")
    assert f"  {notice}" in own_console.run("saves").lines


def test_a_chronicle_that_is_gone_is_damage_alone(own_console: Console) -> None:
    (own_console.saves / NAME / "chronicle.jsonl").unlink()
    (row,) = json.loads(own_console.run("saves", "--json").out)
    assert (row["damaged"], row["notices"]) == (True, [])


@pytest.mark.process
def test_the_doctor_says_it_too(desk: Desk, own_console: Console) -> None:
    saves = str(own_console.saves)
    whole = json.loads(desk.run("doctor", "--saves", saves, "--json").out)
    assert not [one for one in whole["findings"] if one["subject"].startswith("campaign")]
    lose_the_end(own_console.saves)
    shorter = json.loads(desk.run("doctor", "--saves", saves, "--json").out)
    (finding,) = (one for one in shorter["findings"] if one["subject"] == f"campaign {NAME}")
    assert (finding["verdict"], finding["todo"]) == ("note", "")
    assert finding["text"].startswith("the chronicle is shorter than before")
    (own_console.saves / NAME / "chronicle.jsonl").unlink()
    gone = json.loads(desk.run("doctor", "--saves", saves, "--json").out)
    (finding,) = (one for one in gone["findings"] if one["subject"] == f"campaign {NAME}")
    assert (finding["text"], finding["todo"]) == (
        "part of its record is damaged",
        f"Run: talewright saves recover {NAME}",
    )


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_lost_turns_never_verify_as_whole(desk: Desk, own_console: Console, command: str) -> None:
    assert own_console.run(command, NAME).code == 0
    lose_the_end(own_console.saves)
    for _ in range(2):
        found = own_console.run(command, NAME)
        assert found.code == 1
        assert "records are missing: campaign.json or index.bin knows of" in found.out
        assert f"talewright saves recover {NAME}" in found.out
    saves = ("--saves", str(own_console.saves))
    played = desk.run("play", "--campaign", NAME, "--no-model", "--plain", "--no-git", *saves, typed="1\n")
    assert played.code == 0
    # The story has gone on, and what it lost is known all the same.
    assert own_console.run(command, NAME).code == 1
    (row,) = json.loads(own_console.run("saves", "--json").out)
    assert row["notices"][0].startswith("records of this campaign are missing")
    recovered = own_console.run("saves", "recover", NAME)
    assert "is intact" not in recovered.out
    assert "It once had" in recovered.out
    assert own_console.run(command, NAME).code == 1


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Note: The newest part of this campaign’s record is missing."),
        ("zh-CN", "提示：这个存档的记录缺了最新的一段。"),
    ],
)
def test_a_player_is_told_once_in_their_language(
    desk: Desk, own_console: Console, language: str, words: str
) -> None:
    lose_the_end(own_console.saves)
    typed = "1\n/look\n"
    played = desk.run(
        *("play", "--campaign", NAME, "--language", language, "--no-git"),
        *("--saves", str(own_console.saves)),
        typed=typed,
    )
    assert played.code == 0
    assert played.out.count(words) == 1
    assert f"`talewright saves recover {NAME}`" in played.out
