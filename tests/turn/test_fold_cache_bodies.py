"""Past bodies: each body is parsed once, and one that was replaced is read anew."""

from dataclasses import replace

import pytest

from talewright.chronicle.records import MAIN, Commit
from talewright.common.quote_search import fold_all
from talewright.turn import fold_cache
from talewright.turn.fold_cache import BODIES_MAX, PastBodies
from talewright.turn.records.commit_body import OfferedChoice, TurnBody, read_body, write_body

BODY = TurnBody(
    said="Who is there?", narration="Nobody answers.", choices=(OfferedChoice("a", "Wait", "A."),)
)


def make_commit(number: int, body: TurnBody = BODY) -> Commit:
    name = f"{number:032x}"
    return Commit(name, "", MAIN, number, name, "2026", "game", "state", write_body(body))


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The bodies that were parsed, in order."""
    seen: list[object] = []

    def read(raw: dict[str, object]) -> TurnBody:
        seen.append(raw)
        return read_body(raw)  # type: ignore[arg-type]

    monkeypatch.setattr(fold_cache, "read_body", read)
    return seen


def test_a_body_is_parsed_once(parsed: list[object]) -> None:
    bodies, commit = PastBodies(), make_commit(1)
    assert bodies.read(commit) == bodies.read(commit) == BODY
    assert bodies.fold(commit) == bodies.fold(commit)
    assert parsed == [commit.body]


def test_the_letters_are_those_of_all_that_was_told() -> None:
    assert PastBodies().fold(make_commit(1)) == fold_all(["Who is there?", "Nobody answers.", "Wait", "A."])


def test_a_commit_that_was_read_from_the_store_again_is_not_parsed_again(parsed: list[object]) -> None:
    bodies = PastBodies()
    assert bodies.read(make_commit(1)) is bodies.read(make_commit(1))
    assert len(parsed) == 1


def test_what_is_made_from_a_body_is_made_once_about_the_same_objects() -> None:
    bodies, commit, made, about = PastBodies(), make_commit(1), [], (object(), object())

    def make(body: TurnBody) -> int:
        made.append(body.narration)
        return len(made)

    assert [bodies.derive(commit, make, about[0], 3) for _ in range(2)] == [1, 1]
    assert bodies.derive(commit, make, about[1], 3) == 2
    assert made == [BODY.narration] * 2


def test_another_body_under_the_same_id_is_read() -> None:
    bodies, commit = PastBodies(), make_commit(1)
    bodies.read(commit)
    other = replace(BODY, narration="Somebody answers.")
    assert bodies.read(make_commit(1, other)) == other


def test_the_bodies_that_were_read_longest_ago_are_forgotten(parsed: list[object]) -> None:
    bodies, commits = PastBodies(), [make_commit(number) for number in range(BODIES_MAX + 1)]
    for commit in commits:
        bodies.read(commit)
    bodies.read(commits[-1])
    assert len(parsed) == BODIES_MAX + 1
    bodies.read(commits[0])
    assert len(parsed) == BODIES_MAX + 2
