"""Making: small games in memory for the tests of the compiler, and what was found wrong in them.

Each test writes only the lines it is about; the rest of a good game stands here.
"""

from collections.abc import Mapping

from talewright.errors import Fault
from talewright.kernel.game import Game
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.system import System
from talewright.pack.cache.compiled_game import CompiledGame
from talewright.pack.compiler import compile_files
from talewright.pack.faults import FaultList
from talewright.pack.files.folder_reader import GameFolder
from talewright.pack.files.yaml_nodes import Node
from talewright.pack.files.yaml_reader import NodeBudget, read_yaml

HEAD = "game_id: well\ntitle: The Well\n"
HEAD_LINES = 2
"""Lines of game.yaml before what a test gives."""


def compile_game(
    game: str = "",
    files: Mapping[str, str | bytes] | None = None,
    systems: Mapping[str, System] | None = None,
) -> CompiledGame:
    """Compile a game whose game.yaml begins with HEAD; `files` are further ones, or others in place of it."""
    written: dict[str, str | bytes] = {"game.yaml": HEAD + game, "world.md": "A dry well.\n", **(files or {})}
    data = {name: text.encode() if isinstance(text, str) else text for name, text in written.items()}
    return compile_files(GameFolder(dict(sorted(data.items())), ()), systems or {}, FaultList())


def good_game(
    game: str = "",
    files: Mapping[str, str | bytes] | None = None,
    systems: Mapping[str, System] | None = None,
) -> Game:
    """A game that has no faults at all."""
    compiled = compile_game(game, files, systems)
    assert compiled.faults == ()
    assert compiled.game is not None
    return compiled.game


def variable(line: str) -> str:
    """The lines of a game.yaml with one variable, whose mapping is given without its braces."""
    return f"variables:\n  - {{{line}}}\n"


def slot_of(line: str, name: str = "v") -> Slot:
    """The slot of one variable, called `v` unless the test says otherwise."""
    return good_game(variable(f"id: {name}, {line}")).layout.roots[name]


def brief(fault: Fault) -> str:
    """A fault as tests compare it: place, code and suggestion."""
    return f"{fault.place} {fault.code}: {fault.suggestion}"


def told(compiled: CompiledGame) -> list[str]:
    """All faults, in brief."""
    return [brief(fault) for fault in compiled.faults]


def read(text: str, fault_list: FaultList | None = None, name: str = "f.yaml") -> Node:
    """The node of a YAML text; without a desk of the test's own it must have no faults."""
    own = fault_list or FaultList()
    node = read_yaml(name, text, own, NodeBudget())
    assert node is not None
    if fault_list is None:
        assert own.faults() == ()
    return node


MARK = "»"
"""Stands in a test's text before the character that a fault must point at; taken out before compiling."""


def find_mark(texts: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """The texts without their one mark, and the place where it stood."""
    found = [(name, text) for name, text in texts.items() if MARK in text]
    assert len(found) == 1, "one mark says where one fault is"
    name, text = found[0]
    before, after = text.split(MARK)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return {**texts, name: before + after}, f"{name}:{line}:{column}"


def check_fault(
    fault: str,
    game: str = "",
    files: Mapping[str, str] | None = None,
    systems: Mapping[str, System] | None = None,
) -> None:
    """Compile a game with one mark in it and see that this fault (`code: suggestion`) is told there, once."""
    texts, place = find_mark({"game.yaml": HEAD + game, "world.md": "A dry well.\n", **(files or {})})
    assert told(compile_game("", texts, systems)) == [f"{place} {fault}"]
