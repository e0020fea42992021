"""`talewright export`: a file in each format, and never over another by accident."""

import io
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from talewright.cli import main
from talewright.cli.campaign.export_command import choose_format
from tests.cli.campaigns import NAME, TURNS, Console


@pytest.mark.parametrize("kind", ["md", "html", "epub"])
def test_story_is_written(console: Console, tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"story.{kind}"
    answer = console.run("export", NAME, "-o", str(file))
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == f"Wrote Mist Harbor Echoes to {file} ({TURNS + 1} passages).\n"
    if kind == "epub":
        with ZipFile(file) as book:
            assert book.namelist()[0] == "mimetype"
    else:
        assert "Mist Harbor" in file.read_text("utf-8")


def test_story_goes_to_the_output(console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "story.md"
    console.run("export", NAME, "-o", str(file))
    monkeypatch.chdir(tmp_path)
    answer = console.run("export", NAME, "-o", "-")
    assert (answer.code, answer.out) == (0, file.read_text("utf-8"))
    book = io.TextIOWrapper(io.BytesIO())
    with monkeypatch.context() as here:
        here.setattr(sys, "stdout", book)
        assert main(["export", NAME, "-o", "-", "--format", "epub", "--saves", str(console.saves)]) == 0
        with ZipFile(book.buffer) as pages:
            assert pages.namelist()[0] == "mimetype"
        here.setattr(book, "isatty", lambda: True)
        assert main(["export", NAME, "-o", "-", "--format", "epub", "--saves", str(console.saves)]) == 2
    assert "an EPUB book cannot be shown in a terminal" in console.capsys.readouterr().err
    assert not (tmp_path / "-").exists()


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
