"""Documents: JSON values of the kernel, lookup by path, normal form, and drafts that can be written to.

A document is never changed in place; a draft copies what it writes.
"""

import math
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, Literal, TypeAlias, assert_never

from talewright.common.json_values import Json
from talewright.common.work_meter import COPIED_PER_STEP, count_work
from talewright.kernel.state.state_paths import Path, index_of, pointer

INTEGER_MAX = 2**53 - 1
"""The largest integer that every JSON reader in every language represents exactly."""

DECIMALS_MAX = 9
"""Maximum decimal places of a number in a state, so that the number shown is the number compared."""


class Absent(Enum):
    """The type of `ABSENT`, an enum so that `is ABSENT` narrows a union."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
"""There is no value; `None` is JSON's null, which is a value."""


def find(document: Json, path: Path) -> Json | Absent:
    """The value at a path, through object members and list indexes."""
    node: Json | Absent = document
    for key in path:
        if isinstance(node, dict):
            node = node.get(key, ABSENT)
        elif isinstance(node, list):
            index = index_of(key, len(node))
            if index is None:
                return ABSENT
            node = node[index]
        else:
            return ABSENT
    return node


def normal_number(value: int | float) -> int | float | None:
    """The normal form of a number (`3.0` is `3`, `-0.0` is `0`), or None if it has none."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        if not value.is_integer():
            return value
        value = int(value)
    return value if -INTEGER_MAX <= value <= INTEGER_MAX else None


def rounded_number(value: int | float) -> int | float | None:
    """A number rounded half to even to the allowed decimal places; None if it has no normal form."""
    return normal_number(round(value, DECIMALS_MAX) if isinstance(value, float) else value)


def is_text(value: str) -> bool:
    """Whether a string can be encoded as UTF-8: lone surrogates cannot."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


Container: TypeAlias = dict[str, Json] | list[Json]

Write: TypeAlias = (
    tuple[Literal["add"], Path]
    | tuple[Literal["replace"], Path, Json]
    | tuple[Literal["remove"], Path, Json, tuple[str, ...]]
)
"""One write: the path, the previous value, and all keys of the object that lost one (none for a list)."""

_CONTAINERS = (dict, list)


class DraftError(LookupError):
    """The write does not fit the document."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{pointer(path) or 'the whole document'}: {why}")
        self.path = path
        self.why = why


class Draft:
    """A working copy of a document while one reply is judged, with rollback.

    It copies each container it writes to once and shares the rest. It never alters its base, nor anything it
    was given or has returned.
    """

    __slots__ = ("_journal", "_owned", "_root")

    def __init__(self, base: Mapping[str, Json]) -> None:
        self._root = base
        self._journal: list[Write] = []
        self._owned: dict[int, Container] = {}
        """Containers that are not shared, by identity: these are written in place, others are copied first.

        The dict also holds the containers as values, since an identity may be reused once its object is gone.
        It is cleared when a container is returned, and when one is written in, which may contain some.
        """

    @property
    def document(self) -> Mapping[str, Json]:
        """The current document. It stays valid while the draft is written further."""
        self._owned.clear()
        return self._root

    @property
    def journal(self) -> Sequence[Write]:
        """Every write that was not rolled back, oldest first."""
        return tuple(self._journal)

    def peek(self, path: Path) -> Json | Absent:
        """The value at a path, valid only until the next write."""
        return find(self._root, path)

    def read(self, path: Path) -> Json | Absent:
        """The value at a path; later writes do not alter it."""
        value = find(self._root, path)
        if id(value) in self._owned:
            self._owned.clear()
        return value

    def replace(self, path: Path, value: Json) -> Json:
        """Replace a value and return the previous one."""
        was = self._put(path, value)
        self._journal.append(("replace", path, was))
        return was

    def add(self, path: Path, value: Json) -> None:
        """Give an object a new member, or insert into a list before an index, or at its end."""
        self._insert(path, value)
        self._journal.append(("add", path))

    def remove(self, path: Path) -> Json:
        """Remove the value at a path and return it."""
        was, keys = self._take(path)
        self._journal.append(("remove", path, was, keys))
        return was

    def checkpoint(self) -> int:
        """A savepoint to roll back to."""
        return len(self._journal)

    def rollback(self, mark: int) -> None:
        """Undo every write since the savepoint; the keys of objects regain their old order."""
        for write in reversed(self._journal[mark:]):
            match write:
                case (_, path):
                    self._take(path)
                case (_, path, was):
                    self._put(path, was)
                case (_, path, was, keys):
                    self._insert(path, was)
                    self._reorder(path, keys)
                case _ as never:
                    assert_never(never)
        del self._journal[mark:]

    def _put(self, path: Path, value: Json) -> Json:
        container = self._own_parent(path, value)
        was: Json
        if isinstance(container, dict):
            key = path[-1]
            if key not in container:
                raise DraftError(path, "nothing stands there")
            was = container[key]
            container[key] = value
        else:
            index = _index(path, len(container))
            was = container[index]
            container[index] = value
        return was

    def _insert(self, path: Path, value: Json) -> None:
        container = self._own_parent(path, value)
        if isinstance(container, dict):
            if path[-1] in container:
                raise DraftError(path, "something stands there already")
            container[path[-1]] = value
        else:
            container.insert(_index(path, len(container) + 1), value)

    def _take(self, path: Path) -> tuple[Json, tuple[str, ...]]:
        container = self._own_parent(path, None)
        if isinstance(container, list):
            return container.pop(_index(path, len(container))), ()
        if path[-1] not in container:
            raise DraftError(path, "nothing stands there")
        count_work(len(container) // COPIED_PER_STEP)
        keys = tuple(container)
        return container.pop(path[-1]), keys

    def _reorder(self, path: Path, keys: tuple[str, ...]) -> None:
        container = self._own_parent(path, None)
        if isinstance(container, dict):
            count_work(len(keys) // COPIED_PER_STEP)
            members = {key: container[key] for key in keys}
            container.clear()
            container.update(members)

    def _own_parent(self, path: Path, value: Json) -> Container:
        """The container at the end of a path, safe to alter, for a value about to be written there."""
        if not path:
            raise DraftError(path, "only its members can be written")
        owned = self._owned
        if isinstance(value, _CONTAINERS):
            owned.clear()
        node = owned.get(id(self._root))
        if node is None:
            count_work(len(self._root) // COPIED_PER_STEP)
            node = dict(self._root)
            self._root = node
            owned[id(node)] = node
        for key in path[:-1]:
            child = find(node, (key,))
            mine = owned.get(id(child))
            if mine is None:
                if not isinstance(child, _CONTAINERS):
                    raise DraftError(path, "no object or list stands above it")
                count_work(len(child) // COPIED_PER_STEP)
                mine = child.copy()
                owned[id(mine)] = mine
                if isinstance(node, dict):
                    node[key] = mine
                else:
                    node[int(key)] = mine
            node = mine
        return node


def _index(path: Path, size: int) -> int:
    """The index at the end of a path, which must be below `size`."""
    index = index_of(path[-1], size)
    if index is None:
        raise DraftError(path, f"the index must be 0 .. {size - 1}" if size else "the list is empty")
    return index
