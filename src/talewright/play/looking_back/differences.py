"""Differences: what stands otherwise in one state than in another, and which turns lie between them.

A difference says what is, not who did it; that is `blame`'s question.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.kernel.state.documents import ABSENT, Absent, Json, equal
from talewright.kernel.state.state_paths import Path, pointer
from talewright.play.looking_back.histories import History
from talewright.turn.steps.recalling import fold


@dataclass(frozen=True, slots=True)
class Difference:
    """One place that is not the same."""

    path: Path
    was: Json | Absent
    now: Json | Absent


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two turns side by side."""

    before: Commit
    after: Commit
    ancestor: Commit
    """The last turn that both have behind them."""

    differences: tuple[Difference, ...]
    before_alone: tuple[Commit, ...]
    """The turns of the first side since the ancestor, oldest first."""

    after_alone: tuple[Commit, ...]


async def compare(book: CampaignBook, history: History, before: Commit, after: Commit) -> Comparison:
    """What became otherwise from one turn to another, wherever in the tree they stand."""
    first, second = history.lineage(before), history.lineage(after)
    shared = sum(1 for _ in _common(first, second))
    old, _ = await fold(book, before.id)
    new, _ = await fold(book, after.id)
    return Comparison(
        before,
        after,
        first[shared - 1],
        differ(old.document, new.document),
        first[shared:],
        second[shared:],
    )


def _common(first: Sequence[Commit], second: Sequence[Commit]) -> Iterator[Commit]:
    for one, other in zip(first, second, strict=False):
        if one.id != other.id:
            return
        yield one


def differ(before: Json, after: Json) -> tuple[Difference, ...]:
    """Every place that differs, in an order in which the differences can be made one after the other."""
    return tuple(_differ(before, after, ()))


def to_operations(differences: Sequence[Difference]) -> list[dict[str, Json]]:
    """The differences as an RFC 6902 patch."""
    operations: list[dict[str, Json]] = []
    for difference in differences:
        op = "add" if difference.was is ABSENT else "remove" if difference.now is ABSENT else "replace"
        operation: dict[str, Json] = {"op": op, "path": pointer(difference.path)}
        if difference.now is not ABSENT:
            operation["value"] = difference.now
        operations.append(operation)
    return operations


def _differ(before: Json, after: Json, path: Path) -> Iterator[Difference]:
    if equal(before, after):
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _differ_objects(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _differ_lists(before, after, path)
    else:
        yield Difference(path, before, after)


def _differ_objects(
    before: Mapping[str, Json], after: Mapping[str, Json], path: Path
) -> Iterator[Difference]:
    for key, value in before.items():
        if key in after:
            yield from _differ(value, after[key], (*path, key))
        else:
            yield Difference((*path, key), value, ABSENT)
    for key, value in after.items():
        if key not in before:
            yield Difference((*path, key), ABSENT, value)


def _differ_lists(before: Sequence[Json], after: Sequence[Json], path: Path) -> Iterator[Difference]:
    """What both have at the beginning and at the end is left alone; the rest is held against each other."""
    shorter = min(len(before), len(after))
    start = 0
    while start < shorter and equal(before[start], after[start]):
        start += 1
    end = 0
    while end < shorter - start and equal(before[-1 - end], after[-1 - end]):
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    for index, (one, other) in enumerate(zip(old, new, strict=False), start):
        yield from _differ(one, other, (*path, str(index)))
    # The last element goes first, so that the indices of those before it still mean the same.
    for index in reversed(range(len(new), len(old))):
        yield Difference((*path, str(start + index)), old[index], ABSENT)
    for index in range(len(old), len(new)):
        yield Difference((*path, str(start + index)), ABSENT, new[index])
