"""One turn enters few files: whoever follows it with a debugger is not led through the whole house."""

import asyncio
from pathlib import Path

from tests.turn_files import count_files

FILES_MAX = 110
"""It grew from 100 to 125 while every new subject got a file of its own; then modules that made no sense
alone were joined to their importers. Whoever adds a file to the way of a turn finds another one to join."""


def test_one_turn_enters_few_files(tmp_path: Path) -> None:
    files = asyncio.run(count_files(tmp_path))
    assert len(files) <= FILES_MAX, files
    # The count is of the whole way: face's door, prompt, wire, rules, record.
    rooms = {file.partition("/")[0] for file in files}
    assert rooms >= {
        "play",
        "turn",
        "prompt",
        "contract",
        "providers",
        "llm",
        "kernel",
        "chronicle",
        "stores",
    }
