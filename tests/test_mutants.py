"""Mutation testing itself: which mistakes are put in where, and that a missed one is seen to be missed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.sweep import book as book_of_mutants
from tests.sweep import kept_mutants, mutation
from tests.sweep.book import Book, open_book, sum_up
from tests.sweep.forks import Verdict
from tests.sweep.kept_mutants import AGAIN, KEPT_COUNT, Kept, find_kept, read_kept, write_kept
from tests.sweep.laboratory import find_code, mirror
from tests.sweep.mutants import Mutant, Scope, find_mutants
from tests.sweep.parts import Order
from tests.sweep.rooms import (
    ROOMS,
    answers_to,
    choose,
    find_all,
    find_room,
    folders_of,
    left_out_of,
    list_files,
    rank,
    room_of,
)

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


def test_names_stay_when_lines_move() -> None:
    source = "x = 1\nclass A:\n    def f(self):\n        return [1, 1]\n"
    names = [mutant.name for mutant in find_mutants("kernel/a.py", source)]
    assert names == [
        "kernel/a.py module: 1 -> 2 #1",
        "kernel/a.py A.f: return [1, 1] -> return None #1",
        "kernel/a.py A.f: 1 -> 2 #1",
        "kernel/a.py A.f: 1 -> 2 #2",
    ]
    moved = find_mutants("kernel/a.py", f"# More.\n\nimport b\n{source}")
    assert [mutant.name for mutant in moved] == names
    drawn = [mutant.name for mutant in rank(find_mutants("kernel/a.py", source), seed=5)]
    assert [mutant.name for mutant in rank(moved, seed=5)] == drawn


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


@pytest.mark.parametrize("room", ROOMS)
def test_kept_mutants_are_still_in_the_source_and_compile(room: str) -> None:
    kept = read_kept()[room]
    # A room with fewer is still to be drawn, and the sweep says so.
    assert 0 < len(kept.names) <= KEPT_COUNT
    assert not set(kept.names) & set(kept.survived)
    found, gone = find_kept([*kept.names, *kept.survived])
    assert not gone, f"gone from the source; run `{AGAIN} {room}`"
    assert {room_of(mutant) for mutant in found} == {room}
    assert not any(mutant.is_text for mutant in found)
    # Compiling spoils a tree for the others of its file.
    for mutant in {mutant.file: mutant for mutant in found}.values():
        mutant.compile(mutant.file)


def test_drawn_mutants_that_nobody_noticed_have_a_reason() -> None:
    for kept in read_kept().values():
        assert all(len(reason) > 10 for reason in kept.survived.values()), kept.survived


def test_lost_kept_mutants_are_named(tmp_path: Path) -> None:
    (tmp_path / "kernel").mkdir()
    (tmp_path / "kernel" / "a.py").write_text("x = 1\n")
    names = [
        "kernel/a.py module: 1 -> 2 #1",
        "kernel/a.py module: 1 -> 2 #2",
        "kernel/b.py module: 3 -> 4 #1",
    ]
    found, gone = find_kept(names, tmp_path)
    assert [mutant.name for mutant in found] == names[:1]
    assert gone == names[1:]


def test_kept_mutants_are_written_as_they_are_read(tmp_path: Path) -> None:
    kept = {"turn": Kept(["b #1"], {"c #1": "no test needs it"}), "kernel": Kept(["a #1"])}
    write_kept(kept, tmp_path / "kept.json")
    assert read_kept(tmp_path / "kept.json") == kept
    assert list(read_kept(tmp_path / "kept.json")) == ["kernel", "turn"]


def make_kept_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verdicts: dict[str, Verdict]) -> None:
    """A kernel with three mutants, 'a', 'b' and 'c', which have these verdicts, and of which two are kept."""
    mutants = find_mutants("kernel/a.py", "x = ['a', 'b', 'c']")

    def open_one(room: str, given: list[Mutant], say: object = None) -> Book:
        return Book(room, given, tmp_path / "book.jsonl")

    def give_verdicts(book: Book, *limits: object, brief: bool = False) -> str:
        for mutant in book.missing():
            book.note(mutant, verdicts[mutant.label[1]])
        return ""

    monkeypatch.setattr(kept_mutants, "ROOMS", ("kernel",))
    monkeypatch.setattr(kept_mutants, "KEPT_COUNT", 2)
    monkeypatch.setattr(kept_mutants, "SPARE", 0)
    monkeypatch.setattr(kept_mutants, "find_room", lambda room: mutants)
    monkeypatch.setattr(kept_mutants, "rank", lambda given, seed: given)
    monkeypatch.setattr(kept_mutants, "open_book", open_one)
    monkeypatch.setattr(kept_mutants, "try_room", give_verdicts)


def test_mutants_are_drawn_until_enough_have_been_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_kept_room(tmp_path, monkeypatch, {"a": Verdict.KILLED, "b": Verdict.UNCOVERED, "c": Verdict.STOPPED})
    names = [f"kernel/a.py module: {letter!r} -> 'XX{letter}' #1" for letter in "abc"]
    drawn = kept_mutants.draw("kernel", {names[1]: "known"}, 0.0)
    assert drawn == Kept([names[0], names[2]], {names[1]: "known"})


@pytest.mark.parametrize(
    ("second", "result"), [(Verdict.KILLED, "passed"), (Verdict.SURVIVED, "failed"), (None, "unfinished")]
)
def test_a_kept_mutant_that_is_not_noticed_fails_the_part(
    second: Verdict | None, result: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_kept_room(tmp_path, monkeypatch, {})
    mutants = find_mutants("kernel/a.py", "x = ['a', 'b']")
    names = [mutant.name for mutant in mutants]
    book = Book("kernel", mutants, tmp_path / "book.jsonl")
    book.note(mutants[0], Verdict.KILLED)
    if second is not None:
        book.note(mutants[1], second)
    monkeypatch.setattr(kept_mutants, "read_kept", lambda: {"kernel": Kept(names)})
    monkeypatch.setattr(kept_mutants, "find_kept", lambda given: (mutants, []))
    monkeypatch.setattr(kept_mutants, "run_apart", lambda *words: 0)
    outcome = kept_mutants.sweep(Order(None, 1, 60.0))
    assert (outcome.total, outcome.result) == (2, result)
    assert (names[1] in outcome.failure) == (result == "failed")


def test_every_room_has_files_and_folder_of_its_own() -> None:
    assert ROOMS == ("kernel", "chronicle", "contract", "turn", "play", "hosting", "faces/http")
    for room in ROOMS:
        assert any(file.startswith(f"{room}/") for file in list_files())
        assert folders_of(room)[0] == f"tests/{room}"
        assert all((ROOT / folder).is_dir() for folder in folders_of(room))
        assert all((ROOT / name.partition("::")[0]).is_file() for name in left_out_of(room))
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
    (first, *_) = find_room("faces/http")
    assert (first.file.startswith("faces/http/"), room_of(first)) == (True, "faces/http")


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


def test_every_room_has_a_book_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book_of_mutants, "digest_code", lambda places: "digest")
    assert len({open_book(room, []).path for room in ROOMS}) == len(ROOMS)
    # A verdict of other tests is another verdict.
    own, other = open_book("turn", []), open_book("turn", [], tests=["tests/leaks"])
    assert (own.tests, other.tests) == (["tests/turn"], ["tests/leaks"])
    assert own.path != other.path


def test_name_of_no_module_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert mutation.main(["records", "nothing"]) == 2
    assert capsys.readouterr().out == f"no module of {', '.join(ROOMS)} is called nothing\n"


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
@pytest.mark.timeout(400)
def test_missed_mistakes_are_listed(tmp_path: Path) -> None:
    for file, text in SMALL_HOUSE.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    for file in ["pyproject.toml", *(f"tests/{name}.py" for name in STANDING), *FRAME]:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes((ROOT / file).read_bytes())
    command = [sys.executable, "-m", "tests.sweep.mutation", "kernel/doors", "contract/cards"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=390, check=False)
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
