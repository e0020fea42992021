"""The public names are those on the list, and the examples use no others."""

import ast
import importlib

import pytest

from tests.documents import find_documents, find_programs
from tests.public_names import LIST, PAGE, ROOT, find_file, list_all, list_names, read_modules

MODULES = read_modules(PAGE.read_text("utf-8"))


def test_the_public_names_are_those_on_the_list() -> None:
    kept, now = LIST.read_text("utf-8").splitlines(), list_all()
    gone, added = sorted(set(kept) - set(now)), sorted(set(now) - set(kept))
    hint = "see docs/plug/stability.md; if it is intended, run `python -m tests.public_names`"
    assert kept == now, f"removed or changed: {gone}; new: {added}; {hint}"


@pytest.mark.parametrize("module", MODULES)
def test_a_public_module_can_be_imported(module: str) -> None:
    assert find_file(module).is_file()
    importlib.import_module(module)


def test_examples_import_public_modules_only() -> None:
    used = {
        node.module
        for path in find_documents(ROOT)
        for program in find_programs(path.read_text("utf-8"))
        for node in ast.walk(ast.parse(program))
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "talewright"
    }
    assert sorted(str(module) for module in used - set(MODULES)) == []


SOURCE = """
__all__ = ["LIMIT", "Door", "open_door", "passed_on"]
from elsewhere import passed_on
LIMIT = 3
_hidden = 4
def open_door(saves, language="", *, model="", **more): ...
def helper(): ...
class Door(Protocol):
    width: int
    height: int = 2
    _lock: int = 3
    def __init__(self, width): ...
    async def knock(self, *times): ...
    def _creak(self): ...
"""


def test_names_are_found_with_parameters_and_members() -> None:
    assert list(list_names("house.door", SOURCE)) == [
        "house.door.LIMIT",
        "house.door.open_door(saves, language=..., *, model=..., **more)",
        "house.door.Door(Protocol)",
        "house.door.Door.width",
        "house.door.Door.height = ...",
        "house.door.Door.__init__(self, width)",
        "house.door.Door.knock(self, *times)",
        "house.door.passed_on",
    ]
    without = SOURCE.replace("__all__", "_all")
    assert "house.door.helper()" in list(list_names("house.door", without))
    assert "house.door.passed_on" not in list(list_names("house.door", without))


PAGE_TEXT = """\
`talewright.no`

## Public modules

To `talewright.play`:

- `talewright.a`, `talewright.b`: some,
  and `talewright.c`
- `talewright`: the rest

Also `talewright.d`.

## More

- `talewright.e`
"""


def test_modules_are_read_from_the_page() -> None:
    assert read_modules(PAGE_TEXT) == ["talewright.a", "talewright.b", "talewright.c", "talewright"]
