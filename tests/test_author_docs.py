"""The author documentation keeps its word: snippets are the game's, tables the compiler's, commands run.

Nothing here judges how it reads. Run as a program it writes the example and the table of checking.md anew.
"""

import contextlib
import io
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import pytest

from talewright.cli import main
from talewright.common.json_values import Json
from talewright.pack.faults import FaultCode
from talewright.pack.schema.file_schemas import FILE_KINDS, schema_of

ROOT = Path(__file__).resolve().parent.parent
AUTHOR = ROOT / "docs" / "author"
PAGES = ("tutorial.md", "reference.md", "checking.md", "rulebooks.md")
GAME = "games/lantern_road"

_FENCE = re.compile(r"^```(?P<kind>[a-z]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_SOURCE = re.compile(r"(?:# |<!-- )(?P<file>games/[\w./-]+)(?: -->)?\n")
_COMMAND = re.compile(r"^\$ talewright (?P<arguments>.+)$", re.MULTILINE)
_ANCHOR = re.compile(r"\]\((?P<page>[\w./]*)#(?P<anchor>[^)]+)\)")
_HEADING = re.compile(r"^#+ (?P<title>.+)$", re.MULTILINE)
_LINK = re.compile(r"\]\((?P<target>[^)#:]+)(?:#[^)]*)?\)")
_FAULTS = re.compile(
    r"(?P<head><!-- faults: [^\n]* -->\n)(?P<table>.*?)(?P<foot><!-- /faults -->)", re.DOTALL
)
_EXAMPLE = re.compile(
    r"```yaml\n(?P<written>variables:\n(?s:.*?))```\n(?s:.*?)```text\n(?P<printed>(?s:.*?))\n```\n"
)
_SELF = "tests/test_author_docs.py"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of a page that says from which file it is taken."""

    page: str
    line: int
    file: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def read(page: str) -> str:
    return (AUTHOR / page).read_text(encoding="utf-8")


def fences(page: str) -> Iterator[tuple[int, str, str]]:
    """Line, kind and body of every fenced block."""
    text = read(page)
    for match in _FENCE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match["kind"], match["body"]


def find_snippets() -> list[Snippet]:
    found = []
    for page in PAGES:
        for line, _, body in fences(page):
            source = _SOURCE.match(body)
            if source is not None:
                found.append(Snippet(page, line, source["file"], body[source.end() :]))
    return found


def holds(whole: str, part: str) -> bool:
    """Whether a part stands in a whole with everything above it; `# ...` leaves out lines in between."""
    lines = [line for line in whole.splitlines() if line.strip()]
    wanted = [line for line in part.splitlines() if line.strip()]
    if wanted[0].startswith(" "):
        return False
    return any(_follows(lines[start:], wanted) for start in range(len(lines)))


def _follows(lines: list[str], wanted: list[str]) -> bool:
    if not wanted:
        return True
    if wanted[0].strip() != "# ...":
        return bool(lines) and lines[0] == wanted[0] and _follows(lines[1:], wanted[1:])
    indent = len(wanted[0]) - len(wanted[0].lstrip())
    inner = list(takewhile(lambda line: line.startswith(" " * indent), lines))
    return any(_follows(lines[count:], wanted[1:]) for count in range(1, len(inner) + 1))


def fault_table() -> str:
    """Every fault the compiler knows, as checking.md shows them."""
    rows = "".join(f"| `{code.text}` | {code.severity} | {code.meaning} |\n" for code in FaultCode)
    return f"\n| code | severity | what it means |\n|---|---|---|\n{rows}\n"


def field_names(schema: Json) -> Iterator[str]:
    """The names of all fields in a JSON Schema."""
    if isinstance(schema, Mapping):
        properties = schema.get("properties")
        if isinstance(properties, Mapping):
            yield from properties
        for inner in schema.values():
            yield from field_names(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from field_names(inner)


@pytest.mark.parametrize("snippet", find_snippets(), ids=str)
def test_a_snippet_stands_in_the_file_it_names(snippet: Snippet) -> None:
    path = ROOT / snippet.file
    assert path.is_file(), f"{snippet}: there is no {snippet.file}"
    assert holds(path.read_text(encoding="utf-8"), snippet.text), f"{snippet}: not in {snippet.file}"


def test_a_part_is_found_with_its_parents_and_says_what_it_leaves_out() -> None:
    whole = "a:\n  - id: b\n    c: 1\n\n  - id: d\n    c: 2\ne: 3\n"
    assert holds(whole, "a:\n  - id: b\n    c: 1\n")
    assert holds(whole, "a:\n  # ...\n  - id: d\n    c: 2\n")
    assert holds(whole, "a:\n  - id: b\n    # ...\n  - id: d\n")
    assert holds(whole, "e: 3\n")
    assert not holds(whole, "  - id: b\n    c: 1\n")
    assert not holds(whole, "- id: b\n  c: 1\n")
    assert not holds(whole, "a:\n  - id: d\n")
    assert not holds(whole, "a:\n  - id: b\n    # ...\n    c: 2\n")
    assert not holds(whole, "a:\n  - id: b\n    c: 1\n    # ...\n")


@pytest.mark.parametrize("page", ["reference.md", "checking.md"])
def test_every_example_names_its_file(page: str) -> None:
    bare = [
        body for _, kind, body in fences(page) if kind in ("yaml", "markdown") and not _SOURCE.match(body)
    ]
    assert len(bare) == (page == "checking.md"), bare


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files(page: str) -> None:
    targets = [match["target"] for match in _LINK.finditer(read(page))]
    assert [target for target in targets if not (AUTHOR / target).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_headings(page: str) -> None:
    for match in _ANCHOR.finditer(read(page)):
        target = (AUTHOR / (match["page"] or page)).read_text(encoding="utf-8")
        titles = (re.sub(r"[^\w\- ]", "", title.lower()) for title in _HEADING.findall(target))
        assert match["anchor"] in {title.replace(" ", "-") for title in titles}, match[0]


def test_the_reference_knows_every_field_that_is_read() -> None:
    named = set(re.findall(r"`([a-z_]+)`", read("reference.md")))
    named |= set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`\{[^`]*\}`", read("reference.md")))))
    fields = {name for kind in FILE_KINDS for name in field_names(schema_of(kind))}
    assert sorted(fields - named) == []


def test_the_table_of_faults_is_the_list_in_the_code() -> None:
    match = _FAULTS.search(read("checking.md"))
    assert match is not None
    assert match["table"] == fault_table(), f"run: python {_SELF}"


@pytest.mark.parametrize("page", ["reference.md", "checking.md"])
def test_the_commands_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an empty folder, one after another: a reader may have no clone of the repository."""
    monkeypatch.chdir(tmp_path)
    for _, kind, body in fences(page):
        commands = _COMMAND.findall(body) if kind == "console" else []
        for arguments in commands:
            assert main(shlex.split(arguments)) == 0, f"{page}: talewright {arguments}"


def test_the_example_of_a_fault_is_what_is_printed(tmp_path: Path) -> None:
    match = _EXAMPLE.search(read("checking.md"))
    assert match is not None
    assert match["printed"] == print_example(match["written"], tmp_path), f"run: python {_SELF}"


def print_example(listing: str, folder: Path) -> str:
    """What `check` prints of Lantern Road with the example in it."""
    game = folder / Path(GAME).name / "game.yaml"
    shutil.copytree(ROOT / GAME, game.parent)
    text = game.read_text(encoding="utf-8")
    assert holds(text, listing.replace("max: 23", "max: 24"))
    (line,) = (line for line in listing.splitlines() if "max: 23" in line)
    game.write_text(text.replace(line.replace("max: 23", "max: 24"), line), encoding="utf-8")
    output = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(output):
        main(["check", game.parent.name])
    return output.getvalue().split("\n\n")[0]


def write_checking() -> None:
    """Put the example and the table into checking.md."""

    def show(match: re.Match[str]) -> str:
        with tempfile.TemporaryDirectory() as folder:
            return match[0].replace(match["printed"], print_example(match["written"], Path(folder)))

    page = _EXAMPLE.sub(show, read("checking.md"))
    page = _FAULTS.sub(lambda match: match["head"] + fault_table() + match["foot"], page)
    (AUTHOR / "checking.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    write_checking()
