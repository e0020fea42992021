"""The house test: arrows, circles, sizes and words of the source tree.

The second half feeds made-up trees to the same rules, so that a rule which no longer bites is noticed.
"""

from pathlib import Path

import pytest

from tests import house, house_names, house_reach
from tests.house_languages import check_language_tags

ROOT = Path(__file__).parents[1]
TREE = house.read_tree(ROOT / "src" / house.PACKAGE)

RULES = [
    house.check_arrows,
    house.check_testkit,
    house.check_files,
    house.check_circles,
    house.check_sizes,
    house.check_docstrings,
    house.check_kernel,
    house.check_pydantic,
    house.check_catching,
    house.check_late_imports,
    house.check_sleeping,
    house_names.check_vague_names,
    house_names.check_class_names,
    house_names.check_file_names,
    house_names.check_short_files,
    house_names.check_folders,
    house_reach.check_modules_used,
    house_reach.check_names_used,
    check_language_tags,
]


def tell(complaints: list[str]) -> None:
    """Fail with every complaint in full."""
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_house_keeps_rule(rule: house.Rule) -> None:
    tell(rule(TREE))


@pytest.mark.filterwarnings("default::tests.house.LongFileWarning")
def test_long_files_are_warned_of() -> None:
    """It never fails: pytest lists the warnings at its end."""
    files = [
        path
        for folder in ("src", "tests", "bench", "tools", "testkit")
        for path in (ROOT / folder).rglob("*.py")
    ]
    house.warn_of_long_files(
        {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}
    )


def test_a_long_file_is_a_warning() -> None:
    line = "x = 1\n"
    house.warn_of_long_files({"kernel/a.py": line * house.FILE_LINES_WARNED})
    with pytest.warns(house.LongFileWarning, match="kernel/a.py: 601 lines, more than 600"):
        house.warn_of_long_files({"kernel/a.py": line * (house.FILE_LINES_WARNED + 1)})


def test_every_room_has_arrows_to_rooms_of_the_house() -> None:
    targets = set().union(*house.ARROWS.values())
    assert targets <= set(house.ARROWS)


# From here on: made-up trees.

FORBIDDEN_ARROWS = {
    "upwards": {"kernel/a.py": "import talewright.pack.b", "pack/b.py": ""},
    "from import": {"kernel/a.py": "from talewright.pack.b import B", "pack/b.py": ""},
    "of a package": {"kernel/a.py": "from talewright.pack import B", "pack/__init__.py": ""},
    "of a room": {"kernel/a.py": "from talewright import pack", "pack/__init__.py": ""},
    "renamed": {"faces/a.py": "import talewright.kernel.b as harmless", "kernel/b.py": ""},
    "within a function": {"pack/a.py": "def f():\n    from talewright.turn import b", "turn/b.py": ""},
    "for types only": {
        "llm/a.py": "from typing import *\nif TYPE_CHECKING:\n    from talewright.kernel import b",
        "kernel/b.py": "",
    },
    "by name": {"kernel/a.py": "import importlib\nimportlib.import_module('talewright.cli')", "cli.py": ""},
    "to a room that is not there": {"kernel/a.py": "import talewright.attic"},
    "of the ground": {"errors.py": "import talewright.kernel.b", "kernel/b.py": ""},
    "from the wing's port downwards": {"chronicle/a.py": "import talewright.stores.b", "stores/b.py": ""},
    "between systems": {"systems/a.py": "import talewright.systems.b", "systems/b.py": ""},
    "between faces": {"faces/http/a.py": "import talewright.faces.web.b", "faces/web/b.py": ""},
    "relative": {"kernel/a.py": "from . import b", "kernel/b.py": ""},
    "to the front door": {"bootstrap/a.py": "from talewright import __version__", "__init__.py": ""},
    "in an unknown room": {"attic/a.py": ""},
}


@pytest.mark.parametrize("sources", FORBIDDEN_ARROWS.values(), ids=FORBIDDEN_ARROWS.keys())
def test_forbidden_arrow_is_found(sources: dict[str, str]) -> None:
    complaints = house.check_arrows(house.make_tree(sources))
    assert len(complaints) == 1


def test_forbidden_arrow_is_told_with_its_line() -> None:
    tree = house.make_tree({"kernel/a.py": "\n\nimport talewright.pack.b", "pack/b.py": ""})
    assert house.check_arrows(tree) == ["kernel/a.py:3: kernel may not use pack"]


ALLOWED_ARROWS = {
    "to the ground": {"kernel/a.py": "from talewright.errors import Fault", "errors.py": ""},
    "to the version": {"cli/a.py": "from talewright.version import __version__", "version.py": ""},
    "of the front door": {"__init__.py": "def f():\n    import talewright.bootstrap.b", "bootstrap/b.py": ""},
    "within a room": {"kernel/a.py": "import talewright.kernel.b", "kernel/b.py": ""},
    "within a plug": {"systems/a/x.py": "import talewright.systems.a.y", "systems/a/y.py": ""},
    "to the port": {"systems/a.py": "from talewright.kernel import system", "kernel/system/__init__.py": ""},
    "web to http": {"faces/web/a.py": "import talewright.faces.http.b", "faces/http/b.py": ""},
    "of the root": {
        "bootstrap.py": "import talewright.stores.b",
        "stores/b.py": "",
    },
    "from outside": {"pack/a.py": "import yaml, talewrighter"},
}


@pytest.mark.parametrize("sources", ALLOWED_ARROWS.values(), ids=ALLOWED_ARROWS.keys())
def test_allowed_arrow_is_left_alone(sources: dict[str, str]) -> None:
    assert house.check_arrows(house.make_tree(sources)) == []


@pytest.mark.parametrize(
    "source",
    [
        "import importlib\nimportlib.import_module('talewright.pack.b')",
        "import importlib\nroom = importlib.import_module",
        "\nfrom importlib import import_module",
    ],
)
def test_modules_are_not_imported_by_name(source: str) -> None:
    (complaint,) = house.check_late_imports(house.make_tree({"pack/a.py": source}))
    assert complaint.startswith("pack/a.py:2: ")
    assert house.check_late_imports(house.make_tree({"cli/__init__.py": source})) == []


def test_use_of_the_testkit_is_found() -> None:
    tree = house.make_tree({"testing/a.py": "from talewright_testkit.servers import redis_server"})
    assert house.check_testkit(tree) == ["testing/a.py:1: nothing in talewright uses talewright_testkit"]


def test_files_are_read_from_where_they_may_be() -> None:
    def read(file: str, package: str) -> list[str]:
        source = f"from importlib.resources import files\nfiles('{package}')"
        return house.check_files(house.make_tree({file: source}))

    assert read("faces/mcp/a.py", "talewright.faces.web") == []
    assert read("faces/mcp/a.py", "talewright.faces.mcp") == []
    assert read("faces/mcp/a.py", "somewhere.else") == []
    assert read("faces/tui/a.py", "talewright.faces.web") == [
        "faces/tui/a.py:2: may not read the files of talewright.faces.web"
    ]
    assert read("faces/web/a.py", "talewright.faces.mcp")
    assert read("play/a.py", "talewright.faces.web")


@pytest.mark.parametrize("length", [2, 3, 40])
def test_circle_is_found(length: int) -> None:
    names = [f"m{number}" for number in range(length)]
    sources = {
        f"kernel/{name}.py": f"import talewright.kernel.{then}"
        for name, then in zip(names, names[1:] + names[:1], strict=True)
    }
    (complaint,) = house.check_circles(house.make_tree(sources))
    assert complaint.startswith("a circle: talewright.kernel.m0 -> talewright.kernel.m1")
    assert complaint.endswith("-> talewright.kernel.m0")


def test_circle_through_a_function_and_a_package_is_found() -> None:
    sources = {
        "kernel/__init__.py": "from talewright.kernel.a import A",
        "kernel/a.py": "def f():\n    from talewright.kernel import A",
    }
    assert len(house.check_circles(house.make_tree(sources))) == 1


def test_module_that_imports_itself_is_a_circle() -> None:
    assert len(house.check_circles(house.make_tree({"kernel/a.py": "import talewright.kernel.a"}))) == 1


def test_diamond_is_no_circle() -> None:
    sources = {
        "kernel/a.py": "import talewright.kernel.b, talewright.kernel.c",
        "kernel/b.py": "import talewright.kernel.d",
        "kernel/c.py": "import talewright.kernel.d",
        "kernel/d.py": "",
    }
    assert house.check_circles(house.make_tree(sources)) == []


def sized(kind: str, size: int) -> str:
    """A source whose function or class has exactly this size."""
    match kind:
        case "function":
            return "class A:\n    def f(self):\n" + "        x = 1\n" * (size - 1)
        case _:
            return "class A:\n" + "".join(f"    async def f{number}(self): ...\n" for number in range(size))


SIZES = [
    ("function", house.FUNCTION_LINES_MAX, "kernel/a.py:2: f has 51 lines, at most 50"),
    ("class", house.CLASS_METHODS_MAX, "kernel/a.py:1: A has 16 methods, at most 15"),
]


@pytest.mark.parametrize(("kind", "limit", "complaint"), SIZES)
def test_size_is_held_to_its_limit(kind: str, limit: int, complaint: str) -> None:
    assert house.check_sizes(house.make_tree({"kernel/a.py": sized(kind, limit)})) == []
    assert house.check_sizes(house.make_tree({"kernel/a.py": sized(kind, limit + 1)})) == [complaint]


@pytest.mark.parametrize("source", ["", "x = 1\n", '"""\nToo late."""\n', "# A comment is no docstring.\n"])
def test_missing_first_line_is_found(source: str) -> None:
    assert len(house.check_docstrings(house.make_tree({"kernel/a.py": source}))) == 1


def test_first_line_is_seen() -> None:
    assert house.check_docstrings(house.make_tree({"kernel/a.py": '"""Slots: typed places."""\n'})) == []


KERNEL_IMPORTS = [
    "import random",
    "import time",
    "import asyncio",
    "import os",
    "import os.path",
    "from os import path",
    "import io",
    "from pathlib import Path",
    "import socket",
    "def f():\n    import datetime",
    "import yaml",
    "import pydantic",
]


@pytest.mark.parametrize("source", KERNEL_IMPORTS)
def test_kernel_touching_the_outside_is_found(source: str) -> None:
    assert len(house.check_kernel(house.make_tree({"kernel/a.py": source}))) == 1
    assert house.check_kernel(house.make_tree({"pack/a.py": source})) == []


def test_kernel_may_use_pure_libraries() -> None:
    source = "import hashlib, math, rfc8785\nfrom collections.abc import Mapping\nimport talewright.errors"
    assert house.check_kernel(house.make_tree({"kernel/a.py": source})) == []


@pytest.mark.parametrize("caught", ["", " Exception", " BaseException", " (ValueError, Exception)"])
def test_catching_all_is_found(caught: str) -> None:
    source = f"try:\n    pass\nexcept{caught}:\n    pass\n"
    (complaint,) = house.check_catching(house.make_tree({"pack/a.py": source}))
    assert complaint.startswith("pack/a.py:3: ")
    assert (
        house.check_catching(house.make_tree({"faces/http/a.py": source, "turn/pipeline.py": source})) == []
    )


def test_the_core_needs_no_pydantic() -> None:
    source = "from pydantic import BaseModel"
    allowed = ("faces/http/a.py", "faces/mcp/b.py", "providers/pydantic_ai_bridge/c.py")
    assert house.check_pydantic(house.make_tree(dict.fromkeys(allowed, source))) == []
    found = ("play/a.py", "faces/tui/b.py", "remote/c.py")
    assert house.check_pydantic(house.make_tree(dict.fromkeys(found, source))) == [
        "faces/tui/b.py:1: the core does not use pydantic",
        "play/a.py:1: the core does not use pydantic",
        "remote/c.py:1: the core does not use pydantic",
    ]


def test_catching_by_name_is_left_alone() -> None:
    source = "try:\n    pass\nexcept (ValueError, KeyError):\n    pass\n"
    assert house.check_catching(house.make_tree({"pack/a.py": source})) == []


def test_sleeping_for_no_time_is_found() -> None:
    def check(source: str) -> list[str]:
        return house.check_sleeping(house.make_tree({"play/a.py": source}))

    assert check("import asyncio\nasync def f():\n    await asyncio.sleep(0)") == [
        "play/a.py:3: wait for what is meant to happen, not with sleep(0)"
    ]
    assert check("async def f(clock):\n    await clock.sleep(0.0)")
    assert check("async def f(clock):\n    await clock.sleep(1)") == []


def test_utils_is_found() -> None:
    tree = house.make_tree({"kernel/utils.py": "", "kernel/slots.py": ""})
    assert len(house_names.check_vague_names(tree)) == 1


def test_a_class_is_defined_once() -> None:
    tree = house.make_tree(
        {"kernel/a.py": "class Place: ...\nclass _Own: ...", "play/b.py": "class Place: ...\nclass _Own: ..."}
    )
    assert house_names.check_class_names(tree) == ["the class Place is defined in kernel/a.py, play/b.py"]


def test_a_file_name_recurs_for_siblings_alone() -> None:
    tree = house.make_tree(
        {
            **dict.fromkeys(
                ("kernel/__init__.py", "play/__init__.py", "kernel/rolls.py", "play/rolls.py"), ""
            ),
            **dict.fromkeys(("systems/odds/slots.py", "systems/spiral/slots.py"), ""),
            **dict.fromkeys(("systems/odds/panels.py", "play/panels.py"), ""),
        }
    )
    assert house_names.check_file_names(tree) == [
        "panels.py stands in play/panels.py, systems/odds/panels.py",
        "rolls.py stands in kernel/rolls.py, play/rolls.py",
    ]


def test_fragments_are_found() -> None:
    long = "x = 1\n" * house_names.FILE_LINES_MIN
    tree = house.make_tree(
        {"__main__.py": long, "kernel/__init__.py": "", "kernel/a.py": "", "kernel/b.py": long}
    )
    assert house_names.check_short_files(tree) == [
        "kernel/a.py: 0 lines, at least 40",
        "__main__.py is listed as short and is not",
    ]


def test_a_full_folder_is_found() -> None:
    tree = house.make_tree({f"kernel/{letter}.py": "" for letter in "abcdefghijklmnop"})
    assert house_names.check_folders(tree) == ["kernel: 16 files, at most 15"]


def test_a_module_that_only_tests_use_is_found() -> None:
    code = "def f(): ...\ndef g(): ..."
    tree = house.make_tree(
        {
            "cli/__init__.py": "import talewright.play.used\nload('by_name', f'{HTTP}.parts.by_end')",
            "play/used.py": "def f():\n    from talewright.play.late import g",
            "play/empty/__init__.py": '"""Only words."""',
            "systems/odds/__init__.py": "from talewright.systems.odds.rules import f",
            "testing/suite.py": code,
            **dict.fromkeys(("play/late.py", "play/by_name.py", "play/by_end.py"), code),
            "systems/odds/rules.py": code,
            # These two know each other, and nobody knows them.
            "play/tested.py": "import talewright.play.lonely\nx = 1",
            "play/lonely.py": code,
        }
    )
    assert house_reach.check_modules_used(tree) == [
        "play/lonely.py: only tests use this module; move it to them or delete it",
        "play/tested.py: only tests use this module; move it to them or delete it",
    ]


def test_a_name_that_only_tests_use_is_found() -> None:
    source = """
def used(): ...
def tested(): ...
def add_play(): ...
def _own(): ...
@route
def registered(): ...
class Lonely: ...
class Later: ...
def make() -> "Later | None":
    return getattr(module, f"add_{name}")
"""
    users = "from talewright.play.a import used, make"
    tree = house.make_tree({"play/a.py": source, "cli/b.py": users, "testing/c.py": "def check_all(): ..."})
    assert house_reach.check_names_used(tree) == [
        "play/a.py: only tests use tested; move it to them or delete it",
        "play/a.py: only tests use Lonely; move it to them or delete it",
    ]


COMPARED_LANGUAGES = {
    "by its beginning": 'language.startswith("zh")',
    "by one of several beginnings": 'language.startswith(("ja", "zh-"))',
    "in lower case": 'language.partition("-")[0].lower() == "zh"',
    "the other way round": '"zh-CN" != language',
    "among others": 'language in {"zh_CN", "ja"}',
    "by a name": 'CODE = "zh"\nlanguage.startswith(CODE)',
    "by the name of another module": "language == words.CHINESE_CODE",
    "by a case": 'match language:\n    case "zh-CN" | "ja":\n        pass',
}


@pytest.mark.parametrize("source", COMPARED_LANGUAGES.values(), ids=COMPARED_LANGUAGES.keys())
def test_compared_language_is_found(source: str) -> None:
    words = 'CHINESE_CODE = "zh-CN"\nWORDS = {CHINESE_CODE: 1}'
    tree = house.make_tree({"faces/a.py": source, "faces/words.py": words})
    assert len(check_language_tags(tree)) == 1
    assert check_language_tags(house.make_tree({"common/language_tags.py": source})) == []
