"""`talewright check`: exit codes, what a person reads and what a script reads."""

import json
import os
import sys
from pathlib import Path

import pytest

from talewright.cli import check_command, main
from talewright.pack.faults import FAULTS_MAX
from tests.pack.fault_cases import FOLDERS, write_game

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def set_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture(name="game")
def make_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path / "well")
    return Path("well")


def add(game: Path, lines: str) -> None:
    with (game / "game.yaml").open("a", encoding="utf-8") as file:
        file.write(lines)


def test_a_good_game_is_told_in_one_line(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "well"]) == 0
    assert capsys.readouterr().out == "well: no faults (0 scenes, 0 triggers, 0 endings, in en)\n"


def test_a_game_is_found_by_its_id(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(game)
    assert main(["check", "chapel_watch", "--strict"]) == 0
    assert f"{Path('games', 'chapel_watch')}: no faults" in capsys.readouterr().out
    # A game need not be playable to be found by the name of its folder.
    Path("game.yaml").write_text("title: [\n", "utf-8")
    assert main(["check", "well"]) == 1


def test_an_error_is_shown_with_its_line_and_what_to_write(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(game, "status_bar: {items: [{var_id: rop}]}\n")
    assert main(["check", "well"]) == 1
    assert capsys.readouterr().out == (
        "well/game.yaml:5:31: error [unknown-path] there is no `rop`\n"
        "     5 | status_bar: {items: [{var_id: rop}]}\n"
        "       |                               ^\n"
        "    Write `rope`.\n"
        "\n"
        "well: 1 error; it cannot be played yet\n"
    )


def test_the_mark_stands_under_wide_characters(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(game, "  - {id: lamp, label: 井边的灯, typ: boolean}\n")
    assert main(["check", "well"]) == 1
    _, line, mark, *_ = capsys.readouterr().out.splitlines()
    assert line == "     5 |   - {id: lamp, label: 井边的灯, typ: boolean}"
    # Four characters of two cells each stand before the mark.
    assert mark.index("^") == line.index("typ") + 4


def test_warnings_count_only_where_they_are_asked_to(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (game / "notes.yaml").write_text("a: b\n", "utf-8")
    assert main(["check", "well"]) == 0
    told = capsys.readouterr().out
    assert told == (
        "well/notes.yaml:1:1: warning [unexpected-file] this file is never read\n"
        "    Rename it, or move it out of the folder.\n"
        "\n"
        "well: 1 warning (0 scenes, 0 triggers, 0 endings, in en)\n"
    )
    assert main(["check", "well", "--strict"]) == 1
    assert capsys.readouterr().out == told


def test_errors_and_warnings_are_counted(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (game / "notes.yaml").write_text("a: b\n", "utf-8")
    add(game, "tune: a\ncontrakt: b\n")
    assert main(["check", "well"]) == 1
    assert capsys.readouterr().out.endswith("\nwell: 2 errors, 1 warning; it cannot be played yet\n")


def test_a_script_reads_json(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(game, "tune: 静\n")
    assert main(["check", "well", "--json"]) == 1
    told = capsys.readouterr().out
    assert json.loads(told) == {
        "folder": "well",
        "playable": False,
        "faults": [
            {
                "code": "unknown-field",
                "severity": "error",
                "file": "game.yaml",
                "line": 5,
                "column": 1,
                "message": "`game.yaml` has no field `tune`",
                "suggestion": "Write `tone`.",
            }
        ],
    }


def test_a_script_is_told_that_all_is_well(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "well", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"folder": "well", "playable": True, "faults": []}


def test_a_shipped_game_has_no_faults(capsys: pytest.CaptureFixture[str]) -> None:
    # `tests/games` checks all of them.
    assert main(["check", str(ROOT / "games" / "chapel_watch"), "--strict"]) == 0
    assert "no faults" in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(folder.name for folder in FOLDERS.iterdir()))
def test_every_broken_folder_is_told_by_the_command(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is expected was written without any system, and must not change with those that come.
    monkeypatch.setattr(check_command, "installed_systems", dict)
    code = main(["check", str(FOLDERS / name)])
    told = capsys.readouterr().out
    expected, suggestion = (FOLDERS / name / "expected.txt").read_text("utf-8").rstrip("\n").split("\n    ")
    place, severity, rest = expected.split(" ", 2)
    assert told.startswith(f"{FOLDERS / name}/{place}: {severity} {rest}\n")
    assert f"\n    {suggestion}\n" in told
    assert code == (1 if severity == "error" else 0)
    assert "\x1b" not in told
    assert "\x07" not in told


def test_a_pipe_and_a_link_are_not_opened_for_a_quote(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (game.parent / "secret.md").write_text("Nobody may read this.\n", "utf-8")
    (game / "intro.md").symlink_to((game.parent / "secret.md").resolve())
    os.mkfifo(game / "endings.md")
    assert main(["check", "well"]) == 1
    told = capsys.readouterr().out
    assert told.count("[not-a-file]") == 2
    assert "Nobody" not in told


def test_lines_are_counted_as_the_compiler_counts_them(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (game / "world.md").write_bytes(b"\xef\xbb\xbfone\x0ctwo\r\nthree \x07 four\r\n")
    assert main(["check", "well"]) == 1
    assert "world.md:1:4: " in capsys.readouterr().out
    (game / "world.md").write_bytes(b"\xef\xbb\xbfone\r\nthree \x07 four\r\n")
    assert main(["check", "well"]) == 1
    assert "     2 | three   four\n       |       ^\n" in capsys.readouterr().out


def test_a_hostile_name_does_not_reach_the_terminal(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (game / "a\x1b[2J\n.md").touch()
    assert main(["check", "well"]) == 1
    assert "well/a\\x1b[2J\\n.md:1:1: error [bad-file-name]" in capsys.readouterr().out


def test_more_faults_than_are_kept_are_told_as_such(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(game, "".join(f"  - {{id: v{number}, type: what}}\n" for number in range(FAULTS_MAX + 1)))
    assert main(["check", "well"]) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "well: 500 errors (at most 500 are shown); it cannot be played yet"


def test_a_terminal_is_given_lines_that_fit(
    game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    add(game, "  - {id: lamp, type: lantern, label: " + "灯" * 60 + ", lable: x}\n")
    monkeypatch.setattr(check_command, "_is_terminal", lambda: True)
    assert main(["check", "well"]) == 1
    told = capsys.readouterr().out
    assert all(sum(2 if char == "灯" else 1 for char in line) <= 80 for line in told.splitlines())
    assert "\n    " in told.partition(": error ")[2].partition("\n     5 |")[0], (
        "a long message goes on indented"
    )


def test_one_line_a_message_where_nobody_reads_at_a_terminal(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not sys.stdout.isatty()
    add(game, "  - {id: lamp, type: lantern, label: x}\n")
    assert main(["check", "well"]) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first.endswith('found "lantern"')
    assert len(first) > 80
