"""The page for operators is walked through: every `talewright` command on it is run, in its order."""

import re
import shlex
from pathlib import Path

import pytest

from talewright.bootstrap.hosting.host_data import HostData
from talewright.cli import main
from tests.cli.hosting.test_admin_command import KEYS
from tests.documents import find_shell_lines

PAGE = Path(__file__).parents[3] / "docs" / "run" / "operations.md"


def test_every_command_of_the_page_runs(
    database_url: str,
    redis_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("TALEWRIGHT_SEALING_KEYS", KEYS)
    monkeypatch.chdir(tmp_path)
    # No node knows the token, so nobody waits for one.
    monkeypatch.setattr(HostData.purge_owner, "__defaults__", (0.0,))
    monkeypatch.setenv("REDIS_URL", redis_url)
    lines = find_shell_lines(PAGE, "Administration")
    words_used = {tuple(line.split()[:3])[-1] for line in lines}
    assert words_used == {"owner", "campaigns", "budgets", "turns", "workers", "verify", "migrate", "reseal"}
    owner = ""
    for line in lines:
        words = [owner if word == "ID" else word for word in shlex.split(line)]
        assert main(words[1:]) == 0, line
        told = capsys.readouterr()
        # What changes something writes a line of the log, which is JSON.
        assert all(one.startswith("{") for one in told.err.splitlines()), line
        found = re.search(r"^id: (\w+)$", told.out, re.MULTILINE)
        owner = found[1] if found else owner
    assert "purge" in lines[-1]
    assert (tmp_path / "ann" / "owner.json").exists()
