"""Mutation testing itself: which mistakes are put in where, and that a missed one is seen to be missed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.sweep import mutation
from tests.sweep.book import Book, open_book, sum_up
from tests.sweep.forks import Verdict
from tests.sweep.laboratory import find_code, mirror
from tests.sweep.mutants import Scope, find_mutants
from tests.sweep.rooms import ROOMS, answers_to, choose, find_all, folder_of, list_files, room_of

ROOT = Path(__file__).parents[1]
STANDING = ("conftest", "loopback", "pacing", "warm_homes")
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


def test_a_sample_of_the_rooms_mutants_compiles() -> None:
    for file in list_files():
        source = (ROOT / "src" / "talewright" / file).read_text(encoding="utf-8")
        for number in range(0, len(find_mutants(file, source)), 97):
            find_mutants(file, source)[number].compile(file)


def test_every_room_has_files_and_folder_of_its_own() -> None:
    assert ROOMS == ("kernel", "chronicle", "contract")
    for room in ROOMS:
        assert any(file.startswith(f"{room}/") for file in list_files())
        assert folder_of(room) == f"tests/{room}"
        assert (ROOT / folder_of(room)).is_dir()
    assert list_files().index("kernel/slots/value_validation.py") < list_files().index(
        "chronicle/chained_lines.py"
    )


@pytest.mark.parametrize(
    "name", ["stream", "stream.py", "cards/stream", "contract/cards/stream", "contract/cards/", "contract"]
)
def test_files_answer_to_their_names(name: str) -> None:
    assert answers_to("contract/cards/stream.py", name)


@pytest.mark.parametrize("name", ["stre", "ream", "card", "kernel", "cards/dialect", "stream/cards", "py"])
def test_files_do_not_answer_to_others(name: str) -> None:
    assert not answers_to("contract/cards/stream.py", name)


def test_mutants_are_found_by_name_and_belong_to_their_room() -> None:
    found = find_all(["chronicle/records", "contract/answer_schema"])
    assert {mutant.file for mutant in found} == {"chronicle/records.py", "contract/answer_schema.py"}
    assert [room_of(mutant) for mutant in (found[0], found[-1])] == ["chronicle", "contract"]
    sample = choose(found, 3, seed=1)
    assert len(sample) == 3
    assert [mutant.key for mutant in sample] == [mutant.key for mutant in choose(found, 3, seed=1)]
    assert choose(found, None, seed=1) == found


def test_tests_mirror_the_file_at_their_own_place() -> None:
    names = ["tests/contract/cards/test_rules.py::test_a", "tests/contract/tools/test_rules.py::test_a"]
    assert mirror(names, "contract/cards/rules.py") == {names[0]}
    assert mirror(names, "contract/rules.py") == frozenset()


def test_verdicts_are_taken_up_again(tmp_path: Path) -> None:
    mutants = find_mutants("contract/a.py", "x = ['a', 'b', 'c', 'd e']")
    book = Book("contract", mutants, tmp_path / "book.jsonl")
    book.note(mutants[0], Verdict.KILLED)
    book.note(mutants[1], Verdict.SURVIVED)
    book.note(mutants[3], Verdict.KILLED)
    book.write("seconds", 1.5)
    again = Book("contract", mutants, tmp_path / "book.jsonl")
    assert (again.done, again.missing(), again.seconds) == (3, [mutants[2]], 1.5)
    report = sum_up(again)
    assert report["score"] == 0.5
    assert report["survivors"] == ["contract/a.py:1: 'b' -> 'XXb'"]
    assert report["texts"] == {"killed": 1, "total": 1}


def test_every_room_has_a_book_of_its_own() -> None:
    assert len({open_book(room, []).path for room in ROOMS}) == len(ROOMS)


def test_name_of_no_module_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert mutation.main(["records", "nothing"]) == 2
    assert capsys.readouterr().out == "no module of kernel, chronicle, contract is called nothing\n"


SMALL_HOUSE = {
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
    "src/talewright/contract/__init__.py": "",
    "src/talewright/contract/cards/__init__.py": "",
    "src/talewright/contract/cards/doors.py": "def count(size: int) -> int:\n    return size + 1\n",
    "src/talewright/contract/windows.py": "PANES = 4\n",
    "tests/servers.py": "database_url = postgres_server = redis_server = redis_url = None\n",
    "tests/contract/cards/test_doors.py": (
        "from talewright.contract.cards.doors import count\n"
        "def test_count():\n    assert count(1) in (2, 3)\n"
    ),
}


@pytest.mark.process
def test_missed_mistakes_are_listed(tmp_path: Path) -> None:
    for file, text in SMALL_HOUSE.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    for file in ["pyproject.toml", *(f"tests/{name}.py" for name in STANDING), *FRAME]:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes((ROOT / file).read_bytes())
    command = [sys.executable, "-m", "tests.sweep.mutation", "kernel/doors", "contract/cards"]
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
        "contract/cards/doors.py:2: 1 -> 2",
    ], done.stdout + done.stderr
    assert "score 0.4" in done.stdout
    assert "score 0.6667, {'killed': 2, 'total': 3, 'survived': 1}" in done.stdout
