"""`talewright export`: a file in each format, and never over another by accident."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from talewright.cli.campaign.export_command import choose_format
from tests.cli.campaigns import NAME, TURNS, Console


@pytest.mark.parametrize("kind", ["md", "html", "epub"])
def test_story_is_written(console: Console, tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"story.{kind}"
    answer = console.run("export", NAME, "-o", str(file))
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == f"{file} holds Mist Harbor Echoes in {TURNS + 1} passages.\n"
    if kind == "epub":
        with ZipFile(file) as book:
            assert book.namelist()[0] == "mimetype"
    else:
        assert "Mist Harbor" in file.read_text("utf-8")


def test_file_that_is_there_stays(console: Console, tmp_path: Path) -> None:
    file = tmp_path / "story"
    file.write_text("mine", "utf-8")
    answer = console.run("export", "--format", "md", "-o", str(file), "--to", "1")
    assert answer.code == 2
    assert "exists already" in answer.err
    assert file.read_text("utf-8") == "mine"
    assert console.run("export", "-o", str(file), "--to", "1", "--force").code == 0
    assert file.read_text("utf-8").startswith("# Mist Harbor Echoes")


def test_place_that_cannot_be_written(console: Console, tmp_path: Path) -> None:
    answer = console.run("export", "-o", str(tmp_path / "no" / "where.md"))
    assert answer.code == 2
    assert "cannot be written" in answer.err


@pytest.mark.parametrize(
    ("name", "asked", "kind"),
    [("a.HTM", None, "html"), ("a.epub", None, "epub"), ("a.txt", None, "md"), ("a.epub", "html", "html")],
)
def test_format_follows_the_file(name: str, asked: str | None, kind: str) -> None:
    assert choose_format(Path(name), asked) == kind
