"""`talewright saves`: the list, a file and back, and what is said of damage."""

import json
from pathlib import Path

import pytest

from talewright.play.export.campaign_files import name_after
from tests.cli.campaigns import NAME, SECRET, TURNS, Console


def test_campaigns_are_listed(console: Console) -> None:
    answer = console.run("saves")
    assert answer.code == 0
    (line,) = answer.lines
    assert line.startswith(f"{NAME}  ")
    assert line.endswith("  Mist Harbor Echoes")
    (row,) = json.loads(console.run("saves", "--json").out)
    assert row["name"] == NAME
    assert row["game"] == "mist_harbor"
    assert row["damaged"] is False


def test_no_campaign_is_said(console: Console, tmp_path: Path) -> None:
    empty = Console(tmp_path / "none", console.capsys)
    assert empty.run("saves").out == "There is no campaign yet. Start one: talewright play mist_harbor\n"


def test_campaign_goes_to_a_file_and_back(own_console: Console, tmp_path: Path) -> None:
    file = tmp_path / "My Harbor.json"
    answer = own_console.run("saves", "export", NAME, str(file))
    assert answer.out == f"Wrote {NAME} at turn {TURNS + 1} to {file}.\n"
    assert own_console.run("saves", "export", NAME, str(file)).code == 2
    answer = own_console.run("saves", "import", str(file))
    assert answer.code == 0
    assert answer.lines == [
        f"Created my_harbor from {file}, at turn {TURNS + 1}.",
        "Continue: talewright play --campaign my_harbor",
    ]
    # Nothing is wrong with it, and nothing is proven about what was saved.
    assert own_console.run("verify", "my_harbor").code == 3
    again = json.loads(own_console.run("saves", "export", "my_harbor", "-").out)
    saved = json.loads(file.read_text("utf-8"))
    assert {**again, "timestamp": ""} == {**saved, "timestamp": ""}


def test_whole_campaign_goes_to_a_file_and_back(own_console: Console, tmp_path: Path) -> None:
    file = tmp_path / "My Harbor.jsonl"
    answer = own_console.run("saves", "export", NAME, str(file), "--whole")
    assert answer.out == f"Wrote all of {NAME} except its dice secret to {file}.\n"
    assert SECRET.hex() not in file.read_text("utf-8")
    assert own_console.run("saves", "export", NAME, "-", "--whole").out == file.read_text("utf-8")
    before = json.loads(own_console.run("tree", NAME, "--json").out)
    answer = own_console.run("saves", "import", str(file))
    assert (answer.code, answer.err) == (0, "")
    assert answer.lines == [
        f"Created my_harbor with the history in {file}, up to turn {TURNS + 1}. Its dice are new.",
        "Continue: talewright play --campaign my_harbor",
    ]
    after = json.loads(own_console.run("tree", "my_harbor", "--json").out)
    assert (after["turns"], after["branches"], after["marks"]) == (
        before["turns"],
        before["branches"],
        before["marks"],
    )
    assert own_console.run("undo", "2", "-c", "my_harbor", "--no-git").code == 0
    assert own_console.run("fork", "3", "-c", "my_harbor", "--name", "what-if", "--no-git").code == 0
    assert own_console.run("diff", "1", "3", "-c", "my_harbor").code == 0
    assert own_console.run("verify", "my_harbor", "--reveal").code == 0
    assert own_console.run("verify", "my_harbor", "--secret", SECRET.hex()).code == 0
    assert own_console.run("verify", "my_harbor", "--secret", "00").code == 1
    assert own_console.run("replay", "my_harbor").code == 0


def test_whole_file_needs_no_game_and_no_guessing(own_console: Console, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    own_console.run("saves", "export", NAME, str(file), "--whole")
    answer = own_console.run("saves", "import", str(file), "--game", "mist_harbor")
    assert answer.code == 2
    assert "a file written with --whole includes its games" in answer.err
    data = file.read_bytes()
    begin, end = data[:-200], data[-200:]
    file.write_bytes(begin + end.replace(b"camp", b"lamp"))
    assert file.read_bytes() != data
    answer = own_console.run("saves", "import", str(file))
    assert answer.code == 2
    assert "the records in the file have been changed" in answer.err
    assert "x" not in [line.split()[0] for line in own_console.run("saves").lines]


def test_file_that_does_not_fit_is_refused_by_its_path(own_console: Console, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    save = json.loads(own_console.run("saves", "export", NAME, "-").out)
    save["state"]["hp"] = 1_000
    file.write_text(json.dumps(save), "utf-8")
    answer = own_console.run("saves", "import", str(file), "--name", "third")
    assert answer.code == 2
    assert "hp: 1000 does not fit; it is a whole number from 0 to 100" in answer.err
    assert own_console.run("saves", "import", str(tmp_path / "gone")).code == 2
    assert "third" not in own_console.run("saves").out


def test_recovery_is_told(own_console: Console) -> None:
    answer = own_console.run("saves", "recover", NAME)
    assert answer.code == 0
    assert NAME in answer.out
    assert own_console.run("saves", "recover", "nobody").code == 2


@pytest.mark.parametrize(
    ("file", "name"), [("My Harbor.json", "my_harbor"), ("雾港.json", "imported"), ("a" * 99, "a" * 64)]
)
def test_campaign_is_called_after_the_file(file: str, name: str) -> None:
    assert name_after(file) == name
