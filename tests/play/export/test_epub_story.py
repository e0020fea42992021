"""Books as the checker of the field sees them: every kind of export passes epubcheck without a word.

Skipped where epubcheck is not installed; `.ci/run` installs it and lets nobody skip this.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from talewright.play.export.campaign_story import CHAPTER_TURNS
from talewright.play.export.epub_story import to_epub
from talewright.turn.records.commit_body import GameEnd
from tests.play.export.test_campaign_story_stories import story

MISSING = "epubcheck is not installed (Debian: apt-get install epubcheck)"
REQUIRED = "TALEWRIGHT_EPUBCHECK"
"""Set to `required` where a missing checker is a failure."""

QUICK_START = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""For a program that runs a few seconds: half the time of the usual start."""

STORIES = {
    "chapters": lambda: story(turns=2 * CHAPTER_TURNS, end=GameEnd("done", "lose")),
    "one_chapter": lambda: story("zh-CN", end=GameEnd("done", "win")),
}


def find_checker() -> list[str]:
    """The command that checks a book."""
    found = shutil.which("epubcheck")
    if found is None:
        if os.environ.get(REQUIRED) == "required":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    # Debian's is the archive itself, which only systems with binfmt_misc start by its name.
    with Path(found).open("rb") as file:
        return ["java", *QUICK_START, "-jar", found] if file.read(2) == b"PK" else [found]


@pytest.mark.process
@pytest.mark.parametrize("kind", list(STORIES))
def test_book_passes_epubcheck(tmp_path: Path, kind: str) -> None:
    checker = find_checker()
    told = STORIES[kind]()
    # Dice and events are in the book that is checked.
    assert all(passage.events for passage in told.passages[:-1])
    book = tmp_path / "story.epub"
    book.write_bytes(to_epub(told))
    result = subprocess.run([*checker, str(book)], capture_output=True, text=True, timeout=300, check=False)
    said = result.stdout + result.stderr
    assert result.returncode == 0, said
    assert "0 fatals / 0 errors / 0 warnings / 0 infos" in said


def test_missing_checker_is_skipped_or_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(REQUIRED, raising=False)
    with pytest.raises(pytest.skip.Exception, match="epubcheck is not installed"):
        find_checker()
    monkeypatch.setenv(REQUIRED, "required")
    with pytest.raises(pytest.fail.Exception, match="apt-get install epubcheck"):
        find_checker()
