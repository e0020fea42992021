"""Folders changed at random: the compiler always answers, and every fault points at what is there."""

import random
from collections import Counter
from pathlib import Path

import pytest

from talewright.errors import Fault, Severity
from talewright.pack.cache.compiled_game import CompiledGame, pack_game, unpack_game
from talewright.pack.compiler import compile_files
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.folder_reader import GameFolder, read_folder
from tests.plugs.toll import Toll

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SYSTEMS = {"toll": Toll()}

FRAGMENTS = [
    *(
        "{",
        "}",
        "[",
        "]",
        "- ",
        ": ",
        "&a ",
        "*a",
        "!x ",
        "<<: ",
        "'",
        '"',
        "\\",
        "null",
        "~",
        "true",
        "-1",
        "1e9",
    ),
    *(
        "99999999999999999999",
        "\t",
        "  ",
        "|",
        ">",
        "---\n",
        "#",
        "0x1F",
        ".nan",
        "hp",
        "foo",
        "\u200b",
        "[[",
        "井",
    ),
    *(
        "when: ",
        "id: ",
        "type: ",
        "\x00",
        "\x1b",
        "\u2028",
        "? ",
        "turn",
        "== ",
        "and ",
        "not ",
        "(",
        ")",
        ", ",
        "\n",
    ),
]

ABSENT = {FaultCode.MISSING_FILE.text, FaultCode.UNDECLARED_LANGUAGE.text}
"""Faults whose place is a file that is not there, or a folder."""


def read_game(name: str) -> dict[str, bytes]:
    folder = read_folder(ROOT / name, FaultList())
    assert folder is not None
    return dict(folder.files)


def change_line(line: str, lines: list[str], chance: random.Random) -> list[str]:
    """What may become of one line."""
    at = chance.randrange(len(line) + 1)
    match chance.randrange(7):
        case 0:
            return []
        case 1:
            return [line + chance.choice(FRAGMENTS)]
        case 2:
            return [line[:at] + chance.choice(FRAGMENTS) + line[at:]]
        case 3:
            return ["  " + line]
        case 4:
            return [chance.choice(lines), line]
        case 5 if ":" in line:
            return [line.partition(":")[0] + ": " + chance.choice(FRAGMENTS)]
        case _:
            return [line[:at] + line[at + 1 :]]


def mutate(files: dict[str, bytes], chance: random.Random) -> dict[str, bytes]:
    """A copy of a folder with one to five lines changed, now and then a byte or a whole file."""
    changed = dict(files)
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        name = chance.choice(sorted(changed))
        lines = changed[name].decode("utf-8", "surrogateescape").split("\n")
        number = chance.randrange(len(lines))
        lines[number : number + 1] = change_line(lines[number], lines, chance)
        changed[name] = "\n".join(lines).encode("utf-8", "surrogateescape")
    if chance.random() < 0.05:
        name = chance.choice(sorted(changed))
        data = bytearray(changed[name])
        data[chance.randrange(len(data)) if data else 0 :][:1] = b"\xff"
        changed[name] = bytes(data)
    if chance.random() < 0.05:
        del changed[chance.choice(sorted(changed))]
    return changed


def check_fault(fault: Fault, files: dict[str, bytes]) -> None:
    assert fault.message
    assert fault.suggestion.endswith((".", "!", "?", "…")), fault
    assert fault.message.isprintable(), fault
    if fault.code in ABSENT:
        return
    lines = files[fault.place.file].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").split("\n")
    assert 1 <= fault.place.line <= len(lines), fault
    assert 1 <= fault.place.column <= len(lines[fault.place.line - 1]) + 1, fault


def check_answer(compiled: CompiledGame, files: dict[str, bytes]) -> None:
    errors = [fault for fault in compiled.faults if fault.severity is Severity.ERROR]
    assert (compiled.game is None) is bool(errors)
    for fault in compiled.faults:
        check_fault(fault, files)
    if compiled.game is not None:
        form = pack_game(compiled.game, compiled.texts, compiled.faults)
        assert unpack_game(form, SYSTEMS) == (compiled.game, compiled.texts, compiled.faults)


@pytest.mark.parametrize(
    ("name", "count"),
    [("src/talewright/pack/template", 250), ("games/lantern_road", 40), ("tests/games/seed_harbor", 100)],
)
def test_a_changed_folder_is_always_answered(name: str, count: int) -> None:
    base = read_game(name)
    codes: Counter[str] = Counter()
    for number in range(count):
        seed = f"fuzz {name} {number}"
        files = mutate(base, random.Random(seed))
        try:
            compiled = compile_files(GameFolder(files, ()), SYSTEMS, FaultList(), meaning=True)
            check_answer(compiled, files)
        except Exception as error:
            raise AssertionError(f"seed {seed!r}") from error
        codes.update(fault.code for fault in compiled.faults)
    assert len(codes) >= 8, "the changes must reach more than the parser"
