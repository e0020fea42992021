"""The author's tutorial, typed by a reader who does what the page says and nothing else.

Listings become files, commands are run, and the screen is kept. A line `# ...` in a listing stands for
lines that the file has already. A line `...` in a screen stands for lines that the page leaves out.
"""

import contextlib
import io
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from talewright import bootstrap
from talewright.cli import main
from tests.cli.desk import CLEARED
from tests.cli.oracle import Oracle, consult
from tests.warm_homes import warm

PAGE = Path(__file__).parents[1] / "docs" / "author" / "tutorial.md"

LEFT = "# ..."
"""A line of a listing that stands for lines of the file as it is."""

CUT = "..."
"""A line of a screen that stands for lines that the page leaves out."""

COLUMNS = 80
"""How wide the reader's terminal is."""

SECRET = bytes([3]) * 32
"""What the dice of every campaign follow from."""

_BLOCK = re.compile(r"^```(?P<kind>\w*)(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_STEP = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)
_CAPTION = re.compile(r"\*\*`(?P<file>[\w./-]+)`\*\*(?P<new> \(new file\))?\n\n\Z")
_EXIT = re.compile(r"exit=(\d+)")
_KEY = re.compile(r"\s*[\w.]+:(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of the page, under the step it belongs to."""

    step: str
    line: int
    kind: str
    body: str
    file: str
    """What the caption above it names; empty where there is none."""

    is_new: bool
    code: int
    """How its last command ends; those before it end well."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A command, and what it shows."""

    line: int
    command: str
    typed: tuple[str, ...]
    text: str
    code: int


class Terminal(io.StringIO):
    """A terminal in which somebody types: what is typed appears where the program asks for it."""

    def __init__(self, typed: Sequence[str] = ()) -> None:
        super().__init__()
        self._typed = iter(typed)

    def isatty(self) -> bool:
        return True

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        line = next(self._typed, None)
        if line is None:
            return ""
        self.write(f"{line}\n")
        return f"{line}\n"


def find_blocks(page: str) -> Iterator[Block]:
    """All blocks of the page, in order."""
    # A heading inside a listing is no step.
    outside = _BLOCK.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), page)
    steps = [(match.start(), match["title"]) for match in _STEP.finditer(outside)]
    for match in _BLOCK.finditer(page):
        caption = _CAPTION.search(page, 0, match.start())
        code = _EXIT.search(match["info"])
        yield Block(
            next((title for start, title in reversed(steps) if start < match.start()), ""),
            page.count("\n", 0, match.start("body")) + 1,
            match["kind"],
            match["body"],
            caption["file"] if caption else "",
            bool(caption and caption["new"]),
            int(code[1]) if code else 0,
        )


def find_screens(block: Block) -> Iterator[Screen]:
    """The commands of a console block, each with what is typed into it and what it shows."""
    *_, last = starts = [n for n, line in enumerate(block.body.splitlines()) if line.startswith("$ ")]
    lines = block.body.splitlines()
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        shown = lines[start + 1 : end]
        typed = tuple(line.removeprefix("> ") for line in shown if line.startswith("> "))
        command = lines[start].removeprefix("$ ")
        code = block.code if start == last else 0
        yield Screen(block.line + start, command, typed, "\n".join(shown).strip("\n"), code)


def type_listing(old: str, listing: str) -> str:
    """What a file is after a reader has followed a listing."""
    return _Typist(old.splitlines(), listing.splitlines()).type()


class _Typist:
    """One file being changed: what it was, how far one has read in it, and what it becomes."""

    def __init__(self, old: list[str], listing: list[str]) -> None:
        self._old = old
        self._listing = listing
        self._at = 0
        self._new: list[str] = []
        self._gap = 0
        """Empty lines behind what was kept last."""

        self._replaces = False
        """Whether what was just typed is new, so that it may stand for what was there."""

    def type(self) -> str:
        for number, line in enumerate(self._listing):
            if line.strip() == LEFT:
                self._leave(_indent(line), self._listing[number + 1 :])
            else:
                self._write(line)
        rest = [line for line in self._old[self._at :] if line.strip()]
        assert not rest, f"the listing leaves out {rest[0]!r} and what follows"
        return "\n".join(self._new) + "\n"

    def _leave(self, indent: int, following: list[str]) -> None:
        """Keep lines as they are: up to the one shown next, else to the end of what belongs together."""
        end = self._end_of(indent)
        shown = next((line for line in following if line.strip()), "")
        if shown and _indent(shown) == indent:
            end = next((n for n in range(self._at, end) if self._old[n] == shown), end)
        kept = self._old[self._at : end]
        assert kept, f"nothing is left out before {shown!r}"
        gap = 0
        while not kept[-1].strip():
            kept.pop()
            gap += 1
        self._keep_gap()
        self._new += kept
        self._at, self._gap, self._replaces = end, gap, False

    def _write(self, line: str) -> None:
        if not line.strip():
            self._new.append(line)
            return
        end = self._end_of(_indent(line))
        there = next((n for n in range(self._at, end) if self._old[n] == line), None)
        if there is not None:
            dropped = [old for old in self._old[self._at : there] if old.strip()]
            assert self._replaces or not dropped, f"the listing drops {dropped[0]!r} for nothing"
            self._keep_gap()
            self._new.append(line)
            self._at, self._replaces = there + 1, False
            return
        self._new.append(line)
        self._replaces = True
        key = _KEY.match(line)
        ahead = next((n for n in range(self._at, end) if self._old[n].strip()), None)
        if key and ahead is not None and self._old[ahead].startswith(key[0]):
            self._at = ahead + 1
            self._at = self._end_of(_indent(line) + 1)

    def _keep_gap(self) -> None:
        """Leave the empty lines where they were: after what was added before them."""
        if self._new and self._new[-1].strip():
            self._new += [""] * self._gap
        self._gap = 0

    def _end_of(self, indent: int) -> int:
        """Where lines with at least this indent end."""
        ends = (n for n in range(self._at, len(self._old)) if self._old[n].strip())
        return next((n for n in ends if _indent(self._old[n]) < indent), len(self._old))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def is_shown(page: str, screen: str) -> bool:
    """Whether a screen is what the page says, but for what the page leaves out."""
    seen = [line.rstrip() for line in screen.splitlines()]
    first, *others = _split_at_cuts([line.rstrip() for line in page.splitlines()])
    if seen[: len(first)] != first:
        return False
    at = len(first)
    for number, part in enumerate(others, 1):
        # The earliest place leaves most room for the rest; the last part stands at the end.
        start = max(at, len(seen) - len(part)) if number == len(others) else at
        places = range(start, len(seen) - len(part) + 1)
        found = next((n for n in places if seen[n : n + len(part)] == part), None)
        if found is None:
            return False
        at = found + len(part)
    return at == len(seen)


def _split_at_cuts(lines: list[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for line in lines:
        if line == CUT:
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


class Reader:
    """Somebody who follows the page at a machine of their own."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, oracle: Oracle) -> None:
        self._folder = folder
        self._patch = patch
        self._oracle = oracle

    @property
    def asked(self) -> list[dict[str, object]]:
        """What the model was asked."""
        return self._oracle.asked

    def follow(self, block: Block) -> list[tuple[Screen, int, str]]:
        """Do what one block says: write a file, or run commands and see how they end and what they show."""
        if block.file:
            self._write(block)
        if block.kind != "console":
            return []
        return [(screen, *self._run(screen)) for screen in find_screens(block)]

    def _write(self, block: Block) -> None:
        file = self._folder / block.file
        assert file.exists() is not block.is_new, f"line {block.line}: is {block.file} a new file?"
        old = file.read_text(encoding="utf-8") if file.exists() else ""
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            file.write_text(type_listing(old, block.body), encoding="utf-8")
        except AssertionError as error:
            raise AssertionError(f"line {block.line}: {error}") from None

    def _run(self, screen: Screen) -> tuple[int, str]:
        program, *words = shlex.split(screen.command)
        assert program == "talewright", f"line {screen.line}: {screen.command}"
        if words == ["setup"]:
            # What it asks depends on the machine. On this one there is a model that answers as on the page.
            self._patch.setenv("TALEWRIGHT_MODEL", "oracle-1")
            self._patch.setenv("TALEWRIGHT_BASE_URL", self._oracle.url)
            return screen.code, screen.text
        terminal = Terminal(screen.typed)
        self._patch.setattr(sys, "stdin", terminal)
        with contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(terminal):
            code = main(words)
        return code, terminal.getvalue().strip("\n")


@contextlib.contextmanager
def sit_down(folder: Path, answer: str) -> Iterator[Reader]:
    """A reader with an empty home, a terminal, known dice and, once it is set up, a model with one answer."""
    with pytest.MonkeyPatch.context() as patch, consult() as oracle:
        oracle.text = answer
        for name in CLEARED:
            patch.delenv(name, raising=False)
        patch.setenv("TALEWRIGHT_HOME", str(warm(folder / ".home")))
        patch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
        patch.setenv("COLUMNS", str(COLUMNS))
        patch.setenv("NO_COLOR", "1")
        patch.setattr(bootstrap, "new_secret", lambda: SECRET)
        patch.chdir(folder)
        yield Reader(folder, patch, oracle)
