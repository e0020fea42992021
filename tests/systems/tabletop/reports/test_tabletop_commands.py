"""Reports and starters: the tabletop's commands, and new games that start from its rulebooks."""

import asyncio
import json
import random
from pathlib import Path

import pytest

from talewright.bootstrap import open_lobby
from talewright.cli import main
from talewright.systems.tabletop.reports.tabletop_commands import FOLDER, list_starters
from talewright.systems.tabletop.rulebook import FILE, read_rulebook
from tests.opened import opened
from tests.systems.tabletop.rulebook_snapshots import BOOKS, snapshot_of
from tests.warm_homes import warm

TURNS_MAX = 60
"""A new game that lasts longer goes nowhere."""

WANTED = frozenset({"clock", "reach", "unlock", "fight", "stand", "get_up"})
"""Choices that lead to a fight, and past it."""

STARTERS = {one.name: one for one in list_starters()}


@pytest.fixture(autouse=True)
def go_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path / "home")))


def test_every_reference_rulebook_is_a_starter() -> None:
    assert list(STARTERS) == ["d20", "pbta", "fate"]
    assert set(STARTERS) == {path.stem for path in FOLDER.glob("*.md")}
    for name, starter in STARTERS.items():
        assert starter.files[FILE] == BOOKS[name].read_text("utf-8")
        book, warnings = read_rulebook({FILE: starter.files[FILE]})
        assert book is not None
        assert (book.check, warnings) == (name, ())


@pytest.mark.parametrize("name", STARTERS)
def test_a_new_game_with_rules_passes_the_check(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "road", "--rules", name]) == 0
    assert main(["check", "road", "--strict"]) == 0
    assert "no faults" in capsys.readouterr().out
    assert main(["rules", "road"]) == 0
    told = capsys.readouterr().out.splitlines()
    understood = snapshot_of(name).read_text("utf-8").splitlines()
    assert [line for line in understood if line not in told] == []


def test_rules_are_reported_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "road", "--rules", "d20"]) == 0
    capsys.readouterr()
    assert main(["rules", "road", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["checkRule"], len(report["npcTemplates"])) == ("d20", 3)
    assert report["npcTemplates"][0]["file"] == FILE


def test_what_is_malformed_is_a_warning_of_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    """A rulebook in several files is read as one: its skills know the attributes of another file."""
    assert main(["new", "road", "--rules", "d20"]) == 0
    text = Path("road", FILE).read_text("utf-8")
    Path("road", FILE).write_text(text.replace("- HP: 9\n", "- HP: a few\n"), "utf-8")
    Path("road/System").mkdir()
    Path("road/System/more.md").write_text("## Skills\n- Sailing (WIS)\n", "utf-8")
    capsys.readouterr()
    assert main(["check", "road"]) == 0
    line = text[: text.index("- HP: 9")].count("\n") + 1
    (told,) = [one for one in capsys.readouterr().out.splitlines() if ": warning " in one]
    assert told.startswith(f"road/{FILE}:{line}:1: warning [rules-number]")
    assert main(["check", "road", "--strict"]) == 1
    assert main(["rules", "road"]) == 0
    assert "warnings: 1" in capsys.readouterr().out


def test_a_translation_that_lists_other_things_is_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "road", "--rules", "d20"]) == 0
    book = Path("road", FILE).read_text("utf-8")
    Path("road/System.zh-CN.md").write_text(book.replace("Stealth (DEX)", "潜行（DEX）"), "utf-8")
    assert main(["check", "road", "--strict"]) == 0
    Path("road/System.zh-CN.md").write_text(book.replace("- Lore (INT)", "Lore (INT)"), "utf-8")
    capsys.readouterr()
    assert main(["check", "road", "--strict"]) == 1
    assert "road/System.zh-CN.md:1:1: warning [rules-translation] 8 skills were found here, 9 in" in (
        capsys.readouterr().out
    )
    assert main(["rules", "road"]) == 0
    assert "rules-translation" in capsys.readouterr().out


def test_without_a_rulebook_the_game_is_pure_narrative(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "road", "--rules", "d20"]) == 0
    for path in STARTERS["d20"].files:
        Path("road", path).unlink()
    assert main(["check", "road", "--strict"]) == 0
    capsys.readouterr()
    assert main(["rules", "road"]) == 0
    assert capsys.readouterr().out == "There is no rulebook: the game is pure narrative.\n"


async def play(saves: Path, seed: int) -> set[str]:
    """Play a new game at random, without a model, until it ends; what has happened besides the story."""
    choose, told = random.Random(seed), set()
    lobby = open_lobby(saves, git=False, language="en", secret=bytes([seed] * 32))
    session = await opened(lobby.begin("road"))
    for _ in range(TURNS_MAX):
        view = await session.view()
        assert view.turn is not None
        told |= {str(event) for event in view.turn.events}
        if view.end is not None:
            await session.close()
            return told
        wanted = [choice for choice in view.choices if choice.id in WANTED]
        await session.choose(choose.choice(wanted or list(view.choices)).id)
    raise AssertionError(f"seed {seed}: no end after {TURNS_MAX} turns")


@pytest.mark.parametrize("name", STARTERS)
def test_a_new_game_with_rules_is_playable_and_logs_every_die(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "road", "--rules", name]) == 0
    told = set().union(*(asyncio.run(play(tmp_path / "saves", seed)) for seed in range(4)))
    assert any(event.startswith("A fight begins.") for event in told)
    assert main(["rolls", "--saves", "saves", "road-3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("attacks, Umbrella" in line for line in lines) or any("flees" in line for line in lines)
    for number in range(1, 5):
        assert main(["rolls", "--saves", "saves", f"road-{number}", "--json", "--viewer", "author"]) == 0
        turns = json.loads(capsys.readouterr().out)["turns"]
        assert turns
        assert all("otherDraws" not in turn for turn in turns), turns
        assert all(roll["draws"] for turn in turns for roll in turn["rolls"])
