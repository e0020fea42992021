"""What the documents show is true: every `talewright` command in them is run, every link has its file.

The commands of one document run in order in one empty folder, as for someone who has installed the wheel.
Those of the README and all servers run as programs; the others in this process, which has loaded the engine.
"""

import ast
import io
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from talewright.cli import main
from tests.documents import Command, find_commands, find_documents, find_links, find_programs
from tests.house import find_empty_sleeps
from tests.warm_homes import warm

ROOT = Path(__file__).parents[1]
DOCUMENTS = find_documents(ROOT)

TYPED = ROOT / "docs" / "author" / "tutorial.md"
"""The page whose commands need the files it tells a reader to write: `test_tutorial.py` runs them."""

WITH_GIT = (ROOT / "README.md", ROOT / "docs" / "plug" / "embedding.md")
"""The pages whose programs save campaigns where a player's are, with git."""

AS_PROGRAMS = (ROOT / "README.md",)
"""The pages whose commands are all run as programs."""

NOT_RUN = frozenset({"make", "git", "cd", ".", "python", "pip"})
"""Commands of other programs, which are shown but not run."""

SERVERS = ("serve",)
"""Commands that run until they are stopped, unless an option says otherwise."""

ENDING = frozenset({"--link", "--help"})
"""Options of a server that end by themselves."""

COMMAND_SECONDS_MAX = 30
"""How long one command may take."""


def find_program(command: Command) -> list[str] | None:
    """What to start for a command; None where it is not ours to run."""
    words = shlex.split(command.text)
    if words[0] in NOT_RUN:
        return None
    assert words[0] == "talewright", f"line {command.line}: {words[0]!r} is neither talewright nor in NOT_RUN"
    script = Path(sys.executable).with_name("talewright")
    assert script.exists(), "talewright is not installed beside this Python; run `make setup`"
    return [str(script), *words[1:]]


@pytest.mark.process
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_commands_end_as_stated(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = list(find_commands(path.read_text(encoding="utf-8"))) if path != TYPED else []
    home = {"HOME": str(tmp_path), "TALEWRIGHT_HOME": str(warm(tmp_path / ".talewright")), "PYTHONUTF8": "1"}
    monkeypatch.chdir(tmp_path)
    for name, value in home.items():
        monkeypatch.setenv(name, value)
    for command in commands:
        program = find_program(command)
        if program is None:
            continue
        if command.text.split()[1] in SERVERS and not ENDING & set(program):
            run_server(program)
            continue
        if path in AS_PROGRAMS:
            code, printed, errors = run_program(program)
        else:
            monkeypatch.setattr(sys, "stdin", io.StringIO())
            code = run_here(program[1:])
            printed, errors = capsys.readouterr()
        where = f"{path.name}:{command.line}: {command.text}"
        assert code == command.code, f"{where}\n{printed}\n{errors}"
        assert "Traceback" not in errors, f"{where}\n{errors}"


def run_program(program: list[str]) -> tuple[int, str, str]:
    """Run a command as a program; returns its exit code and what it printed."""
    done = subprocess.run(
        program,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=COMMAND_SECONDS_MAX,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def run_here(words: list[str]) -> int:
    """Run a command in this process, as the program does; returns its exit code."""
    try:
        return main(words)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)


def run_server(program: list[str]) -> None:
    """Run a server on a free port until it has printed its two lines, and stop it as a user would."""
    server = subprocess.Popen(
        [*program, "--port", "0", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert server.stdout is not None
    try:
        first, second = server.stdout.readline(), server.stdout.readline()
        server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=COMMAND_SECONDS_MAX)
    finally:
        server.kill()
    assert first.startswith("token: "), errors
    assert second.startswith("login: http://127.0.0.1:")
    assert (server.returncode, errors) == (0, "")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_have_their_files(path: Path) -> None:
    links = find_links(path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_readme_shows_every_command_of_the_engine() -> None:
    shown = {command.text.split()[1] for command in find_commands((ROOT / "README.md").read_text("utf-8"))}
    assert shown >= {"play", "check", "schema", "new", "roll", "odds", "saves", "tree", "blame", "verify"}


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.process if path in WITH_GIT else ()) for path in DOCUMENTS],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_programs_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TALEWRIGHT_HOME", str(warm(tmp_path / ".talewright")))
    for number, program in enumerate(find_programs(path.read_text(encoding="utf-8")), 1):
        exec(compile(program, f"{path.name}, program {number}", "exec"), {"__name__": "__main__"})  # noqa: S102


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_programs_wait_for_what_they_need(path: Path) -> None:
    for program in find_programs(path.read_text(encoding="utf-8")):
        assert list(find_empty_sleeps(ast.walk(ast.parse(program)))) == []


@pytest.mark.process
def test_programs_have_the_right_types(tmp_path: Path) -> None:
    """One run of `mypy --strict` over all of them, as a reader would run it."""
    for path in DOCUMENTS:
        name = "_".join(path.relative_to(ROOT).with_suffix("").parts)
        for number, program in enumerate(find_programs(path.read_text(encoding="utf-8")), 1):
            (tmp_path / f"{name}_{number}.py").write_text(program, encoding="utf-8")
    assert (tmp_path / "README_1.py").exists()
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir=.cache", "."],
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


DOCUMENT = """\
Words, `$ talewright not this`.

```console
$ talewright check a
what it prints
$ talewright roll '2d6 + 1'
```

```sh
$ talewright nor this
```

```console exit=2
$ talewright check b
```

[a link](b.md#part), [another](https://example.org), ![no link](c.png)
"""


def test_commands_are_found_with_line_and_code() -> None:
    assert list(find_commands(DOCUMENT)) == [
        Command(4, "talewright check a", 0),
        Command(6, "talewright roll '2d6 + 1'", 0),
        Command(14, "talewright check b", 2),
    ]


def test_links_are_found() -> None:
    assert find_links(DOCUMENT) == ["b.md"]


def test_command_of_an_unknown_program_is_refused() -> None:
    assert find_program(Command(1, "make check", 0)) is None
    with pytest.raises(AssertionError, match="line 7: 'rm' is neither"):
        find_program(Command(7, "rm -r games", 0))
