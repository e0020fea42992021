"""What the documentation promises is proven: every claim is on its page, and every test named for it exists.

And no promise is left out: a sentence with one of the words of a promise is claimed, or promises nothing.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.claims import CLAIMS
from tests.documents import ANY_BLOCK

ROOT = Path(__file__).parents[1]

PROMISE = re.compile(
    r"\b(never|ever|nothing|cannot|always|safe|honest|proves|provable|refused|lost|overwritten|deleted)\b"
    r"|\b(is|are|be) proven\b|only sent|at any moment",
    re.IGNORECASE,
)
"""Words that promise."""

HEADINGS = {"docs/author/reference.md": "What players must not read"}
"""Pages of which one part alone is looked through."""

PAGES = (
    *("README.md", "SECURITY.md", "docs/author/reference.md"),
    *(f"docs/plug/{name}.md" for name in ("stores", "turns", "embedding")),
    *sorted(f"docs/{path.parent.name}/{path.name}" for path in (ROOT / "docs").glob("play/*.md")),
    *sorted(f"docs/{path.parent.name}/{path.name}" for path in (ROOT / "docs").glob("run/*.md")),
)
"""Pages that are looked through for promises. Rows of tables are not: they list, and where they promise
something it is claimed."""

NO_PROMISES: dict[str, tuple[str, ...]] = {
    "advice for operators, or arithmetic on paper": (
        "Nothing in Talewright needs to know about it",
        "It is right: they were lost with the old database",
        "A backup that was never restored is only a hope",
        "Open it to your monitoring only, never to players",
        "Nothing is lost, but they get slower",
        "Records are never deleted, because a campaign can be replayed from its first turn",
    ),
    "says what the page is about": (
        "What that proves, and what it does not",
        "what can be proven about a campaign and to whom, and what cannot be proven",
        "explains what this proves, and to whom",
    ),
    "says what the engine does not do, or someone else can": (
        "If it is a plain save, nothing is proven about what came before",
        "The rolls are honest, but others have to take your word",
        "The function does not know the rules of the game, so it cannot say",
    ),
    "a rule of a game, not of the engine": (
        "points you did not spend the day before are lost",
        "Unspent points are lost",
        "With no dice nothing is rolled",
        "a player who never does either",
        "With 3 dice and resist never spent",
    ),
    "what a model did when it was measured": (
        "and nothing else, and examined with",
        "so nothing is gained by reading ahead",
        "found nothing wrong in these campaigns",
        "has read about stories but cannot write one",
    ),
    "about how something looks or is laid out": (
        "Headings with nothing to show are left out",
        "With `--plain` it always uses plain text",
        "the card you have selected with Tab always shows its own",
        "Nothing is lost, because no meaning depends on colour alone",
        "It prints the story, the changes, your status and the numbered choices, one line after another,"
        " and repeats nothing",
    ),
    "about the size or the cost of a request": ("Replies never exceed the model's own limit",),
}
"""Sentences with a word of a promise that promise nothing about safety, honesty or loss, by the reason."""


@cache
def read_page(page: str) -> str:
    """A page without its blocks of code, and links as the words they are."""
    text = ANY_BLOCK.sub("\n\n", (ROOT / page).read_text(encoding="utf-8"))
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text))


def plain(text: str) -> str:
    return " ".join(text.split())


def find_sentences(page: str) -> Iterator[str]:
    """The sentences of the paragraphs and lists of a page, each on one line."""
    text = read_page(page)
    if page in HEADINGS:
        text = text.split(f"\n## {HEADINGS[page]}\n")[1].split("\n## ")[0]
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) |\||#)", text):
        if not block.lstrip().startswith(("#", "|")):
            yield from re.split(r"(?<=[.!?])[\"'*)]*\s+(?=[\"'*(`]*[A-Z`])", plain(block))


@cache
def list_functions(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("page", CLAIMS)
def test_claims_stand_on_their_page(page: str) -> None:
    text = plain(read_page(page))
    assert [words for words in CLAIMS[page] if plain(words) not in text] == []


@pytest.mark.parametrize("page", CLAIMS)
def test_tests_that_prove_a_claim_exist(page: str) -> None:
    missing = []
    for words, tests in CLAIMS[page].items():
        assert tests, words
        for test in tests:
            file, _, name = test.partition("::")
            if (
                not (ROOT / file).is_file()
                or not name.startswith("test_")
                or name not in list_functions(file)
            ):
                missing.append(test)
    assert missing == []


@pytest.mark.parametrize("page", PAGES)
def test_every_promise_is_claimed(page: str) -> None:
    claimed = [plain(words) for words in CLAIMS.get(page, {})]
    excused = [words for listed in NO_PROMISES.values() for words in listed]
    promises = [sentence for sentence in find_sentences(page) if PROMISE.search(sentence)]
    open_promises = [
        sentence
        for sentence in promises
        if not any(words in sentence or sentence in words for words in (*claimed, *excused))
    ]
    assert open_promises == [], "name the test that proves it in tests/claims.py, or say less"


def test_no_excuse_is_left_over() -> None:
    sentences = [sentence for page in PAGES for sentence in find_sentences(page) if PROMISE.search(sentence)]
    for listed in NO_PROMISES.values():
        assert [words for words in listed if not any(words in sentence for sentence in sentences)] == []


@pytest.mark.slow
def test_text_files_are_read_and_written_as_utf8() -> None:
    """Whoever opens a file as text says in which encoding; the one of the system is never taken."""
    found = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            told = ast.unparse(node)
            opens = called in ("open", "os.fdopen", "io.open", "io.TextIOWrapper")
            if (opens or called.endswith((".read_text", ".write_text"))) and not re.search(
                r"utf-8|'[rwax]\+?b\+?'", told
            ):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {told}")
    assert found == []
