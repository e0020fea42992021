"""Making for the tests of meaning: a game from a few lines, and the warnings about what it means.

Each test writes only the lines it is about; other kinds of faults are left out, errors are not allowed.
"""

from collections.abc import Mapping

from talewright.errors import Severity
from talewright.kernel.system import System
from talewright.pack.compiler import compile_files
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.folder_reader import GameFolder

HEAD = "game_id: well\ntitle: The Well\n"
HEAD_LINES = 2
"""Lines of game.yaml before what a test gives."""

CODES = [code.text for code in FaultCode]
MEANING = frozenset(CODES[CODES.index(FaultCode.NEVER_HOLDS.text) :])


def find(
    game: str, files: Mapping[str, str] | None = None, systems: Mapping[str, System] | None = None
) -> list[str]:
    """The warnings of meaning as `place code: message | suggestion`; a game.yaml begins with HEAD."""
    written = {"game.yaml": HEAD + game, "world.md": "A dry well.\n", **(files or {})}
    folder = GameFolder({name: text.encode() for name, text in sorted(written.items())}, ())
    faults = compile_files(folder, systems or {}, FaultList(), meaning=True).faults
    assert [fault for fault in faults if fault.severity is Severity.ERROR] == []
    return [
        f"{fault.place} {fault.code}: {fault.message} | {fault.suggestion}"
        for fault in faults
        if fault.code in MEANING
    ]


def codes(
    game: str, files: Mapping[str, str] | None = None, systems: Mapping[str, System] | None = None
) -> list[str]:
    """The warnings in brief: `place code`."""
    return [line.partition(": ")[0] for line in find(game, files, systems)]
