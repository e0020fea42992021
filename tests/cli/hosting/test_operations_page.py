"""The page for operators is walked through: every `talewright` command on it is run, in its order."""

import re
import shlex
from pathlib import Path

import pytest

from talewright.cli import main
from tests.cli.hosting.test_admin_command import KEYS
from tests.documents import find_shell_lines

PAGE = Path(__file__).parents[3] / "docs" / "run" / "operations.md"


def test_every_command_of_the_page_runs(
    database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("TALEWRIGHT_SEALING_KEYS", KEYS)
    lines = find_shell_lines(PAGE, "Administration")
    assert {tuple(line.split()[:3])[-1] for line in lines} == {"owner", "budgets", "turns", "workers", "verify"}
    owner = ""
    for line in lines:
        words = [owner if word == "ID" else word for word in shlex.split(line)]
        assert main(words[1:]) == 0, line
        told = capsys.readouterr()
        assert told.err == "", line
        found = re.search(r"^id: (\w+)$", told.out, re.MULTILINE)
        owner = found[1] if found else owner
    assert "remove" in lines[-1]
