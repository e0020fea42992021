"""The templates for issues: every command that they ask a reporter to run works.

They run one after another, on a campaign that was played.
"""

import asyncio
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.campaigns import NAME, SECRET, Console, play

TEMPLATES = Path(__file__).parents[1] / ".github" / "ISSUE_TEMPLATE"
COMMAND = re.compile(r"`talewright ([^`]+)`")


def find_commands() -> list[list[str]]:
    """The commands of all templates, with a campaign for `CAMPAIGN`."""
    texts = [path.read_text("utf-8") for path in sorted(TEMPLATES.glob("*.md"))]
    found = [shlex.split(command) for text in texts for command in COMMAND.findall(text)]
    return [[NAME if word == "CAMPAIGN" else word for word in words] for words in found]


@pytest.mark.process
def test_the_commands_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TALEWRIGHT_HOME", str(tmp_path / "home"))
    saves = tmp_path / "saves"
    asyncio.run(play(saves, 2))
    console = Console(saves, capsys)
    commands = find_commands()
    for words in commands:
        answer = console.run(*words)
        assert (answer.code, answer.err) == (0, ""), words
    assert ["saves"] in commands
    written = (tmp_path / "bug.jsonl").read_bytes()
    assert NAME.rpartition("-")[0].encode() in written
    assert SECRET not in written
    assert SECRET.hex().encode() not in written
