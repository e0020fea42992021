"""The identity cache: the same objects give the same result, others are never mistaken for them."""

from talewright.common.frozen_values import cached_by_identity


def test_the_same_object_is_looked_at_once() -> None:
    seen: list[object] = []

    @cached_by_identity(2)
    def count(things: list[int], word: str) -> int:
        seen.append(things)
        return len(things)

    things = [1, 2]
    assert [count(things, "a"), count(things, "".join(["a"])), count(things, "b")] == [2, 2, 2]
    assert len(seen) == 2


def test_equal_objects_are_different_ones() -> None:
    @cached_by_identity(8)
    def name(things: list[int]) -> int:
        return id(things)

    first, second = [1], [1]
    assert name(first) == id(first)
    assert name(second) == id(second)


def test_numbers_and_wanted_types_are_compared_by_value() -> None:
    seen: list[object] = []

    @cached_by_identity(8, by_value=(frozenset,))
    def count(words: frozenset[str], number: int) -> int:
        seen.append(words)
        return number

    first, second = frozenset(["a", "b"]), frozenset(["b", "a"])
    assert [count(first, 1_000), count(second, int("1000")), count(first, 1), count(first, True)] == [
        1_000,
        1_000,
        1,
        True,
    ]
    assert len(seen) == 3


def test_the_result_used_longest_ago_is_forgotten_and_no_other() -> None:
    made: list[str] = []

    @cached_by_identity(2)
    def make(word: str) -> str:
        made.append(word)
        return word

    for word in ("a", "b", "a", "c", "a", "b"):
        make(word)
    assert made == ["a", "b", "c", "b"]


def test_what_is_cached_stays_alive_so_that_its_identity_is_not_given_away() -> None:
    @cached_by_identity(1_000)
    def read(things: list[int]) -> int:
        return things[0]

    assert [read([number]) for number in range(500)] == list(range(500))
