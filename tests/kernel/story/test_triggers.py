"""Which readers a change concerns."""

import pytest

from talewright.kernel.conditions.expression_tree import TURN
from talewright.kernel.state.state_paths import Path
from talewright.kernel.story.triggers import ConditionWatch, ReaderIndex, Readers

INDEX = ReaderIndex([{("a",)}, {("a", "b")}, {("a", "b", "c"), ("d",)}, {TURN}, {("a", "x"), TURN}])


@pytest.mark.parametrize(
    ("path", "readers"),
    [
        (("a",), {0, 1, 2, 4}),
        (("a", "b"), {0, 1, 2}),
        (("a", "b", "c"), {0, 1, 2}),
        (("a", "b", "c", "0"), {0, 1, 2}),
        (("a", "y"), {0}),
        (("d",), {2}),
        (("d", "0"), {2}),
        (("e",), set()),
    ],
)
def test_readers_above_at_and_beneath(path: Path, readers: set[int]) -> None:
    assert INDEX.touched(path) == readers


def test_readers_of_the_turn() -> None:
    assert INDEX.by_turn == {3, 4}


def test_a_watch_has_three_kinds() -> None:
    watch = ConditionWatch([{("a",)}], [{("a",), ("b",)}], [{("c",)}])
    none: frozenset[int] = frozenset()
    assert watch.readers_of(("a",)) == Readers(frozenset({0}), frozenset({0}), none)
    assert watch.readers_of(("c", "0")) == Readers(none, none, frozenset({0}))
    assert watch.readers_of(("a",)) is watch.readers_of(("a",))


def test_answers_are_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("talewright.kernel.story.triggers.READERS_KEPT_MAX", 2)
    watch = ConditionWatch([{("a",)}], [], [])
    first = watch.readers_of(("a",))
    watch.readers_of(("b",))
    assert watch.readers_of(("a",)) is first
    watch.readers_of(("c",))
    assert watch.readers_of(("a",)) == first
    assert watch.readers_of(("a",)) is not first
