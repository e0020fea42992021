"""State diff: the differences between two states, the turns between them, and the same in words.

A difference says what changed, not why; `state_blame` answers that.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, equal
from talewright.kernel.game import Game
from talewright.kernel.state.changes import Change, ChangeOp
from talewright.kernel.state.documents import ABSENT, Absent
from talewright.kernel.state.state_paths import Path, pointer
from talewright.play.campaign_view import Viewer
from talewright.play.history.campaign_history import CampaignHistory
from talewright.play.presentation.change_wording import is_shown, join_clocks, tell_change
from talewright.play.presentation.privacy import prune, visible_slot
from talewright.play.presentation.value_wording import Wording
from talewright.turn.steps.recalling import fold


@frozen
class StateDifference:
    """One value that differs."""

    path: Path
    was: Json | Absent
    now: Json | Absent


@frozen
class TurnComparison:
    """Two turns compared."""

    before: Commit
    after: Commit
    ancestor: Commit
    """The last common ancestor."""

    differences: tuple[StateDifference, ...]
    before_alone: tuple[Commit, ...]
    """The turns of the first side since the ancestor, oldest first."""

    after_alone: tuple[Commit, ...]


async def compare(
    book: CampaignBook, history: CampaignHistory, before: Commit, after: Commit
) -> TurnComparison:
    """The differences between two turns anywhere in the tree."""
    first, second = history.lineage(before), history.lineage(after)
    shared = sum(1 for _ in _common(first, second))
    old, _ = await fold(book, before.id)
    new, _ = await fold(book, after.id)
    return TurnComparison(
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


def differ(before: Json, after: Json) -> tuple[StateDifference, ...]:
    """Every value that differs, in an order in which the differences can be applied one by one."""
    return tuple(_differ(before, after, ()))


def to_operations(differences: Sequence[StateDifference]) -> list[dict[str, Json]]:
    """The differences as an RFC 6902 patch."""
    operations: list[dict[str, Json]] = []
    for difference in differences:
        op = "add" if difference.was is ABSENT else "remove" if difference.now is ABSENT else "replace"
        operation: dict[str, Json] = {"op": op, "path": pointer(difference.path)}
        if difference.now is not ABSENT:
            operation["value"] = difference.now
        operations.append(operation)
    return operations


def _differ(before: Json, after: Json, path: Path) -> Iterator[StateDifference]:
    if equal(before, after):
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _differ_objects(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _differ_lists(before, after, path)
    else:
        yield StateDifference(path, before, after)


def _differ_objects(
    before: Mapping[str, Json], after: Mapping[str, Json], path: Path
) -> Iterator[StateDifference]:
    for key, value in before.items():
        if key in after:
            yield from _differ(value, after[key], (*path, key))
        else:
            yield StateDifference((*path, key), value, ABSENT)
    for key, value in after.items():
        if key not in before:
            yield StateDifference((*path, key), ABSENT, value)


def _differ_lists(before: Sequence[Json], after: Sequence[Json], path: Path) -> Iterator[StateDifference]:
    """Common elements at the start and at the end are skipped; the rest is compared pairwise."""
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
    # Remove the last element first, so that the indices of the others stay valid.
    for index in reversed(range(len(new), len(old))):
        yield StateDifference((*path, str(start + index)), old[index], ABSENT)
    for index in range(len(old), len(new)):
        yield StateDifference((*path, str(start + index)), ABSENT, new[index])


def seen_differences(
    game: Game, differences: Iterable[StateDifference], viewer: Viewer
) -> tuple[StateDifference, ...]:
    """The differences that a viewer may see, without private parts."""
    seen = []
    for difference in differences:
        slot = visible_slot(game, difference.path, viewer)
        if slot is None or not is_shown(game, difference.path, viewer):
            continue
        was = ABSENT if difference.was is ABSENT else prune(slot, difference.was, viewer)
        now = ABSENT if difference.now is ABSENT else prune(slot, difference.now, viewer)
        if was is ABSENT or now is ABSENT or not equal(was, now):
            seen.append(StateDifference(difference.path, was, now))
    return tuple(seen)


def tell_differences(game: Game, differences: Iterable[StateDifference], wording: Wording) -> tuple[str, ...]:
    """Differences in words, one line each."""
    changes = join_clocks(game, [_as_change(difference) for difference in differences])
    return tuple(tell_change(game, change, wording).text for change in changes)


def _as_change(difference: StateDifference) -> Change:
    op: ChangeOp = "add" if difference.was is ABSENT else "remove" if difference.now is ABSENT else "replace"
    return Change(op, pointer(difference.path), difference.now, difference.was, "", "")
