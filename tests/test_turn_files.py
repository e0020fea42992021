"""One turn enters few files: whoever follows it with a debugger is not led through the whole house."""

import asyncio
from pathlib import Path

from tests.turn_files import count_files

FILES_MAX = 110
"""It was 100 before a turn had an address, a beginning and circumstances, news a bus of their own, and stores
open turns and totals; then 112, before the guard against quotations read as a person reads; then 117, before
waits, repetitions, short forms and sending ahead had files of their own; then 122, before the systems
of a game were sorted by what they do; then 123, before past turns and the rules of a game were read once."""


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
