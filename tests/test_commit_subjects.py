"""Commit subjects: new commits say what they do, in the imperative, with an area in front.

Only the history is read, and only after the commit with which the rule began. Where there is none, as in a
source archive or a shallow clone, nothing is checked.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RULE_BEGAN = "6fd4db860fdf564d54fa224e6f8c35d225f001d5"
"""The last commit before the rule."""

LENGTH_MAX = 72
FORM = re.compile(r"[a-z0-9][a-z0-9_./-]*(, [a-z0-9][a-z0-9_./-]*)*: (?P<change>\S.*)")
ARTICLES = frozenset({"a", "an", "the"})
NOT_IMPERATIVE = re.compile(r"[a-z]{2,}(ed|ing)")
VERBS = frozenset(
    "bring bleed breed cling embed exceed feed fling heed need ping proceed ring seed shed shred sing sling"
    " speed spring sting string succeed swing weed wing".split()
)
"""Imperatives that only look like another form of a verb."""


def find_faults(subject: str) -> Iterator[str]:
    """What is wrong with the subject of a commit."""
    if len(subject) > LENGTH_MAX:
        yield f"{len(subject)} characters; at most {LENGTH_MAX} are allowed"
    if subject.endswith("."):
        yield "ends with a full stop"
    matched = FORM.fullmatch(subject)
    if matched is None:
        yield "does not look like `area: do something`, with the area in lower case"
        return
    first = matched["change"].split()[0].lower()
    if first in ARTICLES or (first not in VERBS and NOT_IMPERATIVE.fullmatch(first)):
        yield f"begins with {first!r}; begin with an imperative, such as `keep` or `fix`"


def run_git(*words: str) -> str | None:
    """What git prints; None if it fails or is missing."""
    git = shutil.which("git")
    if git is None:
        return None
    done = subprocess.run([git, *words], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    return done.stdout if done.returncode == 0 else None


@pytest.mark.process
def test_new_commits_follow_the_rule() -> None:
    if run_git("merge-base", "--is-ancestor", RULE_BEGAN, "HEAD") is None:
        pytest.skip(
            "this tree has no history, or one that does not contain the commit with which the rule began"
        )
    log = run_git("log", "--no-merges", "--format=%h %s", f"{RULE_BEGAN}..HEAD")
    assert log is not None
    commits = [line.split(" ", 1) for line in log.splitlines()]
    faults = [f"{name} {subject!r} {fault}" for name, subject in commits for fault in find_faults(subject)]
    assert faults == []


@pytest.mark.parametrize(
    "subject",
    [
        "web: keep the scroll position after a theme change",
        "faces/tui: embed the map",
        "common, config: reword docstrings",
        "docs: bring the tutorial up to date",
        "x: " + "y" * (LENGTH_MAX - 3),
    ],
)
def test_good_subjects_pass(subject: str) -> None:
    assert list(find_faults(subject)) == []


@pytest.mark.parametrize(
    ("subject", "fault"),
    [
        ("x: " + "y" * (LENGTH_MAX - 2), "73 characters; at most 72"),
        ("web: keep the scroll position.", "ends with a full stop"),
        ("Keep the scroll position", "does not look like"),
        ("Web: keep the scroll position", "does not look like"),
        ("web:keep the scroll position", "does not look like"),
        ("web: fixed the scroll position", "begins with 'fixed'"),
        ("web: keeping the scroll position", "begins with 'keeping'"),
        ("web: The scroll position is kept", "begins with 'the'"),
        ("web: a theme change keeps the scroll position", "begins with 'a'"),
    ],
)
def test_bad_subjects_are_named(subject: str, fault: str) -> None:
    (found,) = find_faults(subject)
    assert found.startswith(fault)
