"""Mutation testing itself: which mistakes are put in where, and that a missed one is seen to be missed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.sweep.laboratory import find_code
from tests.sweep.mutants import Scope, find_mutants

ROOT = Path(__file__).parents[1]
FRAME = ["tests/house.py", *(f"tests/sweep/{path.name}" for path in (ROOT / "tests" / "sweep").glob("*.py"))]


def labels(source: str) -> list[str]:
    """The mutants of a source, as they are shown."""
    return [mutant.label for mutant in find_mutants("kernel/a.py", source)]


MISTAKES = {
    "boundary": ("x = a < b", ["a < b -> a <= b"]),
    "chain": ("x = 1 <= a", ["1 <= a -> 1 < a", "1 -> 2"]),
    "and": ("x = a and b", ["a and b -> a or b"]),
    "not": ("x = not a", ["not a -> a"]),
    "arithmetic": ("x = a // b", ["a // b -> a / b"]),
    "joining strings": ("x = 'a' + b", ["'a' -> 'XXa'"]),
    "truth": ("x = True", ["True -> False"]),
    "nothing": ("x = None", []),
    "call": ("x = max(a, key=f)", ["max(a, key=f) -> max(a)", "max(a, key=f) -> min(a, key=f)"]),
    "set": ("x = {a, b}", ["{a, b} -> {b}", "{a, b} -> {a}"]),
    "type alias": ("X: TypeAlias = dict[str, 'Y']", []),
    "annotation": ("x: Literal['a'] = b", []),
    "docstring": ('"""A text."""\nclass A:\n    """More."""\n', []),
    "decorator": ("@dataclass(frozen=True)\nclass A:\n    x: int = 1\n", ["1 -> 2"]),
    "import": ("from a import b", []),
    "return": ("def f(): return a", ["return a -> return None"]),
    "raise": ("def f():\n    raise E", ["raise E -> pass"]),
    "assert": ("def f():\n    assert a < b\n    assert_never(a)", []),
    "assignment": ("def f():\n    x = a", ["x = a -> x = None"]),
    "lost call": ("def f():\n    g(1)", ["g(1) -> pass", "1 -> 2"]),
    "step": ("def f():\n    x += y", ["x += y -> x -= y", "x += y -> x = y"]),
    "condition": ("def f():\n    if a: pass", ["a -> not a"]),
    "loop": ("def f():\n    for x in a:\n        continue", ["continue -> break"]),
    "default": ("def f(x=1): pass", ["1 -> 2"]),
    "kinds": ("x = isinstance(a, int | str)", ["int | str -> int", "int | str -> str"]),
    "cast": ("x = cast('T', 1)", ["1 -> 2"]),
    "case": (
        "def f():\n match a:\n  case 1: pass\n  case _: assert_never(a)",
        ["drop case 1", "1 -> 2"],
    ),
}


@pytest.mark.parametrize(("source", "expected"), MISTAKES.values(), ids=MISTAKES.keys())
def test_mistakes(source: str, expected: list[str]) -> None:
    assert labels(source) == expected


def test_sentences_are_counted_apart() -> None:
    found = find_mutants("kernel/a.py", "x = ['op', 'a sentence', f'{a} b', f'{a}.{b}']")
    assert [mutant.is_text for mutant in found] == [False, True, True, False]


def test_keys_do_not_repeat() -> None:
    found = find_mutants("kernel/a.py", "x = ['a', 'a', 'a']")
    assert [mutant.key for mutant in found] == [
        f"kernel/a.py:1 'a' -> 'XXa' #{number}" for number in (1, 2, 3)
    ]


SCOPED = """\
LIMIT = 3

class A:
    @property
    def size(self) -> int:
        return (
            self.width
            + 7
        )

def make():
    def inner():
        return 1
    return inner
"""


def test_mutants_know_their_function_and_their_lines() -> None:
    found = {mutant.label: mutant for mutant in find_mutants("kernel/a.py", SCOPED)}
    assert found["3 -> 4"].scope is None
    assert found["7 -> 8"].scope == Scope("A.size", 4)
    assert found["7 -> 8"].lines == range(6, 9)
    assert found["1 -> 2"].scope == Scope("make", 11)


def test_compiled_mutant_has_the_mistake_and_nothing_else() -> None:
    (mutant,) = [mutant for mutant in find_mutants("kernel/a.py", SCOPED) if mutant.label == "1 -> 2"]
    code = mutant.compile("a.py")
    assert mutant.scope is not None
    assert find_code(code, mutant.scope) is not None
    space: dict[str, object] = {}
    exec(code, space)  # noqa: S102 - the code is the one above
    make = space["make"]
    assert callable(make)
    assert make()() == 2
    assert space["LIMIT"] == 3


def test_a_sample_of_the_kernels_mutants_compiles() -> None:
    for path in sorted((ROOT / "src" / "talewright" / "kernel").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        for number in range(0, len(find_mutants(path.name, source)), 97):
            find_mutants(path.name, source)[number].compile(path.name)


KERNEL = {
    "src/talewright/__init__.py": "",
    "src/talewright/kernel/__init__.py": "",
    "src/talewright/kernel/doors.py": (
        "import functools\n\nWIDE = 3\n\n"
        "@functools.cache\ndef fits(size: int) -> bool:\n    return size < WIDE\n\n"
        "def name(size: int) -> str:\n    return 'wide' if fits(size) else 'narrow'\n\n"
        "def unused(x: int) -> int:\n    return x + 1\n\n"
        "def forever(n: int) -> int:\n    while n > 0:\n        n -= 1\n    return n\n"
    ),
    "tests/__init__.py": "",
    "tests/kernel/test_doors.py": (
        "import pytest\nfrom talewright.kernel.doors import fits, forever\n"
        "@pytest.mark.parametrize(('size', 'fit'), [(1, True), (4, False), (1, True)])\n"
        "def test_fits(size, fit):\n    assert fits(size) is fit\n"
        "def test_forever():\n    assert forever(3) == 0\n"
    ),
}


def test_missed_mistakes_are_listed(tmp_path: Path) -> None:
    for file, text in KERNEL.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    for file in ["pyproject.toml", "tests/conftest.py", "tests/loopback.py", *FRAME]:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes((ROOT / file).read_bytes())
    command = [sys.executable, "-m", "tests.sweep.mutation", "doors"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=110, check=False)
    lines = [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")]
    assert lines == [
        "kernel/doors.py:3: 3 -> 4",
        "kernel/doors.py:7: size < WIDE -> size <= WIDE",
        "kernel/doors.py:10: return 'wide' if fits(size) else 'narrow' -> return None (no test runs this)",
        "kernel/doors.py:10: fits(size) -> not fits(size) (no test runs this)",
        "kernel/doors.py:10: 'wide' -> 'XXwide' (no test runs this)",
        "kernel/doors.py:10: 'narrow' -> 'XXnarrow' (no test runs this)",
        "kernel/doors.py:13: return x + 1 -> return None (no test runs this)",
        "kernel/doors.py:13: x + 1 -> x - 1 (no test runs this)",
        "kernel/doors.py:13: 1 -> 2 (no test runs this)",
    ], done.stdout + done.stderr
    assert "score 0.4" in done.stdout
